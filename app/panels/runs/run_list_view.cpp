#include <algorithm>
#include <cmath>

#include "app/common/metric_curves.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_colours.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float row_padding = 5, side = 26, swatch = 14, run_gap = 4, question_height = 32;  // pixels at 100 %

float first_line(const Ui& ui) { return std::max(ui.px(side), ui.line(FontRole::body) + ui.px(4)); }

std::string origin_text(const Snapshot& snapshot, const RunInfo& run) {
    if (!run.origin.branched()) return {};
    const std::string change = run.origin.change.empty() ? tr("nothing changed") : run.origin.change;
    if (run.origin.parent < 0) return filled(tr("branched off at {1} · {2}"), {grouped(run.origin.step), change});
    const char* text =
        run.origin.parent_began_anew ? tr("from {1} at {2}, before its reset · {3}") : tr("from {1} at {2} · {3}");
    return filled(text, {run_name(snapshot, run.origin.parent), grouped(run.origin.step), change});
}

/// Draws an eye, crossed out if the run is hidden.
void draw_eye(const Ui& ui, ImVec2 centre, float size, ImU32 colour, bool open) {
    ImDrawList* list = ui.list();
    const float half = size / 2, thick = std::max(1.3f, 1.4f * ui.scale);
    list->PathLineTo({centre.x - half, centre.y});
    list->PathBezierCubicCurveTo({centre.x - half * 0.4f, centre.y - half * 0.95f},
                                 {centre.x + half * 0.4f, centre.y - half * 0.95f}, {centre.x + half, centre.y});
    list->PathBezierCubicCurveTo({centre.x + half * 0.4f, centre.y + half * 0.95f},
                                 {centre.x - half * 0.4f, centre.y + half * 0.95f}, {centre.x - half, centre.y});
    list->PathStroke(colour, 0, thick);
    if (open)
        list->AddCircleFilled(centre, half * 0.33f, colour);
    else
        list->AddLine({centre.x - half * 0.8f, centre.y + half * 0.8f},
                      {centre.x + half * 0.8f, centre.y - half * 0.8f}, colour, thick);
}

/// One run's row for one frame.
class RunRow {
public:
    RunRow(const Frame& frame, const RunInfo& run, const Box& box)
        : frame_(frame), ui_(frame.ui), run_(run), state_(frame.state.own<TimelineState>()), box_(box) {}

    void draw() {
        const Theme& t = *ui_.theme;
        const bool current = run_.id == frame_.snapshot.run;
        if (current) draw::rounded_box(ui_, box_, t.attention_tint, 0, 6);
        const float pad = ui_.px(row_padding), top = box_.min.y + pad, bottom = top + first_line(ui_);
        float right = box_.max.x - pad;
        const auto from_right = [&](float width) {
            right -= width;
            return Box{{right, top}, {right + width, bottom}};
        };
        draw_delete(from_right(ui_.px(side)));
        draw_eye_button(from_right(ui_.px(side)));
        draw_metric(from_right(draw::text_size(ui_, "0.0000", FontRole::body).x + ui_.px(8)));
        draw_loss(from_right(draw::text_size(ui_, tr("loss 0.00"), FontRole::body).x + ui_.px(8)));
        const float left = box_.min.x + pad + ui_.px(side);
        draw_colour({{box_.min.x + pad, top}, {left, bottom}});
        draw_name({{left, top}, {right, bottom}}, current);
        draw_origin({{left, bottom}, {box_.max.x - pad, box_.max.y}});
    }

private:
    std::string_view label(const char* part) const { return ui_.items->format("run/%d/%s", run_.id, part); }

    void draw_colour(const Box& box) {
        const Response mouse = link_area(ui_, label("colour"), box, item_state(run_.colour));
        const ImVec2 centre{std::round(box.middle_x()), std::round(box.middle_y())};
        draw::rounded_box(ui_, Box::around(centre, ui_.px(swatch) / 2), run_colour(*ui_.theme, run_.colour),
                          mouse.hovered ? ui_.theme->text : 0, 4);
        if (mouse.hovered) draw::tip(ui_, box, tr("Change the colour of its curve"));
        if (mouse.clicked) frame_.send(command::ColourRun{run_.id, (run_.colour + 1) % run_colour_count});
    }

