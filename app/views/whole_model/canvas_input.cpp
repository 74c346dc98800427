#include <algorithm>
#include <cmath>

#include "app/ui/input.h"
#include "app/views/whole_model/canvas.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float wheel_step = 1.22f, enter_share = 0.72f, head_zoom = 2.3f, number_zoom = 3.4f;
constexpr float pan_step = 0.12f;  // of the view

/// The block at a point of the page, or null.
const CanvasBlock* block_at(const Canvas& c, ImVec2 at) {
    for (const CanvasBlock& b : c.layout.blocks)
        if (b.box.contains(at)) return &b;
    return nullptr;
}

void open_block(const Canvas& c, const CanvasBlock& block) {
    if (!block.source) choose_layer(c.frame.state, c.frame.snapshot, block.block);
    if (block.source) c.state.source_block = block.block;
    c.state.source = block.source;
    c.state.camera.go(CanvasLevel::block, ImGui::GetTime(), c.ui().reduce_motion);
}

/// The head whose result is at a point of the page at level "model", or −1.
int head_at(const Canvas& c, ImVec2 at, const CanvasBlock& block, bool& cross) {
    const CanvasSide& side = c.layout.side(block.source);
    const float lane = side.lane(side.word_at(at.x));
    for (int i = block.first_row; i < block.end_row; ++i) {
        const CanvasRow& row = c.layout.rows[i];
        if (row.kind == RowKind::attention) cross = row.cross;
        if (row.kind != RowKind::mix || at.y < row.top || at.y > row.bottom) continue;
        const float width = mix_width(c, side);
        for (int head = 0; head < row.heads; ++head) {
            const Box box = head_tile(row, lane, width, head);
            if (at.x >= box.min.x && at.x <= box.max.x) return head;
        }
    }
    return -1;
}

/// Zooms into what is under the mouse.
void enter(const Canvas& c, ImVec2 mouse) {
    switch (c.state.camera.level()) {
        case CanvasLevel::model: {
            const ImVec2 at = c.place.under(mouse);
            const CanvasBlock* block = block_at(c, at);
            if (!block) return;
            bool cross = false;
            const int head = head_at(c, at, *block, cross);
            if (head < 0) return open_block(c, *block);
            if (block->source) c.state.source_word = c.layout.side(true).word_at(at.x);
            return open_head(c, block->block, head, cross, block->source);
        }
        case CanvasLevel::block:
            return enter_from_block_page(c, mouse);
        case CanvasLevel::head:
            return open_number(c, Box::around(c.place.under(mouse), 4));
        case CanvasLevel::number:
            return;
    }
}

/// True if what is under the mouse has become large enough for its own page.
bool near_enough(const Canvas& c, ImVec2 mouse) {
    const float zoom = c.state.camera.shot().zoom;
    if (c.state.camera.level() == CanvasLevel::block) return zoom >= head_zoom;
    if (c.state.camera.level() == CanvasLevel::head) return zoom >= number_zoom;
    if (c.state.camera.level() == CanvasLevel::number) return false;
    const PagePlace place = place_of(c.state.camera.shot(), c.view);
    const CanvasBlock* block = block_at(c, place.under(mouse));
    return block && block->box.height() * zoom >= enter_share * c.view.height();
}

void turn_wheel(const Canvas& c, float lines, ImVec2 mouse) {
    CanvasCamera& camera = c.state.camera;
    if (camera.moving(ImGui::GetTime())) return;
    if (lines < 0 && camera.shot().zoom <= 1.001f) return step_level(c.frame, -1);
    const ImVec2 about{(mouse.x - c.view.min.x) / c.view.width(), (mouse.y - c.view.min.y) / c.view.height()};
    camera.zoom_by(std::pow(wheel_step, lines), about);
    if (lines <= 0 || !near_enough(c, mouse)) return;
    Canvas now = c;
    now.place = place_of(camera.shot(), c.view);
    enter(now, mouse);
}

}  // namespace

bool mouse_is_over(const Canvas& c) {
    // During a click, the tile where it began is the active item.
    return ImGui::IsMouseHoveringRect(c.view.min, c.view.max) &&
           ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

void read_canvas_mouse(const Canvas& c) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!mouse_is_over(c)) return;
    if (io.MouseWheel != 0) turn_wheel(c, io.MouseWheel, io.MousePos);
    if (ImGui::IsMouseDoubleClicked(0) && c.ui().focus->doubles()) return enter(c, io.MousePos);
    const float far = c.ui().px(5);
    const bool dragged = ImGui::IsMouseDragging(0, far) || ImGui::IsMouseDragging(2, 1);
    if (dragged && c.view.contains(io.MouseClickedPos[0]) && c.state.camera.shot().zoom > 1)
        c.state.camera.pan({-io.MouseDelta.x / c.view.width(), -io.MouseDelta.y / c.view.height()});
    if (io.MouseWheelH != 0) c.state.camera.pan({-io.MouseWheelH * pan_step, 0});
}

