#include "app/views/registry.h"

#include <algorithm>
#include <array>

namespace glassformer::app {

// Every view, in the order of the tabs: a line each. A view is defined in its folder.
#define GLASSFORMER_VIEWS(VIEW) \
    VIEW(whole_model_view)      \
    VIEW(attention_view)        \
    VIEW(flow_view)             \
    VIEW(all_heads_view)        \
    VIEW(qkv_view)              \
    VIEW(layer_norm_view)       \
    VIEW(mlp_view)              \
    VIEW(logit_lens_view)       \
    VIEW(who_argued_view)       \
    VIEW(positions_view)        \
    VIEW(embedding_view)        \
    VIEW(generate_view)         \
    VIEW(what_if_view)          \
    VIEW(difference_view)       \
    VIEW(training_view)

#define GLASSFORMER_DECLARE_VIEW(view) extern const View view;
GLASSFORMER_VIEWS(GLASSFORMER_DECLARE_VIEW)
#undef GLASSFORMER_DECLARE_VIEW

std::span<const View> all_views() {
#define GLASSFORMER_LIST_VIEW(view) view,
    static const std::array views{GLASSFORMER_VIEWS(GLASSFORMER_LIST_VIEW)};
#undef GLASSFORMER_LIST_VIEW
    return views;
}

int view_index(std::string_view name) {
    const auto found = std::ranges::find(all_views(), name, &View::name);
    return found == all_views().end() ? -1 : static_cast<int>(found - all_views().begin());
}

const View& chosen_view(const ViewState& state) { return all_views()[static_cast<std::size_t>(state.view)]; }

void advance_views(const Frame& frame) {
    for (const View& view : all_views())
        if (view.advance) view.advance(frame);
}

void request_for_views(const Frame& frame) {
    for (const View& view : all_views())
        if (view.request) view.request(frame);
}

}  // namespace glassformer::app
