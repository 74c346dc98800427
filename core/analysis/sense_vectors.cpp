#include "core/analysis/sense_vectors.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/nn/transformer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    std::ranges::transform(text, text.begin(), small);
    return text;
}

/// The tokens of a text with the bytes that each covers; empty unless the tokenizer came with a published model.
std::vector<TokenOfText> tokens_with_bytes(const Tokenizer& tokenizer, std::string_view text) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    return published ? encode_with_masks(*published, text) : std::vector<TokenOfText>();
}

std::optional<TokenStretch> stretch_of(const Tokenizer& tokenizer, std::span<const TokenOfText> tokens,
                                       std::string_view text, ByteRange word) {
    TokenStretch found;
    std::vector<int> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const ByteRange at = tokens[i].source;
        if (tokens[i].added || at.begin >= word.end || at.end <= word.begin) continue;
        if (ids.empty()) found.first = static_cast<int>(i);
        ids.push_back(tokens[i].id);
    }
    found.count = static_cast<int>(ids.size());
    if (ids.empty()) return std::nullopt;
    const std::string spelled(text.substr(word.begin, word.end - word.begin));
    if (without_blanks(tokenizer.decode(ids)) != without_blanks(spelled)) return std::nullopt;
    return found;
}

}  // namespace

std::optional<TokenStretch> tokens_of_word(const Tokenizer& tokenizer, std::string_view text, ByteRange word) {
    return stretch_of(tokenizer, tokens_with_bytes(tokenizer, text), text, word);
}

std::optional<ByteRange> find_word(std::string_view text, std::string_view word) {
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        const std::size_t end = at + word.size();
        const bool alone = (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
        const auto same = [](char a, char b) { return small(a) == small(b); };
        if (alone && std::ranges::equal(text.substr(at, word.size()), word, same)) return ByteRange{at, end};
    }
    return std::nullopt;
}

std::vector<SenseSentence> sense_sentences(const World& world, Split split, std::size_t per_sense, std::uint64_t seed,
                                           const Tokenizer& tokenizer, int longest) {
    std::vector<SenseSentence> read;
    for (const Sentence& sentence : world.corpus(split, per_sense, seed)) {
        const std::size_t position = sentence.homonym_pos;
        const std::string text = text_of(sentence);
        const std::size_t end = join_words(std::span(sentence.words).first(position + 1)).size();
        const std::vector<TokenOfText> tokens = tokens_with_bytes(tokenizer, text);
        const auto homonym = stretch_of(tokenizer, tokens, text, {end - sentence.words[position].size(), end});
        if (!homonym || static_cast<int>(tokens.size()) > longest) continue;
        std::vector<int> ids;
        for (const TokenOfText& token : tokens) ids.push_back(token.id);
        read.push_back({text, std::move(ids), *homonym, sentence.sense});
    }
    return read;
}

namespace {

/// Per run: a model of BERT's size then takes a fraction of a second per run, so it can be stopped between runs.
constexpr std::size_t most_tokens = 128;

/// Runs sentences of one length, in batches.
class Runs {
public:
    Runs(Backend& backend, const TransformerConfig& config, std::size_t length, std::size_t batch)
        : length_(length), batch_(batch) {
        model_ = build_transformer(config, {static_cast<int>(batch), static_cast<int>(length)});
        for (int layer = 0; layer <= config.n_layers; ++layer) streams_.push_back(model_.graph->at(stream_name(layer)));
        run_ = backend.prepare(model_.graph, {streams_, -1});
        if (model_.token_types >= 0) std::ranges::fill(run_->input_values(model_.token_types), 0.0f);
        if (model_.key_mask >= 0) std::ranges::fill(run_->input_values(model_.key_mask), 1.0f);
    }

    /// If there are fewer than a batch holds, the last one is repeated.
    void run(std::span<const SenseSentence> sentences, std::span<const std::size_t> some,
             const ParameterView& parameters, SenseVectors& into) {
        const std::span<float> tokens = run_->input_values(model_.tokens);
        for (std::size_t b = 0; b < batch_; ++b)
            std::ranges::copy(sentences[some[std::min(b, some.size() - 1)]].ids,
                              tokens.begin() + static_cast<std::ptrdiff_t>(b * length_));
        run_->forward(parameters);
        block_.resize(batch_ * length_ * into.d_model);
        for (std::size_t layer = 0; layer < streams_.size(); ++layer) {
            run_->read(streams_[layer], block_);
            for (std::size_t b = 0; b < some.size(); ++b)
                add_mean(sentences[some[b]].homonym, b,
                         std::span(into.layers[layer]).subspan(some[b] * into.d_model, into.d_model));
        }
    }

private:
    void add_mean(TokenStretch word, std::size_t b, std::span<float> into) const {
        for (int piece = 0; piece < word.count; ++piece) {
            const std::size_t row = b * length_ + static_cast<std::size_t>(word.first + piece);
            for (std::size_t j = 0; j < into.size(); ++j) into[j] += block_[row * into.size() + j];
        }
        for (float& value : into) value /= static_cast<float>(word.count);
    }

    std::size_t length_, batch_;
    TransformerGraph model_;
    std::vector<int> streams_;  // node ids, by layer
    std::unique_ptr<Execution> run_;
    std::vector<float> block_;
};

}  // namespace

std::optional<SenseVectors> sense_vectors(Backend& backend, const TransformerConfig& config,
                                          const ParameterView& parameters, std::span<const SenseSentence> sentences,
                                          const std::function<bool(std::size_t done)>& go_on) {
    SenseVectors vectors{static_cast<std::size_t>(config.d_model), {}};
    vectors.layers.assign(static_cast<std::size_t>(config.n_layers) + 1,
                          std::vector<float>(sentences.size() * vectors.d_model));
    std::map<std::size_t, std::vector<std::size_t>> by_length;
    for (std::size_t i = 0; i < sentences.size(); ++i) by_length[sentences[i].ids.size()].push_back(i);
    std::size_t done = 0;
    for (const auto& [length, members] : by_length) {
        const std::size_t batch = std::min(members.size(), std::max<std::size_t>(1, most_tokens / length));
        Runs runs(backend, config, length, batch);
        for (std::size_t first = 0; first < members.size(); first += batch) {
            const std::size_t count = std::min(batch, members.size() - first);
            runs.run(sentences, std::span(members).subspan(first, count), parameters, vectors);
            done += count;
            if (!go_on(done)) return std::nullopt;
        }
    }
    return vectors;
}

}  // namespace glassformer