    void draw_name(const Box& box, bool current) {
        if (state_.renaming == run_.id) return draw_rename(box);
        const Response mouse =
            link_area(ui_, ui_.items->format("run/%d", run_.id), box, item_state(current), run_.name);
        const FontRole font = current ? FontRole::body_bold : FontRole::body;
        const ImU32 colour = run_.hidden && !current ? ui_.theme->text_faint
                             : current               ? ui_.theme->attention_text
                                                     : ui_.theme->text;
        draw::text_in(ui_, box.right_of(box.min.x + ui_.px(4)), run_.name, {font, colour});
        if (mouse.hovered)
            draw::tip(ui_, box,
                      ui_.items->format(tr("%s\nstep %s%s. Click to select it, double-click to rename it."),
                                        run_.name.c_str(), grouped(run_.step).c_str(),
                                        run_.unsaved ? tr(", not saved") : ""));
        if (mouse.clicked && !current && state_.renaming < 0) frame_.send(command::ChooseRun{run_.id});
        if (!mouse.double_clicked) return;
        state_.renaming = run_.id;
        state_.new_name = run_.name;
        state_.take_focus = true;
    }

    void draw_rename(const Box& box) {
        bool entered = false;
        if (state_.take_focus) ui_.focus->enter_field();
        state_.take_focus = false;
        text_field(ui_, label("name"), box, state_.new_name, tr("a name, then Enter"), &entered, SelectAll::always);
        if (entered && !state_.new_name.empty()) frame_.send(command::RenameRun{run_.id, state_.new_name});
        const bool elsewhere = ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(box.min, box.max, false);
        if (entered || elsewhere || key_pressed(Key::escape)) state_.renaming = -1;
    }

    void draw_number(const char* part, const Box& box, std::optional<double> value, std::string_view text) {
        ui_.items->add(label(part), box, value, text);
        draw::text_in(ui_, box.left_of(box.max.x - ui_.px(6)), text,
                      {FontRole::small, ui_.theme->text_muted, draw::Align::right});
    }

    void draw_loss(const Box& box) {
        if (run_.lost_a_head_at(run_.step) || !run_.history || run_.history->empty())
            return draw_number("loss", box, std::nullopt, "–");
        const double loss = smooth_loss_at(*run_.history, run_.history->back().step);
        draw_number("loss", box, loss, ui_.items->format(tr("loss %s"), with_decimals(loss).c_str()));
    }

    void draw_metric(const Box& box) {
        const MetricPoint* found = run_.history ? accuracy_at(*run_.history, run_.step) : nullptr;
        if (!found) return draw_number("metric", box, std::nullopt, "–");
        const double value = found->accuracy;
        draw_number("metric", box, value, metric_text(*run_.model, value));
        if (draw::hovered(box)) draw::tip(ui_, box, metric_label(*run_.model));
    }

    /// The current run is always visible, so there is nothing to click.
    void draw_eye_button(const Box& box) {
        const bool current = run_.id == frame_.snapshot.run, open = current || !run_.hidden;
        const Response mouse = link_area(ui_, label("visible"), box, item_state(open), {}, !current);
        if (mouse.hovered) draw::rounded_box(ui_, box, ui_.theme->hover, 0, 5);
        draw_eye(ui_, {box.middle_x(), box.middle_y()}, ui_.px(15),
                 current || !open ? ui_.theme->text_faint : ui_.theme->text_muted, open);
        if (mouse.hovered) draw::tip(ui_, box, open ? tr("Hide its curve") : tr("Show its curve"));
        if (mouse.clicked) frame_.send(command::HideRun{run_.id, !run_.hidden});
    }

    void draw_delete(const Box& box) {
        const ButtonStyle style{.tone = Tone::bare,
                                .enabled = frame_.snapshot.runs.size() > 1,
                                .tooltip = tr("Delete this run"),
                                .icon = draw::Icon::close};
        if (!style.enabled) {  // the only run: there is no other to switch to
            ui_.items->add(label("delete"), box, item_state(0));
            return;
        }
        if (!button(ui_, label("delete"), box, {}, style)) return;
        if (run_.only_in_memory())
            state_.deleting = run_.id;
        else
            frame_.send(command::DeleteRun{run_.id});
    }

