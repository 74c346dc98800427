#pragma once

#include <algorithm>

#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

namespace glassformer::app {

/// Opens a shipped model with all parameters 0 except W_O, and without its log: it predicts everything equally. With a
/// zero W_O, its heads would count as removed.
inline void open_zeroed(Story& story, const TemporaryFolder& folder, const std::string& name) {
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/" + name);
    const std::vector<float> before = *model.parameters;
    std::vector<float> zeroed(before.size(), 0.0f);
    const TransformerGraph built = build_transformer(model.config, {1, 1});
    for (const int id : built.graph->parameters()) {
        const NodeInfo& node = (*built.graph)[id];
        if (node.name.ends_with("attn.W_O"))
            std::copy_n(before.begin() + node.offset, node.shape.elements(), zeroed.begin() + node.offset);
    }
    model.parameters = std::make_shared<const ParameterValues>(std::move(zeroed));
    model.log.clear(), model.keyframes.clear();
    save_checkpoint(folder / name, model);
    story.send(command::OpenModel{(folder / name).string()});
    story.frames(3);
    REQUIRE(story.snapshot().error == "");
}

}  // namespace glassformer::app
