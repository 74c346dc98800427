#include "core/tasks/text_task.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/tasks/task_parts.h"
#include "core/tasks/text_metric.h"
#include "core/tasks/text_tokenizers.h"
#include "core/text/utf8.h"
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
    TaskParts parts;
    parts.tokenizer = tokenizer_from_text(unit, text.training);
    const auto training = batches_of(text.training, *parts.tokenizer, unit, file),
               held_out = batches_of(text.held_out, *parts.tokenizer, unit, file);
    const double characters_per_token =
        static_cast<double>(code_points(text.held_out).size()) / static_cast<double>(held_out->tokens().size());
    parts.name = name;
    parts.title = "Text: the next token of " + file.filename().string();
    parts.config = text_config(*parts.tokenizer, unit, training->tokens().size());
    parts.options = text_options(training->tokens().size(), window(unit));
    parts.batches = training;
    parts.held_out = held_out;
    parts.metric_name = "held-out loss, nats per token";
    parts.metric_is_share = false;
    parts.metric_level = (1.0 - margin) * unigram_loss(training->tokens(), held_out->tokens(), parts.tokenizer->size());
    parts.metric = [training, held_out, characters_per_token](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<TextLoss>(backend, config, *training, *held_out, characters_per_token);
    };
    return assemble_task(std::move(parts));
}

}  // namespace glassformer
