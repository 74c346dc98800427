#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::what_if;

namespace {

/// Draws every sentence view, for every block and norm.
void draw_everything(Story& story) {
    for (std::size_t view = 0; view < all_views().size(); ++view)
        for (int layer = 0; layer < story.snapshot().model->config.n_layers; ++layer)
            for (const bool second : {false, true}) {
                story.state().view = static_cast<int>(view);
                story.state().layer = layer;
                story.state().second_layer_norm = second;
                story.frames(2);
            }
    story.state().view = 0;
}

void draw_altered(Story& story, const std::vector<WhatIf>& changes) {
    story.send(command::SetWhatIf{changes});
    story.frames(1);
    INFO(describe(changes.front()));
    CHECK(story.snapshot().error == "");
    CHECK(story.snapshot().what_if == changes);
    REQUIRE(story.snapshot().sentences[0].original);
    draw_everything(story);
}

}  // namespace

TEST_CASE("every view draws altered models, whatever was ablated") {
    Story homonyms;
    for (const std::vector<WhatIf>& changes : {std::vector<WhatIf>{PositionsOff{}},
                                               {NormOff{}},
                                               {ScaleOff{}},
                                               {ResidualOff{}},
                                               {PositionsOff{}, NormOff{}, ScaleOff{}, ResidualOff{}},
                                               {AttentionOff{0}, MlpOff{1}, HardAttention{1, 0}}})
        draw_altered(homonyms, changes);
    // The views read the altered run: the pattern on screen is the trace's.
    const Trace& trace = homonyms.shown_trace(0);
    CHECK(trace.overwritten(trace.graph().at("blocks.1.attn.hook_pattern")));
}
