// Models in GGUF files against Hugging Face folders with the same numbers; make_gguf.py writes both.
#include <doctest/doctest.h>

#include <cstdlib>

#include "core/generate/generator.h"
#include "core/io/checkpoint.h"
#include "core/text/hf_tokenizer.h"
#include "core/trace/tracer.h"
#include "tests/core/temporary_folder.h"
#include "tests/golden/golden.h"
#include "tests/same_bytes.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

void check_tokenizers(const Checkpoint& file, const Checkpoint& folder) {
    REQUIRE(file.tokenizer);
    REQUIRE(folder.tokenizer);
    CHECK(file.tokenizer->size() == folder.tokenizer->size());
    for (const char* text : {"the bat", "The bats are lower, slowing. ", "  two  blanks", "it's 2024\n\n and ünd 猫",
                             "thethe batbat, theing"}) {
        CAPTURE(text);
        const std::vector<int> ids = file.tokenizer->ids(text);
        CHECK(ids == folder.tokenizer->ids(text));
        CHECK(file.tokenizer->decode(ids) == folder.tokenizer->decode(ids));
    }
    const auto& of_file = dynamic_cast<const HfTokenizer&>(*file.tokenizer);
    CHECK(of_file.mask_id() == dynamic_cast<const HfTokenizer&>(*folder.tokenizer).mask_id());
}

void check_values(const Checkpoint& file, const Checkpoint& folder, CpuBackend& backend) {
    CHECK(file.config == folder.config);
    CHECK(*file.parameters == *folder.parameters);
    const std::vector<int> tokens = file.tokenizer->ids("the bat the bats lower");
    Tracer of_file(backend, file.config), of_folder(backend, folder.config);
    const auto ours = of_file.trace({tokens}, file.parameters), theirs = of_folder.trace({tokens}, folder.parameters);
    CHECK(same_bytes(ours->values("logits"), theirs->values("logits")));
    CHECK(same_bytes(ours->values("blocks.1.attn.hook_q"), theirs->values("blocks.1.attn.hook_q")));
    if (file.config.family != Family::decoder) return;
    Generator from_file(backend, file.config, file.parameters), from_folder(backend, folder.config, folder.parameters);
    for (const int token : tokens) {
        const std::vector<int> one{token};
        CHECK(same_bytes(from_file.read(one), from_folder.read(one)));
    }
}

/// Checks how far 8-bit blocks are from the numbers that they encode.
void check_rounding(const fs::path& exact, const Checkpoint& file, CpuBackend& backend) {
    const Checkpoint model = load_checkpoint(exact);
    const std::vector<int> tokens = model.tokenizer->ids("the bat the bats lower");
    Tracer tracer(backend, model.config);
    const auto a = tracer.trace({tokens}, model.parameters), b = tracer.trace({tokens}, file.parameters);
    const double distance = golden::distance(b->values("logits"), a->values("logits"));
    CHECK(distance > 0.0);
    CHECK(distance < 0.1);
}

}  // namespace

TEST_CASE("golden: GGUF files give the same values and tokens as the Hugging Face folders that they were made from") {
    if (std::system("/usr/bin/python3 -c pass 2>/dev/null") != 0) {
        MESSAGE("skipped: there is no /usr/bin/python3");
        return;
    }
    const TemporaryFolder place;
    const std::string script = (golden::folder() / "make_gguf.py").string();
    REQUIRE(std::system(("/usr/bin/python3 " + script + " " + place.path().string()).c_str()) == 0);
    CpuBackend backend(2);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(place.path())) {
        if (entry.path().extension() != ".gguf") continue;
        INFO(entry.path().filename().string());
        ++files;
        fs::path folder = entry.path();
        folder.replace_extension();
        const bool exact = folder.extension() == ".F32";
        const Checkpoint file = load_checkpoint(entry.path()), theirs = load_checkpoint(folder);
        CHECK(file.parameters->keeps_stored() == !exact);
        check_tokenizers(file, theirs);
        check_values(file, theirs, backend);
        if (folder.extension() == ".Q8_0") check_rounding(folder.replace_extension(".F32"), file, backend);
    }
    CHECK(files == 13 * 4);
}
