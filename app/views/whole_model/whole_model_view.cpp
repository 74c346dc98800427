#include <algorithm>
#include <cmath>

#include "app/common/card_scope.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/language/tr.h"
#include "app/views/view.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float side = 12, gap = 6, least_card = 150;                       // pixels at 100 %
constexpr float least_lane = 16, name_air = 8;                              // of a word with a name
constexpr float card_width = 1500, usual_height = 760, most_larger = 2.4f;  // of a page: on a larger one, all grows

/// The positions in A of B's words: the same ones in sentences of equal length, else those of the aligned words.
std::vector<int> places_in_a(const Frame& frame, bool source) {
    const auto& of_b = source ? frame.sentence(1).source : frame.sentence(1).tokens;
    const auto& of_a = source ? frame.sentence(0).source : frame.sentence(0).tokens;
    std::vector<int> places;
    for (int i = 0; i < int_size(of_b); ++i)
        places.push_back(of_a.size() == of_b.size() ? i : counterpart(frame, 1, i, source));
    return places;
}

/// True if a single picture shows how B differs from A.
bool shows_b_minus_a(const Frame& frame) {
    const CanvasState& state = frame.own<CanvasState>();
    return state.difference && frame.state.compare && state.camera.level() == CanvasLevel::model &&
           why_no_difference(frame).empty();
}

ComparedTrace compared_with(const Frame& frame, int slot) {
    if (!shows_b_minus_a(frame)) return {frame.sentence(slot).original, {}, {}};
    return {frame.sentence(0).trace, places_in_a(frame, false), places_in_a(frame, true)};
}

CanvasReading& reading_of(const Frame& frame, int slot) {
    CanvasReadings& readings = frame.own<CanvasReadings>();
    if (!readings.reader) readings.reader = std::make_shared<TraceReader>();
    std::shared_ptr<CanvasReading>& kept = readings.of_cards[slot];
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    ComparedTrace other = compared_with(frame, slot);
    if (!kept || !kept->of(trace, other))
        kept = std::make_shared<CanvasReading>(trace, std::move(other), readings.reader);
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

/// Where the page of a closer level is on the page of a more distant one.
Box anchor_of(const Canvas& c, CanvasLevel outer, CanvasLevel inner) {
    const Box middle = middle_of_page(c, 0.1f);
    if (outer == CanvasLevel::model) {
        const CanvasBlock* block = c.layout.find(c.block(), c.state.source);
        return block ? block->box : middle;
    }
    if (outer == CanvasLevel::block && inner == CanvasLevel::head) return head_on_block_page(c);
    return c.state.anchor.width() > 0 ? c.state.anchor : middle;
}

/// From one level to another, the closer page grows out of its place on the more distant one, or shrinks back into it.
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
    draw::rounded_box(c.ui(), c.view, c.theme().background, 0, 8);
    ImGui::PushClipRect(c.view.min, c.view.max, true);
    if (mouse_is_over(c)) c.ui().items->keep_wheel();
    if (camera.moving(now) && camera.from().level != camera.shot().level) {
        draw_motion(c, now);
    } else {
        if (camera.moving(now)) c.frame.state.more_to_compute = true;
        c.place = place_of(camera.seen(now), c.view);
        if (c.place.sx != 1) c.place.origin = {std::round(c.place.origin.x), std::round(c.place.origin.y)};
        draw_page(c, camera.level());
        draw_minimap(c);
        read_canvas_mouse(c);
    }
    ImGui::PopClipRect();
    if (c.reading.end_frame()) c.frame.state.more_to_compute = true;
}

