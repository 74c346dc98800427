#include "app/desktop/layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/common/card_scope.h"
#include "app/common/text_size.h"
#include "app/export/export_dialog.h"
#include "app/language/tr.h"
#include "app/lessons/experiment_claim.h"
#include "app/lessons/lesson_text.h"
#include "app/lessons/lesson_view.h"
#include "app/palette/palette.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/leaving/leaving_question.h"
#include "app/panels/meaning/error_by_length.h"
#include "app/panels/meaning/meaning_views.h"
#include "app/panels/meaning/measured_senses.h"
#include "app/panels/messages/error_bar.h"
#include "app/panels/model_check/model_check_panel.h"
#include "app/panels/panels.h"
#include "app/panels/sentence/sentence_card.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/setup/setup_view.h"
#include "app/panels/stages/stage_strip.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/child_window.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/opaque_fill.h"
#include "app/ui/scroll_area.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

// Sizes in pixels at 100 %.
constexpr float top_height = 52, map_width = 236, side_width = 364, timeline_height = 148, low_timeline_height = 124,
                panel_gap = 12, view_tabs = 28, narrow_tabs = 32;
constexpr float least_above_both = 560;  // least height of the panels above both a lesson and the timeline

/// What the right column shows: in a lesson only what it is about, which gets all the room.
enum class SideShows { all, number, words, meaning };

SideShows side_shows(const Frame& frame, const LessonRunner& lessons) {
    if (!lessons.open()) return SideShows::all;
    const Scene& scene = lessons.scene();
    if (scene.explain || scene.panel == Panel::number) return SideShows::number;
    if (!frame.state.follow_strongest) return SideShows::all;  // someone has clicked a number
    if (frame.state.window.panels.words_alone) return SideShows::words;
    const bool points_there = std::ranges::any_of(lessons.lights(), [](const std::string& light) {
        return light.starts_with("accuracy") || light.starts_with("meaning");
    });
    return points_there || scene.panel == Panel::meaning ? SideShows::meaning : SideShows::all;
}

/// Draws the right column, from what explains a number to what explains a word: words and map together if the window is
/// high, else one of them.
void draw_side(const Frame& frame, const Box& box, SideShows shows) {
    if (shows == SideShows::number) return draw_explanation(frame, box);
    if (shows == SideShows::words) return draw_word_meaning(frame, box);
    const bool explains = shows == SideShows::all;
    const Ui& ui = frame.ui;
    const float space = ui.px(panel_gap), height = box.height(), accuracy = wanted_for_senses(frame),
                words = ui.px(190), tabs = ui.px(28);
    const float explanation = explains ? std::max(ui.px(250), height * 0.36f) : -space;
    const auto explain_at_top = [&](Box& rest) {
        const Box top = rest.cut_top(explanation, space);
        if (explains) draw_explanation(frame, top);
    };
    const bool senses = has_senses(frame);
    if (const float plot = wanted_for_errors(frame); plot > 0) {  // shown whole; the model's predictions come first
        const float rest = std::max(plot, height - explanation - words - 2 * space);
        const ScrollArea area(ui, "##side", box, explanation + words + rest + 2 * space);
        Box content = area.content();
        explain_at_top(content);
        draw_word_meaning(frame, content.cut_top(words, space));
        return draw_sense_accuracy(frame, content.top(rest));
    }
    if (!senses) {  // no meaning map: the predictions get its room
        const bool high = height - explanation - 1.4f * accuracy - 2 * space >= words;
        const float metric = high ? 1.4f * accuracy : accuracy;
        const float rest = std::max(words, height - explanation - metric - 2 * space);
        const ScrollArea area(ui, "##side", box, explanation + metric + rest + 2 * space);
        Box content = area.content();
        explain_at_top(content);
        draw_sense_accuracy(frame, content.cut_top(metric, space));
        return draw_word_meaning(frame, content.top(rest));
    }
    const bool both = height - explanation - accuracy - words - 3 * space >= ui.px(300);
    const float above = explanation + accuracy + (both ? words : tabs) + 3 * space;
    const float map = std::max(ui.px(200), height - above);
    const ScrollArea area(ui, "##side", box, above + map);
    Box content = area.content();
    explain_at_top(content);
    draw_sense_accuracy(frame, content.cut_top(accuracy, space));
    if (both) {
        draw_word_meaning(frame, content.cut_top(words, space));
        return draw_meaning_map(frame, content.top(map));
    }
    static constexpr std::array<std::string_view, 2> names = {N_("Map"), N_("Words")};
    int chosen = frame.state.side_panel == Panel::words ? 1 : 0;
    segmented(ui, "side", content.cut_top(tabs, space), names, chosen);
    frame.state.side_panel = chosen == 1 ? Panel::words : Panel::meaning;
    const Box rest = content.top(map);
    if (chosen == 0)
        draw_meaning_map(frame, rest);
    else
        draw_word_meaning(frame, rest);
}

