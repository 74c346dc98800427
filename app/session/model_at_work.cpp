#include "app/session/model_at_work.h"

#include "app/session/samples.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

WorldTraining training_for(const std::filesystem::path& grammar, const TransformerConfig& config) {
    WorldTraining training(World::load(grammar));
    training.config = config;  // built otherwise, perhaps; it reads the same words
    return training;
}

bool studies_senses(const OpenedModel& opened) {
    return !opened.grammar.empty() && opened.start.config.output == OutputKind::words;
}

std::unique_ptr<SenseStudy> senses_of(Backend& backend, const OpenedModel& opened) {
    if (!studies_senses(opened)) return nullptr;
    return std::make_unique<SenseStudy>(backend, opened.grammar, opened.start.config);
}

void describe_world(ModelInfo& info, const OpenedModel& opened, const World* senses,
                    const std::filesystem::path& worlds) {
    const Task& task = *opened.task;
    info.world = task.name();
    info.world_title = task.title();
    info.classes = classes_of(task);
    if (senses || opened.as_the_task) info.metric_name = task.metric_name();
    info.metric_is_share = task.metric_is_share();
    info.metric_level = task.metric_level();
    if (!senses) {
        info.samples = samples_of(task, worlds);
        return;
    }
    info.senses = senses->senses();
    for (const Sentence& sample : senses->samples()) info.samples.push_back({text_of(sample), sample.sense});
}

std::shared_ptr<const ModelInfo> describe(const OpenedModel& opened, const World* senses,
                                          const std::filesystem::path& worlds, const std::string& backend) {
    auto info = std::make_shared<ModelInfo>();
    const Checkpoint& start = opened.start;
    info->config = start.config;
    info->tokenizer = start.tokenizer;
    info->source_tokenizer = start.source_tokenizer;
    info->folder = opened.folder.string();
    info->why_not_trained = opened.why_not_trained;
    info->parameter_count =
        build_transformer(start.config, {1, 1, info->translates() ? 1 : 0}).graph->parameter_count();
    info->backend = backend;
    if (opened.task)
        describe_world(*info, opened, senses, worlds);
    else
        info->samples = samples_without_world(*info);
    return info;
}

std::unique_ptr<Trainer> trainer_for(CpuBackend& backend, const OpenedModel& opened, std::int64_t planned) {
    if (!opened.task) return nullptr;
    TrainOptions options = opened.task->options();
    options.seed = opened.start.seed;
    options.schedule.total = planned;
    auto trainer = std::make_unique<Trainer>(backend, opened.start.config, opened.task->batches(), options);
    if (opened.start.parameters) trainer->restore(*opened.start.parameters, opened.start.step);
    return trainer;
}

std::int64_t planned_steps_of(const OpenedModel& opened) {
    if (opened.start.planned_steps > 0) return opened.start.planned_steps;
    return opened.task ? opened.task->options().schedule.total : opened.start.step;
}

}  // namespace

SenseStudy::SenseStudy(Backend& backend, const std::filesystem::path& grammar, const TransformerConfig& config)
    : training(training_for(grammar, config)), probe(backend, training), maps(backend, training) {}

std::shared_ptr<const ModelInfo> model_info(const OpenedModel& opened, const std::filesystem::path& worlds,
                                            const std::string& backend) {
    if (!studies_senses(opened)) return describe(opened, nullptr, worlds, backend);
    const World world = World::load(opened.grammar);
    return describe(opened, &world, worlds, backend);
}

ModelAtWork::ModelAtWork(CpuBackend& backend, const OpenedModel& opened, const std::filesystem::path& worlds)
    : start(opened.start),
      task(opened.task),
      senses(senses_of(backend, opened)),
      metric(task && !senses && opened.as_the_task ? task->metric(backend) : nullptr),
      info(describe(opened, senses ? &senses->training.world : nullptr, worlds, backend.description())),
      trainer(trainer_for(backend, opened, planned_steps_of(opened))),
      sentences(backend, info, task),
      planned_steps(planned_steps_of(opened)) {
    if (!trainer && !start.parameters) throw Error("the model in " + opened.folder.string() + " has no parameters");
}

std::span<const float> ModelAtWork::parameters() const {
    if (trainer) return trainer->parameters();
    return *start.parameters;
}

}  // namespace glassformer::app
