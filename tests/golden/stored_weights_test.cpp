// Weights kept in their file's type: every architecture computes the same bytes as with widened weights.
#include <doctest/doctest.h>

#include "core/generate/generator.h"
#include "core/io/checkpoint.h"
#include "core/platform/atomic_file.h"
#include "core/trace/tracer.h"
#include "tests/core/half_cells.h"
#include "tests/core/temporary_folder.h"
#include "tests/golden/golden.h"
#include "tests/same_bytes.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// Returns the folders of all architectures.
std::vector<fs::path> folders() {
    std::vector<fs::path> all{golden::folder() / "gpt2_tiny", golden::folder() / "gpt2_tiny_untied"};
    for (const auto& entry : fs::directory_iterator(golden::folder() / "hugging_face")) all.push_back(entry.path());
    return all;
}

/// Returns the folder's model with cells of another dtype.
Checkpoint converted(const fs::path& folder, const fs::path& to, const std::string& dtype) {
    fs::create_directory(to);
    fs::copy_file(folder / "config.json", to / "config.json");
    write_file_atomically(to / "model.safetensors", with_cells(read_safetensors(folder / "model.safetensors"), dtype));
    return load_checkpoint(to);
}

std::vector<int> some_tokens(const TransformerConfig& config) {
    std::vector<int> tokens;
    for (int p = 0; p < std::min(config.n_ctx, 9); ++p) tokens.push_back((p * 7 + 3) % config.d_vocab);
    return tokens;
}

/// Compares every value of a pass, including those that are computed later.
void check_trace(const TransformerConfig& config, const Parameters& stored, const Parameters& wide,
                 CpuBackend& backend) {
    for (const TraceMemory& memory : {TraceMemory{}, TraceMemory{.kept = 0}}) {
        Tracer first(backend, config, memory), second(backend, config, memory);
        const auto a = first.trace(some_tokens(config), stored), b = second.trace(some_tokens(config), wide);
        for (int id = 0; id < static_cast<int>(a->graph().nodes().size()); ++id)
            if (a->graph()[id].kind == NodeInfo::Kind::op) {
                INFO(a->graph()[id].name);
                CHECK(same_bytes(a->values(id), b->values(id)));
            }
    }
}

void check_generation(const TransformerConfig& config, const Parameters& stored, const Parameters& wide,
                      CpuBackend& backend) {
    Generator a(backend, config, stored), b(backend, config, wide);
    for (const int token : some_tokens(config)) {
        const int one[] = {token};
        CHECK(same_bytes(a.read(one), b.read(one)));
    }
}

}  // namespace

TEST_CASE("golden: weights that stay in the type of their file give the same bytes as widened ones") {
    CpuBackend backend(2);
    int count = 0;
    for (const fs::path& folder : folders())
        for (const char* dtype : {"BF16", "F16"}) {
            INFO(folder.filename().string(), " ", dtype);
            ++count;
            const TemporaryFolder to;
            const Checkpoint model = converted(folder, to / "model", dtype);
            REQUIRE(model.parameters->keeps_stored());
            const auto wide = std::make_shared<ParameterValues>(*model.parameters);
            REQUIRE_FALSE(wide->keeps_stored());
            check_trace(model.config, model.parameters, wide, backend);
            if (supports_kv_cache(model.config)) check_generation(model.config, model.parameters, wide, backend);
            // Reading the stored parameters gives the widened cells.
            const std::shared_ptr<const Graph> graph = build_transformer(model.config, {1, 1}).graph;
            for (const int id : graph->parameters()) {
                const NodeInfo& info = (*graph)[id];
                INFO(info.name);
                CHECK(same_bytes(model.parameters->values(info.offset, info.shape.elements()),
                                 wide->values(info.offset, info.shape.elements())));
            }
            CHECK(*model.parameters == *wide);
        }
    CHECK(count == 32);
}
