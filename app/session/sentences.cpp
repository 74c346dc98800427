#include "app/session/sentences.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "app/session/command.h"
#include "app/session/masks.h"
#include "core/base/error.h"
#include "core/text/character_tokenizer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/shown_bytes.h"
#include "core/text/special_tokens.h"
#include "core/text/utf8.h"
#include "core/train/fixed_batch.h"

namespace glassformer::app {

namespace {

using Token = WordTokenizer::Token;

constexpr std::size_t suggestions = 3;
constexpr std::uint64_t prompts_seed = 20011;  // unlikely to be the seed of a user's training
constexpr long most_prompts = 9999;

std::vector<int> ids_of(const std::vector<Token>& tokens) {
    std::vector<int> ids;
    for (const Token& token : tokens) ids.push_back(token.id);
    return ids;
}

/// "5 17, 3" → 5, 17, 3.
std::vector<Token> token_ids(const std::string& text) {
    std::string spaced = text;
    std::ranges::replace(spaced, ',', ' ');
    std::vector<Token> tokens;
    std::istringstream words(spaced);
    for (std::string word; words >> word;) {
        char* end = nullptr;
        const long id = std::strtol(word.c_str(), &end, 10);
        if (*end != '\0' || id < 0 || id > std::numeric_limits<int>::max())
            throw Error("this model came without a tokenizer: write token IDs such as 5 17 3; \"{1}\" is not one",
                        word);
        tokens.push_back({static_cast<int>(id), "#" + word});
    }
    return tokens;
}

std::vector<Token> cut(const std::string& text, const Tokenizer* tokenizer) {
    if (!tokenizer) return token_ids(text);
    if (const auto* words = dynamic_cast<const WordTokenizer*>(tokenizer)) return words->encode(text);
    if (const auto* characters = dynamic_cast<const CharacterTokenizer*>(tokenizer)) {
        std::vector<Token> tokens;  // like an unknown word, an unknown character keeps its text
        for (const auto& [id, point] : characters->read(text))
            tokens.push_back({id, id == CharacterTokenizer::unknown ? shown_bytes(to_utf8({&point, 1})) : ""});
        return tokens;
    }
    std::vector<Token> tokens;
    for (const int id : ids_with_masks(*tokenizer, text)) tokens.push_back({id, {}});
    return tokens;
}

/// 12 → "₁₂".
std::string subscript(int number) {
    std::string text;
    for (const char digit : std::to_string(number))
        text += "\xE2\x82" + std::string(1, static_cast<char>(0x80 + digit - '0'));
    return text;
}

/// x₁ y₁ x₂ y₂ …: the pairs of a regression.
std::vector<Token> names_of_pairs(int positions) {
    std::vector<Token> names;
    for (int p = 0; p < positions; ++p) names.push_back({-1, (p % 2 ? "y" : "x") + subscript(p / 2 + 1)});
    return names;
}

/// "0.5 1 0; 1 0 2" → six numbers.
std::vector<float> rows_of_numbers(const std::string& text, int width) {
    std::vector<float> values;
    std::istringstream rows(text);
    for (std::string row; std::getline(rows, row, ';');) {
        std::ranges::replace(row, ',', ' ');
        std::istringstream numbers(row);
        int count = 0;
        for (std::string number; numbers >> number; ++count) {
            char* end = nullptr;
            values.push_back(std::strtof(number.c_str(), &end));
            if (*end != '\0' || !std::isfinite(values.back())) throw Error("\"{1}\" is not a number", number);
        }
        if (count != width)
            throw Error("this model reads rows of {1} numbers, as in \"sample 1\"; \"{2}\" has {3}",
                        std::to_string(width), row, std::to_string(count));
    }
    return values;
}

/// The tokens of one row of a batch, without padding.
std::vector<int> words_of(std::span<const float> tokens, std::span<const float> mask) {
    std::vector<int> words;
    for (std::size_t p = 0; p < tokens.size(); ++p)
        if (mask.empty() || mask[p] != 0.0f) words.push_back(static_cast<int>(tokens[p]));
    return words;
}

/// Held-out sentences of a task, with masked words restored.
std::vector<TraceInput> held_out_sentences(const Task& task) {
    Batch batch;
    const std::shared_ptr<const BatchSource> source = task.held_out();
    const int count = source->eval_batch(command::averaged_sentences, batch);
    const auto row = [&](std::span<const float> all, int i) {
        const std::size_t width = all.size() / static_cast<std::size_t>(count);
        return all.subspan(static_cast<std::size_t>(i) * width, width);
    };
    std::vector<TraceInput> sentences;
    for (int i = 0; i < count; ++i) {
        sentences.push_back({words_of(row(batch.unmasked_tokens(), i), row(batch.key_mask, i))});
        sentences.back().source_tokens = words_of(row(batch.source_tokens, i), row(batch.source_key_mask, i));
    }
    std::erase_if(sentences, [](const TraceInput& s) { return s.tokens.empty(); });
    return sentences;
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\n") == std::string::npos; }

}  // namespace

Sentences::Sentences(Backend& backend, std::shared_ptr<const ModelInfo> model, std::shared_ptr<const Task> task)
    : model_(std::move(model)), task_(std::move(task)), tracer_(backend, model_->config) {
    if (task_ && model_->config.input == InputKind::words)
        tracer_.set_world([task = task_] { return held_out_sentences(*task); });
}

// Masking each word in turn takes as many passes as there are words, too many for a large model from elsewhere.
bool Sentences::guesses_every_word() const {
    return app::fills_masks(*model_) && model_->words() && model_->trainable();
}

void Sentences::read_sample(WatchedSentence& sentence, long number) const {
    if (!task_)
        throw Error("this model has no world, so it has no samples: write rows of {1} numbers, separated by ;",
                    std::to_string(model_->config.d_input));
    if (number < 1 || number > most_prompts) throw Error("samples go from 1 to {1}", std::to_string(most_prompts));
    Batch batch;
    task_->batches->draw(prompts_seed, number, 1, batch);
    sentence.values = batch.values;
    const std::size_t width = model_->config.d_output;
    sentence.true_values = batch.target_values;
    for (std::size_t i = 0; i < sentence.true_values.size(); ++i)
        if (batch.loss_weights[i / width] == 0.0f) sentence.true_values[i] = std::numeric_limits<float>::quiet_NaN();
}

void Sentences::read_numbers(WatchedSentence& sentence) const {
    const int width = model_->config.d_input;
    constexpr std::string_view word = "sample";
    if (sentence.text.starts_with(word))
        read_sample(sentence, std::strtol(sentence.text.c_str() + word.size(), nullptr, 10));
    else
        sentence.values = rows_of_numbers(sentence.text, width);
    const int positions = static_cast<int>(sentence.values.size()) / width;
    if (positions < 1 || positions > model_->config.n_ctx)
        throw Error("this model reads 1 to {1} rows of numbers; you gave {2}", std::to_string(model_->config.n_ctx),
                    std::to_string(positions));
    sentence.tokens = names_of_pairs(positions);
}

void Sentences::read_translation(WatchedSentence& sentence) const {
    const auto [source, target] = at_arrow(sentence.text);
    const Tokenizer* tokenizer = model_->tokenizer.get();
    sentence.source = cut(source, model_->source_tokenizer ? model_->source_tokenizer.get() : tokenizer);
    for (Token& token : sentence.source)
        if (token.text.empty()) token.text = model_->source_token_text(token.id);
    const WordTokenizer* words = model_->words();
    const std::optional<int> first = words ? words->find(bos_word) : std::nullopt;
    sentence.tokens = {{first.value_or(0), model_->token_text(first.value_or(0))}};
    sentence.target_given = !blank(target);
    if (!sentence.target_given) return;
    for (Token& token : cut(target, tokenizer)) sentence.tokens.push_back(std::move(token));
}

void Sentences::read_words(WatchedSentence& sentence) const {
    sentence.tokens = cut(sentence.text, model_->tokenizer.get());
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i)
        if (sentence.homonym_pos < 0 && model_->homonym(sentence.tokens[i].text) >= 0)
            sentence.homonym_pos = static_cast<int>(i);
    // In a model from elsewhere, start with the masked word.
    if (model_->words() || !app::fills_masks(*model_)) return;
    const auto hidden = std::ranges::find_if(sentence.tokens, [&](const Token& t) { return is_mask(*model_, t.id); });
    if (hidden != sentence.tokens.end()) sentence.first_token = static_cast<int>(hidden - sentence.tokens.begin());
}

void Sentences::read(WatchedSentence& sentence) const {
    if (model_->config.input == InputKind::values) return read_numbers(sentence);
    if (model_->translates())
        read_translation(sentence);
    else
        read_words(sentence);
    if (const auto* published = dynamic_cast<const HfTokenizer*>(model_->tokenizer.get()))
        sentence.doubled = published->doubled(sentence.text);
    sentence.nearest_known.resize(sentence.tokens.size());
    const WordTokenizer* words = model_->words();
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        Token& token = sentence.tokens[i];
        if (words && token.id == WordTokenizer::unknown)
            sentence.nearest_known[i] = words->nearest(token.text, suggestions);
        if (token.text.empty()) token.text = model_->token_text(token.id);
    }
    const std::vector<int> ids = ids_of(sentence.tokens);
    if (model_->tokenizer) require_embedded(*model_->tokenizer, ids, model_->config.d_vocab);
    require_tokens(ids, model_->config);
}

