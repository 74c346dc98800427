#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/common/colour_legend.h"
#include "app/common/explanation.h"
#include "app/common/heat_map.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/views/what_if/patches.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::what_if {

namespace {

/// "+0.0004", "−1.25": with as many digits as are significant.
std::string signed_digits(double value) { return (value < 0 ? "−" : "+") + typographic(significant(std::abs(value))); }

std::string digits(double value) { return typographic(significant(value, 4)); }

constexpr double least_mark = 0.001;  // of the way to the other answer; less has no direction worth a mark

}  // namespace

void Patches::progress(const PatchStudy& study) {
    const Box row = box_.cut_top(ui_.line(FontRole::small), ui_.px(2));
    draw::text_in(ui_, row, ui_.items->format(tr("patch %d of %d"), study.done, study.total),
                  {FontRole::small, ui_.theme->text_muted});
    ui_.items->add(label("progress"), row, item_state(study.done));
    const float share = study.total > 0 ? to_float(study.done) / to_float(study.total) : 0;
    draw::bar(ui_, box_.cut_top(ui_.px(bar_height), ui_.px(row_gap)), share, ui_.theme->accent, ui_.theme->track);
}

PatchedPlaces Patches::places() const {
    if (of_head()) return PatchedHead{head().layer, head().head, source(), to()};
    return static_cast<PatchedNode>(choice_.node);
}

/// True if a cell patches nothing: the part is not at these words, or they have no partner in the other sentence.
bool Patches::nothing_at(int row, int column) const {
    const bool every = is_every(column), at_source = column < source_columns();
    const auto part = static_cast<HeadPart>(row);
    const bool of_source = of_head() && is_of_source(part, to());
    if (of_head() && !every && at_source != of_source) return true;
    if (source() == PatchSource::world) return part == HeadPart::pattern;
    const PatchPartners& partners = of_source ? aligned_.source : aligned_.words;
    if (source() == PatchSource::mean || partners.empty()) return false;
    if (every) return std::ranges::all_of(partners, [](int p) { return p < 0; });
    return partners[column - (at_source ? 0 : source_columns())] < 0;
}

std::string Patches::why_nothing(int row, int column) const {
    const bool of_source = is_of_source(static_cast<HeadPart>(row), to());
    if (source() == PatchSource::world && static_cast<HeadPart>(row) == HeadPart::pattern)
        return tr("Patterns of sentences of different lengths cannot be averaged.");
    if (of_head() && !is_every(column) && (column < source_columns()) != of_source)
        return of_source ? tr("k and v are at the words of the source alone.")
                         : tr("q, pattern and z are at the words of the translation alone.");
    return filled(tr("No word of {1} matches it, so nothing is patched here."), {Frame::letter(1 - slot_)});
}

WhatIf Patches::patch_at(int row, int column) const {
    if (of_head()) {
        const int position = is_every(column) ? -1 : column < source_columns() ? column : column - source_columns();
        return head_patch(slot_, head(), to(), static_cast<HeadPart>(row), position, source(), aligned_);
    }
    const std::string name = patched_name(static_cast<PatchedNode>(choice_.node), row);
    return glassformer::what_if::Patch{slot_, {name, partner(column), -1}, {name, column, -1}};
}

/// "residual stream before block 1", "v of block 1 · head 2".
std::string Patches::row_name(int row) const {
    static constexpr std::array<const char*, 3> names = {N_("residual stream before block {1}"),
                                                         N_("attention of block {1}"), N_("MLP of block {1}")};
    if (!of_head()) return filled(tr(names[choice_.node]), {std::to_string(row)});
    return filled(tr("{1} of {2}"), {tr(head_part_names[row]), head_name(head(), false)});
}

std::string Patches::column_name(int column) const {
    if (of_head() && is_every(column)) return tr("every word");
    const int source = source_columns();
    return column < source ? frame_.source_word(slot_, column) : frame_.word(slot_, column - source);
}

/// The word of the other sentence that a column is patched from.
std::string Patches::partner_name(int column) const {
    const int source = source_columns();
    if (column >= source) return frame_.word(1 - slot_, partner(column - source));
    return frame_.source_word(1 - slot_, aligned_.source.empty() ? column : aligned_.source[column]);
}

void Patches::headings(const PatchStudy& study, const SignedMap& map) {
    const ColumnLabels labels{map.pitch.x, ui_.px(longest_label)};
    for (int column = 0; column < study.grid.columns; ++column) {
        const bool every = of_head() && is_every(column);
        const bool strong = column == position_ + source_columns() || column == map.lit_column;
        if (!strong && !every && column % labels.every(ui_) != 0) continue;
        labels.draw(
            ui_, {map.min.x + map.pitch.x * (to_float(column) + 0.5f), map.min.y},
            every ? std::string(tr("all")) : column_name(column),
            {strong ? FontRole::small_bold : FontRole::small, strong ? ui_.theme->text : ui_.theme->text_muted});
    }
    for (int row = 0; row < study.grid.rows; ++row) {
        const float y = map.min.y + map.pitch.y * to_float(row);
        draw::text_in(ui_, {{box_.min.x, y}, {map.min.x - ui_.px(6), y + map.pitch.y}},
                      of_head() ? std::string(tr(head_part_names[row])) : ui_.items->format(tr("block %d"), row),
                      {FontRole::small, ui_.theme->text_muted});
    }
}

