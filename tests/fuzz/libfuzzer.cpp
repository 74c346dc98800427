// The entry point for clang's libFuzzer (scripts/fuzz.sh). GLASSFORMER_FUZZ_TARGET selects the reader.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

namespace {

const glassformer::fuzz::Target& chosen() {
    const char* const name = std::getenv("GLASSFORMER_FUZZ_TARGET");
    for (const auto targets : {glassformer::fuzz::core_targets(), glassformer::fuzz::app_targets()})
        for (const glassformer::fuzz::Target& target : targets)
            if (name && target.name == name) return target;
    std::fprintf(stderr, "GLASSFORMER_FUZZ_TARGET names no target; there are the folders of tests/fuzz/corpus\n");
    std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const glassformer::fuzz::Target& target = chosen();
    glassformer::fuzz::run(target, {reinterpret_cast<const char*>(bytes), size});
    return 0;
}
