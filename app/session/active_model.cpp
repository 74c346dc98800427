#include "app/session/active_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/session/command.h"
#include "app/session/masks.h"
#include "app/session/model_size.h"
#include "core/base/error.h"
#include "core/text/special_tokens.h"

namespace glassformer::app {

namespace {

/// Sample texts that a model without a world can read.
std::vector<Sample> samples_without_world(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    if (c.input == InputKind::values) {
        std::string rows;
        for (int row = 0; row < std::min(c.n_ctx, 3); ++row)
            for (int i = 0; i < c.d_input; ++i)
                rows += (rows.empty() ? "" : i ? " " : "; ") + std::string(i == row ? "1" : "0");
        return {{rows}};
    }
    const Tokenizer* of_source = model.source_tokenizer ? model.source_tokenizer.get() : model.tokenizer.get();
    const int vocabulary = c.d_source_vocab > 0 ? c.d_source_vocab : c.d_vocab;
    if (fills_masks(model) && !model.words()) {
        const std::string mask = of_source->token_text(*mask_id(*of_source));
        return {{"He swung the bat and hit a " + mask + "."}, {"A bat flew out of the " + mask + " at dusk."}};
    }
    if (of_source && of_source->kind() != "words") return {{"The quick brown fox"}, {"jumps over the lazy dog"}};
    std::vector<Sample> samples;
    for (const int first : {3, 8}) {
        std::vector<int> ids(static_cast<std::size_t>(std::clamp(vocabulary - first, 1, std::min(5, c.n_ctx))));
        std::iota(ids.begin(), ids.end(), std::min(first, vocabulary - 1));
        std::string text;
        for (const int id : ids)
            text += (text.empty() ? "" : " ") + (of_source ? of_source->token_text(id) : std::to_string(id));
        samples.push_back({text});
    }
    return samples;
}

WorldTraining training_for(const World& world, const TransformerConfig& config) {
    WorldTraining training(world);
    training.config = config;  // may be built differently, but reads the same words
    return training;
}

/// The world whose senses the model is asked about; null if it has none or if the model does not predict words.
const World* senses_in(const Task* task, const TransformerConfig& config) {
    return task && config.output == OutputKind::words ? task->senses.get() : nullptr;
}

std::unique_ptr<SenseStudy> senses_of(Backend& backend, const Task* task, const TransformerConfig& config) {
    const World* world = senses_in(task, config);
    return world ? std::make_unique<SenseStudy>(backend, *world, config) : nullptr;
}

/// True if the batches of a world mask words that the model must predict, so that it does not learn the next word.
bool hides_words(const Task& task) {
    if (!dynamic_cast<const WordTokenizer*>(task.tokenizer.get())) return false;
    if (!task.why_not_trained.empty()) return false;  // the text is not here, but a text always teaches the next word
    Batch batch;
    task.batches->draw(1, 1, 4, batch);
    return std::ranges::find(batch.tokens, static_cast<float>(WordTokenizer::mask)) != batch.tokens.end();
}

void describe_world(ModelInfo& info, const OpenedModel& opened, bool measured) {
    const Task& task = *opened.task;
    info.world = task.name;
    info.world_title = task.title;
    info.own_world = opened.own_world;
    info.proposed = std::make_shared<const TrainingSetup>(
        TrainingSetup{opened.world, opened.unit, task.config, task.options, task.source});
    info.token_noun = task.token_noun;
    info.classes = task.classes;
    info.samples = task.samples;
    info.hides_words = hides_words(task);
    info.training_size = task.batches->size();
    if (Batch batch; opened.start.config.input == InputKind::words)
        info.averaged_sentences = task.held_out()->eval_batch(command::averaged_sentences, batch);
    if (measured) info.metric_name = task.metric_name;
    info.metric_is_share = task.metric_is_share;
    info.metric_is_loss = task.metric_is_loss;
    info.metric_level = task.metric_level;
    if (const World* senses = senses_in(&task, opened.start.config)) info.senses = senses->senses();
}

std::shared_ptr<const ModelInfo> describe(const OpenedModel& opened, bool measured, const std::string& backend) {
    auto info = std::make_shared<ModelInfo>();
    const Checkpoint& start = opened.start;
    info->config = start.config;
    info->tokenizer = start.tokenizer;
    info->source_tokenizer = start.source_tokenizer;
    info->folder = std::filesystem::path(opened.folder).make_preferred().string();  // compared with the catalog's
    info->why_not_trained = opened.why_not_trained;
    info->has_training = opened.task || start.has_training();
    info->parameter_count = parameter_count(start.config);
    info->backend = backend;
    if (opened.task) {
        describe_world(*info, opened, measured);
        return info;
    }
    info->token_noun = info->words() ? "word" : "token";
    info->samples = samples_without_world(*info);
    return info;
}

/// Returns null if the world's metric needs something that this model does not have.
std::unique_ptr<Metric> metric_of(Backend& backend, const Task* task, const TransformerConfig& config) {
    if (!task || senses_in(task, config)) return nullptr;
    try {
        return task->metric(backend, config);
    } catch (const Error&) {
        return nullptr;
    }
}

std::int64_t planned_steps_of(const OpenedModel& opened) {
    if (opened.start.planned_steps > 0) return opened.start.planned_steps;
    return opened.task ? opened.task->options.schedule.total : opened.start.step;
}

}  // namespace

SenseStudy::SenseStudy(Backend& backend, const World& world, const TransformerConfig& config)
    : training(training_for(world, config)), probe(backend, training), maps(backend, training) {}

Instruments::Instruments(Backend& backend, const Task* task, const TransformerConfig& config)
    : senses(senses_of(backend, task, config)), metric(metric_of(backend, task, config)) {}

std::shared_ptr<const ModelInfo> model_info(const OpenedModel& opened, const std::string& backend) {
    return describe(opened, true, backend);
}

ActiveModel::ActiveModel(CpuBackend& backend, const OpenedModel& opened)
    : start(opened.start),
      task(opened.task),
      instruments(backend, task.get(), start.config),
      info(describe(opened, instruments.senses || instruments.metric, backend.description())),
      sentences(backend, info, task),
      planned_steps(planned_steps_of(opened)),
      handed_on(opened.handed_on),
      backend_(backend) {
    if (!task && !start.parameters) throw Error("the model in {1} has no parameters", opened.folder.string());
}

float ActiveModel::held_out_loss(const std::vector<float>& parameters) {
    if (!task) return -1.0f;
    if (!held_out_) held_out_ = std::make_unique<HeldOutLoss>(backend_, *task, start.config);
    return held_out_->measure(parameters);
}

std::vector<HeadScore> ActiveModel::head_scores(const std::vector<float>& parameters) {
    if (!std::exchange(heads_looked_for_, true) && task) heads_ = HeadScoreProbe::make(backend_, start.config, *task);
    return heads_ ? heads_->measure(parameters) : std::vector<HeadScore>();
}

MeasuredAltered& ActiveModel::altered(std::span<const WhatIf> changes) {
    if (!altered_ || !std::ranges::equal(altered_->backend.changes(), changes)) {
        altered_ = nullptr;  // frees its memory first
        altered_ = std::make_unique<MeasuredAltered>(backend_, task.get(), start.config, changes);
    }
    return *altered_;
}

}  // namespace glassformer::app
