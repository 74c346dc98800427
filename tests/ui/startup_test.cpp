#include "app/session/startup.h"

#include <doctest/doctest.h>

#include "tests/core/set_variable.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("a checkpoint is named by its folder or by its model.safetensors") {
    // This program does not lie beside them.
    const SetVariable assets("GLASSFORMER_ASSETS", GLASSFORMER_SOURCE_DIR "/assets");
    CHECK(session_options("my/model").checkpoint == "my/model");
    CHECK(session_options("my/model/model.safetensors").checkpoint == "my/model");
    CHECK(session_options("model.safetensors").checkpoint == ".");
    CHECK(session_options("").checkpoint.filename() == "homonyms");
}
