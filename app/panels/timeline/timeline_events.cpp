#include <algorithm>
#include <cmath>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "core/base/number_text.h"
#include "core/train/head_level.h"

namespace glassformer::app {

namespace {

constexpr float flag_size = 12;                                 // pixels at 100 %
constexpr float event_gap = 6, icon_room = 20, step_room = 84;  // of the list
constexpr std::size_t most_told = 6;                            // lines in a flag's tooltip

/// An event with its index in RunInfo::events, which names its items.
struct Numbered {
    const TrainingEvent* event;
    std::string text;
    int index;
};

/// Sorted by step: an event that was confirmed later may have happened earlier.
std::vector<Numbered> events_of(const Snapshot& snapshot) {
    std::vector<Numbered> events;
    const RunInfo* run = snapshot.current_run();
    if (!run || !run->events) return events;
    int index = 0;
    for (const TrainingEvent& event : *run->events) events.push_back({&event, tr_sentence(event.text), index++});
    std::ranges::stable_sort(events, {}, [](const Numbered& n) { return n.event->step; });
    return events;
}

ImU32 event_colour(const Theme& t, EventKind kind) {
    switch (kind) {
        case EventKind::metric:
            return t.good_text;
        case EventKind::head:
            return t.attention_text;
        case EventKind::plateau:
            return t.text_muted;
        default:
            return t.danger_text;
    }
}

/// Draws a small sign in the event's colour: a flag, an eye for a head, a peak, a rise, level lines, or two diverging
/// lines.
void draw_event_sign(const Ui& ui, EventKind kind, ImVec2 centre, float size, ImU32 colour) {
    ImDrawList* list = ui.list();
    const float half = size / 2, thick = std::max(1.4f, 1.5f * ui.scale);
    const auto at = [&](float x, float y) { return ImVec2{centre.x + x * half, centre.y + y * half}; };
    switch (kind) {
        case EventKind::metric:
            list->AddLine(at(-0.6f, -1), at(-0.6f, 1), colour, thick);
            list->AddTriangleFilled(at(-0.6f, -1), at(0.9f, -0.45f), at(-0.6f, 0.1f), colour);
            break;
        case EventKind::head:
            list->AddCircle(centre, half * 0.8f, colour, 0, thick);
            list->AddCircleFilled(centre, half * 0.35f, colour);
            break;
        case EventKind::spike:
            list->AddTriangleFilled(at(-0.8f, 0.8f), at(0, -0.9f), at(0.8f, 0.8f), colour);
            break;
        case EventKind::divergence:
            list->AddLine(at(-0.8f, 0.8f), at(0.6f, -0.6f), colour, thick);
            list->AddTriangleFilled(at(-0.1f, -0.9f), at(0.9f, -0.9f), at(0.9f, 0.1f), colour);
            break;
        case EventKind::plateau:
            list->AddLine(at(-0.9f, -0.35f), at(0.9f, -0.35f), colour, thick);
            list->AddLine(at(-0.9f, 0.35f), at(0.9f, 0.35f), colour, thick);
            break;
        case EventKind::overfitting:
            list->AddLine(at(-0.9f, 0), at(0.9f, -0.8f), colour, thick);
            list->AddLine(at(-0.9f, 0), at(0.9f, 0.8f), colour, thick);
            break;
    }
}

/// Says how the score of a head is measured.
std::string explained(const TrainingEvent& event) {
    const char* const score =
        event.ability == HeadAbility::previous_word ? N_("Previous-word score: the mean attention of each token to the "
                                                         "one before it, in a random sequence that is repeated.")
        : event.ability == HeadAbility::induction
            ? N_("Induction score: the mean attention of a token to the one that followed its earlier copy, in a "
                 "random sequence that is repeated.")
        : event.ability == HeadAbility::duplicate_token ? N_("Duplicate-token score: the mean attention of a token to "
                                                             "its earlier copy, in a random sequence that is repeated.")
        : event.ability == HeadAbility::telling_word
            ? N_("Telling-word score: the mean attention of a word to all those that tell what it means or what comes "
                 "next, in sentences that training never saw, beyond an even share: 0 is an even share, 1 all of it.")
            : nullptr;
    if (!score) return {};
    return filled(
        tr("{1} It passed {2} here, and was there at the next {3} measurements too. A click shows the head at "
           "this step."),
        {tr(score), significant(static_cast<double>(head_level(event.ability))),
         std::to_string(HeadEvents::stays_for)});
}

/// Travels to the event's step; if a head formed there, chooses that head.
void show_event(const Frame& frame, const TrainingEvent& event) {
    jump_to(frame, event.step);
    if (event.head < 0) return;
    frame.state.cross_attention = false;
    choose_head(frame.state, frame.snapshot, event.block, event.head);
}

std::string line_of(const Numbered& n) { return filled(tr("step {1} · {2}"), {grouped(n.event->step), n.text}); }

/// Flags that would overlap share one.
std::size_t end_of_group(std::span<const Numbered> events, std::size_t first, const TrainingPlot& plot, float width) {
    const float x = plot.at_x(events[first].event->step);
    std::size_t end = first + 1;
    while (end < events.size() && plot.at_x(events[end].event->step) - x < width) ++end;
    return end;
}

std::string text_of_group(std::span<const Numbered> group) {
    std::string text;
    for (std::size_t i = 0; i < group.size() && i < most_told; ++i) text += (i > 0 ? "\n" : "") + line_of(group[i]);
    if (group.size() == 1)
        if (const std::string why = explained(*group.front().event); !why.empty()) text += "\n" + why;
    if (group.size() > most_told) text += filled(tr("\nand {1} more"), {std::to_string(group.size() - most_told)});
    return text;
}

void draw_group(const Frame& frame, const TrainingPlot& plot, std::span<const Numbered> group) {
    const Ui& ui = frame.ui;
    const TrainingEvent& event = *group.front().event;
    const float half = ui.px(flag_size) / 2, x = std::round(plot.at_x(event.step));
    const ImVec2 centre{x, plot.box.max.y - half};
    const Box at = Box::around(centre, half + 1);
    for (const Numbered& n : group)
        ui.items->add(ui.items->format("event/%d", n.index), at, n.event->step, n.event->text);
    const Response mouse =
        click_area(ui, ui.items->format("flag/%d", group.front().index), at, item_state(event.step), event.text);
    const ImU32 colour = event_colour(*ui.theme, event.kind);
    if (mouse.hovered) draw::vertical_line(ui, x, plot.box.min.y, plot.box.max.y, with_alpha(colour, 0.6f));
    ui.list()->AddCircleFilled(centre, half + ui.px(2), with_alpha(ui.theme->card, 0.85f));
    draw_event_sign(ui, event.kind, centre, ui.px(flag_size) * 0.85f, colour);
    if (mouse.clicked) show_event(frame, event);
    if (!mouse.hovered) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui, at, text_of_group(group));
}

float text_room(const Ui& ui, float width) { return width - ui.px(icon_room + step_room + 8); }

}  // namespace

