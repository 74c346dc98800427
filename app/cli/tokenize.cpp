#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/cli/model_text.h"
#include "core/base/error.h"
#include "core/io/run_folder.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/shown_bytes.h"
#include "core/text/special_tokens.h"
#include "core/text/text_file.h"
#include "core/text/tokenizer.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_text_bytes = std::size_t{64} << 20;

struct Tokens {
    std::vector<int> ids;
    std::vector<std::string> pieces;
    nlohmann::json offsets = nlohmann::json::array();
    nlohmann::json sequences;  // of a pair: 0 or 1 for the text that a token is from; null for the tokens around them
};

/// A published tokenizer's tokens, with special tokens where its post-processor adds them.
Tokens published(const HfTokenizer& tokenizer, std::string_view text) {
    Tokens out;
    for (const TokenOfText& token : encode_with_masks(tokenizer, text)) {
        out.ids.push_back(token.id);
        out.pieces.push_back(tokenizer.piece(token.id));
        out.offsets.push_back({token.source.begin, token.source.end});
    }
    return out;
}

/// Of the tokens of a joined pair: which text each is from, and its offsets in that text.
void tell_texts_apart(Tokens& tokens, std::size_t first_size, std::size_t second_begin) {
    tokens.sequences = nlohmann::json::array();
    for (nlohmann::json& offsets : tokens.offsets) {
        const auto begin = offsets[0].get<std::size_t>(), end = offsets[1].get<std::size_t>();
        const bool second = end > second_begin, first = !second && begin < std::min(end, first_size);
        tokens.sequences.push_back(second ? nlohmann::json(1) : first ? nlohmann::json(0) : nlohmann::json());
        if (second)
            offsets = {std::max(begin, second_begin) - second_begin, end - second_begin};
        else if (first)
            offsets = {begin, std::min(end, first_size)};
        else
            offsets = {0, 0};
    }
}

/// The tokens of one of our own, which keeps no offsets.
Tokens own(const Tokenizer& tokenizer, std::string_view text) {
    Tokens out;
    out.ids = tokenizer.ids(text);
    out.offsets = nullptr;
    for (const int id : out.ids) out.pieces.push_back(tokenizer.token_text(id));
    return out;
}

/// The tokenizer of a folder, for which its own files are enough, or of any model; null if it has none.
std::shared_ptr<const Tokenizer> tokenizer_of(const std::string& model) {
    const std::filesystem::path folder = model_folder(model);
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored) || is_run_folder(folder)) return open_model(model).tokenizer;
    return load_tokenizer(folder);
}

void print_tokens(const Tokens& tokens, bool json) {
    if (json) {
        nlohmann::json line{{"ids", tokens.ids}, {"pieces", tokens.pieces}, {"offsets", tokens.offsets}};
        if (tokens.sequences.is_array()) line["sequences"] = tokens.sequences;
        std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return;
    }
    for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
        std::printf("%d\t%s", tokens.ids[i], shown_bytes(tokens.pieces[i]).c_str());
        if (tokens.offsets.is_array())
            std::printf("\t%zu-%zu", tokens.offsets[i][0].get<std::size_t>(), tokens.offsets[i][1].get<std::size_t>());
        if (tokens.sequences.is_array())
            std::printf("\t%s", tokens.sequences[i].is_null() ? "-" : tokens.sequences[i] == 0 ? "0" : "1");
        std::printf("\n");
    }
}

}  // namespace

int run_tokenize(const TokenizeArgs& args) {
    const std::string text = args.file.empty() ? args.text.value_or("") : read_text_file(args.file, most_text_bytes);
    const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(args.model);
    if (!tokenizer)
        throw Error("{1} has no tokenizer: no tokenizer.json, vocab.txt, or vocab.json with merges.txt", args.model);
    const std::string read = args.pair ? pair_of(tokenizer.get(), text, *args.pair) : text;
    tell_doubled(*tokenizer, read);
    const auto* published_one = dynamic_cast<const HfTokenizer*>(tokenizer.get());
    Tokens tokens = published_one ? published(*published_one, read) : own(*tokenizer, read);
    if (args.pair && published_one) tell_texts_apart(tokens, text.size(), read.size() - args.pair->size());
    print_tokens(tokens, args.json);
    return 0;
}

}  // namespace glassformer::app
