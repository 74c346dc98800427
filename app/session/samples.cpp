#include "app/session/samples.h"

#include <algorithm>
#include <numeric>

#include "core/text/words.h"
#include "core/worlds/coreference.h"
#include "core/worlds/order.h"
#include "core/worlds/translation.h"

namespace glassformer::app {

namespace {

constexpr int drawn = 24;                    // samples of a world that has none of its own
constexpr std::uint64_t drawn_seed = 20011;  // of no training that a person would start
constexpr std::size_t longest_drawn = 32;    // in tokens: what a card can show

template <class World>
std::vector<Sample> samples_in(const std::filesystem::path& file) {
    const World world = World::load(file);
    std::vector<Sample> samples;
    for (const auto& sentence : world.samples()) samples.push_back({join_words(sentence.words), -1});
    return samples;
}

/// Numbers have no text: a prompt is known by its number.
std::vector<Sample> numbered() {
    std::vector<Sample> samples;
    for (int i = 1; i <= drawn; ++i) samples.push_back({"sample " + std::to_string(i), -1});
    return samples;
}

std::vector<Sample> drawn_from(const Task& task) {
    Batch batch;
    const BatchShape shape = task.batches()->shape(drawn);
    task.batches()->draw(drawn_seed, 1, drawn, batch);
    std::vector<Sample> samples;
    for (int row = 0; row < drawn; ++row) {
        std::vector<int> ids;
        for (int p = 0; p < shape.positions && ids.size() < longest_drawn; ++p) {
            const auto cell = static_cast<std::size_t>(row * shape.positions + p);
            if (batch.key_mask[cell] != 0.0f) ids.push_back(static_cast<int>(batch.tokens[cell]));
        }
        samples.push_back({task.tokenizer()->decode(ids), -1});
    }
    return samples;
}

}  // namespace

std::vector<Sample> samples_of(const Task& task, const std::filesystem::path& worlds) {
    if (task.config().input == InputKind::values) return numbered();
    if (task.name() == "coreference") return samples_in<CoreferenceWorld>(worlds / "coreference.words");
    if (task.name() == "order") return samples_in<OrderWorld>(worlds / "order.words");
    if (task.name() == "translation") return samples_in<TranslationWorld>(worlds / "translation.words");
    return drawn_from(task);
}

std::vector<Sample> samples_without_world(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    if (c.input == InputKind::values) {
        std::string rows;
        for (int row = 0; row < std::min(c.n_ctx, 3); ++row)
            for (int i = 0; i < c.d_input; ++i)
                rows += (rows.empty() ? "" : i ? " " : "; ") + std::string(i == row ? "1" : "0");
        return {{rows, -1}};
    }
    const Tokenizer* of_source = model.source_tokenizer ? model.source_tokenizer.get() : model.tokenizer.get();
    const int vocabulary = c.d_source_vocab > 0 ? c.d_source_vocab : c.d_vocab;
    if (of_source && of_source->kind() != "words")
        return {{"The quick brown fox", -1}, {"jumps over the lazy dog", -1}};
    std::vector<Sample> samples;
    for (const int first : {3, 8}) {
        std::vector<int> ids(static_cast<std::size_t>(std::clamp(vocabulary - first, 1, std::min(5, c.n_ctx))));
        std::iota(ids.begin(), ids.end(), std::min(first, vocabulary - 1));
        std::string text;
        for (const int id : ids)
            text += (text.empty() ? "" : " ") + (of_source ? of_source->token_text(id) : std::to_string(id));
        samples.push_back({text, -1});
    }
    return samples;
}

std::vector<std::string> classes_of(const Task& task) {
    if (task.config().output == OutputKind::classes && task.name() == "order") return {"blame", "praise"};
    return {};
}

}  // namespace glassformer::app
