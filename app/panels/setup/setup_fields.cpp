#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/common/glossary.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float control_height = 28, row_gap = 9, name_share = 0.45f;  // pixels at 100 %
constexpr double largest = 1e9;

/// Returns the next usual value in a direction, or the value ± 1 if there are none.
double stepped(double value, int direction, const NumberSteps& steps) {
    if (steps.usual.empty()) return std::max(steps.least, value + direction);
    const double slack = 1e-5 * std::abs(value);
    if (direction > 0) {
        const auto at = std::ranges::upper_bound(steps.usual, value + slack);
        return at == steps.usual.end() ? value : *at;
    }
    const auto at = std::ranges::lower_bound(steps.usual, value - slack);
    return at == steps.usual.begin() ? value : *(at - 1);
}

/// Reads a number in range that makes up the whole text; returns false for anything else.
bool read_number(const std::string& text, const NumberSteps& steps, bool whole, double& value) {
    char* end = nullptr;
    const double read = std::strtod(text.c_str(), &end);
    if (end == text.c_str()) return false;
    while (*end == ' ') ++end;
    if (*end != '\0' || !std::isfinite(read) || read < steps.least || read > largest) return false;
    if (whole && read != std::floor(read)) return false;
    value = read;
    return true;
}

}  // namespace

FieldColumn::FieldColumn(const Frame& frame, const Box& box, std::string_view prefix)
    : frame_(frame), box_(box), prefix_(prefix) {}

std::string_view FieldColumn::label(std::string_view name) const {
    return frame_.ui.items->format("%s/%.*s", prefix_.c_str(), int_size(name), name.data());
}

void FieldColumn::heading(std::string_view text, std::string_view term) {
    const Ui& ui = frame_.ui;
    const Box line = box_.cut_top(ui.line(FontRole::small_bold) + ui.px(8), ui.px(2));
    draw::text_in(ui, line, tr(text), {FontRole::small_bold, ui.theme->text_muted});
    if (!term.empty()) term_tip(ui, line, term);
}

Box FieldColumn::row(std::string_view name, std::string_view term) {
    const Ui& ui = frame_.ui;
    name = tr(name);
    const float split = std::round(box_.min.x + box_.width() * name_share);
    const Box row = box_.top(ui.px(control_height)), named = row.left_of(split - ui.px(6));
    if (draw::text_in(ui, named, name) && draw::hovered(named)) draw::tip(ui, named, name);
    if (!term.empty()) term_tip(ui, named, term);
    return row.right_of(split);
}

void FieldColumn::finish(std::string_view text) {
    space(control_height + 2);
    if (!text.empty()) line(text);
    space(row_gap);
}

void FieldColumn::line(std::string_view text) {
    const Ui& ui = frame_.ui;
    box_.cut_top(draw::text_wrapped(ui, box_.min, box_.width(), tr(text), {FontRole::small, ui.theme->text_muted}));
}

bool FieldColumn::number_field(std::string_view name, double& value, const NumberSteps& steps, bool whole,
                               std::string_view line_text, std::string_view term) {
    const Ui& ui = frame_.ui;
    FieldDraft& draft = frame_.state.own<FieldDraft>();
    const Box control = row(name, term);
    const std::string_view item = label(name);
    const float side = control.height();
    const double before = value;
    const ButtonStyle style{.tone = Tone::quiet};
    const std::string_view less = ui.items->format("%.*s minus", int_size(item), item.data());
    const std::string_view more = ui.items->format("%.*s plus", int_size(item), item.data());
    if (button(ui, less, control.left(side), "−", style)) value = stepped(value, -1, steps);
    if (button(ui, more, control.right(side), "+", style)) value = stepped(value, 1, steps);
    const Box box = control.between_x(control.min.x + side + ui.px(3), control.max.x - side - ui.px(3));
    const bool typing = draft.field == item;
    std::string text = typing ? draft.text : whole ? std::string(ui.items->format("%.0f", value)) : typed_number(value);
    if (text_field(ui, item, box, text, {}, nullptr, SelectAll::always)) {
        draft = {std::string(item), text};
        read_number(text, steps, whole, value);
    } else if (typing && !is_typed_into(ui, item)) {
        draft = {};
    }
    double read = 0.0;
    if (draft.field == item && !read_number(draft.text, steps, whole, read))
        draw::rounded_box(ui, box, 0, ui.theme->danger, 6, 2);
    ui.items->add(item, box, item_state(value), text);
    finish(line_text);
    return value != before;
}

int FieldColumn::choice(std::string_view name, std::span<const SetupChoice> choices, int selected,
                        std::string_view term) {
    std::vector<std::string_view> names;
    for (const SetupChoice& choice : choices) names.push_back(choice.name);
    return choice(name, names, selected, choices[selected].meaning, term);
}

int FieldColumn::choice(std::string_view name, std::span<const std::string_view> names, int selected,
                        std::string_view line_text, std::string_view term) {
    const Box control = row(name, term);
    const int chosen = dropdown(frame_.ui, label(name), control, names[selected], names, selected);
    finish(line_text);
    return chosen == selected ? -1 : chosen;
}

bool FieldColumn::toggle(std::string_view name, bool& on, std::string_view line_text) {
    const Ui& ui = frame_.ui;
    const float y = box_.min.y + std::round((ui.px(control_height) - ui.line(FontRole::body)) / 2);
    const bool changed = checkbox(ui, label(name), {box_.min.x, y}, tr(name), on);
    finish(line_text);
    return changed;
}

}  // namespace glassformer::app
