#include "app/presenter/presenter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/common/card_scope.h"
#include "app/common/provenance.h"
#include "app/common/text_size.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_state.h"
#include "app/panels/panels.h"
#include "app/panels/sentence/sentence_card.h"
#include "app/ui/input.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

constexpr float smallest_text = 13;       // pixels at 100 %, for FontRole::small
constexpr float wanted_text = 1.0f / 40;  // of the screen's height

// Pixels at 100 %.
constexpr float heading = 34, low_heading = 28, margin = 8, low_margin = 5, top_bar = 52, map_width = 236,
                explanation_width = 364, timeline = 148, timeline_strip_from = 900, beside_from = 800, drawer = 330;

/// The panels beside the views.
constexpr std::array<AudiencePanel, 4> around{{{.name = N_("Where a number comes from"), .panel = Panel::number},
                                               {.name = N_("Meaning"), .panel = Panel::meaning},
                                               {.name = N_("Training timeline"), .panel = Panel::timeline},
                                               {.name = N_("Model map"), .panel = Panel::map}}};

/// Returns all panels of this model, in the order of the keys: the first nine have the keys 1 to 9.
std::vector<AudiencePanel> audience_panels(const Frame& frame) {
    std::vector<AudiencePanel> panels;
    const auto views = all_views();
    for (std::size_t i = 0; i < views.size(); ++i)
        if (is_offered(frame, views[i])) panels.push_back({.name = views[i].name, .view = static_cast<int>(i)});
    panels.insert(panels.end(), around.begin(), around.end());
    return panels;
}

/// Returns the index of the chosen panel: the presenter shares the choices of a narrow window and of the views.
int chosen_panel(const Frame& frame, const std::vector<AudiencePanel>& panels) {
    const Panel panel = frame.state.narrow_panel;
    const bool sentence = panel == Panel::sentence_a || panel == Panel::sentence_b;
    for (std::size_t i = 0; i < panels.size(); ++i)
        if (sentence ? panels[i].view == frame.state.view : panels[i].panel == panel) return static_cast<int>(i);
    return 0;  // another model was opened, without such a view
}

void choose_panel(const Frame& frame, const AudiencePanel& panel) {
    frame.state.narrow_panel = panel.view < 0 ? *panel.panel : card_panel(frame.state.slot);
    if (panel.view >= 0) frame.state.view = panel.view;
}

/// Draws the chosen view as large as the box: A beside B, or above it if both would be too narrow.
void draw_view(const Frame& frame, const Box& box) {
    const View& view = chosen_view(frame.state);
    Box cards = box;
    if (view.header) {
        const CardScope scope(frame, frame.state.compare ? 0 : frame.state.slot);
        cards.min.y = view.header(frame, box) + frame.ui.px(margin);
    }
    draw_sentences(frame, cards, cards.width() < frame.ui.px(beside_from));
}

/// Returns true if a step points at something that extends to the right of `x`.
bool points_behind(const Frame& frame, const LessonRunner& lessons, float x) {
    for (const std::string& labels : lessons.lights())
        for (const std::string_view label : joined_labels(labels)) {
            const Item* item = label.starts_with("explain") ? nullptr : frame.ui.items->find(label);
            if (item && item->max.x > x) return true;
        }
    return false;
}

}  // namespace

float Presenter::scale(const ViewState& state, ImVec2 screen) {
    return screen.y * wanted_text / smallest_text * state.window.stage_scale;
}

void Presenter::enter(const Frame& frame, const LessonRunner& lessons) {
    if (std::exchange(on_, frame.state.presenter) == frame.state.presenter) return;
    if (!on_) {
        vote_.end(frame);
        vote_.phones().end();  // do not serve what nobody sees
        tools_.freeze(false);
        tools_.blank = tools_.spotlight = tools_.magnifier = pen_.on = explanation_ = false;
        return;
    }
    if (!lessons.open()) frame.state.narrow_panel = card_panel(frame.state.slot);
    narrow_panel_ = frame.state.narrow_panel;
}

void Presenter::choose(const Frame& frame, const std::vector<AudiencePanel>& panels, int index) {
    frame.own<ExperimentState>().open = false;  // it would cover the panel
    choose_panel(frame, panels[index]);
    narrow_panel_ = frame.state.narrow_panel;
    explanation_ = false;
}

void Presenter::turn(const Frame& frame, LessonRunner& lessons, int by) {
    const int count = static_cast<int>(panels_.size());
    if (vote_.open()) return vote_.turn(frame, lessons, by);
    if (lessons.open() || lessons.wanted())
        frame.state.window.lessons.ask = by > 0 ? LessonMenu::Ask::forward : LessonMenu::Ask::backward;
    else if (count > 0)
        choose(frame, panels_, (shown_ + by + count) % count);
}

