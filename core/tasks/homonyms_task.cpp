#include "core/analysis/sense_probe.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_kind.h"
#include "core/train/task_definition.h"
#include "core/train/world_training.h"

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
            found.details.emplace_back(layer == 0 ? "embedding" : "block " + std::to_string(layer - 1),
                                       static_cast<double>(accuracy[layer]));
        return found;
    }

private:
    SenseProbe probe_;
};

std::unique_ptr<Task> make(const std::filesystem::path& file) {
    const auto training = std::make_shared<const WorldTraining>(World::load(file));
    TaskDefinition task;
    task.name = training->world.name();
    task.title = training->world.title();
    task.config = training->config;
    task.batches = training->masked_words();
    task.held_out = [training] { return training->masked_words(Split::held_out); };
    task.tokenizer = {training, &training->tokenizer};
    for (const Sentence& sample : training->world.samples())
        task.samples.push_back({text_of(sample), sample.sense, sample.homonym_pos});
    task.senses = {training, &training->world};
    task.metric_name = N_("held-out sense accuracy");
    task.metric = [training](Backend& backend, const TransformerConfig& config) {
        WorldTraining built = *training;
        built.config = config;
        return std::make_unique<SenseMetric>(backend, built);
    };
    return std::make_unique<Task>(std::move(task));
}

}  // namespace

/// Two kinds of bat: masked-word prediction in the sentences of a grammar, and how well the model's last layer tells
/// the two senses of a homonym apart (SenseProbe).
const WorldKind homonyms_world = {.name = "homonyms",
                                  .summary = N_("Guess hidden words; “bat” has two meanings."),
                                  .reads = "a sentence with hidden words",
                                  .learns = "fill them in; on the way, which of two senses “bat” has",
                                  .make = make,
                                  .file = "homonyms.grammar"};

}  // namespace glassformer
