#include "app/panels/model_check/model_check_panel.h"

#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/modal_card.h"
#include "app/ui/scroll_area.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float check_width = 780, pad = 22, row_height = 24, title_height = 34, button_height = 30, gap = 10,
                rows_seen = 16;

using Report = RunningCheck::Report;
using Verdict = CheckedPart::Verdict;

std::string check_title(const Frame& frame) {
    const ModelInfo& model = frame.model(0);
    const std::string name = !model.folder.empty() ? model.folder : tr_sentence(model.world_title);
    const std::int64_t step = frame.sentence(0).step;
    const std::string title = step > 0 ? filled(tr("{1}, step {2}"), {name, std::to_string(step)}) : name;
    return frame.sentence(0).original ? filled(tr("{1}, without the what-ifs"), {title}) : title;
}

ImU32 verdict_colour(const Theme& t, Verdict verdict) {
    return verdict == Verdict::passed ? t.good_text : verdict == Verdict::failed ? t.danger_text : t.text_muted;
}

/// Draws one part of the report: its mark, what it is, how much it covers, the largest error and where that is.
void draw_part(const Ui& ui, const Box& row, int i, const CheckedPart& part) {
    const Theme& t = *ui.theme;
    const float mark = ui.px(22), error_width = ui.px(78), rest = row.width() - mark - error_width,
                what = std::round(rest * 0.24f), of = std::round(rest * 0.33f);
    float x = row.min.x;
    const auto cell = [&](float width, std::string_view text, const draw::TextStyle& style) {
        const Box box = row.between_x(x, x + width - ui.px(8));
        draw::text_told(ui, box, text, style);
        x += width;
    };
    if (i % 2) draw::rounded_box(ui, row.right_of(row.min.x - ui.px(6)), t.background, 0, 4);
    const ImU32 colour = verdict_colour(t, part.verdict);
    cell(mark,
         part.verdict == Verdict::passed   ? "✓"
         : part.verdict == Verdict::failed ? "✗"
                                           : "–",
         {FontRole::small_bold, colour});
    cell(what, tr_sentence(part.what), {FontRole::small_bold, part.verdict == Verdict::failed ? colour : t.text});
    ui.items->add(ui.items->format("check/part %d", i), row, part.error, line_of(part));
    if (part.where.empty()) return cell(row.max.x - x, tr_sentence(part.of), {FontRole::small, t.text_muted});
    cell(of, tr_sentence(part.of), {FontRole::small, t.text_muted});
    cell(error_width, significant(part.error, 2), {FontRole::small, t.text, draw::Align::right});
    cell(row.max.x - x + ui.px(8), tr_sentence(part.where), {FontRole::small, t.text_muted});
}

/// Draws what is being checked and how much of it is done, or the outcome. Returns the bottom.
float draw_state(const Ui& ui, const Report& report, ImVec2 at, float right) {
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::body_bold);
    if (report.running) {
        const std::string text = filled(tr("checking {1} …"), {tr_sentence(report.now.what)});
        draw::label(ui, {at, {right, at.y + line}}, text, {FontRole::body, t.text_muted},
                    {"check/now", item_state(report.now.done)});
        const float top = at.y + line + ui.px(4),
                    part = to_float(report.now.done) / to_float(std::max<std::int64_t>(1, report.now.all));
        draw::bar(ui, {{at.x, top}, {right, top + ui.px(6)}}, part, t.attention_colour(0.6f), t.track);
        return top + ui.px(6);
    }
    const std::string text = !report.error.empty() ? tr_sentence(report.error)
                             : report.stopped      ? tr("Stopped early: only what is listed was checked.")
                             : report.passed       ? tr("Passed: every number agrees with its explanation.")
                                                   : tr("Failed: numbers that do not agree are marked ✗.");
    const bool good = report.passed && !report.stopped;
    const float height = draw::text_wrapped(ui, at, right - at.x, text,
                                            {FontRole::body_bold, good             ? t.good_text
                                                                  : report.stopped ? t.text
                                                                                   : t.danger_text});
    ui.items->add("check/verdict", {at, {right, at.y + height}},
                  item_state(report.stopped  ? -1
                             : report.passed ? 1
                                             : 0),
                  text);
    return at.y + height;
}

