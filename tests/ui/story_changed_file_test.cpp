// Another program changes the file of an open model: the window shows nothing that was read after that, and says why.
#include "tests/core/half_cells.h"
#include "tests/core/model_folder.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

// Windows does not let a file be cut while it is mapped.
TEST_CASE("story: a model whose file is cut while it is open is reported, and can be reopened" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    const std::filesystem::path model = bert_folder(folder), file = model / "model.safetensors";
    const Safetensors tensors = read_safetensors(file);
    std::filesystem::remove(file);
    write_text(file, with_cells(tensors, "BF16"));
    Story story;
    story.send(command::OpenModel{model.string()});
    REQUIRE(story.snapshot().sentences[0].error == "");
    REQUIRE(story.snapshot().sentences[0].trace->parameters()->keeps_stored());
    REQUIRE(story.play("click map/unembed\nframes 2") == "");  // its explanation reads the weights

    std::filesystem::resize_file(file, 100);
    story.frames(2);
    CHECK_FALSE(story.snapshot().sentences[0].trace);
    CHECK(contains(story.text("A/error"), "reopen the model"));
    for (const char* view : {"Attention", "Flow", "Embedding", "MLP"}) {
        INFO(view);
        CHECK(story.play("key Ctrl+k\ntype \"" + std::string(view) + "\"\nkey Enter\nframes 3") == "");
    }
    write_text(file, with_cells(tensors, "BF16"));
    story.send(command::OpenModel{model.string()});
    CHECK(story.snapshot().sentences[0].error == "");
    CHECK(story.snapshot().sentences[0].trace);
}
