#include "app/views/generate/generation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/common/lens_reading.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/text/character_tokenizer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/utf8.h"
#include "core/text/word_tokenizer.h"
#include "core/text/words.h"

namespace glassformer::app::views::generate {

namespace {

constexpr double seconds_a_word = 0.6;

/// The logits after the last word.
SliceView last_logits(const Trace& trace) {
    const int node = trace.model().logits;
    const std::int64_t width = trace.shape(node).back();
    return trace.part(node, trace.slices(node).around((trace.positions() - 1) * width, width));
}

std::span<const float> row_of(const Trace& trace, const SliceView& part) {
    const std::int64_t width = trace.shape(trace.model().logits).back();
    return part.cells((trace.positions() - 1) * width, width);
}

using Token = WordTokenizer::Token;

/// Number of leading tokens that the tokenizer itself puts before every text ("<bos>"): they are not typed.
std::size_t put_before(const Tokenizer& tokenizer, std::span<const Token> tokens) try {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    std::size_t count = 0;
    for (const TokenOfText& token : published ? published->encode("a") : std::vector<TokenOfText>()) {
        if (!token.added || count >= tokens.size() || tokens[count].id != token.id) break;
        ++count;
    }
    return count;
} catch (const Error&) {  // it can read no "a"
    return 0;
}

/// The tokens that a card's text consists of, without those that the tokenizer adds.
std::vector<Token> own_tokens(const Frame& frame, int slot) {
    const std::span<const Token> all = frame.sentence(slot).tokens;
    const Tokenizer* const tokenizer = frame.model(slot).tokenizer.get();
    const std::span<const Token> own = all.subspan(tokenizer ? put_before(*tokenizer, all) : 0);
    return {own.begin(), own.end()};
}

std::string text_of(const WordTokenizer& tokenizer, std::span<const Token> tokens) {
    std::vector<std::string> words;
    for (const Token& token : tokens) {
        const bool unknown = token.id == WordTokenizer::unknown && !token.text.empty();
        if (token.id != WordTokenizer::pad) words.push_back(unknown ? token.text : tokenizer.word(token.id));
    }
    return join_words(words);
}

std::string text_of(const CharacterTokenizer& tokenizer, std::span<const Token> tokens) {
    std::string text;
    for (const Token& token : tokens) {
        const bool unknown = token.id == CharacterTokenizer::unknown && !token.text.empty();
        text += unknown ? token.text : tokenizer.decode({&token.id, 1});
    }
    return text;
}

/// The text of these tokens as one would type it. Unknown words and characters stay as they were typed.
std::string text_of(const ModelInfo& model, std::vector<Token> tokens) {
    const Tokenizer* const tokenizer = model.tokenizer.get();
    if (tokenizer) std::erase_if(tokens, [&](const Token& token) { return token.id >= tokenizer->size(); });
    if (const WordTokenizer* const words = model.words()) return text_of(*words, tokens);
    if (const auto* characters = dynamic_cast<const CharacterTokenizer*>(tokenizer))
        return text_of(*characters, tokens);
    if (tokenizer) {
        std::vector<int> ids;
        for (const Token& token : tokens) ids.push_back(token.id);
        return tokenizer->decode(ids);
    }
    std::string text;
    for (const Token& token : tokens) text += (text.empty() ? "" : " ") + std::to_string(token.id);
    return text;
}

/// True if the tokenizer reads a text as the first `count` tokens of a sentence.
bool reads_as(const Tokenizer& tokenizer, const std::string& text, std::span<const Token> tokens,
              std::size_t count) try {
    return std::ranges::equal(tokenizer.ids(text), tokens.first(count), {}, {}, &Token::id);
} catch (const Error&) {  // it has no token
    return false;
}

/// The longest beginning of a card's text that is all its tokens but the last; empty if that is not found near the end.
std::string without_last(const Frame& frame, int slot) {
    constexpr std::size_t tries = 64;
    const WatchedSentence& sentence = frame.sentence(slot);
    const Tokenizer* const tokenizer = frame.model(slot).tokenizer.get();
    std::string text = sentence.text;
    for (std::size_t i = 0; tokenizer && i < tries && !text.empty(); ++i) {
        do text.pop_back();
        while (!is_valid_utf8(text));
        if (!text.ends_with(' ') && reads_as(*tokenizer, text, sentence.tokens, sentence.tokens.size() - 1))
            return text;
    }
    return {};
}

/// The text of a card with these tokens, which differ from its own at the end. What was typed stays as it was typed,
/// though its tokens may read otherwise: a tokenizer may write all letters small, or not know a word.
std::string text_ending_in(const Frame& frame, int slot, const std::vector<Token>& tokens) {
    const ModelInfo& model = frame.model(slot);
    const std::string was = text_of(model, own_tokens(frame, slot)), now = text_of(model, tokens);
    std::string typed = frame.sentence(slot).text;
    if (typed == was) return now;
    if (!was.ends_with(' ')) typed.erase(typed.find_last_not_of(' ') + 1);
    std::size_t same = std::ranges::mismatch(was, now).in1 - was.begin();
    while (!is_valid_utf8(std::string_view(was).substr(0, same))) --same;  // not inside a character
    const std::string_view gone = std::string_view(was).substr(same);
    if (typed.ends_with(gone)) return typed.substr(0, typed.size() - gone.size()) + now.substr(same);
    const std::string left = tokens.size() < own_tokens(frame, slot).size() ? without_last(frame, slot) : "";
    return left.empty() ? now : left;
}

/// What left the window of a card's text; empty for a text that did not grow here.
GrownText& grown(const Frame& frame, int slot) {
    GrownText& text = frame.own<GenerationChoice>().grown[slot];
    const std::string& shown = frame.sentence(slot).text;
    if (shown != text.told && shown != text.was) text = {};
    return text;
}

/// True if the worker has not yet shown the text that was sent last.
bool waits(const Frame& frame, int slot) {
    const GrownText& text = grown(frame, slot);
    return text.told != text.was && frame.sentence(slot).text == text.was;
}

/// Number of tokens that the worker will make of a text.
std::size_t tokens_in(const ModelInfo& model, const std::string& text, std::size_t known) {
    return model.tokenizer ? model.tokenizer->ids(text).size() : known;
}

/// `shown`: the text of `tokens`, which are without those that the tokenizer adds.
void watch(const Frame& frame, int slot, std::vector<Token> tokens, std::string shown) {
    const ModelInfo& model = frame.model(slot);
    GrownText& text = grown(frame, slot);
    const std::size_t room = model.config.n_ctx;
    while (tokens.size() > 1 && (tokens.size() > room || tokens_in(model, shown, tokens.size()) > room)) {
        text.before.push_back(tokens.front());
        tokens.erase(tokens.begin());
        shown = text_of(model, tokens);
    }
    text.told = shown;
    text.was = frame.sentence(slot).text;
    text.choose_last = true;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), std::move(shown)});
}