/// Carries out what the keyboard asked of the story, and advances its clock.
void go_on_with_story(const Canvas& c) {
    ForwardStory& story = c.state.story;
    const int stages = int_size(story_stages(c.layout));
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

/// The lane width in which every word can be named, or 0 if there are too many words for that.
float widest_name(const Frame& frame, int slot, bool source, int words, float width) {
    const Ui& ui = frame.ui;
    float widest = 0;
    if (to_float(words) * ui.px(least_lane) > width) return widest;
    for (int word = 0; word < words; ++word) {
        const std::string name = source ? frame.source_word(slot, word) : frame.word(slot, word);
        widest = std::max(widest, draw::text_size(ui, name, FontRole::small_bold).x);
    }
    return widest + ui.px(name_air);
}

/// Draws one card's picture. The first card also has the lines above and below.
void draw_card(const Frame& frame, int slot, const Box& view, const Box* header, const Box* footer) {
    const CardScope scope(frame, slot);
    const Trace& trace = *frame.trace(slot);
    CanvasReading& reading = reading_of(frame, slot);
    const float scale = frame.ui.scale;
    const float unit = scale * std::clamp(std::min(view.width() / card_width, view.height() / usual_height) / scale,
                                          1.0f, most_larger);
    CanvasRoom room{view.width(),
                    view.height(),
                    unit,
                    trace.positions(),
                    int_size(trace.source_tokens()),
                    reads_from_right(frame, slot),
                    reads_from_right(frame, slot, true)};
    room.widest_word = widest_name(frame, slot, false, room.words, room.width);
    room.widest_source_word = widest_name(frame, slot, true, room.source_words, room.width);
    const CanvasLayout& layout = reading.layout(room);
    CanvasState& state = frame.own<CanvasState>();
    Canvas canvas{frame, slot, trace, reading, state, layout, view, {view.min, 1, 1}, unit};
    canvas.difference =
        state.difference && (frame.state.compare ? shows_b_minus_a(frame) : frame.sentence(slot).original != nullptr);
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
    const bool subtracted = shows_b_minus_a(frame);
    for (const int one : {0, 1})
        if (frame.trace(one) && (frame.state.compare ? !subtracted || one == 1 : one == slot)) slots.push_back(one);
    if (slots.empty()) return;
    const float air = ui.px(side), head = ui.px(26),
                foot = canvas_footer_height(ui, box, frame.own<CanvasState>().story.open);
    const Box header{{box.min.x + air, box.min.y}, {box.max.x - air, box.min.y + head}};
    const Box footer{{box.min.x + air, box.max.y - foot}, {box.max.x - air, box.max.y}};
    const Box pages{{box.min.x + ui.px(4), header.max.y + ui.px(gap)},
                    {box.max.x - ui.px(4), footer.min.y - ui.px(gap) / 2}};
    if (pages.height() < ui.px(40) || pages.width() < ui.px(60)) return;
    // If two would be too low for words and answers, only the active one is shown.
    if (slots.size() > 1 && pages.height() < 2 * ui.px(least_card)) slots = {slot};
    const int first = std::ranges::count(slots, frame.state.slot) > 0 ? frame.state.slot : slots.front();
    const float each = pages.height() / to_float(slots.size());
    // A clicked number is explained below the picture: a closed panel stays closed.
    const bool explained_beside = frame.state.window.panels.number;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const float top = pages.min.y + each * to_float(i),
                    bottom = top + each - (i + 1 < slots.size() ? ui.px(gap) : 0);
        const bool lines = slots[i] == first;
        draw_card(frame, slots[i], pages.between_y(std::round(top), std::round(bottom)), lines ? &header : nullptr,
                  lines && foot > 0 ? &footer : nullptr);
        if (!frame.state.compare) continue;  // with two, also if the other cannot be read
        const ImU32 ink = slots[i] == 0 ? ui.theme->sense_a : ui.theme->sense_b;
        draw::rounded_box(ui, {{pages.min.x, std::round(top)}, {pages.min.x + ui.px(4), std::round(bottom)}}, ink, 0,
                          2);
    }
    frame.state.window.panels.number = explained_beside;
}

}  // namespace

std::string why_no_difference(const Frame& frame) {
    if (!frame.trace(0)) return tr("Sentence A cannot be read, so there is nothing to subtract.");
    if (!frame.trace(1)) return tr("Sentence B cannot be read, so there is nothing to subtract from.");
    const TransformerConfig &a = frame.model(0).config, &b = frame.model(1).config;
    if (a.family != b.family || a.d_model != b.d_model || a.n_layers != b.n_layers || a.n_heads != b.n_heads)
        return tr("The two models have different architectures; their activations cannot be compared.");
    if (std::ranges::all_of(places_in_a(frame, false), [](int place) { return place < 0; }))
        return tr("The sentences have no word in common, and their lengths differ.");
    return "";
}

extern constinit const View view{
    .name = N_("Whole model"),
    .meaning = N_("The whole computation in one picture, from the words up to the prediction. Zoom in as far as a "
                  "single product."),
    .also = "canvas architecture zoom play forward pass blocks arcs",
    .draw = draw_view,
    .spans_cards = true,
    .draws_own_words = true,
    .keys = canvas_keys,
};

}  // namespace glassformer::app::views::whole_model