void draw_check_buttons(const Frame& frame, const Report& report, ImVec2 at) {
    const Ui& ui = frame.ui;
    ModelCheckPanel& panel = frame.own<ModelCheckPanel>();
    const ButtonStyle copy{.tone = Tone::primary, .tooltip = tr("Copy the report as text")};
    // Buttons that stay in place when the check ends come first.
    if (chip(ui, "check/copy", at, ui.px(button_height), tr("Copy"), copy))
        ImGui::SetClipboardText(report.text().c_str());
    if (chip(ui, "check/close", at, ui.px(button_height), tr("Close"))) panel.open = false;
    if (report.running) {
        if (chip(ui, "check/cancel", at, ui.px(button_height), tr("Cancel"))) panel.check->stop();
    } else if (chip(ui, "check/again", at, ui.px(button_height), tr("Check again"),
                    {.enabled = can_check_model(frame)})) {
        start_model_check(frame);
    }
}

void draw_check(const Frame& frame, const Report& report, const Box& card, float list) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float left = card.min.x + ui.px(pad), right = card.max.x - ui.px(pad);
    draw::card(ui, card);
    ui.items->add("check/card", card);
    float y = card.min.y + ui.px(14);
    draw::text_in(ui, {{left, y}, {right, y + ui.px(title_height)}}, tr("Check this model"), {FontRole::title_bold});
    y += ui.px(title_height);
    const std::string heading = filled(tr("{1} · {2} parameters"), {report.title, grouped(report.parameters)});
    const float line = ui.line(FontRole::small);
    if (draw::text_in(ui, {{left, y}, {right, y + line}}, heading, {FontRole::small, t.text_muted}) &&
        draw::hovered({{left, y}, {right, y + line}}))
        draw::tooltip(ui, {{left, y}, {right, y + line}}, heading);
    y += line + ui.px(gap);
    const float row = std::max(ui.px(row_height), line + ui.px(4)), whole = row * to_float(report.parts.size());
    {
        const ScrollArea area(ui, "##check list", {{left, y}, {right, y + list}}, std::max(whole, list));
        const Box& in = area.content();
        for (std::size_t i = 0; i < report.parts.size(); ++i) {
            const float top = in.min.y + row * to_float(i);
            draw_part(ui, in.between_y(top, top + row), static_cast<int>(i), report.parts[i]);
        }
    }
    y = draw_state(ui, report, {left, y + list + ui.px(gap)}, right) + ui.px(14);
    draw_check_buttons(frame, report, {left, y});
}

}  // namespace

bool can_check_model(const Frame& frame) { return frame.sentence(0).unaltered() != nullptr; }

void start_model_check(const Frame& frame) {
    const Trace* trace = frame.sentence(0).unaltered().get();
    if (!trace) return;
    ModelCheckPanel& panel = frame.own<ModelCheckPanel>();
    panel.open = true;
    panel.check =
        std::make_shared<RunningCheck>(check_title(frame), ModelCheck{frame.model(0).config, trace->parameters()});
}

void draw_model_check(const Frame& frame, const Box& window) {
    ModelCheckPanel& panel = frame.own<ModelCheckPanel>();
    if (!panel.open || !panel.check) return;
    const Ui& ui = frame.ui;
    const Report report = panel.check->report();
    if (report.running) frame.state.more_to_compute = true;
    // The card does not grow while it is being read; further rows need scrolling.
    const float row = std::max(ui.px(row_height), ui.line(FontRole::small) + ui.px(4));
    const float around = ui.px(14 + title_height + 2 * gap + 14 + button_height + pad) + ui.line(FontRole::small) +
                         2 * ui.line(FontRole::body_bold);
    const float list = std::clamp(window.height() - ui.px(32) - around, 2 * row, rows_seen * row);
    const float width = std::min(ui.px(check_width), window.width() - ui.px(32)), height = around + list;
    const Box card = Box::sized({std::round((window.min.x + window.max.x - width) / 2),
                                 std::round(std::max(window.min.y, (window.min.y + window.max.y - height) / 2))},
                                width, height);
    const ModalCard over(ui, "check", window, card);
    if (over.clicked_beside()) panel.open = false;
    draw_check(frame, report, card, list);
}

}  // namespace glassformer::app