/// Number of vocabulary rows that no token stands for: they are never sampled.
std::size_t rows_without_text(const Trace& trace, int with_text) {
    return static_cast<std::size_t>(std::max(0, trace.model().config.d_vocab - with_text));
}

/// What sample() requires.
bool has_drawable_logits(const Trace& trace) {
    const SliceView part = last_logits(trace);
    return std::ranges::none_of(row_of(trace, part), [](float x) { return std::isnan(x) || x == INFINITY; });
}

/// The share of softmax(logits / temperature) that belongs to rows that a token stands for.
double share_with_text(const Trace& trace, float temperature, int with_text) {
    const SliceView part = last_logits(trace);
    const std::span<const float> row = row_of(trace, part);
    const double largest = *std::ranges::max_element(row);
    double all = 0.0, with = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double e = std::exp((static_cast<double>(row[i]) - largest) / static_cast<double>(temperature));
        all += e;
        if (i < static_cast<std::size_t>(with_text)) with += e;
    }
    return with / all;
}

}  // namespace

bool generates(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    return c.output == OutputKind::words && c.input == InputKind::words && !model.translates() && !model.hides_words &&
           (c.causal() || c.recurrent());
}

Remaining remaining_words(const Trace& trace, float temperature, int top_k, const Cut& cut, int with_text) {
    const SliceView part = last_logits(trace);
    const std::span<const float> row = row_of(trace, part);
    return remaining(row.first(std::min(row.size(), static_cast<std::size_t>(with_text))), temperature, top_k, cut);
}

std::vector<NextWord> next_words(const Trace& trace, float temperature, int top_k, std::size_t most, int with_text) {
    const std::size_t count = std::max(most, static_cast<std::size_t>(top_k)),
                      without = rows_without_text(trace, with_text);
    std::vector<NextWord> words;
    for (const LensWord& word : likeliest_words(trace, trace.positions() - 1, count + without, temperature))
        if (word.id < with_text && words.size() < count) words.push_back({word.id, word.probability, 0.0f});
    const std::size_t drawn = top_k > 0 ? std::min(words.size(), static_cast<std::size_t>(top_k)) : words.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < drawn; ++i) sum += words[i].probability;
    if (top_k == 0) sum = without > 0 ? share_with_text(trace, temperature, with_text) : 1.0;
    for (std::size_t i = 0; i < drawn; ++i) words[i].chance = to_float(static_cast<double>(words[i].probability) / sum);
    if (words.size() > most) words.resize(most);
    return words;
}

