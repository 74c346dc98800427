#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"
#include "core/worlds/corpus.h"
#include "core/worlds/next_word.h"

namespace glassformer {

namespace {

constexpr std::size_t training_next_word = 8000, held_out_next_word = 400;

/// The target of each position is the next word.
struct NextWordRows {
    using Row = std::vector<int>;
    static void clear(const BatchShape& shape, Batch& out) { clear_rows(shape, out); }
    static void put(const Row& ids, std::size_t row, const BatchShape& shape, Batch& out) {
        put_row(ids, row, shape.positions, out.tokens, out.key_mask);
        put_row(std::span(ids).subspan(1), row, shape.positions, out.targets, out.loss_weights);
    }
};
using NextWordBatches = DrawnRows<NextWordRows>;

/// A sentence whose verb must agree with its noun.
struct Agreement {
    std::vector<int> ids;
    std::size_t verb;  // its position
    int other_form;    // the verb's form that does not agree
    bool misled;
};

std::vector<Agreement> agreements(const NextWordWorld& world, const WordTokenizer& tokenizer) {
    std::vector<Agreement> all;
    for (const NextWordSentence& s : distinct_sentences(world, Split::held_out, held_out_next_word, corpus_seed))
        all.push_back({word_ids(tokenizer, s.words), static_cast<std::size_t>(s.verb_pos),
                       word_ids(tokenizer, {&s.other_form, 1}).front(), s.misled});
    return all;
}

std::vector<std::vector<int>> ids_of(const std::vector<Agreement>& agreements) {
    std::vector<std::vector<int>> ids;
    for (const Agreement& agreement : agreements) ids.push_back(agreement.ids);
    return ids;
}

/// Draws phrases as often as the language produces them, so that continuations have their true probability.
std::vector<std::vector<int>> corpus(const NextWordWorld& world, const WordTokenizer& tokenizer) {
    Rng rng(corpus_seed);
    std::vector<std::vector<int>> sentences(training_next_word);
    for (std::vector<int>& ids : sentences) ids = word_ids(tokenizer, world.generate(Split::train, rng).words);
    return sentences;
}

/// How often the model, having read everything before the verb, finds the form that agrees likelier than the other one.
/// A tie counts half, like a guess.
class AgreementMetric final : public Metric {
public:
    AgreementMetric(Backend& backend, const TransformerConfig& config, std::vector<Agreement> agreements)
        : agreements_(std::move(agreements)),
          batch_(backend, config, {static_cast<int>(agreements_.size()), config.n_ctx},
                 batch_of<NextWordRows>(ids_of(agreements_), {static_cast<int>(agreements_.size()), config.n_ctx})) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        double right[2] = {}, asked[2] = {};
        for (std::size_t row = 0; row < agreements_.size(); ++row) {
            const Agreement& a = agreements_[row];
            const std::span<const float> said = batch_.logits(row, a.verb - 1);
            asked[a.misled] += 1.0;
            const float form = said[a.ids[a.verb]], other = said[a.other_form];
            right[a.misled] += form == other ? 0.5 : form > other;
        }
        Measurement found{(right[0] + right[1]) / (asked[0] + asked[1]), {}};
        // A world of the user's own may have no other noun in its sentences.
        for (const bool misled : {true, false})
            if (asked[misled] > 0.0)
                found.details.emplace_back(misled ? N_("past a noun of the other number") : N_("other sentences"),
                                           right[misled] / asked[misled]);
        return batch_.nan_if_diverged(std::move(found));
    }

private:
    std::vector<Agreement> agreements_;
    FixedBatch batch_;
};

/// The word before the verb, where the verb is predicted, should attend to the noun that the verb agrees with.
std::vector<Sample> samples_of(const NextWordWorld& world) {
    std::vector<Sample> samples;
    for (const NextWordSentence& sentence : world.samples()) {
        samples.push_back({join_words(sentence.words)});
        if (sentence.verb_pos < 0) continue;
        samples.back().token = sentence.verb_pos - 1;
        samples.back().looks_at = sentence.noun_pos;
    }
    return samples;
}

Task make_next_word(const WorldFile& file) {
    const auto world = std::make_shared<const NextWordWorld>(NextWordWorld::parse(file.text, file.name));
    const auto tokenizer = std::make_shared<const WordTokenizer>(world->vocabulary());
    const BatchShape shape{1, world->longest_sentence()};
    Task task = task_in_words(*world, tokenizer);
    task.config.family = Family::decoder;
    task.options.schedule.total = 600;
    task.batches = std::make_shared<NextWordBatches>(corpus(*world, *tokenizer), shape);
    task.make_held_out = [world, tokenizer, shape] {
        return std::make_shared<NextWordBatches>(ids_of(agreements(*world, *tokenizer)), shape);
    };
    task.samples = samples_of(*world);
    task.metric_name = filled_with(N_("held-out {1}"), N_("verbs that agree"));
    task.metric_level = 0.98;
    task.make_metric = [world, tokenizer](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<AgreementMetric>(backend, config, agreements(*world, *tokenizer));
    };
    return task;
}

}  // namespace

/// What comes next? A decoder that reads words from left to right. Measures how often it gives a verb the form that
/// agrees with its noun, for combinations of noun, verb and quality that it never saw.
extern constinit const WorldKind next_word_world{
    .name = "next_word",
    .summary = N_("Which word comes next? A verb must agree with a noun well before it."),
    .reads = "the beginning of a sentence",
    .learns = "continue it word by word; a verb agrees with its noun, past another one",
    .make = make_next_word,
    .file = "next_word.words",
    .own_list = "phrase",
};

}  // namespace glassformer