void draw_event_flags(const Frame& frame, const TrainingPlot& plot) {
    const std::vector<Numbered> events = events_of(frame.snapshot);
    for (std::size_t first = 0, end = 0; first < events.size(); first = end) {
        end = end_of_group(events, first, plot, frame.ui.px(flag_size + 2));
        draw_group(frame, plot, std::span(events).subspan(first, end - first));
    }
}

float event_list_height(const Frame& frame, float width) {
    const Ui& ui = frame.ui;
    const std::vector<Numbered> events = events_of(frame.snapshot);
    if (events.empty()) return draw::wrapped_height(ui, width, nothing_happened(frame), FontRole::small);
    float height = 0;
    for (const Numbered& n : events)
        height += draw::wrapped_height(ui, text_room(ui, width), n.text, FontRole::small) + ui.px(event_gap);
    if (const std::string_view missing = missing_from_log(frame); !missing.empty())
        height += draw::wrapped_height(ui, width, missing, FontRole::small);
    return height;
}

void draw_event_list(const Frame& frame, const Box& content) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const std::vector<Numbered> events = events_of(frame.snapshot);
    if (events.empty()) {
        draw::text_wrapped(ui, content.min, content.width(), nothing_happened(frame), {FontRole::small, t.text_muted});
        return;
    }
    float y = content.min.y;
    const float line = ui.line(FontRole::small);
    for (const Numbered& n : events) {
        const float room = text_room(ui, content.width());
        const float height = draw::wrapped_height(ui, room, n.text, FontRole::small);
        const Box box = content.between_y(y, y + height + ui.px(event_gap) / 2);
        const Response mouse = link_area(ui, ui.items->format("happened/%d", n.index), box, n.event->step, n.text);
        if (mouse.hovered)
            draw::rounded_box(ui, {{box.min.x - ui.px(4), box.min.y - ui.px(2)}, box.max}, t.hover, 0, 4);
        draw_event_sign(ui, n.event->kind, {box.min.x + ui.px(8), std::round(y + line * 0.6f)}, ui.px(11),
                        event_colour(t, n.event->kind));
        const float x = box.min.x + ui.px(icon_room);
        draw::text(ui, {x, y}, ui.items->format(tr("step %s"), grouped(n.event->step).c_str()),
                   {FontRole::small_bold, t.text_muted});
        draw::text_wrapped(ui, {x + ui.px(step_room), y}, room, n.text, {FontRole::small, t.text});
        if (const std::string why = explained(*n.event); mouse.hovered && !why.empty())
            draw::tip(ui, box, n.text + "\n" + why);
        if (mouse.clicked) show_event(frame, *n.event);
        y += height + ui.px(event_gap);
    }
    const std::string_view missing = missing_from_log(frame);
    if (missing.empty()) return;
    draw::label_wrapped(ui, {content.min.x, y}, content.width(), missing, {FontRole::small, t.text_muted},
                        {"happened/missing"});
}

}  // namespace glassformer::app