/// Draws the tabs of the views at the top of the box; returns where the sentences begin.
float draw_view_row(const Frame& frame, const Box& box) {
    const float space = frame.ui.px(8), bottom = box.min.y + frame.ui.px(view_tabs);
    const CardScope scope(frame, frame.state.compare ? 0 : frame.state.slot);  // the tabs are A's
    draw_view_tabs(frame, box.above(bottom));
    const View& view = chosen_view(frame.state);
    if (!view.header) return bottom + space;
    return view.header(frame, box.below(bottom + space)) + space;
}

/// A short piece in the middle of the gap between two panels.
Box fold_in(const Ui& ui, const Box& between, bool across) {
    const float half = ui.px(24), x = between.middle_x(), y = between.middle_y();
    return across ? between.between_x(x - half, x + half) : between.between_y(y - half, y + half);
}

/// Draws the right column over the sentences, as high as the panels, out to the window's edge if it is there.
void draw_side_over(const Frame& frame, const Box& body, const Box& box, SideShows shows) {
    const Ui& ui = frame.ui;
    const float space = ui.px(panel_gap);
    const bool at_right = box.max.x + 2 * space > body.max.x;
    const Box whole = body.between_x(box.min.x - space, at_right ? body.max.x : box.max.x + space);
    const ChildWindow window(ui, "##number over", whole, ChildWindow::Kind::overlay);
    draw::opaque_fill(ui, whole, ui.theme->background);
    draw::vertical_line(ui, at_right ? whole.min.x : whole.max.x - ui.px(1), whole.min.y, whole.max.y,
                        ui.theme->control_border);
    draw_side(frame, box, shows);
}

/// Where the explanation panel lies over the sentences after a click opened it. Empty once it has its own place beside
/// them: when the pointer has left them, or is where the panel will be.
std::optional<Box> over_sentences(const Frame& frame, const Box& sentences, float side) {
    using Side = NumberOverSentences;
    Side& on = frame.state.window.number_over;
    if (on == Side::none) return {};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Box right = sentences.right(side), left = sentences.left(side);
    // If the number was clicked where the panel will be, the panel goes to the other side.
    if (on == Side::asked) on = right.contains(mouse) ? Side::left : Side::right;
    if (!sentences.contains(mouse) || (on == Side::right && right.contains(mouse))) on = Side::none;
    if (on == Side::none) return {};
    return on == Side::right ? right : left;
}

void draw_wide(const Frame& frame, const Box& body, const PanelsOpen& chosen, const LessonRunner& lessons) {
    const Ui& ui = frame.ui;
    const float space = ui.px(panel_gap), rail = ui.px(rail_width);
    const SideShows shows = side_shows(frame, lessons);
    const bool speaks_of_side = shows != SideShows::all && is_beside(lessons.scene().panel);
    const float side = speaks_of_side ? std::max(ui.px(side_width), body.width() * 0.45f) : ui.px(side_width);
    const float edge = body.min.x + (chosen.map ? ui.px(map_width) : rail) + space;
    const Box sentences{{edge, body.min.y + space}, {body.max.x - space, body.max.y - space}};
    if (!chosen.number) frame.state.window.number_over = {};
    const std::optional<Box> over = over_sentences(frame, sentences, side);
    PanelsOpen open = chosen;
    if (over) open.number = false;
    const float left = body.min.x + (open.map ? ui.px(map_width) : rail),
                right = body.max.x - (open.number ? side + space : rail);
    if (open.map)
        draw_model_map(frame, body.left_of(left));
    else
        draw_rail(frame, body.left_of(left), SidePanel::map);
    const bool stages = open.number && (shows == SideShows::all || shows == SideShows::number);
    const float strip = stages ? ui.px(58) + ui.px(8) : 0, x = left + space, y = body.min.y + space;
    if (stages) draw_stage_strip(frame, {{x, y}, {right - space, y + ui.px(58)}});
    const float below = draw_view_row(frame, {{x, y + strip}, {right - space, body.max.y}});
    draw_sentences(frame, {{x, below}, {right - space, body.max.y - space}});
    if (open.number)
        draw_side(frame, {{right, y}, {body.max.x - space, body.max.y - space}}, shows);
    else
        draw_rail(frame, body.right_of(right), SidePanel::number);
    if (open.map) draw_fold(frame, fold_in(ui, body.between_x(left, x), false), SidePanel::map);
    if (open.number) draw_fold(frame, fold_in(ui, body.between_x(right - space, right), false), SidePanel::number);
    if (over) draw_side_over(frame, body, *over, shows);
}

