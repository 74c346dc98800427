#include "core/train/task.h"

#include "core/train/task_definition.h"

namespace glassformer {

Task::Task(TaskDefinition definition) : is_(std::make_shared<const TaskDefinition>(std::move(definition))) {}

const std::string& Task::name() const { return is_->name; }
const std::string& Task::title() const { return is_->title; }
const TransformerConfig& Task::config() const { return is_->config; }
const TrainOptions& Task::options() const { return is_->options; }
const std::shared_ptr<const BatchSource>& Task::batches() const { return is_->batches; }
std::shared_ptr<const BatchSource> Task::held_out() const { return is_->held_out ? is_->held_out() : is_->batches; }
const std::shared_ptr<const Tokenizer>& Task::tokenizer() const { return is_->tokenizer; }
const std::shared_ptr<const Tokenizer>& Task::source_tokenizer() const { return is_->source_tokenizer; }
const std::string& Task::token_noun() const { return is_->token_noun; }
const std::vector<std::string>& Task::units() const { return is_->units; }
const std::vector<std::string>& Task::classes() const { return is_->classes; }
const std::vector<Sample>& Task::samples() const { return is_->samples; }
const std::shared_ptr<const World>& Task::senses() const { return is_->senses; }
const std::shared_ptr<const WorldSource>& Task::source() const { return is_->source; }
const std::string& Task::why_not_trained() const { return is_->why_not_trained; }
const std::string& Task::metric_name() const { return is_->metric_name; }
bool Task::metric_is_share() const { return is_->metric_is_share; }
bool Task::metric_is_loss() const { return is_->metric_is_loss; }
double Task::metric_level() const { return is_->metric_level; }
std::unique_ptr<Metric> Task::metric(Backend& backend, const TransformerConfig& config) const {
    return is_->metric(backend, config);
}

}  // namespace glassformer