// Translates greedily, word by word. The causal mask hides the words to come, so that one length serves every step.
void Sentences::translate(WatchedSentence& sentence, const Parameters& parameters) {
    const WordTokenizer* words = model_->words();
    const std::optional<int> last = words ? words->find(eos_word) : std::nullopt;
    const std::size_t room = model_->config.n_ctx;
    std::vector<int> target(room, WordTokenizer::pad);
    target[0] = sentence.tokens[0].id;
    const std::vector<int> source = ids_of(sentence.source);
    for (std::size_t p = 0; p + 1 < room; ++p) {
        const auto trace = tracer_.trace(TraceInput{target, source}, parameters);
        const int next = argmax(trace->part(trace->model().logits, {static_cast<std::int64_t>(p), 1}).values());
        if (last && next == *last) break;
        target[p + 1] = next;
        sentence.tokens.push_back({next, model_->token_text(next)});
    }
    sentence.nearest_known.resize(sentence.tokens.size());
}

std::vector<float> Sentences::guess_masked(const WatchedSentence& sentence, const MakeTrace& trace) const {
    std::vector<float> probabilities;
    if (!guesses_every_word()) return probabilities;
    const std::vector<int> ids = ids_of(sentence.tokens);
    for (std::size_t p = 0; p < ids.size(); ++p) {
        std::vector<int> masked = ids;
        masked[p] = WordTokenizer::mask;
        const std::shared_ptr<const Trace> guess = trace({std::move(masked)});
        const SliceView part = guess->part(guess->model().probabilities, {static_cast<std::int64_t>(p), 1});
        const std::span<const float> row = part.values();
        probabilities.insert(probabilities.end(), row.begin(), row.end());
    }
    return probabilities;
}