int words_with_text(const ModelInfo& model) { return model.tokenizer ? model.tokenizer->size() : model.config.d_vocab; }

int draw_next(const Trace& trace, float temperature, const GenerationChoice& choice, std::size_t before, int words) {
    const SliceView part = last_logits(trace);
    Rng rng(choice.seed, static_cast<std::uint64_t>(trace.positions()) + before);
    const std::span<const float> row = row_of(trace, part);
    return sample(row.first(std::min(row.size(), static_cast<std::size_t>(words))), temperature, choice.top_k, rng,
                  choice.cut);
}

std::string grown_text(const Frame& frame, int slot) {
    std::vector<Token> tokens = grown(frame, slot).before;
    if (tokens.empty()) return frame.sentence(slot).text;
    std::ranges::copy(own_tokens(frame, slot), std::back_inserter(tokens));
    return text_of(frame.model(slot), std::move(tokens));
}

std::size_t left_behind(const Frame& frame, int slot) { return grown(frame, slot).before.size(); }

std::string why_not_longer(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const ModelInfo& model = frame.model(slot);
    if (!sentence.tokens.empty() && model.words()) {
        const std::optional<int> end = model.words()->find(eos_word);
        if (end && sentence.tokens.back().id == *end) return tr("The text has ended.");
    }
    if (const Trace* trace = frame.trace(slot); trace && !has_drawable_logits(*trace))
        return tr("Nothing can be sampled: some logits are infinite or NaN.");
    return {};
}

std::string text_with(const Frame& frame, int slot, int id) {
    std::vector<Token> tokens = own_tokens(frame, slot);
    tokens.push_back({id, {}});
    return text_ending_in(frame, slot, tokens);
}

void add_word(const Frame& frame, int slot, int id) {
    if (!why_not_longer(frame, slot).empty() || waits(frame, slot)) return;
    std::vector<Token> tokens = own_tokens(frame, slot);
    tokens.push_back({id, {}});
    std::string text = text_ending_in(frame, slot, tokens);
    watch(frame, slot, std::move(tokens), std::move(text));
}

bool can_take_back(const Frame& frame, int slot) { return own_tokens(frame, slot).size() > 1; }

void take_word_back(const Frame& frame, int slot) {
    std::vector<Token> tokens = own_tokens(frame, slot);
    if (tokens.size() < 2 || waits(frame, slot)) return;
    tokens.pop_back();
    std::vector<Token>& before = grown(frame, slot).before;
    std::string text = before.empty() ? text_ending_in(frame, slot, tokens) : std::string();
    if (!before.empty()) {
        tokens.insert(tokens.begin(), before.back());
        before.pop_back();
        text = text_of(frame.model(slot), tokens);
    }
    watch(frame, slot, std::move(tokens), std::move(text));
}

void start_generating(const Frame& frame, int slot) {
    GenerationChoice& choice = frame.own<GenerationChoice>();
    choice.slot = slot;
    choice.from = frame.sentence(slot).text;
    choice.next_at = ImGui::GetTime();
}

void go_on_generating(const Frame& frame) {
    GenerationChoice& choice = frame.own<GenerationChoice>();
    for (int slot = 0; slot < 2; ++slot)
        if (GrownText& text = grown(frame, slot); text.choose_last && frame.sentence(slot).text == text.told) {
            frame.state.token[slot] = std::max(0, int_size(frame.sentence(slot).tokens) - 1);
            text.choose_last = false;
        }
    if (choice.slot < 0) return;
    const Trace* trace = frame.trace(choice.slot);
    const std::string& shown = frame.sentence(choice.slot).text;
    if (shown != choice.from && shown != grown(frame, choice.slot).told) choice.slot = -1;
    if (choice.slot < 0) return;
    if (!trace || !generates(frame.model(choice.slot)) || !why_not_longer(frame, choice.slot).empty())
        return void(choice.slot = -1);
    frame.state.more_to_compute = true;  // request the next frame
    if (waits(frame, choice.slot) || ImGui::GetTime() < choice.next_at) return;
    choice.next_at = ImGui::GetTime() + seconds_a_word;
    const std::size_t before = left_behind(frame, choice.slot);
    choice.from = shown;
    add_word(frame, choice.slot,
             draw_next(*trace, frame.state.temperature, choice, before, words_with_text(frame.model(choice.slot))));
}

}  // namespace glassformer::app::views::generate
