#include "core/base/mark_text.h"
#include "core/tasks/word_rows.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/train/fixed_batch.h"
#include "core/train/masked_words.h"
#include "core/train/task_definition.h"
#include "core/worlds/coreference.h"
#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

constexpr std::size_t training_coreference = 6000, held_out_coreference = 400;
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
                {{N_("where the animal is meant"), right[1] / asked[1]},
                 {N_("where the place is meant"), right[0] / asked[0]},
                 {"the other noun said", other / all}}};
    }

private:
    std::vector<Question> questions_;
    FixedBatch batch_;
};

/// Each sample with its answer hidden, then with its answer. The hidden word should look at what "it" means.
std::vector<Sample> samples_of(const CoreferenceWorld& world) {
    std::vector<Sample> hidden, whole;
    for (const CoreferenceSentence& sentence : world.samples()) {
        std::vector<std::string> words = sentence.words;
        whole.push_back({join_words(words), -1, sentence.answer_pos, sentence.antecedent_pos});
        words[static_cast<std::size_t>(sentence.answer_pos)] = "▢";
        hidden.push_back({join_words(words), -1, sentence.answer_pos, sentence.antecedent_pos});
    }
    hidden.insert(hidden.end(), whole.begin(), whole.end());
    return hidden;
}

TaskDefinition make_coreference(const WorldFile& file) {
    const auto world = std::make_shared<const CoreferenceWorld>(CoreferenceWorld::parse(file.text, file.name));
    const auto tokenizer = std::make_shared<const WordTokenizer>(world->vocabulary());
    const int positions = world->longest_sentence();
    const auto tested = [world, tokenizer] {
        return questions(*world, *tokenizer, Split::held_out, held_out_coreference);
    };
    TaskDefinition task;
    task.name = world->name();
    task.title = world->title();
    task.config.d_vocab = tokenizer->size();
    task.config.n_ctx = positions;
    task.options.schedule.total = 400;
    task.batches = std::make_shared<CoreferenceBatches>(
        questions(*world, *tokenizer, Split::train, training_coreference), positions);
    task.held_out = [tested, positions] { return std::make_shared<CoreferenceBatches>(tested(), positions); };
    task.tokenizer = tokenizer;
    task.samples = samples_of(*world);
    task.metric_name = N_("held-out antecedents right");
    task.metric_level = 0.98;
    task.metric = [tested](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<AntecedentMetric>(backend, config, tested());
    };
    return task;
}

}  // namespace

/// What does "it" mean? Masked-word prediction, and how often the model fills in the antecedent for "it means the ▢"
/// where it never saw that animal, place and adjective together.
const WorldKind coreference_world = {.name = "coreference",
                                     .summary = N_("What does “it” mean? Only the last adjective tells."),
                                     .reads = "“… because it was too tired. it means the ▢.”",
                                     .learns = "say which noun “it” means",
                                     .make = make_coreference,
                                     .file = "coreference.words",
                                     .own_list = "of_animal"};

}  // namespace glassformer
