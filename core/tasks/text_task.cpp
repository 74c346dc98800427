#include "core/tasks/text_task.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/tasks/samples.h"
#include "core/tasks/text_metric.h"
#include "core/tasks/text_tokenizers.h"
#include "core/tasks/world_kind.h"
#include "core/text/utf8.h"
#include "core/train/task_definition.h"
#include "core/worlds/user_text.h"

namespace glassformer {

namespace {

/// How far below the unigram loss a model must come to have learned more than frequencies.
constexpr double margin = 0.1;

int window(const std::string& unit) { return unit == "characters" ? 64 : 32; }

std::shared_ptr<const TextBatches> batches_of(const std::string& text, const Tokenizer& tokenizer,
                                              const std::string& unit, const std::filesystem::path& file) {
    std::vector<int> ids = tokenizer.ids(text);
    const auto needed = static_cast<std::size_t>(window(unit)) + 1;
    if (ids.size() < needed)
        throw Error(file.string() + ": is too short for " + unit + ": its last tenth must have at least " +
                    std::to_string(needed) + ", and has " + std::to_string(ids.size()));
    return std::make_shared<const TextBatches>(std::move(ids), window(unit));
}

/// A short text is read again and again: as often as it takes to learn its words, and no further, with dropout against
/// learning it by heart. Of a long one, as much as there is time for.
constexpr std::size_t readings = 150, fewest_steps = 100, most_steps = 1500, short_text = 100'000;

TrainOptions text_options(std::size_t tokens, int positions) {
    TrainOptions options;
    options.batch = 32;
    const auto tokens_per_step = static_cast<std::size_t>(options.batch * positions);
    options.schedule.total =
        static_cast<std::int64_t>(std::clamp(readings * tokens / tokens_per_step, fewest_steps, most_steps));
    return options;
}

TransformerConfig text_config(const Tokenizer& tokenizer, const std::string& unit, std::size_t tokens) {
    TransformerConfig config;
    config.family = Family::decoder;
    config.d_vocab = tokenizer.size();
    config.n_ctx = window(unit);
    config.activation = Activation::gelu_tanh;
    if (tokens < short_text) config.dropout = 0.1f;
    return config;
}

}  // namespace

std::unique_ptr<Task> text_task(const std::string& name, const std::filesystem::path& file, const std::string& unit) {
    const UserText text = UserText::load(file);
    TaskDefinition task;
    task.tokenizer = tokenizer_from_text(unit, text.training);
    const auto training = batches_of(text.training, *task.tokenizer, unit, file),
               held_out = batches_of(text.held_out, *task.tokenizer, unit, file);
    const double characters_per_token =
        static_cast<double>(code_points(text.held_out).size()) / static_cast<double>(held_out->tokens().size());
    task.name = name;
    task.title = "Text: the next token of " + file.filename().string();
    task.config = text_config(*task.tokenizer, unit, training->tokens().size());
    task.options = text_options(training->tokens().size(), window(unit));
    task.batches = training;
    task.held_out = [held_out] { return held_out; };
    task.units = {"characters", "words", "byte_pairs"};
    task.token_noun = unit == "characters" ? "letter" : unit == "words" ? "word" : "token";
    for (const std::vector<int>& ids : drawn_sentences(*training))
        task.samples.push_back({task.tokenizer->decode(ids)});
    task.metric_name = N_("held-out loss, nats per token");
    task.metric_is_share = false;
    task.metric_level = (1.0 - margin) * unigram_loss(training->tokens(), held_out->tokens(), task.tokenizer->size());
    task.metric = [training, held_out, characters_per_token](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<TextLoss>(backend, config, *training, *held_out, characters_per_token);
    };
    return std::make_unique<Task>(std::move(task));
}

const WorldKind text_world = {
    .name = "text",
    .summary = N_("What comes next in a text?"),
    .reads = "the beginning of a text",
    .learns = "go on, letter by letter",
    .make = [](const std::filesystem::path& file) { return text_task(file.stem().string(), file, "characters"); }};

}  // namespace glassformer
