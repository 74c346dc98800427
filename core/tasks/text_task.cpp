#include "core/tasks/text_task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/rng.h"
#include "core/tasks/world_data.h"
#include "core/text/byte_pair_tokenizer.h"
#include "core/text/character_tokenizer.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/text/word_tokenizer.h"
#include "core/text/words.h"
#include "core/train/fixed_batch.h"
#include "core/worlds/user_text.h"

namespace glassformer {

namespace {

constexpr std::size_t most_words = 4000;
constexpr std::size_t bytes_per_merge = 40, most_merges = 1000;

/// True if blanks were put between the words of a script that needs none ("猫 喜欢 鱼").
bool has_blanks_put_in(std::string_view text) {
    const std::u32string points = code_points(text);
    std::size_t apart = 0, together = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!is_unspaced_script(points[i])) continue;
        if (is_unspaced_script(points[i + 1])) ++together;
        if (points[i + 1] == U' ' && i + 2 < points.size() && is_unspaced_script(points[i + 2])) ++apart;
    }
    return 8 * apart > together;
}

/// The words of a text, with their counts. In a script without blanks nothing marks where words end, so each character
/// counts as a word.
std::map<std::string, std::size_t> counted_words(std::string_view text) {
    std::map<std::string, std::size_t> counts;
    const bool whole = has_blanks_put_in(text);
    for (std::string& word : split_words(text)) {
        if (whole || !std::ranges::any_of(code_points(word), is_unspaced_script)) {
            ++counts[std::move(word)];
            continue;
        }
        std::string rest;  // letters of other scripts stay together
        const auto add_rest = [&] {
            if (!rest.empty()) ++counts[std::exchange(rest, {})];
        };
        for (const ByteRange c : graphemes(word)) {
            const std::string character = word.substr(c.begin, c.end - c.begin);
            if (is_unspaced_script(code_points(character).front()))
                add_rest(), ++counts[character];
            else
                rest += character;
        }
        add_rest();
    }
    return counts;
}

std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view text) {
    const std::map<std::string, std::size_t> counts = counted_words(text);
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto& [word, count] : counts)
        if (count >= 2) ranked.emplace_back(count, word);
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& entry) { return entry.first; });
    ranked.resize(std::min(ranked.size(), most_words));
    std::vector<std::string> words;
    for (auto& [count, word] : ranked) words.push_back(std::move(word));
    return std::make_shared<const WordTokenizer>(words);
}

std::shared_ptr<const Tokenizer> byte_pair_tokenizer(std::string_view text) {
    BytePairTraining training(text);
    const std::size_t merges = std::min(text.size() / bytes_per_merge, most_merges);
    while (training.merges().size() < merges && training.step()) {
    }
    return std::make_shared<const BytePairTokenizer>(training.merges());
}

/// How far, relative to the unigram loss, the loss must fall to show that the model learned more than frequencies.
constexpr double margin = 0.1;

int window(const std::string& unit) { return unit == "characters" ? 64 : 32; }

std::shared_ptr<const TextBatches> batches_of(const std::string& text, const Tokenizer& tokenizer,
                                              const std::string& unit, const std::string& file) {
    std::vector<int> ids = tokenizer.ids(text);
    const auto needed = static_cast<std::size_t>(window(unit)) + 1;
    if (ids.size() < needed)
        throw Error("{1}: is too short for {2}: its last tenth must have at least {3} tokens, and has {4}", file, unit,
                    needed, ids.size());
    return std::make_shared<const TextBatches>(std::move(ids), window(unit));
}

/// Placeholder for a training text that is not available.
class AbsentText final : public BatchSource {
public:
    AbsentText(int positions, std::string why) : positions_(positions), why_(std::move(why)) {}

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    void draw(std::uint64_t, std::int64_t, int, Batch&) const override { throw Error(why_); }

private:
    int positions_;
    std::string why_;
};

/// A short text is read repeatedly: as often as it takes to learn its words and no more, with dropout against
/// memorising. Of a long one, as much is read as there is time for.
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

/// The two parts of the file, as ids.
struct Parts {
    std::shared_ptr<const TextBatches> training, held_out;  // training is null if not available
    std::size_t training_tokens = 0;
    double unigram_loss = 0.0, characters_per_token = 1.0;
};

double characters_per_token(const std::string& text, const TextBatches& batches) {
    return static_cast<double>(code_points(text).size()) / static_cast<double>(batches.tokens().size());
}

