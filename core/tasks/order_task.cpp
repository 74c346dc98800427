#include "core/tasks/order_task.h"

#include <algorithm>
#include <map>

#include "core/tasks/word_rows.h"
#include "core/train/fixed_batch.h"
#include "core/worlds/corpus.h"
#include "core/worlds/order.h"

namespace glassformer {

namespace {

constexpr std::size_t training_sentences = 8000, test_pairs = 200;
constexpr std::uint64_t corpus_seed = 1;  // the language is one; only the model varies with the seed of the training

struct Opinion {
    std::vector<int> ids;
    bool positive;
};

void put(const Opinion& opinion, std::size_t row, std::size_t positions, Batch& out) {
    put_row(opinion.ids, row, positions, out.tokens);
    put_ones(opinion.ids.size(), row, positions, out.key_mask);
    out.targets[row] = opinion.positive ? 1.0f : 0.0f;
}

void clear(std::size_t rows, std::size_t positions, Batch& out) {
    out.tokens.assign(rows * positions, 0.0f);
    out.key_mask.assign(rows * positions, 0.0f);
    out.targets.assign(rows, 0.0f);
    out.loss_weights.assign(rows, 1.0f);
}

class OrderBatches final : public BatchSource {
public:
    OrderBatches(std::vector<Opinion> opinions, int positions)
        : opinions_(std::move(opinions)), positions_(positions) {}

    BatchShape shape(int batch) const override { return {batch, positions_}; }

    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
        const auto rows = static_cast<std::size_t>(batch), positions = static_cast<std::size_t>(positions_);
        clear(rows, positions, out);
        for (std::size_t row = 0; row < rows; ++row) put(opinions_[rng.below(opinions_.size())], row, positions, out);
    }

private:
    std::vector<Opinion> opinions_;
    int positions_;
};

/// Each held-out opinion with its contrary, which has the same words.
std::vector<Opinion> contrary_pairs(const OrderWorld& world, const WordTokenizer& tokenizer) {
    std::vector<Opinion> pairs;
    for (const OpinionSentence& said : distinct_sentences(world, Split::held_out, test_pairs, corpus_seed))
        for (const OpinionSentence& sentence : {said, world.contrary(said)})
            pairs.push_back({word_ids(tokenizer, sentence.words), sentence.positive});
    return pairs;
}

/// The most that anyone can get right who sees which words are in a sentence, but not their order: of each bag of
/// words, the commoner opinion.
double best_of_bags(const std::vector<Opinion>& opinions) {
    std::map<std::vector<int>, std::pair<int, int>> bags;
    for (const Opinion& opinion : opinions) {
        std::vector<int> bag = opinion.ids;
        std::ranges::sort(bag);
        auto& [negative, positive] = bags[bag];
        ++(opinion.positive ? positive : negative);
    }
    int right = 0;
    for (const auto& [bag, counts] : bags) right += std::max(counts.first, counts.second);
    return static_cast<double>(right) / static_cast<double>(opinions.size());
}

Batch all_of(const std::vector<Opinion>& opinions, std::size_t positions) {
    Batch batch;
    clear(opinions.size(), positions, batch);
    for (std::size_t row = 0; row < opinions.size(); ++row) put(opinions[row], row, positions, batch);
    return batch;
}

class SentimentMetric final : public Metric {
public:
    SentimentMetric(Backend& backend, const TransformerConfig& config, std::vector<Opinion> opinions)
        : opinions_(std::move(opinions)),
          bags_(best_of_bags(opinions_)),
          batch_(backend, config, {static_cast<int>(opinions_.size()), config.n_ctx},
                 all_of(opinions_, static_cast<std::size_t>(config.n_ctx))) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        const std::span<const float> logits = batch_.values("logits");
        double right[2] = {}, asked[2] = {};
        for (std::size_t row = 0; row < opinions_.size(); ++row) {
            const bool positive = opinions_[row].positive;
            asked[positive] += 1.0;
            right[positive] += (largest(logits.subspan(2 * row, 2)) == 1) == positive;
        }
        return {(right[0] + right[1]) / (asked[0] + asked[1]),
                {{"praise", right[1] / asked[1]}, {"blame", right[0] / asked[0]}, {"best without order", bags_}}};
    }

private:
    std::vector<Opinion> opinions_;
    double bags_;
    FixedBatch batch_;
};

class OrderTask final : public Task {
public:
    explicit OrderTask(const std::filesystem::path& file)
        : world_(OrderWorld::load(file)), tokenizer_(std::make_shared<WordTokenizer>(world_.vocabulary())) {
        config_.d_vocab = tokenizer_->size();
        config_.n_ctx = world_.longest_sentence();
        config_.output = OutputKind::classes;
        config_.d_output = 2;
        std::vector<Opinion> opinions;
        for (const OpinionSentence& s : distinct_sentences(world_, Split::train, training_sentences, corpus_seed))
            opinions.push_back({word_ids(*tokenizer_, s.words), s.positive});
        batches_ = std::make_shared<OrderBatches>(std::move(opinions), config_.n_ctx);
    }

    std::string_view name() const override { return world_.name(); }
    std::string_view title() const override { return world_.title(); }
    const TransformerConfig& config() const override { return config_; }
    TrainOptions options() const override {
        TrainOptions options;
        options.schedule.peak = 3e-3f;
        options.schedule.total = 300;
        return options;
    }
    std::shared_ptr<const BatchSource> batches() const override { return batches_; }
    std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    std::string_view metric_name() const override { return "held-out sentiment accuracy"; }
    double metric_level() const override { return 0.98; }
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const override {
        return std::make_unique<SentimentMetric>(backend, config, contrary_pairs(world_, *tokenizer_));
    }
    std::shared_ptr<const BatchSource> held_out() const override {
        return std::make_shared<OrderBatches>(contrary_pairs(world_, *tokenizer_), config_.n_ctx);
    }

private:
    OrderWorld world_;
    std::shared_ptr<const WordTokenizer> tokenizer_;
    TransformerConfig config_;
    std::shared_ptr<const BatchSource> batches_;
};

}  // namespace

std::unique_ptr<Task> make_order_task(const std::filesystem::path& file) { return std::make_unique<OrderTask>(file); }

}  // namespace glassformer