/// Draws what is known of the chosen word: two columns if they fit, with the map below in a low panel, else one column.
/// A plot of errors that is too low above the other card goes beside it.
void draw_meaning_page(const Frame& frame, const Box& panel) {
    const Ui& ui = frame.ui;
    const float space = ui.px(8);
    if (frame.state.window.panels.words_alone) return draw_word_meaning(frame, panel);
    if (!has_senses(frame)) {
        constexpr float share = 0.45f;
        if (panel.width() >= ui.px(720) && wanted_for_errors(frame) > share * panel.height()) {
            draw_sense_accuracy(frame, panel.column(0, 2, space));
            return draw_word_meaning(frame, panel.column(1, 2, space));
        }
        const float middle = std::round(panel.min.y + (panel.height() - space) * share);
        draw_sense_accuracy(frame, panel.above(middle));
        return draw_word_meaning(frame, panel.below(middle + space));
    }
    if (panel.width() >= ui.px(720) && panel.height() < ui.px(400)) {
        const float high = panel.height() - space;
        const ScrollArea area(ui, "##meaning", panel, 2 * high + space);
        Box content = area.content();
        const Box top = content.cut_top(high, space);
        draw_sense_accuracy(frame, top.column(0, 2, space));
        draw_word_meaning(frame, top.column(1, 2, space));
        return draw_meaning_map(frame, content.top(high));
    }
    if (panel.width() >= ui.px(720)) {
        const Box left = panel.column(0, 2, space);
        draw_sense_accuracy(frame, left.row(0, 2, space));
        draw_word_meaning(frame, left.row(1, 2, space));
        return draw_meaning_map(frame, panel.column(1, 2, space));
    }
    const float accuracy = wanted_for_senses(frame), words = ui.px(200),
                map = std::max(ui.px(300), panel.height() - accuracy - words - 2 * space);
    const ScrollArea area(ui, "##meaning", panel, accuracy + words + map + 2 * space);
    Box content = area.content();
    draw_sense_accuracy(frame, content.cut_top(accuracy, space));
    draw_word_meaning(frame, content.cut_top(words, space));
    draw_meaning_map(frame, content.top(map));
}

/// Draws one sentence with the tabs of the views above it; both sentences if the view spans both.
void draw_sentence_page(const Frame& frame, const Box& panel, int slot) {
    const Box card = panel.below(draw_view_row(frame, panel));
    if (frame.state.compare && chosen_view(frame.state).spans_cards) return draw_both_sentences(frame, card, slot);
    draw_sentence(frame, card, slot);
}

/// Draws the explanation, below the stages if there is room for them.
void draw_number_page(const Frame& frame, const Box& panel) {
    const Ui& ui = frame.ui;
    if (panel.height() < ui.px(300)) return draw_explanation(frame, panel);
    Box rest = panel;
    draw_stage_strip(frame, rest.cut_top(ui.px(58), ui.px(8)));
    draw_explanation(frame, rest);
}

void draw_experiment_page(const Frame& frame, const Box& panels) {
    hold_claim(frame);
    draw_experiment(frame, panels);
}

/// Draws the chosen panel of a narrow window.
void draw_one_panel(const Frame& frame, const Box& panel) {
    if (frame.state.own<ExperimentState>().open) return draw_experiment_page(frame, panel);
    switch (frame.state.narrow_panel) {
        case Panel::map:
            return draw_model_map(frame, panel);
        case Panel::sentence_a:
            return draw_sentence_page(frame, panel, 0);
        case Panel::sentence_b:
            return draw_sentence_page(frame, panel, 1);
        case Panel::number:
            return draw_number_page(frame, panel);
        case Panel::meaning:
        case Panel::words:
            return draw_meaning_page(frame, panel);
        case Panel::timeline:
            return draw_timeline(frame, panel);
    }
}

void draw_narrow(const Frame& frame, const Box& body) {
    const Ui& ui = frame.ui;
    static constexpr std::array<std::string_view, 6> names = {N_("Map"),    "A",           "B",
                                                              N_("Number"), N_("Meaning"), N_("Timeline")};
    const float space = ui.px(8), tabs = ui.px(narrow_tabs);
    Box rest = body.inset(space);
    int chosen = static_cast<int>(frame.state.narrow_panel);
    segmented(ui, "panel", rest.cut_top(tabs, space), names, chosen);
    frame.state.narrow_panel = static_cast<Panel>(chosen);
    draw_one_panel(frame, rest);
}

void draw_wide_with_timeline(const Frame& frame, const Box& panels, bool low, const LessonRunner& lessons) {
    const Ui& ui = frame.ui;
    const PanelsOpen open = frame.state.window.panels;
    const float timeline = panels.max.y - ui.px(low ? low_timeline_height : timeline_height);
    if (lessons.open() && !open.timeline && timeline - panels.min.y < ui.px(least_above_both))
        return draw_wide(frame, panels, open, lessons);
    if (!open.timeline) {
        const float rail = panels.max.y - ui.px(rail_width);
        draw_wide(frame, panels.above(rail), open, lessons);
        return draw_rail(frame, panels.below(rail), SidePanel::timeline);
    }
    draw_wide(frame, panels.above(timeline), open, lessons);
    draw_timeline(frame, panels.below(timeline));
    draw_fold(frame, fold_in(ui, panels.between_y(timeline - ui.px(panel_gap), timeline), true), SidePanel::timeline);
}