/// "letter", or "character" if most characters are words or syllables, as in Chinese and Japanese.
const char* name_of_character(const Tokenizer& tokenizer) {
    int no_letters = 0;
    for (int id = 0; id < tokenizer.size(); ++id)
        if (const std::u32string shown = code_points(tokenizer.token_text(id)); shown.size() == 1)
            no_letters += is_unspaced_script(shown.front()) ? 1 : 0;
    return 2 * no_letters > tokenizer.size() ? N_("character") : N_("letter");
}

/// The loss on windows of the held-out text, in nats per token: the same number as the held-out loss. Its details are
/// perplexity, bits per character (of the characters that the tokens encode: words encode neither case nor blanks), the
/// loss on as many windows of the training text, and the unigram loss.
class TextLoss final : public Metric {
public:
    TextLoss(Backend& backend, const TransformerConfig& config, const Parts& parts)
        : held_out_(backend, *parts.held_out, config), parts_(parts) {
        if (parts.training) training_.emplace(backend, *parts.training, config);
    }

    Measurement measure(std::span<const float> parameters) override {
        const double held_out = held_out_.measure(parameters);
        Measurement found{held_out,
                          {{N_("perplexity"), std::exp(held_out)},
                           {N_("bits per character"), held_out / std::numbers::ln2 / parts_.characters_per_token}}};
        if (training_) found.details.emplace_back(N_("loss on the training text"), training_->measure(parameters));
        found.details.emplace_back(N_("unigram loss"), parts_.unigram_loss);
        return found;
    }

private:
    HeldOutLoss held_out_;
    std::optional<HeldOutLoss> training_;
    Parts parts_;
};

/// Everything but the samples and the source.
Task task_of(const std::filesystem::path& file, const std::string& unit, std::shared_ptr<const Tokenizer> tokenizer,
             const Parts& parts) {
    Task task;
    task.name = file.stem().string();
    task.title = filled_with(N_("Text: the next token of {1}"), file.filename());
    task.tokenizer = std::move(tokenizer);
    task.config = text_config(*task.tokenizer, unit, parts.training_tokens);
    task.options = text_options(parts.training_tokens, window(unit));
    task.batches = parts.training;
    task.make_held_out = [held_out = parts.held_out] { return held_out; };
    task.units = {"characters", "words", "byte_pairs"};
    task.token_noun = unit == "characters" ? name_of_character(*task.tokenizer)
                      : unit == "words"    ? N_("word")
                                           : N_("token");
    task.metric_name = filled_with(N_("{1}, nats per token"), filled_with(N_("held-out {1}"), N_("loss")));
    task.metric_is_share = false;
    task.metric_is_loss = true;
    task.metric_level = (1.0 - margin) * parts.unigram_loss;
    task.make_metric = [parts](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<TextLoss>(backend, config, parts);
    };
    return task;
}

/// The first most_held_out bytes, or a few less so that no character is cut.
std::string carried(const std::string& held_out) {
    return held_out.substr(0, character_start(held_out, WorldSource::most_held_out));
}

/// Byte pairs may be cut anywhere, and a token may hold the end of one character and the beginning of the next. Removes
/// the partial characters at both ends of a text, which are shown as ⟨E5⟩: they do not belong in a sample.
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

/// Turns a drawn text into one worth typing again: the longest part without unknown words or characters, cut to what
/// the model can read. Returns it as drawn if everything is unknown.
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

std::shared_ptr<const Tokenizer> tokenizer_from_text(const std::string& unit, std::string_view text) {
    if (unit == "characters") return std::make_shared<const CharacterTokenizer>(CharacterTokenizer::from_text(text));
    if (unit == "byte_pairs") return byte_pair_tokenizer(text);
    if (unit == "words") return word_tokenizer(text);
    throw Error("there is no unit \"{1}\" to cut a text into; there are characters, words, byte_pairs", unit);
}

TextBatches::TextBatches(std::vector<int> tokens, int positions) : tokens_(std::move(tokens)), positions_(positions) {
    if (positions < 1 || tokens_.size() < static_cast<std::size_t>(positions) + 1)
        throw Error("a text of {1} tokens is too short; windows of {2} tokens need at least {3}", tokens_.size(),
                    positions, positions + 1);
}

void TextBatches::clear(int batch, Batch& out) const {
    const auto cells = static_cast<std::size_t>(batch) * static_cast<std::size_t>(positions_);
    for (std::vector<float>* values : {&out.tokens, &out.targets}) values->assign(cells, 0.0f);
    for (std::vector<float>* values : {&out.key_mask, &out.loss_weights}) values->assign(cells, 1.0f);
}

