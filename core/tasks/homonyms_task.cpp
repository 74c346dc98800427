#include <algorithm>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/tasks/sense_probe.h"
#include "core/tasks/world_kind.h"
#include "core/train/task.h"

namespace glassformer {

namespace {

class SenseMetric final : public Metric {
public:
    SenseMetric(Backend& backend, const WorldTraining& training) : probe_(backend, training) {}

    Measurement measure(std::span<const float> parameters) override {
        const std::vector<float> accuracy = probe_.measure(parameters).accuracy;
        Measurement found;
        found.value = static_cast<double>(accuracy.back());
        for (std::size_t layer = 0; layer < accuracy.size(); ++layer)
            found.details.emplace_back(layer == 0 ? N_("embedding") : filled_with(N_("block {1}"), layer - 1),
                                       static_cast<double>(accuracy[layer]));
        return found;
    }

private:
    SenseProbe probe_;
};

/// Every menu sentence, then the two that the window opens with once more with their last word hidden. What the model
/// guesses there depends on the sense it read, so one can be patched into the other.
std::vector<Sample> samples_of(const World& world) {
    std::vector<Sample> samples;
    for (const Sentence& sentence : world.samples())
        samples.push_back({text_of(sentence), sentence.sense, sentence.homonym_pos});
    const std::size_t opening = std::min<std::size_t>(2, world.samples().size());
    for (std::size_t i = 0; i < opening; ++i) {
        Sentence hidden = world.samples()[i];
        int last = static_cast<int>(hidden.words.size()) - 1;
        if ((hidden.words[last] == "." || hidden.words[last] == "。") && last > 0) --last;
        if (last == hidden.homonym_pos) continue;
        hidden.words[last] = "▢";
        samples.push_back({text_of(hidden), hidden.sense, last});
    }
    return samples;
}

Task make_homonyms(const WorldFile& file) {
    const auto training = std::make_shared<const WorldTraining>(World::parse(file.text, file.name));
    Task task;
    task.name = training->world.name();
    task.title = training->world.title();
    if (training->world.by_character()) task.token_noun = "character";
    task.config = training->config;
    task.batches = training->masked_words();
    task.make_held_out = [training] { return training->masked_words(Split::held_out); };
    task.tokenizer = {training, &training->tokenizer};
    task.samples = samples_of(training->world);
    task.senses = {training, &training->world};
    task.metric_name = filled_with(N_("held-out {1}"), N_("sense accuracy"));
    task.make_metric = [training](Backend& backend, const TransformerConfig& config) {
        WorldTraining built = *training;
        built.config = config;
        return std::make_unique<SenseMetric>(backend, built);
    };
    return task;
}

}  // namespace

/// Two kinds of bat: masked-word prediction in the sentences of a grammar, measured by how well the model's last layer
/// separates the two senses of a homonym (SenseProbe).
extern constinit const WorldKind homonyms_world{
    .name = "homonyms",
    .summary = N_("Predict masked words; “bat” has two meanings."),
    .reads = "a sentence with masked words",
    .learns = "fill them in, and so to tell which of its two senses “bat” has",
    .make = make_homonyms,
    .file = "homonyms.grammar",
};

/// The same in Chinese, character by character.
extern constinit const WorldKind homonyms_zh_world{
    .name = "homonyms_zh",
    .summary = N_("Chinese: predict masked characters; “表” has two meanings."),
    .reads = "a Chinese sentence with masked characters",
    .learns = "fill them in, and so to tell which of its two senses “表” has",
    .make = make_homonyms,
    .file = "homonyms_zh.grammar",
};

}  // namespace glassformer
