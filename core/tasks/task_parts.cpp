#include "core/tasks/task_parts.h"

namespace glassformer {

namespace {

class AssembledTask final : public Task {
public:
    explicit AssembledTask(TaskParts parts) : parts_(std::move(parts)) {}

    std::string_view name() const override { return parts_.name; }
    std::string_view title() const override { return parts_.title; }
    const TransformerConfig& config() const override { return parts_.config; }
    TrainOptions options() const override { return parts_.options; }
    std::shared_ptr<const BatchSource> batches() const override { return parts_.batches; }
    std::shared_ptr<const Tokenizer> tokenizer() const override { return parts_.tokenizer; }
    std::string_view metric_name() const override { return parts_.metric_name; }
    bool metric_is_share() const override { return parts_.metric_is_share; }
    double metric_level() const override { return parts_.metric_level; }
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const override {
        return parts_.metric(backend, config);
    }
    std::shared_ptr<const BatchSource> held_out() const override {
        return parts_.held_out ? parts_.held_out : parts_.batches;
    }

private:
    TaskParts parts_;
};

}  // namespace

std::unique_ptr<Task> assemble_task(TaskParts parts) { return std::make_unique<AssembledTask>(std::move(parts)); }

}  // namespace glassformer
