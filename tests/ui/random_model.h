#pragma once

#include <filesystem>

#include "tests/core/fresh_parameters.h"
#include "tests/ui/story.h"

namespace glassformer::app {

/// Saves a model with random weights in that folder, which must outlive the story, and opens it.
inline void open_random(Story& story, const std::filesystem::path& folder, const TransformerConfig& config) {
    Checkpoint model;
    model.config = config;
    model.parameters = fresh_parameters(config, 7);
    save_checkpoint(folder, model);
    story.send(command::OpenModel{folder.string()});
    REQUIRE(story.snapshot().error == "");
}

}  // namespace glassformer::app
