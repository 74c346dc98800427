#include <bit>
#include <cmath>

#include "app/common/hidden_by_quiz.h"
#include "app/common/what_if_changes.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

namespace {

/// One number for all that was added.
class Mark {
public:
    template <class... Parts>
    void add(const Parts&... parts) {
        (add_one(static_cast<std::uint64_t>(parts)), ...);
    }
    void add(const TracedCell& at) { add(at.slot, at.cell.node, at.cell.offset); }
    void add(const WordPlace& at) { add(at.slot, at.position); }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    std::uint64_t value() const { return value_; }

private:
    void add_one(std::uint64_t part) { value_ = (value_ ^ part) * 1099511628211u, value_ ^= value_ >> 29; }
    std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace

namespace {

/// What is lit. While the camera is moved by a mouse that stays where it is, what passes below it is not lit anew.
std::uint64_t lit(const Canvas& c) {
    constexpr double rest = 0.1;  // seconds
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    CanvasState& canvas = c.state;
    if (ImGui::GetTime() - canvas.moved < rest && mouse.x == canvas.mouse_then.x && mouse.y == canvas.mouse_then.y)
        return canvas.lit;
    Mark mark;
    mark.add(c.frame.state.hovered);
    mark.add(c.frame.state.linked);
    mark.add(c.frame.state.hovered_word);
    return canvas.lit = mark.value();
}

}  // namespace

// The trace and what it is compared with: a reading is made anew for others.
draw::MovingPicture moving_picture(const Canvas& c) {
    const ViewState& state = c.frame.state;
    const CanvasState& canvas = c.state;
    Mark mark;
    mark.add(c.theme().kind, canvas.camera.level(), c.slot, state.layer, state.head, c.token(), state.compare,
             state.cross_attention, canvas.source, canvas.source_block, canvas.source_head, canvas.source_word,
             c.difference, canvas.story.open, waits_for_guess(state, c.slot), state.follow_strongest,
             state.trail.size(), what_if_changes(c.frame).size(), lit(c));
    mark.add(c.ui().scale);
    mark.add(canvas.story.at);
    if (!state.trail.empty()) mark.add(state.trail.back());
    // A click changes what it meets while the page is drawn; a ring stands around what has the keyboard.
    if (ImGui::IsMouseClicked(0) || ImGui::IsMouseReleased(0) || c.ui().focus->any()) mark.add(ImGui::GetFrameCount());
    const auto whole = [](ImVec2 p) { return ImVec2(std::round(p.x), std::round(p.y)); };
    return {c.slot,         c.frame.own<CanvasReadings>().of_cards[static_cast<std::size_t>(c.slot)],
            mark.value(),   {whole(c.view.min), whole(c.view.max)},
            c.place.origin, c.place.sx};
}

}  // namespace glassformer::app::views::whole_model
