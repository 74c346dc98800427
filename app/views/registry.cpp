#include "app/views/registry.h"

#include <algorithm>
#include <array>

#include "app/common/card_scope.h"
#include "app/common/provenance.h"
#include "app/common/what_if_paint.h"
#include "app/language/tr.h"

namespace glassformer::app {

// Every view, one per line, in tab order. A folder's name is also its namespace, which defines `view`.
#define GLASSFORMER_VIEWS(VIEW) \
    VIEW(whole_model)           \
    VIEW(attention)             \
    VIEW(flow)                  \
    VIEW(all_heads)             \
    VIEW(qkv)                   \
    VIEW(layer_norm)            \
    VIEW(mlp)                   \
    VIEW(logit_lens)            \
    VIEW(who_argued)            \
    VIEW(positions)             \
    VIEW(embedding)             \
    VIEW(generate)              \
    VIEW(what_if)               \
    VIEW(difference)            \
    VIEW(training)

#define GLASSFORMER_DECLARE_VIEW(room) \
    namespace views::room {            \
    extern const View view;            \
    }
GLASSFORMER_VIEWS(GLASSFORMER_DECLARE_VIEW)
#undef GLASSFORMER_DECLARE_VIEW

std::span<const View> all_views() {
#define GLASSFORMER_LIST_VIEW(room) views::room::view,
    static const std::array list{GLASSFORMER_VIEWS(GLASSFORMER_LIST_VIEW)};
#undef GLASSFORMER_LIST_VIEW
    return list;
}

int view_index(std::string_view name) {
    const auto found = std::ranges::find(all_views(), name, &View::name);
    return found == all_views().end() ? -1 : static_cast<int>(found - all_views().begin());
}

int attention_view() { return view_index("Attention"); }

const View& chosen_view(const ViewState& state) { return all_views()[state.view]; }

std::string part_shown(const Frame& frame, int slot) {
    const CardScope scope(frame, slot);  // the card's model may lack the chosen block and head
    const View& view = chosen_view(frame.state);
    if (view.of_block && frame.trace(slot) && view.of_block(frame, slot))
        return filled(tr("block {1}"), {std::to_string(frame.state.layer)});
    const bool named = frame.snapshot.comparing.what == Comparing::What::heads;
    if (!view.of_head || named || frame.model(slot).config.recurrent()) return {};
    return head_name(head_of(frame.state, slot), frame.state.cross_attention);
}

void start_painting(const Frame& frame) {
    frame.own<RowPainting>() = {};
    frame.own<RowPainting>().on = frame.own<RowPainting>().draft.reveal = true;
    frame.ui.focus->clear();  // from now on, keys paint
    frame.state.view = attention_view();
}

void advance_views(const Frame& frame) {
    if (frame.state.view != attention_view()) frame.own<RowPainting>() = {};  // no pattern on screen to paint
    for (const View& view : all_views())
        if (view.advance) view.advance(frame);
}

void request_for_views(const Frame& frame) {
    for (const View& view : all_views())
        if (view.request) view.request(frame);
}

}  // namespace glassformer::app