/// Places or draws all messages at the top of the box; returns the box below them.
Box below_bars(const Frame& frame, LessonRunner& lessons, const Box& box, Bars bars) {
    Box rest = box;
    draw_messages(frame, rest, bars);
    draw_lesson_error(frame, lessons, rest, bars);
    if (rest.min.y > box.min.y) rest.min.y += frame.ui.px(8);
    return rest;
}

/// The panels make room for the bars, or take it back, only while the pointer is not on them: nothing moves under it.
float room_for_bars(const Frame& frame, const Box& panels, float wanted) {
    float& room = frame.own<ErrorBarState>().room;
    const FilmRecording& film = frame.own<TimelineState>().recording;
    if (film.unseen) return film.panel.width() > 0 ? film.room : wanted;
    if (frame.ui.every_row || frame.own<ExportDialog>().open) return room;  // what is exported stays where it is
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!panels.below(panels.min.y + std::max(room, wanted)).contains(mouse)) room = wanted;
    return room;
}

/// Draws top bar and panels, from the top of the window to `foot`; returns where the panels begin.
float draw_panels(const Frame& frame, const Box& window, float foot, LessonRunner& lessons) {
    const Ui& ui = frame.ui;
    const float top = window.min.y + ui.px(top_height);
    draw_top_bar(frame, window.above(top));
    const Box below = window.between_y(top, foot);
    const float wanted = below_bars(frame, lessons, below, Bars::placed).min.y - top;
    const Box panels = below.below(top + room_for_bars(frame, below, wanted));
    const bool wide = window.width() >= ui.px(wide_least_width) && window.height() >= ui.px(wide_least_height);
    if (frame.state.own<SetupState>().open)
        draw_setup_page(frame, panels);
    else if (frame.state.own<ExperimentState>().open)
        draw_experiment_page(frame, panels);
    else if (wide)
        draw_wide_with_timeline(frame, panels, window.height() < ui.px(800), lessons);
    else
        draw_narrow(frame, panels);
    const float tabs = wide ? 0 : ui.px(narrow_tabs) + 2 * ui.px(8);
    draw_lesson_lights(frame, lessons, panels.below(panels.min.y + tabs));
    if (!controls_hidden()) below_bars(frame, lessons, below, Bars::drawn);
    lessons.check(frame, wide);
    return top;
}

/// Draws what an audience sees. Not all that a lesson points at is on the screen at once.
float draw_for_audience(const Frame& frame, const Box& stage, LessonRunner& lessons, Presenter& presenter) {
    const Box panels = presenter.draw(frame, stage, lessons, draw_one_panel);
    if (!presenter.voting()) draw_lesson_lights(frame, lessons, panels);
    lessons.check(frame, false);
    return stage.min.y;
}

}  // namespace

void draw_setup_page(const Frame& frame, const Box& panels) {
    const float map = panels.width() >= frame.ui.px(900) ? frame.ui.px(map_width) : 0;
    if (map > 0) draw_model_map(frame, panels.left(map));
    draw_setup(frame, panels.right_of(panels.min.x + map));
}

void draw_layout(const Frame& frame, const Box& window, LessonRunner& lessons, Presenter& presenter, bool sets_up) {
    const Ui& ui = frame.ui;
    if (frame.state.window.bare_view) {
        const ControlsHidden hidden;
        const float edge = ui.px(panel_gap);
        return draw_sentences(frame, window.inset(edge));
    }
    const float foot = window.max.y - lesson_height(frame, lessons, window);
    const bool audience = frame.state.presenter && !(sets_up && frame.state.own<SetupState>().open);
    const float top = audience ? draw_for_audience(frame, window.above(foot), lessons, presenter)
                               : draw_panels(frame, window, foot, lessons);
    if (foot < window.max.y) draw_lesson(frame, lessons, window.below(foot));
    if (audience) {
        Box bar = window.between_y(top, top + ui.px(44));
        draw_messages(frame, bar);
        draw_lesson_error(frame, lessons, bar);
    }
}

void draw_cards_over(const Frame& frame, const Box& window, LessonRunner& lessons) {
    draw_large_picture(frame, window);
    draw_course(frame, lessons, window);
    draw_leaving_question(frame, window);
    draw_recovery_question(frame, window);
    draw_help(frame, window);
    draw_model_check(frame, window);
    draw_term_card(frame, window);
    draw_palette(frame, window);
}

}  // namespace glassformer::app
