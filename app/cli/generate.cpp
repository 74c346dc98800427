#include <algorithm>
#include <cstdio>

#include "app/cli/cli.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/io/checkpoint.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

std::vector<int> beginning(const Checkpoint& model, const GenerateArgs& args) {
    if (!args.tokens.empty()) return args.tokens;
    if (!model.tokenizer)
        throw Error(args.model + " has no tokenizer, so its text cannot be read; give token ids with --tokens");
    return model.tokenizer->ids(args.text);
}

void print(const Checkpoint& model, const std::vector<int>& tokens) {
    if (model.tokenizer) {
        std::printf("%s\n", model.tokenizer->decode(tokens).c_str());
        return;
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) std::printf("%s%d", i ? "," : "", tokens[i]);
    std::printf("\n");
}

}  // namespace

int run_generate(const GenerateArgs& args) {
    const Checkpoint model = load_checkpoint(args.model);
    CpuBackend backend(args.threads);
    Generator generator(backend, model.config, model.parameters);
    const std::vector<int> start = beginning(model, args);
    std::span<const float> logits = generator.read(start);
    Rng rng(args.seed);
    std::vector<int> tokens = start;
    const auto room = static_cast<std::size_t>(model.config.n_ctx);
    for (int i = 0; i < args.count; ++i) {
        tokens.push_back(sample(logits, args.temperature, args.top_k, rng));
        if (tokens.size() >= room) {
            std::fprintf(stderr, "glassformer: stopped at %zu tokens, the most that this model reads\n", room);
            break;
        }
        if (i + 1 < args.count) logits = generator.read({&tokens.back(), 1});
    }
    print(model, tokens);
    return 0;
}

}  // namespace glassformer::app