void TextBatches::put(std::size_t begin, int row, Batch& out) const {
    const auto length = static_cast<std::size_t>(positions_), cell = static_cast<std::size_t>(row) * length;
    for (std::size_t p = 0; p < length; ++p) {
        out.tokens[cell + p] = static_cast<float>(tokens_[begin + p]);
        out.targets[cell + p] = static_cast<float>(tokens_[begin + p + 1]);
    }
}

void TextBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear(batch, out);
    const std::size_t places = tokens_.size() - static_cast<std::size_t>(positions_);
    for (int row = 0; row < batch; ++row) put(rng.below(places), row, out);
}

int TextBatches::eval_batch(int most, Batch& out) const {
    out = spread(most);
    return windows(most);
}

std::shared_ptr<const BatchSource> TextBatches::part(double share) const {
    const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(tokens_.size())));
    const std::size_t least = 2 * static_cast<std::size_t>(positions_);
    const auto kept = static_cast<std::ptrdiff_t>(std::min(std::max(wanted, least), tokens_.size()));
    return std::make_shared<const TextBatches>(std::vector<int>(tokens_.begin(), tokens_.begin() + kept), positions_);
}

int TextBatches::windows(int most) const {
    const std::size_t room = (tokens_.size() - 1) / static_cast<std::size_t>(positions_);
    return static_cast<int>(std::min(room, static_cast<std::size_t>(most)));
}

Batch TextBatches::spread(int most) const {
    const int count = windows(most);
    const std::size_t last = tokens_.size() - 1 - static_cast<std::size_t>(positions_);
    Batch batch;
    clear(count, batch);
    for (int row = 0; row < count; ++row)
        put(count == 1 ? 0 : last * static_cast<std::size_t>(row) / static_cast<std::size_t>(count - 1), row, batch);
    return batch;
}

double unigram_loss(std::span<const int> training, std::span<const int> test, int d_vocab) {
    std::vector<double> counts(static_cast<std::size_t>(d_vocab), 1.0);
    for (const int token : training) counts[token] += 1.0;
    const double total = static_cast<double>(training.size()) + static_cast<double>(d_vocab);
    double loss = 0.0;
    for (const int token : test) loss -= std::log(counts[token] / total);
    return test.empty() ? 0.0 : loss / static_cast<double>(test.size());
}

Task text_task(const WorldFile& file, const std::string& unit) {
    const UserText text = UserText::parse(file.text, file.name);
    const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_from_text(unit, text.training);
    Parts parts;
    parts.training = batches_of(text.training, *tokenizer, unit, file.name);
    parts.held_out = batches_of(text.held_out, *tokenizer, unit, file.name);
    parts.training_tokens = parts.training->tokens().size();
    parts.unigram_loss = unigram_loss(parts.training->tokens(), parts.held_out->tokens(), tokenizer->size());
    parts.characters_per_token = characters_per_token(text.held_out, *parts.held_out);
    Task task = task_of(file.name, unit, tokenizer, parts);
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

Task held_out_text_task(const WorldSource& source, std::shared_ptr<const Tokenizer> tokenizer) {
    if (!tokenizer || source.samples.empty())
        throw Error("the text {1} is missing, and there is no data to measure its model with", source.file);
    Parts parts;
    parts.held_out = batches_of(source.held_out, *tokenizer, source.unit, source.file);
    parts.training_tokens = static_cast<std::size_t>(source.training_tokens);
    parts.unigram_loss = source.unigram_loss;
    parts.characters_per_token = characters_per_token(source.held_out, *parts.held_out);
    Task task = task_of(source.file, source.unit, std::move(tokenizer), parts);
    task.why_not_trained = filled_with(
        N_("The text {1} that it learned from is not part of a checkpoint. A run that was kept has it."), source.file);
    task.batches = std::make_shared<const AbsentText>(window(source.unit), task.why_not_trained);
    for (const std::string& sample : source.samples) task.samples.push_back({sample});
    task.source = std::make_shared<const WorldSource>(source);
    return task;
}

const WorldKind text_world = {.name = "text",
                              .summary = N_("What comes next in a text?"),
                              .reads = "the beginning of a text",
                              .learns = "continue it, character by character",
                              .make = [](const WorldFile& file) { return text_task(file, "characters"); }};

}  // namespace glassformer
