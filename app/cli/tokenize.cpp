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
        const nlohmann::json line{{"ids", tokens.ids}, {"pieces", tokens.pieces}, {"offsets", tokens.offsets}};
        std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return;
    }
    for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
        std::printf("%d\t%s", tokens.ids[i], shown_bytes(tokens.pieces[i]).c_str());
        if (tokens.offsets.is_array())
            std::printf("\t%zu-%zu", tokens.offsets[i][0].get<std::size_t>(), tokens.offsets[i][1].get<std::size_t>());
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
    print_tokens(published_one ? published(*published_one, read) : own(*tokenizer, read), args.json);
    return 0;
}

}  // namespace glassformer::app
