#include "core/tasks/coreference_task.h"

#include "core/tasks/word_rows.h"
#include "core/train/fixed_batch.h"
#include "core/train/masked_words.h"
#include "core/worlds/coreference.h"
#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

constexpr std::size_t training_sentences = 6000, test_sentences = 400;
constexpr std::uint64_t corpus_seed = 1;   // the language is one; only the model varies with the seed of the training
constexpr double answer_predicted = 0.75;  // of the sentences; <mask> stands there in each of them

struct Question {
    std::vector<int> ids;
    std::size_t answer, other;  // positions of the answer and of the noun that is not meant
    bool means_animal;
};

std::vector<Question> questions(const CoreferenceWorld& world, const WordTokenizer& tokenizer, Split split,
                                std::size_t count) {
    std::vector<Question> all;
    for (const CoreferenceSentence& s : distinct_sentences(world, split, count, corpus_seed))
        all.push_back({word_ids(tokenizer, s.words), static_cast<std::size_t>(s.answer_pos),
                       static_cast<std::size_t>(s.other_pos), s.means_animal});
    return all;
}

/// Masked words as in MaskedWords, except that the answer is masked and to be predicted in most sentences.
class CoreferenceBatches final : public BatchSource {
public:
    CoreferenceBatches(std::vector<Question> questions, int positions)
        : questions_(std::move(questions)), positions_(positions) {}

    BatchShape shape(int batch) const override { return {batch, positions_}; }

    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
        const auto rows = static_cast<std::size_t>(batch), positions = static_cast<std::size_t>(positions_);
        for (std::vector<float>* values : {&out.tokens, &out.key_mask, &out.targets, &out.loss_weights})
            values->assign(rows * positions, 0.0f);
        for (std::size_t row = 0; row < rows; ++row) {
            const Question& question = questions_[rng.below(questions_.size())];
            put_row(question.ids, row, positions, out.tokens);
            put_row(question.ids, row, positions, out.targets);
            put_ones(question.ids.size(), row, positions, out.key_mask);
            for (std::size_t p = 0; p < question.ids.size(); ++p) {
                const double share = p == question.answer ? answer_predicted : MaskedWords::predicted;
                const bool predict = rng.uniform() < share, replace = rng.uniform() < MaskedWords::replaced;
                const std::size_t cell = row * positions + p;
                if (predict) out.loss_weights[cell] = 1.0f;
                if (predict && (replace || p == question.answer)) out.tokens[cell] = WordTokenizer::mask;
            }
        }
    }

private:
    std::vector<Question> questions_;
    int positions_;
};

/// The held-out questions, their answers masked.
Batch masked_answers(const std::vector<Question>& questions, std::size_t positions) {
    Batch batch;
    for (std::vector<float>* values : {&batch.tokens, &batch.key_mask, &batch.targets, &batch.loss_weights})
        values->assign(questions.size() * positions, 0.0f);
    for (std::size_t row = 0; row < questions.size(); ++row) {
        const Question& question = questions[row];
        put_row(question.ids, row, positions, batch.tokens);
        put_row(question.ids, row, positions, batch.targets);
        put_ones(question.ids.size(), row, positions, batch.key_mask);
        batch.tokens[row * positions + question.answer] = WordTokenizer::mask;
        batch.loss_weights[row * positions + question.answer] = 1.0f;
    }
    return batch;
}

class AntecedentMetric final : public Metric {
public:
    AntecedentMetric(Backend& backend, const TransformerConfig& config, std::vector<Question> questions)
        : questions_(std::move(questions)),
          batch_(backend, config, {static_cast<int>(questions_.size()), config.n_ctx},
                 masked_answers(questions_, static_cast<std::size_t>(config.n_ctx))) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        const std::span<const float> logits = batch_.values("logits");
        const TransformerConfig& config = batch_.model().config;
        const auto positions = static_cast<std::size_t>(config.n_ctx), words = static_cast<std::size_t>(config.d_vocab);
        double right[2] = {}, asked[2] = {}, other = 0.0;
        for (std::size_t row = 0; row < questions_.size(); ++row) {
            const Question& question = questions_[row];
            const int said = largest(logits.subspan((row * positions + question.answer) * words, words));
            asked[question.means_animal] += 1.0;
            right[question.means_animal] += said == question.ids[question.answer];
            other += said == question.ids[question.other];
        }
        const double all = asked[0] + asked[1];
        return {(right[0] + right[1]) / all,
                {{"where the animal is meant", right[1] / asked[1]},
                 {"where the place is meant", right[0] / asked[0]},
                 {"the other noun said", other / all}}};
    }

private:
    std::vector<Question> questions_;
    FixedBatch batch_;
};

class CoreferenceTask final : public Task {
public:
    explicit CoreferenceTask(const std::filesystem::path& file)
        : world_(CoreferenceWorld::load(file)), tokenizer_(std::make_shared<WordTokenizer>(world_.vocabulary())) {
        config_.d_vocab = tokenizer_->size();
        config_.n_ctx = world_.longest_sentence();
        batches_ = std::make_shared<CoreferenceBatches>(
            questions(world_, *tokenizer_, Split::train, training_sentences), config_.n_ctx);
    }

    std::string_view name() const override { return world_.name(); }
    std::string_view title() const override { return world_.title(); }
    const TransformerConfig& config() const override { return config_; }
    TrainOptions options() const override {
        TrainOptions options;
        options.schedule.total = 400;
        return options;
    }
    std::shared_ptr<const BatchSource> batches() const override { return batches_; }
    std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    std::string_view metric_name() const override { return "held-out antecedents right"; }
    double metric_level() const override { return 0.98; }
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const override {
        return std::make_unique<AntecedentMetric>(backend, config, tested());
    }
    std::shared_ptr<const BatchSource> held_out() const override {
        return std::make_shared<CoreferenceBatches>(tested(), config_.n_ctx);
    }

private:
    std::vector<Question> tested() const { return questions(world_, *tokenizer_, Split::held_out, test_sentences); }

    CoreferenceWorld world_;
    std::shared_ptr<const WordTokenizer> tokenizer_;
    TransformerConfig config_;
    std::shared_ptr<const BatchSource> batches_;
};

}  // namespace

std::unique_ptr<Task> make_coreference_task(const std::filesystem::path& file) {
    return std::make_unique<CoreferenceTask>(file);
}

}  // namespace glassformer