/// How far towards the other sentence's answer, or away from it; "no effect" if not one digit changes.
std::string Patches::effect_text(const PatchStudy& study, int row, int column) const {
    const PatchGrid& g = study.grid;
    if (g.at(row, column) == g.a) return tr("no effect");
    const double effect = g.effect(row, column);
    if (!std::isfinite(effect) || effect == 0) return {};
    const std::string share = typographic(significant(100 * std::abs(effect), 2)) + " %";
    return filled(effect > 0 ? tr("{1} of the way to the answer of {2}")
                             : tr("moves away from the answer of {2}, by {1} of the distance"),
                  {share, Frame::letter(1 - slot_)});
}

/// Handles the mouse over a cell.
void Patches::use(const PatchStudy& study, const CellHit& hit) {
    if (hit.row < 0) return;
    const std::string at = column_name(hit.column), letter = Frame::letter(1 - slot_);
    if (nothing_at(hit.row, hit.column)) return draw::tooltip(ui_, "“" + at + "”\n" + why_nothing(hit.row, hit.column));
    const WhatIf patch = patch_at(hit.row, hit.column);
    const bool on = is_changed(frame_, patch), every = of_head() && is_every(hit.column);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string from = source() == PatchSource::mean    ? std::string(tr("the mean"))
                             : source() == PatchSource::world ? std::string(tr("the mean over its world"))
                             : every                          ? letter
                                     : filled(tr("“{1}” of {2}"), {partner_name(hit.column), letter});
    const PatchGrid& g = study.grid;
    std::string text = filled(tr("{1} at {2} from {3}"), {row_name(hit.row), every ? at : "“" + at + "”", from});
    if (!std::isnan(g.at(hit.row, hit.column))) {
        text += "\n" + filled(tr("The logit difference goes from {1} to {2} ({3}); {4} has {5}."),
                              {digits(g.a), digits(g.at(hit.row, hit.column)),
                               signed_digits(g.at(hit.row, hit.column) - g.a), letter, digits(g.b)});
        if (const std::string effect = effect_text(study, hit.row, hit.column); !effect.empty()) text += "\n" + effect;
    }
    text += "\n" + std::string(on ? tr("Click to remove the patch.") : tr("Click to keep this patch."));
    draw::tooltip(ui_, text);
    if (hit.clicked) toggle_change(frame_, patch);
}

/// Marks a cell in which nothing is patched: it has no number.
void Patches::cross_out(const SignedMap& map, int row, int column) {
    const ImVec2 corner{map.min.x + map.pitch.x * to_float(column), map.min.y + map.pitch.y * to_float(row)};
    const Box cell = Box::sized(corner, map.pitch.x, map.pitch.y);
    ui_.list()->AddRectFilled(cell.min, cell.max, ui_.theme->card);
    draw::text_in(ui_, cell, "–", {FontRole::small, ui_.theme->text_muted, draw::Align::centre});
}

/// ▸ towards the other answer, ◂ away from it, · no effect: not everybody can tell this from a colour alone.
void Patches::mark_cell(const Box& cell, double effect, ImU32 ink) const {
    const ImVec2 c{cell.middle_x(), cell.middle_y()};
    const float half = std::min(ui_.px(4), cell.width() / 3);
    if (effect == 0) return ui_.list()->AddCircleFilled(c, ui_.px(1.2f), ink);
    if (!(std::abs(effect) >= least_mark)) return;
    const float tip = effect > 0 ? half : -half;
    ui_.list()->AddTriangleFilled({c.x - tip * 0.7f, c.y - half}, {c.x + tip, c.y}, {c.x - tip * 0.7f, c.y + half},
                                  ink);
}

void Patches::mark(const PatchStudy& study, const SignedMap& map) const {
    const PatchGrid& g = study.grid;
    const SeenCells seen = seen_cells(map);
    for (int row = seen.row; row < seen.row_end; ++row)
        for (int column = seen.column; column < seen.column_end; ++column) {
            if (std::isnan(g.at(row, column)) || nothing_at(row, column)) continue;
            const Box cell = map.cell(ui_, row, column);
            const ImU32 ink = Theme::text_on(ui_.theme->signed_colour(map.value(row, column), map.range));
            const bool same = g.at(row, column) == g.a;
            mark_cell(cell,
                      same              ? 0.0
                      : std::isnan(g.b) ? least_mark / 2
                                        : g.effect(row, column),
                      with_alpha(ink, 0.8f));
        }
}

