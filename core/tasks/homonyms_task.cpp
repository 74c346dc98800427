#include "core/tasks/homonyms_task.h"

#include "core/analysis/sense_probe.h"
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

class HomonymsTask final : public Task {
public:
    explicit HomonymsTask(const std::filesystem::path& file)
        : training_(std::make_shared<const WorldTraining>(World::load(file))), batches_(training_->masked_words()) {}

    std::string_view name() const override { return training_->world.name(); }
    std::string_view title() const override { return training_->world.title(); }
    const TransformerConfig& config() const override { return training_->config; }
    TrainOptions options() const override { return {}; }
    std::shared_ptr<const BatchSource> batches() const override { return batches_; }
    std::shared_ptr<const Tokenizer> tokenizer() const override { return {training_, &training_->tokenizer}; }
    std::string_view metric_name() const override { return "held-out sense accuracy"; }
    double metric_level() const override { return 0.95; }
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const override {
        WorldTraining training = *training_;
        training.config = config;
        return std::make_unique<SenseMetric>(backend, training);
    }
    std::shared_ptr<const BatchSource> held_out() const override { return training_->masked_words(Split::held_out); }

private:
    std::shared_ptr<const WorldTraining> training_;
    std::shared_ptr<const BatchSource> batches_;
};

}  // namespace

std::unique_ptr<Task> make_homonyms_task(const std::filesystem::path& file) {
    return std::make_unique<HomonymsTask>(file);
}

}  // namespace glassformer