/// A clicker's keys turn a lesson's pages, or otherwise go from panel to panel. While a question is asked, the keys 1
/// to 9 choose its answers.
bool Presenter::turn_pages(const Frame& frame, const LessonRunner& lessons) {
    if (panels_.empty()) return false;
    const int count = static_cast<int>(panels_.size());
    const int pages = static_cast<int>(key_pressed(Key::page_down)) - static_cast<int>(key_pressed(Key::page_up));
    if (pages != 0 && !lessons.open() && !lessons.wanted())
        return choose(frame, panels_, (shown_ + pages + count) % count), true;
    if (lessons.open() && lessons.asks()) return false;
    for (int i = 0; i < std::min(count, 9); ++i)
        if (key_pressed(static_cast<Key>(static_cast<int>(Key::d1) + i))) return choose(frame, panels_, i), true;
    return false;
}

bool Presenter::switch_tools(const Frame& frame) {
    const auto switched = [](Key key, bool& tool) { return key_pressed(key) && (tool = !tool, true); };
    if (switched(Key::b, tools_.blank) || switched(Key::period, tools_.blank)) return true;
    if (switched(Key::z, tools_.magnifier) || switched(Key::s, tools_.spotlight) || switched(Key::d, pen_.on))
        return true;
    if (key_pressed(Key::k)) return frame.state.window.console.on = !frame.state.window.console.on, true;
    if (key_pressed(Key::f)) return tools_.freeze(!tools_.frozen()), true;
    if (key_pressed(Key::c) && !panels_.empty()) {
        pen_.clear(std::string(panels_[shown_].name));
        return true;
    }
    return key_pressed(Key::escape) && put_away(frame);
}

/// Puts away one thing at a time, the last one visible first.
bool Presenter::put_away(const Frame& frame) {
    for (bool* tool : {&tools_.blank, &pen_.on, &tools_.magnifier, &tools_.spotlight})
        if (std::exchange(*tool, false)) return true;
    if (tools_.frozen()) return tools_.freeze(false), true;
    if (frame.state.trail.size() > 1 || !std::exchange(explanation_, false)) return false;
    right_.dismiss();
    return true;
}

bool Presenter::back_to_this_step(const Frame& frame, const LessonRunner& lessons) {
    if (!key_pressed(Key::home)) return false;
    LessonMenu& menu = frame.state.window.lessons;
    if (lessons.open()) {
        menu.ask = LessonMenu::Ask::start;
        menu.which = menu.open;
        menu.step = lessons.at();
    } else if (!frame.snapshot.live) {
        frame.send(command::FollowLive{});
    }
    explanation_ = false;
    return true;
}

bool Presenter::handle_keys(const Frame& frame, LessonRunner& lessons) {
    enter(frame, lessons);
    if (!on_ || ctrl_down() || !keys_are_commands()) return false;
    // Esc first shows the audience the screen again; every other key is the vote's, whatever they see.
    const bool uncovers = tools_.covers() && key_pressed(Key::escape);
    if (!uncovers && vote_.handle_keys(frame, lessons)) return true;
    if (key_pressed(Key::v)) return vote_.begin(frame, lessons), true;
    return turn_pages(frame, lessons) || switch_tools(frame) || back_to_this_step(frame, lessons);
}

/// A click on a number switches a narrow window to its explanation; here the explanation slides in beside the panel. An
/// explanation from one lesson step does not stay for the next.
void Presenter::follow_choice(const Frame& frame, const LessonRunner& lessons) {
    Panel& now = frame.state.narrow_panel;
    if (lessons.open() && std::exchange(scene_, lessons.scenes()) != lessons.scenes())
        explanation_ = of_step_ = lessons.scene().explain.has_value();
    if (now == Panel::number && narrow_panel_ != Panel::number) {
        explanation_ = true, of_step_ = false;
        now = narrow_panel_;
    }
    narrow_panel_ = now;
    panels_ = audience_panels(frame);
    shown_ = chosen_panel(frame, panels_);
    const AudiencePanel& panel = panels_[shown_];
    if (panel.view >= 0) frame.state.view = panel.view;  // differs from the chosen view if this model lacks that
}