std::pair<std::string, std::string> at_arrow(const std::string& text) {
    for (const std::string arrow : {"→", "->"})
        if (const std::size_t at = text.find(arrow); at != std::string::npos)
            return {text.substr(0, at), text.substr(at + arrow.size())};
    return {text, ""};
}

TraceInput input_of(const WatchedSentence& sentence) {
    TraceInput input;
    if (sentence.values.empty()) input.tokens = ids_of(sentence.tokens);
    input.source_tokens = ids_of(sentence.source);
    input.values = sentence.values;
    return input;
}

std::string Sentences::refusal(const std::string& text) const {
    WatchedSentence sentence;
    sentence.text = text;
    try {
        read(sentence);
        return {};
    } catch (const Error& e) {
        return e.what();
    }
}

WatchedSentence Sentences::watch(const std::string& text, const Parameters& parameters) {
    WatchedSentence sentence;
    sentence.text = text;
    for (const Sample& sample : model_->samples)
        if (sample.text == text) {
            sentence.sense = sample.sense;
            sentence.first_token = sample.token;
            sentence.looks_at = sample.looks_at;
        }
    try {
        read(sentence);
        if (model_->translates() && !sentence.target_given) translate(sentence, parameters);
        sentence.trace = tracer_.trace(input_of(sentence), parameters);
        sentence.removed_heads = removed_heads(sentence.trace->graph(), model_->config, *parameters);
        sentence.masked_probabilities =
            guess_masked(sentence, [&](const TraceInput& masked) { return tracer_.trace(masked, parameters); });
    } catch (const Error& e) {
        sentence.error = e.what();
        sentence.trace = nullptr;
    }
    return sentence;
}

}  // namespace glassformer::app
