#include <algorithm>
#include <map>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"
#include "core/worlds/corpus.h"
#include "core/worlds/order.h"

namespace glassformer {

namespace {

constexpr std::size_t training_order = 8000, test_pairs = 200;

struct Opinion {
    std::vector<int> ids;
    bool positive;
};

struct OpinionRows {
    using Row = Opinion;
    static void clear(const BatchShape& shape, Batch& out) {
        clear_rows(shape, out);
        out.targets.assign(static_cast<std::size_t>(shape.batch), 0.0f);
        out.loss_weights.assign(static_cast<std::size_t>(shape.batch), 1.0f);
    }
    static void put(const Opinion& opinion, std::size_t row, const BatchShape& shape, Batch& out) {
        put_row(opinion.ids, row, shape.positions, out.tokens, out.key_mask);
        out.targets[row] = opinion.positive ? 1.0f : 0.0f;
    }
};
using OrderBatches = DrawnRows<OpinionRows>;

/// Each held-out opinion with its contrary, which has the same words.
std::vector<Opinion> contrary_pairs(const OrderWorld& world, const WordTokenizer& tokenizer) {
    std::vector<Opinion> pairs;
    for (const OpinionSentence& said : distinct_sentences(world, Split::held_out, test_pairs, corpus_seed))
        for (const OpinionSentence& sentence : {said, world.contrary(said)})
            pairs.push_back({word_ids(tokenizer, sentence.words), sentence.positive});
    return pairs;
}

/// The highest share that a reader can get right who sees which words are in a sentence, but not their order: for each
/// bag of words, the more frequent opinion.
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

class SentimentMetric final : public Metric {
public:
    SentimentMetric(Backend& backend, const TransformerConfig& config, std::vector<Opinion> opinions)
        : opinions_(std::move(opinions)),
          bags_(best_of_bags(opinions_)),
          batch_(backend, config, {static_cast<int>(opinions_.size()), config.n_ctx},
                 batch_of<OpinionRows>(opinions_, {static_cast<int>(opinions_.size()), config.n_ctx})) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        const std::span<const float> logits = batch_.values("logits");
        double right[2] = {}, asked[2] = {};
        for (std::size_t row = 0; row < opinions_.size(); ++row) {
            const bool positive = opinions_[row].positive;
            asked[positive] += 1.0;
            const float blame = logits[2 * row], praise = logits[2 * row + 1];
            right[positive] += blame == praise ? 0.5 : (praise > blame) == positive;  // a tie counts half
        }
        return batch_.nan_if_diverged({(right[0] + right[1]) / (asked[0] + asked[1]),
                                       {{N_("praise"), right[1] / asked[1]},
                                        {N_("blame"), right[0] / asked[0]},
                                        {N_("best without order"), bags_}}});
    }

private:
    std::vector<Opinion> opinions_;
    double bags_;
    FixedBatch batch_;
};

/// The denied word should attend to the "not" that denies it.
std::vector<Sample> samples_of(const OrderWorld& world) {
    std::vector<Sample> samples;
    for (const OpinionSentence& sentence : world.samples()) {
        const auto denial = std::ranges::find(sentence.words, "not");
        const int at = denial == sentence.words.end() ? -1 : static_cast<int>(denial - sentence.words.begin());
        samples.push_back({join_words(sentence.words), -1, sentence.denied_pos, at});
    }
    return samples;
}

Task make_order(const WorldFile& file) {
    const auto world = std::make_shared<const OrderWorld>(OrderWorld::parse(file.text, file.name));
    const auto tokenizer = std::make_shared<const WordTokenizer>(world->vocabulary());
    const BatchShape shape{1, world->longest_sentence()};
    std::vector<Opinion> opinions;
    for (const OpinionSentence& s : distinct_sentences(*world, Split::train, training_order, corpus_seed))
        opinions.push_back({word_ids(*tokenizer, s.words), s.positive});
    Task task = task_in_words(*world, tokenizer);
    task.config.output = OutputKind::classes;
    task.config.d_output = 2;
    task.options.schedule.peak = 3e-3f;
    task.options.schedule.total = 300;
    task.batches = std::make_shared<OrderBatches>(std::move(opinions), shape);
    task.make_held_out = [world, tokenizer, shape] {
        return std::make_shared<OrderBatches>(contrary_pairs(*world, *tokenizer), shape);
    };
    task.classes = {"blame", "praise"};
    task.samples = samples_of(*world);
    task.metric_name = filled_with(N_("held-out {1}"), N_("sentiment accuracy"));
    task.metric_level = 0.98;
    task.make_metric = [world, tokenizer](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<SentimentMetric>(backend, config, contrary_pairs(*world, *tokenizer));
    };
    return task;
}

}  // namespace

/// Does the order count? An encoder that tells praise from blame, measured on combinations of words that it never saw.
extern constinit const WorldKind order_world{
    .name = "order",
    .summary = N_("Only the order of the words decides the meaning."),
    .reads = "“the food was bad, not good at all.”",
    .learns = "tell praise from blame, by the order of the words alone",
    .make = make_order,
    .file = "order.words",
    .own_list = "positive",
};

}  // namespace glassformer