/// Draws what colours and marks mean.
void Patches::legend(const PatchStudy& study, float left) {
    Box foot = box_.cut_top(ui_.line(FontRole::small), ui_.px(2)).right_of(left);
    draw_signed_legend(ui_, foot.cut_left(signed_legend_width(ui_), ui_.px(8)), label("legend"),
                       tr("How far the patch moves the difference between the two logits."));
    draw::text_in(ui_, foot, tr("click a cell to keep its patch"), {FontRole::small, ui_.theme->text_muted});
    Box marks = box_.cut_top(ui_.line(FontRole::small), ui_.px(2)).right_of(left);
    const Box whole = marks;
    const auto entry = [&](double effect, const std::string& text) {
        const float width = std::ceil(draw::text_size(ui_, text, FontRole::small).x);
        if (ui_.px(13) + width > marks.width()) return;
        mark_cell(marks.cut_left(ui_.px(10), ui_.px(3)), effect, ui_.theme->text);
        draw::text_in(ui_, marks.left(width + 1), text, {FontRole::small, ui_.theme->text_muted});
        marks.cut_left(width, ui_.px(12));
    };
    const char* const letter = Frame::letter(1 - slot_);
    if (!std::isnan(study.grid.b) && study.grid.a != study.grid.b) {
        entry(1, filled(tr("towards the answer of {1}"), {letter}));
        entry(-1, tr("away from it"));
    }
    entry(0, tr("no effect"));
    if (!std::isnan(study.grid.b) && study.grid.a != study.grid.b)
        entry(least_mark / 2, filled(tr("blank: under {1} %"), {significant(100 * least_mark)}));
    ui_.items->add(label("marks"), whole);
}

void Patches::grid(const PatchStudy& study) {
    const PatchGrid& g = study.grid;
    if (g.rows == 0 || g.columns == 0) return;
    std::vector<float> moved;
    for (const double difference : g.difference)
        moved.push_back(std::isnan(difference) ? 0.0f : to_float(difference - g.a));
    float widest = 0;
    for (int column = 0; column < g.columns; ++column)
        widest = std::max(widest, draw::text_size(ui_, column_name(column), FontRole::small_bold).x);
    const std::string_view longest = of_head() ? tr("pattern") : tr("block 00");
    const float left = box_.min.x + std::ceil(draw::text_size(ui_, longest, FontRole::small).x) + ui_.px(8);
    const float tilt = ui_.px(longest_label) * 0.6f;  // the last word leans to the right
    const float pitch =
        std::clamp((box_.max.x - left - tilt) / to_float(g.columns), ui_.px(cell_least), ui_.px(cell_most));
    const ColumnLabels labels{pitch, ui_.px(longest_label)};
    SignedMap map;
    map.rows = g.rows, map.columns = g.columns;
    map.values = moved, map.stride = g.columns;
    map.min = {left, box_.min.y + labels.height(ui_, widest)}, map.pitch = {pitch, ui_.px(cell_height)};
    map.range = largest_magnitude(map);
    light_under_mouse(map);
    headings(study, map);
    const CellHit hit = signed_map(ui_, ui_.items->of_card(slot_, "patch"), map);
    mark(study, map);
    for (int row = 0; row < g.rows; ++row)
        for (int column = 0; column < g.columns; ++column)
            if (nothing_at(row, column)) cross_out(map, row, column);
    const SeenCells seen = what_if_changes(frame_).empty() ? SeenCells() : seen_cells(map);
    for (int row = seen.row; row < seen.row_end; ++row)
        for (int column = seen.column; column < seen.column_end; ++column)
            if (!nothing_at(row, column) && is_changed(frame_, patch_at(row, column)))
                frame_cells(ui_, map, row, column, 1, 1);
    use(study, hit);
    box_.min.y = map.max().y + ui_.px(row_gap);
    legend(study, left);
    if (g.complete && std::ranges::all_of(g.difference, [&](double d) { return std::isnan(d) || d == g.a; }))
        ui_.items->add(label("no effect"),
                       say(tr("No effect anywhere: with each of these patches the answer is exactly the same.")));
}

/// Draws what was found, the progress of the study, or how to start one.
void Patches::answer() {
    const PatchStudy* study = frame_.snapshot.patch_study.get();
    const bool asked = study && study->step == frame_.snapshot.step && study->slot == slot_ &&
                       study->places == places() && study->position == position_ && study->word == word_ &&
                       study->minus == minus_ && study->partners == aligned_.words &&
                       study->source_partners == (to() == AttentionTo::source ? aligned_.source : PatchPartners());
    if (asked && !study->refusal.empty()) return void(say(tr_full_sentence(study->refusal)));
    if (asked && study->done < study->total) progress(*study);
    if (asked) return say_of_which_model(), grid(*study);
    ImVec2 at = next_row().min;
    const ButtonStyle style{.tone = Tone::attention,
                            .font = FontRole::small,
                            .tooltip = of_head()
                                           ? tr("Run the sentence once for each part and word, each time with that one "
                                                "part replaced.")
                                           : tr("Run the sentence once for each block and word, each time "
                                                "with that one activation from the other sentence.")};
    if (chip(ui_, label("try"), at, ui_.px(control_height), tr("patch every position"), style))
        frame_.send(command::AskPatchGrid{places(), slot_, position_, word_, minus_, aligned_.words,
                                          to() == AttentionTo::source ? aligned_.source : PatchPartners()});
}

}  // namespace glassformer::app::views::what_if
