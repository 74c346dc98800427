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

/// Each position's target is the word after it.
void put(const std::vector<int>& ids, std::size_t row, std::size_t positions, Batch& out) {
    put_row(ids, row, positions, out.tokens);
    put_ones(ids.size(), row, positions, out.key_mask);
    put_row(std::span(ids).subspan(1), row, positions, out.targets);
    put_ones(ids.size() - 1, row, positions, out.loss_weights);
}

class NextWordBatches final : public BatchSource {
public:
    NextWordBatches(std::vector<std::vector<int>> corpus, int positions)
        : corpus_(std::move(corpus)), positions_(positions) {}

    BatchShape shape(int batch) const override { return {batch, positions_}; }

    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
        const auto rows = static_cast<std::size_t>(batch), positions = static_cast<std::size_t>(positions_);
        clear_rows(rows, positions, out);
        for (std::size_t row = 0; row < rows; ++row) put(corpus_[rng.below(corpus_.size())], row, positions, out);
    }

private:
    std::vector<std::vector<int>> corpus_;
    int positions_;
};

/// A sentence whose verb must agree.
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

/// Phrases come as often as the language says them, so that what follows has its true probability.
std::vector<std::vector<int>> corpus(const NextWordWorld& world, const WordTokenizer& tokenizer) {
    Rng rng(corpus_seed);
    std::vector<std::vector<int>> sentences(training_next_word);
    for (std::vector<int>& ids : sentences) ids = word_ids(tokenizer, world.generate(Split::train, rng).words);
    return sentences;
}

Batch batch_of(const std::vector<Agreement>& agreements, std::size_t positions) {
    Batch batch;
    clear_rows(agreements.size(), positions, batch);
    for (std::size_t row = 0; row < agreements.size(); ++row) put(agreements[row].ids, row, positions, batch);
    return batch;
}

/// How often the verb's form that agrees is likelier than its other form, where the model has read all before it. Where
/// both are equally likely, half of them are right, as a guess is.
class AgreementMetric final : public Metric {
public:
    AgreementMetric(Backend& backend, const TransformerConfig& config, std::vector<Agreement> agreements)
        : agreements_(std::move(agreements)),
          batch_(backend, config, {static_cast<int>(agreements_.size()), config.n_ctx},
                 batch_of(agreements_, static_cast<std::size_t>(config.n_ctx))) {}

    Measurement measure(std::span<const float> parameters) override {
        batch_.run(parameters);
        const std::span<const float> logits = batch_.values("logits");
        const TransformerConfig& config = batch_.model().config;
        const auto positions = static_cast<std::size_t>(config.n_ctx), words = static_cast<std::size_t>(config.d_vocab);
        double right[2] = {}, asked[2] = {};
        for (std::size_t row = 0; row < agreements_.size(); ++row) {
            const Agreement& a = agreements_[row];
            const auto said = logits.subspan((row * positions + a.verb - 1) * words, words);
            asked[a.misled] += 1.0;
            const float form = said[a.ids[a.verb]], other = said[a.other_form];
            right[a.misled] += form == other ? 0.5 : form > other;
        }
        return {(right[0] + right[1]) / (asked[0] + asked[1]),
                {{N_("past a noun of the other number"), right[1] / asked[1]},
                 {N_("other sentences"), right[0] / asked[0]}}};
    }

private:
    std::vector<Agreement> agreements_;
    FixedBatch batch_;
};

/// The word before the verb, where the verb is predicted, should look at the noun that it agrees with.
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
    const int positions = world->longest_sentence();
    Task task;
    task.name = world->name();
    task.title = world->title();
    task.config.family = Family::decoder;
    task.config.d_vocab = tokenizer->size();
    task.config.n_ctx = positions;
    task.options.schedule.total = 600;
    task.batches = std::make_shared<NextWordBatches>(corpus(*world, *tokenizer), positions);
    task.make_held_out = [world, tokenizer, positions] {
        std::vector<std::vector<int>> held_out;
        for (Agreement& agreement : agreements(*world, *tokenizer)) held_out.push_back(std::move(agreement.ids));
        return std::make_shared<NextWordBatches>(std::move(held_out), positions);
    };
    task.tokenizer = tokenizer;
    task.samples = samples_of(*world);
    task.metric_name = filled_with(N_("held-out {1}"), N_("verbs that agree"));
    task.metric_level = 0.98;
    task.make_metric = [world, tokenizer](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<AgreementMetric>(backend, config, agreements(*world, *tokenizer));
    };
    return task;
}

}  // namespace

/// What comes next? A decoder that reads words from left to right, and how often it gives a verb the form that agrees
/// with its noun where it never saw noun, verb and quality together.
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
