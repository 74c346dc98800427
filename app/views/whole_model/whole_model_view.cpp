#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/card_scope.h"
#include "app/common/reading_direction.h"
#include "app/language/tr.h"
#include "app/views/view.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app {

namespace {

constexpr float side = 12, gap = 6;  // pixels at 100 %

CanvasReading& reading_of(const Frame& frame, int slot) {
    std::shared_ptr<CanvasReading>& kept = frame.own<CanvasReadings>().of_cards[static_cast<std::size_t>(slot)];
    const WatchedSentence& sentence = frame.sentence(slot);
    if (!kept || !kept->of(sentence.trace)) kept = std::make_shared<CanvasReading>(sentence.trace, sentence.original);
    kept->begin_frame();
    return *kept;
}

void draw_page(const Canvas& c, CanvasLevel level) {
    switch (level) {
        case CanvasLevel::model:
            return draw_model_page(c);
        case CanvasLevel::block:
            return draw_block_page(c);
        case CanvasLevel::head:
            return draw_head_page(c);
        case CanvasLevel::number:
            return draw_number_page(c);
    }
}

/// Where the page of a nearer level stands on that of a further one.
Box anchor_of(const Canvas& c, CanvasLevel outer, CanvasLevel inner) {
    const float w = c.view.width(), h = c.view.height();
    const Box middle{{w * 0.4f, h * 0.4f}, {w * 0.6f, h * 0.6f}};
    if (outer == CanvasLevel::model) {
        const CanvasBlock* block = c.layout.find(c.frame.state.layer, c.state.source);
        return block ? block->box : middle;
    }
    if (outer == CanvasLevel::block && inner == CanvasLevel::head) return head_on_block_page(c);
    return c.state.anchor.width() > 0 ? c.state.anchor : middle;
}

/// From one level to another the nearer page grows out of its place on the further one, or goes back into it.
void draw_motion(Canvas& c, double now) {
    const CanvasCamera& camera = c.state.camera;
    const bool closer = camera.shot().level > camera.from().level;
    const CanvasShot &outer = closer ? camera.from() : camera.shot(), &inner = closer ? camera.shot() : camera.from();
    const float t = closer ? camera.progress(now) : 1 - camera.progress(now);
    const Box anchor = anchor_of(c, outer.level, inner.level), from = place_of(outer, c.view).of(anchor);
    const auto between = [t](float a, float b) { return a + (b - a) * t; };
    const Box here{{between(from.min.x, c.view.min.x), between(from.min.y, c.view.min.y)},
                   {between(from.max.x, c.view.max.x), between(from.max.y, c.view.max.y)}};
    c.active = false;
    c.place = place_covering(anchor, here);
    draw_page(c, outer.level);
    c.ui().list()->AddRectFilled(here.min, here.max, c.theme().background);
    c.place = {here.min, here.width() / c.view.width(), here.height() / c.view.height()};
    draw_page(c, inner.level);
    c.frame.state.more_to_compute = true;
}

void draw_canvas(Canvas& c) {
    const double now = ImGui::GetTime();
    const CanvasCamera& camera = c.state.camera;
    draw::rounded_box(c.ui(), c.view.min, c.view.max, c.theme().background, 0, 8);
    ImGui::PushClipRect(c.view.min, c.view.max, true);
    if (camera.moving(now) && camera.from().level != camera.shot().level) {
        draw_motion(c, now);
    } else {
        if (camera.moving(now)) c.frame.state.more_to_compute = true;
        c.place = place_of(camera.seen(now), c.view);
        draw_page(c, camera.level());
        draw_minimap(c);
        read_canvas_mouse(c);
    }
    ImGui::PopClipRect();
    if (c.reading.unfinished()) c.frame.state.more_to_compute = true;
}

/// What the keyboard asked of the story, and its clock.
void go_on_with_story(const Canvas& c) {
    ForwardStory& story = c.state.story;
    const int stages = static_cast<int>(story_stages(c.layout).size());
    story.stage_count = stages;
    switch (std::exchange(story.asked, 0)) {
        case 1:
            story.play_or_pause(stages);
            break;
        case 2:
            story.step(1, stages);
            break;
        case 3:
            story.step(-1, stages);
            break;
        default:
            story.advance(ImGui::GetIO().DeltaTime, stages);
    }
    if (story.playing) c.frame.state.more_to_compute = true;
}

/// One card's picture. The first of them has the lines above and below.
void draw_card(const Frame& frame, int slot, const Box& view, const Box* header, const Box* footer) {
    const CardScope scope(frame, slot);
    const Trace& trace = *frame.trace(slot);
    CanvasReading& reading = reading_of(frame, slot);
    const CanvasLayout& layout = reading.layout({view.width(), view.height(), frame.ui.scale, trace.positions(),
                                                 static_cast<int>(trace.source_tokens().size()),
                                                 reads_from_right(frame, slot), reads_from_right(frame, slot, true)});
    Canvas canvas{frame, slot, trace, reading, frame.own<CanvasState>(), layout, view, {view.min, 1, 1}};
    if (header) {
        go_on_with_story(canvas);
        draw_canvas_header(canvas, *header);
    }
    if (footer) draw_canvas_footer(canvas, *footer);
    draw_canvas(canvas);
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    std::vector<int> slots;
    for (const int one : {0, 1})
        if (frame.trace(one) && (frame.state.compare || one == slot)) slots.push_back(one);
    if (slots.empty()) return;
    const int first = std::ranges::count(slots, frame.state.slot) > 0 ? frame.state.slot : slots.front();
    const float air = ui.px(side), head = ui.px(26), foot = canvas_footer_height(ui, box);
    const Box header{{box.min.x + air, box.min.y}, {box.max.x - air, box.min.y + head}};
    const Box footer{{box.min.x + air, box.max.y - foot}, {box.max.x - air, box.max.y}};
    const Box pages{{box.min.x + ui.px(4), header.max.y + ui.px(gap)},
                    {box.max.x - ui.px(4), footer.min.y - ui.px(gap) / 2}};
    if (pages.height() < ui.px(40) || pages.width() < ui.px(60)) return;
    const float each = pages.height() / static_cast<float>(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const float top = pages.min.y + each * static_cast<float>(i),
                    bottom = top + each - (i + 1 < slots.size() ? ui.px(gap) : 0);
        const bool lines = slots[i] == first;
        draw_card(frame, slots[i], {{pages.min.x, std::round(top)}, {pages.max.x, std::round(bottom)}},
                  lines ? &header : nullptr, lines && foot > 0 ? &footer : nullptr);
        if (slots.size() < 2) continue;
        const ImU32 ink = slots[i] == 0 ? ui.theme->sense_a : ui.theme->sense_b;
        draw::rounded_box(ui, {pages.min.x, std::round(top)}, {pages.min.x + ui.px(4), std::round(bottom)}, ink, 0, 2);
    }
}

}  // namespace

extern constinit const View whole_model_view{
    .name = N_("Whole model"),
    .meaning =
        N_("The whole computation in one picture: from the words up to what the model says. Zoom in as far as a single "
           "product."),
    .draw = draw_view,
    .spans_cards = true,
    .keys = canvas_keys,
};

}  // namespace glassformer::app
