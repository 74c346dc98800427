#include <algorithm>
#include <cstdio>
#include <span>

#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/cli/model_text.h"
#include "app/language/tr.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/io/checkpoint.h"

namespace glassformer::app {

namespace {

std::vector<int> beginning(const Checkpoint& model, const GenerateArgs& args) {
    return args.tokens.empty() ? ids_of(model.tokenizer, args.text, args.model, "--tokens") : args.tokens;
}

/// Published matrices have more rows than there are tokens: such a row is printed as "#12".
std::string text_with_unknown(const Tokenizer& tokenizer, std::span<const int> tokens) {
    std::string text;
    for (std::size_t begin = 0; begin < tokens.size();) {
        std::size_t end = begin;
        while (end < tokens.size() && tokens[end] < tokenizer.size()) ++end;
        if (end > begin) text += tokenizer.decode(tokens.subspan(begin, end - begin));
        if (end < tokens.size()) text += "#" + std::to_string(tokens[end++]);
        begin = end;
    }
    return text;
}

void print(const Checkpoint& model, const std::vector<int>& tokens) {
    if (model.tokenizer) {
        std::printf("%s\n", text_with_unknown(*model.tokenizer, tokens).c_str());
        return;
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) std::printf("%s%d", i ? "," : "", tokens[i]);
    std::printf("\n");
}

}  // namespace

int run_generate(const GenerateArgs& args) {
    const Checkpoint model = open_model(args.model);
    if (model.config.family == Family::encoder_decoder)
        throw Error("{1} translates: glassformer trace --source-text writes a translation", args.model);
    CpuBackend backend(args.threads);
    Generator generator(backend, model.config, model.parameters);
    const std::vector<int> start = beginning(model, args);
    if (model.tokenizer) require_embedded(*model.tokenizer, start, model.config.d_vocab);
    std::span<const float> logits = generator.read(start);
    Rng rng(args.seed);
    std::vector<int> tokens = start;
    // Rows without a token are not sampled.
    const std::size_t words = model.tokenizer ? static_cast<std::size_t>(model.tokenizer->size()) : logits.size();
    const std::size_t room = model.config.n_ctx;
    for (int i = 0; i < args.count; ++i) {
        if (tokens.size() == room) {
            tell(filled_with(N_("stopped at {1} tokens, the most that this model can read"), room));
            break;
        }
        tokens.push_back(sample(logits.first(std::min(logits.size(), words)), args.temperature, args.top_k, rng));
        if (i + 1 < args.count && tokens.size() < room) logits = generator.read({&tokens.back(), 1});
    }
    print(model, tokens);
    return 0;
}

}  // namespace glassformer::app
