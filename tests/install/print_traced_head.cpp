// Prints a head's pattern as docs/example/print_head.cpp does, but from a file of `glassformer trace` and without the
// words.
//   print_traced_head FILE LAYER HEAD
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "core/base/error.h"
#include "core/io/safetensors.h"

using namespace glassformer;

int main(int argc, char** argv) try {
    if (argc != 4) throw Error("usage: print_traced_head FILE LAYER HEAD");
    const std::string name = "blocks." + std::string(argv[2]) + ".attn.hook_pattern";
    const Safetensors trace = read_safetensors(argv[1]);
    const Tensor* pattern = trace.find(name);
    if (!pattern) throw Error(std::string(argv[1]) + " has no tensor " + name);
    for (std::int64_t query = 0; query < pattern->shape()[1]; ++query) {
        for (std::int64_t key = 0; key < pattern->shape()[2]; ++key)
            std::printf(" %.9g", pattern->at({std::atoll(argv[3]), query, key}));
        std::printf("\n");
    }
} catch (const std::exception& e) {
    std::fprintf(stderr, "print_traced_head: %s\n", e.what());
    return 1;
}
