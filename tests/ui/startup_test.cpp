#include "app/session/startup.h"

#include <doctest/doctest.h>

using namespace glassformer::app;

TEST_CASE("a checkpoint is named by its folder or by its model.safetensors") {
    CHECK(session_options("my/model").checkpoint == "my/model");
    CHECK(session_options("my/model/model.safetensors").checkpoint == "my/model");
    CHECK(session_options("model.safetensors").checkpoint == ".");
    CHECK(session_options("").checkpoint.filename() == "homonyms");
}
