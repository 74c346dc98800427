#include "core/tasks/text_task.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/tasks/samples.h"
#include "core/tasks/text_batches.h"
#include "core/tasks/text_tokenizers.h"
#include "core/tasks/world_kind.h"
#include "core/text/utf8.h"
#include "core/text/words.h"
#include "core/train/task.h"
#include "core/worlds/user_text.h"

namespace glassformer {

namespace {

/// How far below the unigram loss a model must come to have learned more than frequencies.
constexpr double margin = 0.1;

int window(const std::string& unit) { return unit == "characters" ? 64 : 32; }

std::shared_ptr<const TextBatches> batches_of(const std::string& text, const Tokenizer& tokenizer,
                                              const std::string& unit, const std::string& file) {
    std::vector<int> ids = tokenizer.ids(text);
    const auto needed = static_cast<std::size_t>(window(unit)) + 1;
    if (ids.size() < needed)
        throw Error(file + ": is too short for " + unit + ": its last tenth must have at least " +
                    std::to_string(needed) + ", and has " + std::to_string(ids.size()));
    return std::make_shared<const TextBatches>(std::move(ids), window(unit));
}

/// Stands where the text that was trained on is not here.
class AbsentText final : public BatchSource {
public:
    AbsentText(int positions, std::string why) : positions_(positions), why_(std::move(why)) {}

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    void draw(std::uint64_t, std::int64_t, int, Batch&) const override { throw Error(why_); }

private:
    int positions_;
    std::string why_;
};

/// A short text is read again and again: as often as it takes to learn its words, and no further, with dropout against
/// learning it by heart. Of a long one, as much as there is time for.
constexpr std::size_t readings = 150, fewest_steps = 100, most_steps = 1500, short_text = 100'000;

TrainOptions text_options(std::size_t tokens, int positions) {
    TrainOptions options;
    options.batch = 32;
    const std::size_t tokens_per_step = options.batch * positions;
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

/// What the file says, cut in two, as ids.
struct Parts {
    std::shared_ptr<const TextBatches> training, held_out;  // training is null where it is not here
    std::size_t training_tokens = 0;
    double unigram_loss = 0.0, characters_per_token = 1.0;
};

double characters_per_token(const std::string& text, const TextBatches& batches) {
    return static_cast<double>(code_points(text).size()) / static_cast<double>(batches.tokens().size());
}

/// "letter"; where most characters are words or syllables, as in Chinese and Japanese, "character".
const char* name_of_character(const Tokenizer& tokenizer) {
    int no_letters = 0;
    for (int id = 0; id < tokenizer.size(); ++id)
        if (const std::u32string shown = code_points(tokenizer.token_text(id)); shown.size() == 1)
            no_letters += is_unspaced_script(shown.front()) ? 1 : 0;
    return 2 * no_letters > tokenizer.size() ? N_("character") : N_("letter");
}

/// All but the samples, the source, and what trains.
TaskDefinition task_of(const std::filesystem::path& file, const std::string& unit,
                       std::shared_ptr<const Tokenizer> tokenizer, const Parts& parts) {
    TaskDefinition task;
    task.name = file.stem().string();
    task.title = "Text: the next token of " + file.filename().string();
    task.tokenizer = std::move(tokenizer);
    task.config = text_config(*task.tokenizer, unit, parts.training_tokens);
    task.options = text_options(parts.training_tokens, window(unit));
    task.batches = parts.training;
    task.held_out = [held_out = parts.held_out] { return held_out; };
    task.units = {"characters", "words", "byte_pairs"};
    task.token_noun = unit == "characters" ? name_of_character(*task.tokenizer)
                      : unit == "words"    ? N_("word")
                                           : N_("token");
    task.metric_name = std::string("held-out ") + N_("loss") + ", nats per token";
    task.metric_is_share = false;
    task.metric_is_loss = true;
    task.metric_level = (1.0 - margin) * parts.unigram_loss;
    task.metric = [parts](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<TextLoss>(backend, config, parts.training.get(), *parts.held_out,
                                          parts.characters_per_token, parts.unigram_loss);
    };
    return task;
}

/// The first most_held_out bytes, or a few less: no character is cut.
std::string carried(const std::string& held_out) {
    std::size_t end = std::min(held_out.size(), WorldSource::most_held_out);
    while (end < held_out.size() && (static_cast<unsigned char>(held_out[end]) & 0xC0) == 0x80) --end;
    return held_out.substr(0, end);
}

/// Byte pairs are cut anywhere, and a token may hold the end of one character and the beginning of the next: what is
/// left of a character at the ends of a text, which is shown as ⟨E5⟩, does not belong to a sample.
std::string whole_characters(std::string text) {
    constexpr std::string_view open = "⟨", close = "⟩";
    constexpr std::size_t shown = open.size() + 2 + close.size();  // of one byte
    const auto is_byte = [&](std::string_view part) {
        return part.size() == shown && part.starts_with(open) && part.ends_with(close);
    };
    while (is_byte(std::string_view(text).substr(0, shown))) text.erase(0, shown);
    while (text.size() >= shown && is_byte(std::string_view(text).substr(text.size() - shown)))
        text.resize(text.size() - shown);
    return text;
}

/// A drawn text that can be typed again: the longest part between unknown words, which are read back as "<", "unk" and
/// ">", and of that no more than the model reads. As it was drawn where every word is unknown.
std::string sample_of(const Tokenizer& tokenizer, std::span<const int> ids, std::size_t most) {
    std::span<const int> longest;
    for (std::size_t begin = 0, end = 0; begin <= ids.size(); begin = end + 1) {
        for (end = begin; end < ids.size() && tokenizer.token_text(ids[end]) != "<unk>";) ++end;
        if (end - begin > longest.size()) longest = ids.subspan(begin, end - begin);
    }
    std::string text = whole_characters(tokenizer.decode(longest));
    while (!longest.empty() && tokenizer.ids(text).size() > most) {
        longest = longest.first(longest.size() - 1);
        text = whole_characters(tokenizer.decode(longest));
    }
    return text.empty() ? whole_characters(tokenizer.decode(ids)) : text;
}

}  // namespace

TaskDefinition text_task(const WorldFile& file, const std::string& unit) {
    const UserText text = UserText::parse(file.text, file.name);
    const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_from_text(unit, text.training);
    Parts parts;
    parts.training = batches_of(text.training, *tokenizer, unit, file.name);
    parts.held_out = batches_of(text.held_out, *tokenizer, unit, file.name);
    parts.training_tokens = parts.training->tokens().size();
    parts.unigram_loss = unigram_loss(parts.training->tokens(), parts.held_out->tokens(), tokenizer->size());
    parts.characters_per_token = characters_per_token(text.held_out, *parts.held_out);
    TaskDefinition task = task_of(file.name, unit, tokenizer, parts);
    WorldSource source{.kind = "text",
                       .file = std::filesystem::path(file.name).filename().string(),
                       .content = file.text,
                       .unit = unit,
                       .bytes = file.text.size(),
                       .mark = WorldSource::hash_of(file.text),
                       .held_out = carried(text.held_out),
                       .training_tokens = parts.training_tokens,
                       .unigram_loss = parts.unigram_loss};
    for (const std::vector<int>& ids : drawn_sentences(*parts.training)) {
        std::string sample = sample_of(*tokenizer, ids, static_cast<std::size_t>(task.config.n_ctx));
        task.samples.push_back({sample});
        source.samples.push_back(std::move(sample));
    }
    task.source = std::make_shared<const WorldSource>(std::move(source));
    return task;
}

TaskDefinition held_out_text_task(const WorldSource& source, std::shared_ptr<const Tokenizer> tokenizer) {
    if (!tokenizer || source.samples.empty())
        throw Error("the text " + source.file + " is not here, and nothing that a model of it could be measured with");
    Parts parts;
    parts.held_out = batches_of(source.held_out, *tokenizer, source.unit, source.file);
    parts.training_tokens = static_cast<std::size_t>(source.training_tokens);
    parts.unigram_loss = source.unigram_loss;
    parts.characters_per_token = characters_per_token(source.held_out, *parts.held_out);
    TaskDefinition task = task_of(source.file, source.unit, std::move(tokenizer), parts);
    task.why_not_trained =
        "The text " + source.file + " that it learned from is no part of a checkpoint. A run that is " + "kept has it.";
    task.batches = std::make_shared<const AbsentText>(window(source.unit), task.why_not_trained);
    for (const std::string& sample : source.samples) task.samples.push_back({sample});
    task.source = std::make_shared<const WorldSource>(source);
    return task;
}

const WorldKind text_world = {.name = "text",
                              .summary = N_("What comes next in a text?"),
                              .reads = "the beginning of a text",
                              .learns = "go on, letter by letter",
                              .make = [](const WorldFile& file) { return text_task(file, "characters"); }};

}  // namespace glassformer