/// Draws the list of panels with the current one, and its model and step; lower if a lesson needs the room. Returns the
/// y where the panel starts.
float Presenter::draw_heading(const Frame& frame, const Box& stage, bool low) {
    const Ui& ui = frame.ui;
    const float air = ui.px(low ? low_margin : margin), side = ui.px(margin), y = stage.min.y + air,
                bottom = y + ui.px(low ? low_heading : heading);
    std::vector<std::string_view> names, shown;
    const auto listed = [&](std::size_t i, std::string_view name) {
        const std::string text(name);
        return i < 9 ? ui.items->format("%zu  %s", i + 1, text.c_str()) : ui.items->format("    %s", text.c_str());
    };
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        names.push_back(listed(i, panels_[i].name));
        shown.push_back(listed(i, tr(panels_[i].name)));
    }
    const bool experiment = frame.own<ExperimentState>().open;
    std::string_view name = experiment ? tr("Experiment") : shown[shown_];
    name.remove_prefix(name.find_first_not_of(' '));
    const float width = draw::text_size(ui, name).x + ui.px(48);
    const int chosen = dropdown(ui, "panel", {{stage.min.x + side, y}, {stage.min.x + side + width, bottom}}, name,
                                names, shown_, shown);
    if (chosen >= 0) choose(frame, panels_, chosen);
    if (experiment) return bottom + air;  // it is about other models than the current one, and names them
    const std::string about = provenance(frame, frame.state.card).brief();
    const Box at{{stage.min.x + side + width + ui.px(16), y}, {stage.max.x - side - ui.px(8), bottom}};
    draw::label(ui, at, about, {FontRole::body, ui.theme->text_muted, draw::Align::right}, {"presenter/about"});
    return bottom + air;
}

void Presenter::draw_bars(const Frame& frame, const Box& stage, const LessonRunner& lessons) {
    const Ui& ui = frame.ui;
    const bool call = !pen_.on && !tools_.covers();
    const bool strip = stage.width() >= ui.px(timeline_strip_from);
    // A vote needs the whole panel.
    const float reach = ui.px(explanation_width);
    const bool beside = panels_[shown_].panel != Panel::number && !vote_.open() &&
                        (!of_step_ || !points_behind(frame, lessons, stage.max.x - reach));
    left_.draw(frame, stage, ui.px(map_width), false, call, [&](const Box& box) { draw_model_map(frame, box); });
    bottom_.draw(frame, stage, strip ? ui.px(timeline) : stage.height() * 0.6f, false, call,
                 [&](const Box& box) { draw_timeline(frame, box); });
    right_.draw(frame, stage, reach, explanation_ && beside, call,
                [&](const Box& box) { draw_explanation(frame, box); });
    top_.draw(frame, stage, ui.px(top_bar), false, call, [&](const Box& box) { draw_top_bar(frame, box); });
}

Box Presenter::draw(const Frame& frame, const Box& whole, LessonRunner& lessons,
                    void (*other)(const Frame& frame, const Box& box)) {
    enter(frame, lessons);
    follow_choice(frame, lessons);
    console_.follow(frame, lessons);
    const Ui& ui = frame.ui;
    const float space = ui.px(margin);
    const Box stage = draw_drawer(frame, whole, lessons);
    const bool low = lessons.open();
    const Box box{{stage.min.x + space, draw_heading(frame, stage, low)},
                  {stage.max.x - space, stage.max.y - ui.px(low ? low_margin : margin)}};
    const AudiencePanel& panel = panels_[shown_];
    ui.items->add("panel/box", box, item_state(shown_), panel.name);
    if (panel.view >= 0 && !frame.own<ExperimentState>().open)
        draw_view(frame, box);
    else
        other(frame, box);
    pen_.draw(ui, box, std::string(panel.name));
    vote_.follow_phones();
    vote_.draw(frame, box, lessons);
    draw_bars(frame, stage, lessons);
    return stage;
}

void Presenter::draw_console(const Frame& frame, const Box& window, LessonRunner& lessons, const StagePicture& stage) {
    const bool panel = !panels_.empty();
    const std::size_t next = panel ? (static_cast<std::size_t>(shown_) + 1) % panels_.size() : 0;
    const Console::Shown shown{lessons, vote_, tools_, panel ? panels_[next].name : std::string_view(), stage};
    const Console::Ask ask = console_.draw(frame, window, shown);
    switch (ask) {
        case Console::Ask::nothing:
            return;
        case Console::Ask::back:
        case Console::Ask::next:
            return turn(frame, lessons, ask == Console::Ask::next ? 1 : -1);
        case Console::Ask::blank:
            tools_.blank = !tools_.blank;
            return;
        case Console::Ask::freeze:
            return tools_.freeze(!tools_.frozen());
        case Console::Ask::vote:
            return vote_.begin(frame, lessons);
        case Console::Ask::phones:
            return vote_.phones().toggle(frame);
    }
}

Box Presenter::draw_drawer(const Frame& frame, const Box& stage, LessonRunner& lessons) {
    const PresenterConsole& console = frame.state.window.console;
    if (!console.on || console.second_screen) return stage;
    const float width = std::min(frame.ui.px(drawer), stage.width() * 0.36f), space = frame.ui.px(margin);
    Box left = stage;
    left.max.x -= width;
    draw_console(frame, {{left.max.x, stage.min.y + space}, {stage.max.x - space, stage.max.y - space}}, lessons, {});
    return left;
}

void Presenter::draw_tools(const Frame& frame, const Box& screen) {
    const PresenterConsole& console = frame.state.window.console;
    if (on_) tools_.draw(frame.ui, screen, !console.on || !console.second_screen);
}

}  // namespace glassformer::app
