#include "core/base/mark_text.h"
#include "core/tasks/translation_batches.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/train/task.h"

namespace glassformer {

namespace {

constexpr std::size_t training_translation = 10'000, held_out_translation = 200;

/// The first French word that stands elsewhere than the English word it translates. It is written at the position of
/// the word before it (<bos> for the first), which should look at that English word.
std::vector<Sample> samples_of(const TranslationWorld& world) {
    std::vector<Sample> samples;
    for (const TranslatedSentence& sentence : world.samples()) {
        Sample sample{join_words(sentence.words)};
        for (int p = 0; p < static_cast<int>(sentence.alignment.size()) && sample.token < 0; ++p)
            if (const int aligned = sentence.alignment[p]; aligned != p) sample.token = p, sample.looks_at = aligned;
        samples.push_back(std::move(sample));
    }
    return samples;
}

TaskDefinition make_translation(const WorldFile& file) {
    const auto world = std::make_shared<const TranslationWorld>(TranslationWorld::parse(file.text, file.name));
    const auto english = std::make_shared<const WordTokenizer>(english_tokenizer(*world)),
               french = std::make_shared<const WordTokenizer>(french_tokenizer(*world));
    const int source_positions = world->longest_sentence(), positions = source_positions + 1;  // <bos> or <eos>
    const auto tested = [world] {
        return translation_pairs(*world, Split::held_out, held_out_translation, corpus_seed);
    };
    TaskDefinition task;
    task.name = world->name();
    task.title = world->title();
    task.config.family = Family::encoder_decoder;
    task.config.d_vocab = french->size();
    task.config.d_source_vocab = english->size();
    task.config.n_ctx = positions;
    // One block a side is enough, and its cross-attention then has to find the word itself: with two, the encoder
    // spreads the words, and the alignment is harder to see.
    task.config.n_layers = 1;
    task.options.schedule.peak = 3e-3f;
    task.options.schedule.total = 500;
    task.batches = std::make_shared<TranslationBatches>(
        translation_pairs(*world, Split::train, training_translation, corpus_seed), positions, source_positions);
    task.held_out = [tested, positions, source_positions] {
        return std::make_shared<TranslationBatches>(tested(), positions, source_positions);
    };
    task.tokenizer = french;
    task.source_tokenizer = english;
    task.samples = samples_of(*world);
    task.metric_name = std::string("held-out ") + N_("sentences translated right");
    task.metric = [tested, positions, source_positions](Backend& backend, const TransformerConfig& config) {
        std::vector<TranslationPair> pairs = tested();
        const BatchShape shape{static_cast<int>(pairs.size()), positions, source_positions};
        return std::make_unique<TranslationMetric>(backend, config, shape, std::move(pairs));
    };
    return task;
}

}  // namespace

/// English to French: an encoder–decoder with a vocabulary for each side, trained with the true words so far (teacher
/// forcing): tokens "<bos> le chat …", targets "le chat … <eos>". The metric is the share of held-out sentences that
/// greedy decoding translates right from the first word to <eos>.
extern constinit const WorldKind translation_world{
    .name = "translation",
    .summary = N_("A small English and its French."),
    .reads = "an English sentence",
    .learns = "write it in French; adjectives change places",
    .make = make_translation,
    .file = "translation.words",
    .own_list = "article",
};

}  // namespace glassformer
