#include "core/tasks/translation_task.h"

#include <algorithm>
#include <utility>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/graph/hook_names.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/text/words.h"
#include "core/worlds/corpus.h"

namespace glassformer {

namespace {

std::string pattern_name(int layer) { return block_hook(layer, "cross_attn.hook_pattern"); }

std::vector<std::string> nodes_of(const TransformerConfig& config) {
    std::vector<std::string> names = {"logits"};
    for (int layer = 0; layer < config.n_layers; ++layer) names.push_back(pattern_name(layer));
    return names;
}

constexpr std::size_t training_translation = 10'000, held_out_translation = 200;

/// Marks the first target word that is at another position than the source word it translates. It is predicted at the
/// position of the word before it (<bos> for the first), which should attend to that source word.
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

Task make_translation(const WorldFile& file) {
    const auto world = std::make_shared<const TranslationWorld>(TranslationWorld::parse(file.text, file.name));
    const auto source = std::make_shared<const WordTokenizer>(source_tokenizer_of(*world)),
               target = std::make_shared<const WordTokenizer>(target_tokenizer_of(*world));
    const int words = world->longest_sentence();
    const BatchShape shape{1, words + 1, words};  // with <bos> or <eos>
    const auto tested = [world] {
        return translation_pairs(*world, Split::held_out, held_out_translation, corpus_seed);
    };
    Task task;
    task.name = world->name();
    task.title = world->title();
    task.config.family = Family::encoder_decoder;
    task.config.d_vocab = target->size();
    task.config.d_source_vocab = source->size();
    task.config.n_ctx = shape.positions;
    // One block per side is enough, and its cross-attention then has to find the word itself. With two, the encoder
    // mixes the words, and the alignment is harder to see.
    task.config.n_layers = 1;
    task.options.schedule.peak = 3e-3f;
    task.options.schedule.total = 500;
    task.batches = std::make_shared<TranslationBatches>(
        translation_pairs(*world, Split::train, training_translation, corpus_seed), shape);
    task.make_held_out = [tested, shape] { return std::make_shared<TranslationBatches>(tested(), shape); };
    task.tokenizer = target;
    task.source_tokenizer = source;
    task.samples = samples_of(*world);
    task.metric_name = filled_with(N_("held-out {1}"), N_("sentences translated right"));
    task.make_metric = [tested, shape](Backend& backend, const TransformerConfig& config) {
        std::vector<TranslationPair> pairs = tested();
        const BatchShape of_all{static_cast<int>(pairs.size()), shape.positions, shape.source_positions};
        return std::make_unique<TranslationMetric>(backend, config, of_all, std::move(pairs));
    };
    return task;
}

}  // namespace

WordTokenizer source_tokenizer_of(const TranslationWorld& world) { return WordTokenizer(world.vocabulary()); }

WordTokenizer target_tokenizer_of(const TranslationWorld& world) {
    std::vector<std::string> words = {bos_word, eos_word};
    words.insert(words.end(), world.target_vocabulary().begin(), world.target_vocabulary().end());
    return WordTokenizer(words);
}

std::vector<TranslationPair> translation_pairs(const TranslationWorld& world, Split split, std::size_t count,
                                               std::uint64_t seed) {
    const WordTokenizer source = source_tokenizer_of(world), target = target_tokenizer_of(world);
    std::vector<TranslationPair> pairs;
    for (const TranslatedSentence& sentence : distinct_sentences(world, split, count, seed)) {
        TranslationPair pair{
            word_ids(source, sentence.words), {}, word_ids(target, sentence.target), sentence.alignment};
        pair.input = pair.target;
        pair.input.insert(pair.input.begin(), *target.find(bos_word));
        pair.target.push_back(*target.find(eos_word));
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

void TranslationRows::put(const TranslationPair& pair, std::size_t row, const BatchShape& shape, Batch& out) {
    put_row(pair.source, row, shape.source_positions, out.source_tokens, out.source_key_mask);
    put_row(pair.input, row, shape.positions, out.tokens, out.key_mask);
    put_row(pair.target, row, shape.positions, out.targets, out.loss_weights);
}

TranslationMetric::TranslationMetric(Backend& backend, const TransformerConfig& config, const BatchShape& shape,
                                     std::vector<TranslationPair> pairs)
    : pairs_(std::move(pairs)),
      batch_(backend, config, shape, batch_of<TranslationRows>(pairs_, shape), nodes_of(config)) {}

Measurement TranslationMetric::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    double sentences = 0.0, right = 0.0, all = 0.0;
    for (std::size_t row = 0; row < pairs_.size(); ++row) {
        const std::vector<int>& target = pairs_[row].target;
        double here = 0.0;
        for (std::size_t p = 0; p < target.size(); ++p) here += argmax(batch_.logits(row, p)) == target[p];
        right += here;
        all += static_cast<double>(target.size());
        sentences += here == static_cast<double>(target.size());
    }
    Measurement found{sentences / static_cast<double>(pairs_.size()), {{N_("next words right"), right / all}}};
    for (int layer = 0; layer < batch_.model().config.n_layers; ++layer) {
        const std::vector<double> shares = aligned(layer);
        found.details.emplace_back(filled_with(N_("aligned, block {1}"), layer), shares.back());
        found.details.emplace_back(filled_with(N_("aligned, block {1}, best head"), layer),
                                   *std::max_element(shares.begin(), shares.end() - 1));
    }
    return batch_.nan_if_diverged(std::move(found));
}

// The position that reads a word predicts the next one: position p belongs to target p.
std::vector<double> TranslationMetric::aligned(int layer) {
    const std::span<const float> pattern = batch_.values(pattern_name(layer));  // [batch, head, query, key]
    const TransformerGraph& model = batch_.model();
    const auto heads = static_cast<std::size_t>(model.config.n_heads),
               queries = static_cast<std::size_t>(model.positions),
               keys = static_cast<std::size_t>(model.source_positions);
    std::vector<double> shares(heads + 1);
    std::vector<float> sum(keys);
    double all = 0.0;
    for (std::size_t row = 0; row < pairs_.size(); ++row)
        for (std::size_t p = 0; p < pairs_[row].alignment.size(); ++p) {
            std::ranges::fill(sum, 0.0f);
            for (std::size_t head = 0; head < heads; ++head) {
                const auto weights = pattern.subspan(((row * heads + head) * queries + p) * keys, keys);
                shares[head] += argmax(weights) == pairs_[row].alignment[p];
                for (std::size_t key = 0; key < keys; ++key) sum[key] += weights[key];
            }
            shares[heads] += argmax(sum) == pairs_[row].alignment[p];
            all += 1.0;
        }
    for (double& share : shares) share /= all;
    return shares;
}

/// An encoder–decoder with one vocabulary per side, trained with teacher forcing: tokens "<bos> le chat …", targets "le
/// chat … <eos>". The metric is the share of held-out sentences that greedy decoding translates right from the first
/// word to <eos>.
extern constinit const WorldKind translation_world{
    .name = "translation",
    .summary = N_("Translate simple English sentences into French."),
    .reads = "an English sentence",
    .learns = "translate it into French, where adjectives move",
    .make = make_translation,
    .file = "translation.words",
    .own_list = "article",
};

/// The same with Chinese as the target language.
extern constinit const WorldKind translation_zh_world{
    .name = "translation_zh",
    .summary = N_("Translate simple English sentences into Chinese."),
    .reads = "an English sentence",
    .learns = "translate it into Chinese, where places come before the verb and each noun has its measure word",
    .make = make_translation,
    .file = "translation_zh.words",
    .own_list = "class",
};

}  // namespace glassformer
