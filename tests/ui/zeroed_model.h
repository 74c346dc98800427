#pragma once

#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

namespace glassformer::app {

/// A shipped model with all its numbers 0, without its log: whatever it says, it says all alike.
inline void open_zeroed(Story& story, const TemporaryFolder& folder, const std::string& name) {
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/" + name);
    model.parameters =
        std::make_shared<const ParameterValues>(std::vector<float>(model.parameters->all().size(), 0.0f));
    model.log.clear(), model.keyframes.clear();
    save_checkpoint(folder / name, model);
    story.session.send(command::OpenModel{(folder / name).string()});
    story.settle();
    story.frames(3);
    REQUIRE(story.snapshot().error == "");
}

}  // namespace glassformer::app
