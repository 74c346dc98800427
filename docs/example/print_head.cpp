// Prints the attention pattern of one head: a row for each token, with how much it looks at every token.
//   print_head FOLDER LAYER HEAD TEXT       for example: print_head assets/models/homonyms 0 1 "a bat flew out"
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/trace/tracer.h"

using namespace glassformer;

int main(int argc, char** argv) try {
    if (argc != 5) throw Error("usage: print_head FOLDER LAYER HEAD TEXT");
    const Checkpoint model = load_checkpoint(argv[1]);
    const int layer = std::atoi(argv[2]), head = std::atoi(argv[3]);
    if (!model.tokenizer) throw Error("this model has no tokenizer");
    if (layer < 0 || layer >= model.config.n_layers || head < 0 || head >= model.config.n_heads)
        throw Error("there is no such head");

    const std::vector<int> tokens = model.tokenizer->ids(argv[4]);
    CpuBackend processor;
    const auto trace = Tracer(processor, model.config).trace(tokens, model.parameters);
    const std::size_t count = tokens.size();
    const auto heads = trace->values("blocks." + std::to_string(layer) + ".attn.hook_pattern");  // [head, query, key]
    const auto pattern = heads.subspan(static_cast<std::size_t>(head) * count * count, count * count);
    for (std::size_t query = 0; query < count; ++query) {
        std::printf("%s", model.tokenizer->token_text(tokens[query]).c_str());
        for (std::size_t key = 0; key < count; ++key) std::printf(" %.9g", pattern[query * count + key]);
        std::printf("\n");
    }
} catch (const std::exception& e) {
    std::fprintf(stderr, "print_head: %s\n", e.what());
    return 1;
}