    void draw_origin(const Box& box) {
        const std::string text = origin_text(frame_.snapshot, run_);
        if (text.empty()) return;
        const Box line = box.top(ui_.line(FontRole::small)).right_of(box.min.x + ui_.px(4));
        draw::text_told(ui_, line, text, {FontRole::small, ui_.theme->text_muted});
        ui_.items->add(label("from"), line, run_.origin.step, text);
    }

    const Frame& frame_;
    const Ui& ui_;
    const RunInfo& run_;
    TimelineState& state_;
    Box box_;
};

float row_height(const Frame& frame, const RunInfo& run) {
    const Ui& ui = frame.ui;
    const float origin = run.origin.branched() ? ui.line(FontRole::small) : 0;
    return first_line(ui) + origin + 2 * ui.px(row_padding);
}

/// Asks before it deletes training that was never saved.
void draw_question(const Frame& frame, const RunInfo& run, const Box& box) {
    const Ui& ui = frame.ui;
    TimelineState& state = frame.state.own<TimelineState>();
    draw::rounded_box(ui, box, ui.theme->danger_tint, 0, 6);
    const float pad = ui.px(row_padding), height = ui.px(side), y = std::round((box.min.y + box.max.y - height) / 2);
    const ButtonStyle danger{.tone = Tone::danger};
    const float buttons = chip_width(ui, tr("Delete"), danger) + chip_width(ui, tr("Keep")) + ui.px(6) + pad;
    const std::string_view text = ui.items->format(tr("Delete %s? It has not been saved."), run.name.c_str());
    ImVec2 at{box.max.x - buttons, y};
    if (draw::text_in(ui, box.between_x(box.min.x + 2 * pad, at.x - pad), text,
                      {FontRole::small, ui.theme->danger_text}) &&
        draw::hovered(box.left_of(at.x)))
        draw::tooltip(ui, box, text);
    ui.items->add("delete run", box, item_state(run.id), text);
    const bool yes = chip(ui, "delete run/confirm", at, height, tr("Delete"), danger).clicked;
    const bool no = chip(ui, "delete run/cancel", at, height, tr("Keep")).clicked;
    if (yes) frame.send(command::DeleteRun{run.id});
    if (yes || no) state.deleting = -1;
}

}  // namespace

float run_list_height(const Frame& frame) {
    float height = 0;
    for (const auto& run : frame.snapshot.runs) {
        height += row_height(frame, *run) + frame.ui.px(run_gap);
        if (frame.state.own<TimelineState>().deleting == run->id) height += frame.ui.px(question_height + run_gap);
    }
    return height;
}

void draw_run_list(const Frame& frame, const Box& content) {
    const Ui& ui = frame.ui;
    float y = content.min.y;
    for (const auto& run : frame.snapshot.runs) {
        const float height = row_height(frame, *run);
        RunRow(frame, *run, content.between_y(y, y + height)).draw();
        y += height + ui.px(run_gap);
        if (frame.state.own<TimelineState>().deleting != run->id) continue;
        draw_question(frame, *run, content.between_y(y, y + ui.px(question_height)));
        y += ui.px(question_height + run_gap);
    }
}

std::string_view nothing_happened(const Frame& frame) {
    return frame.snapshot.live_step == 0 ? tr("Nothing yet. Events appear while the model trains.")
           : frame.snapshot.model->config.recurrent()
               ? tr("Nothing yet. An event is for example a jump of the loss.")
               : tr("Nothing yet. An event is for example a head that forms, or a jump of the loss.");
}

std::string_view missing_from_log(const Frame& frame) {
    const RunInfo* run = frame.snapshot.current_run();
    const ModelInfo& model = *frame.snapshot.model;
    if (!run || !run->events || model.folder.empty() || model.config.recurrent()) return {};
    const bool heads =
        std::ranges::any_of(*run->events, [](const TrainingEvent& event) { return event.kind == EventKind::head; });
    return heads ? std::string_view()
                 : tr("The log that came with this model does not say when its heads formed. Press Reset and train to "
                      "see it here.");
}

std::string run_name(const Snapshot& snapshot, int id) {
    for (const auto& info : snapshot.runs)
        if (info->id == id) return info->name;
    return tr("a deleted run");
}

}  // namespace glassformer::app