int moved_by_arrows(int at, int columns, int count) {
    int to = at;
    if (key_pressed(Key::left, true)) to = at - 1;
    if (key_pressed(Key::right, true)) to = at + 1;
    if (key_pressed(Key::up, true)) to = at - columns;
    if (key_pressed(Key::down, true)) to = at + columns;
    return to == at ? -1 : std::clamp(to, 0, count - 1);
}

void step_level(const Frame& frame, int by) {
    CanvasState& state = frame.own<CanvasState>();
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return;
    int level = static_cast<int>(state.camera.level()) + by;
    // A block without attention has no heads.
    const bool heads = state.source || has_attention(frame.state, *trace);
    if (level == static_cast<int>(CanvasLevel::head) && !heads) level += by;
    if (state.camera.level() == CanvasLevel::number && by < 0) level = static_cast<int>(state.number_from);
    level = std::clamp(level, 0, canvas_levels - 1);
    if (level == static_cast<int>(CanvasLevel::model)) state.source = false;
    if (level == static_cast<int>(CanvasLevel::number) && by > 0) state.number_from = state.camera.level();
    state.camera.go(static_cast<CanvasLevel>(level), ImGui::GetTime(), frame.ui.reduce_motion);
}

namespace {

/// ↑ above the first block leads into the encoder, ↓ from its last block leads back. In the encoder, the arrows and Tab
/// choose its own block, head and word.
bool source_keys(const Frame& frame, CanvasState& state, const Trace& trace) {
    if (shift_down() || trace.source_tokens().empty()) return false;
    const TransformerConfig& config = trace.model().config;
    const int last = std::max(0, config.encoder_layers() - 1);
    if (!state.source) {
        if (frame.state.layer > 0 || !key_pressed(Key::up, true)) return false;
        state.source = true, state.source_block = last;
        return true;
    }
    if (state.source_block == last && key_pressed(Key::down, true)) return state.source = false, true;
    const auto step = [](int& value, int by, int count) { value = std::clamp(value + by, 0, std::max(0, count - 1)); };
    if (key_pressed(Key::up, true)) return step(state.source_block, -1, config.encoder_layers()), true;
    if (key_pressed(Key::down, true)) return step(state.source_block, 1, config.encoder_layers()), true;
    if (key_pressed(Key::left, true)) return step(state.source_head, -1, config.n_heads), true;
    if (key_pressed(Key::right, true)) return step(state.source_head, 1, config.n_heads), true;
    if (!key_pressed(Key::tab, true)) return false;
    const int words = int_size(frame.sentence(frame.state.slot).source);
    state.source_word = words > 0 ? (state.source_word + 1) % words : 0;
    return true;
}

}  // namespace

bool canvas_keys(const Frame& frame) {
    CanvasState& state = frame.own<CanvasState>();
    CanvasCamera& camera = state.camera;
    if (!frame.trace(frame.state.slot)) return false;
    const bool focused = frame.ui.focus->any();
    if (!focused && key_pressed(Key::space)) return state.story.asked = 1, true;
    if (state.story.open && key_pressed(Key::period, true)) return state.story.asked = 2, true;
    if (state.story.open && key_pressed(Key::comma, true)) return state.story.asked = 3, true;
    if (!focused && key_pressed(Key::escape)) {
        if (state.story.open) return state.story = {}, true;
        if (camera.level() == CanvasLevel::model && camera.shot().zoom <= 1) return false;
        if (camera.shot().zoom > 1)
            camera.go(camera.level(), ImGui::GetTime(), frame.ui.reduce_motion);
        else
            step_level(frame, -1);
        return true;
    }
    if (key_pressed(Key::equal, true) || (!focused && key_pressed(Key::enter))) return step_level(frame, 1), true;
    if (key_pressed(Key::minus, true)) return step_level(frame, -1), true;
    if (key_pressed(Key::home)) {
        state.source = false;
        return camera.go(CanvasLevel::model, ImGui::GetTime(), frame.ui.reduce_motion), true;
    }
    if (focused) return key_pressed(Key::backspace) && explain_back(frame.state);
    if (source_keys(frame, state, *frame.trace(frame.state.slot))) return true;
    if (!shift_down()) return false;
    const float right = key_pressed(Key::right, true) ? 1.0f : key_pressed(Key::left, true) ? -1.0f : 0.0f;
    const float down = key_pressed(Key::down, true) ? 1.0f : key_pressed(Key::up, true) ? -1.0f : 0.0f;
    if (right == 0 && down == 0) return false;
    camera.pan({right * pan_step, down * pan_step});
    return true;
}

}  // namespace glassformer::app::views::whole_model
