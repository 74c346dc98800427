#include "app/lessons/lesson_text.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer::app {

namespace {

/// A word or a number: never broken across lines.
struct Unit {
    std::string_view text;
    bool bold = false, space = false, paragraph = false;  // preceded by a blank, or by an empty line
    int live = -1;                                        // index of the expression
    bool math = false;                                    // part of a formula
    const LiveText::Piece* picture = nullptr;             // in lines of its own
    bool may_begin_line = false;                          // even without a blank before it
};

constexpr std::string_view not_yet = "0.00";  // as wide as most values

/// Splits plain text at blanks, line ends and stars; keeps its state between pieces.
class Cutter {
public:
    std::vector<Unit> units;

    void live(std::string_view text, int index) {
        add(text);
        units.back().bold = true;
        units.back().live = index;
    }
    void picture(const LiveText::Piece& piece) {
        add(piece.text);
        units.back().picture = &piece;
    }
    void plain(std::string_view text) {
        while (!text.empty()) {
            if (text.starts_with("**")) {
                bold_ = !bold_;
                text.remove_prefix(2);
            } else if (text.front() == ' ' || text.front() == '\n') {
                (text.front() == ' ' ? space_ : paragraph_) = true;
                text.remove_prefix(1);
            } else if (const std::size_t close = text.front() == '$' ? text.find('$', 1) : std::string_view::npos;
                       close != std::string_view::npos) {
                formula(text.substr(1, close - 1));
                text.remove_prefix(close + 1);
            } else {
                const std::size_t end =
                    std::min({text.find(' '), text.find('\n'), text.find("**"), text.find('$', 1), text.size()});
                add_parts(text.substr(0, end));
                text.remove_prefix(end);
            }
        }
    }

private:
    /// A formula may be broken at its spaces, but not inside brackets.
    void formula(std::string_view text) {
        int depth = 0;
        std::size_t from = 0;
        for (std::size_t i = 0; i <= text.size(); ++i) {
            if (i < text.size() && text[i] == '(') ++depth;
            if (i < text.size() && text[i] == ')') --depth;
            if (i < text.size() && (text[i] != ' ' || depth > 0)) continue;
            if (i > from) {
                add(text.substr(from, i - from));
                units.back().math = true;
            }
            if (i < text.size()) space_ = true;
            from = i + 1;
        }
    }
    void add(std::string_view text) {
        Unit unit{text, bold_, space_, paragraph_};
        const std::u32string points = is_valid_utf8(text) ? code_points(text) : std::u32string();
        if (!points.empty()) unit.may_begin_line = !units.empty() && may_break_between(last_, points.front());
        last_ = points.empty() ? U' ' : points.back();
        units.push_back(unit);
        space_ = paragraph_ = false;
    }
    /// In scripts without blanks, adds the parts between which a line may end.
    void add_parts(std::string_view text) {
        if (!is_valid_utf8(text)) return add(text);
        const std::u32string points = code_points(text);
        std::size_t from = 0, at = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (i > 0 && may_break_between(points[i - 1], points[i])) {
                add(text.substr(from, at - from));
                from = at;
            }
            at += to_utf8({&points[i], 1}).size();
        }
        add(text.substr(from));
    }
    char32_t last_ = U' ';
    bool bold_ = false, space_ = false, paragraph_ = false;
};

std::vector<Unit> cut(const LiveText& text, std::span<const LiveValue> values) {
    Cutter cutter;
    int k = 0;
    for (const LiveText::Piece& piece : text.pieces) {
        if (piece.picture) cutter.picture(piece);
        if (piece.picture) continue;
        if (!piece.live) {
            cutter.plain(piece.text);
            continue;
        }
        const std::size_t i = k;
        cutter.live(i < values.size() ? std::string_view(values[i].shown) : not_yet, k);
        ++k;
    }
    return std::move(cutter.units);
}

FontRole font_of(const Unit& unit) { return unit.bold ? FontRole::body_bold : FontRole::body; }

float width_of(const Ui& ui, const Unit& unit) {
    if (unit.math) return math::text(ui, {}, unit.text, {font_of(unit)}, false);
    return draw::text_size(ui, unit.text, font_of(unit)).x;
}

/// Lays the units out in lines; calls `place(unit, box)` for each and returns the height.
template <typename Place>
float flow(const Ui& ui, ImVec2 at, float width, const std::vector<Unit>& units, const Place& place) {
    const float line = std::round(ui.line(FontRole::body) * 1.24f), blank = draw::text_size(ui, " ").x;
    float x = at.x, y = at.y, high = line;  // `high`: height of the line that begins at y
    const auto next_line = [&](float space) { x = at.x, y += high + space, high = line; };
    for (std::size_t i = 0; i < units.size();) {
        if (units[i].paragraph && i > 0) next_line(ui.px(5));
        if (units[i].picture) {
            const ImVec2 size = lesson_picture_size(ui, width, *units[i].picture->picture);
            place(units[i++], Box{{x, y}, {x + size.x, y + size.y}});
            high = size.y;
            continue;
        }
        std::size_t end = i + 1;  // the units glued to it, such as a comma or a bracket
        while (end < units.size() && !units[end].space && !units[end].paragraph && !units[end].may_begin_line) ++end;
        float together = 0;
        for (std::size_t k = i; k < end; ++k) together += width_of(ui, units[k]);
        if (units[i].space && x > at.x) x += blank;
        if (x > at.x && x + together > at.x + width) next_line(0);
        for (; i < end; ++i) {
            const float w = width_of(ui, units[i]);
            place(units[i], Box{{x, y}, {x + w, y + line}});
            x += w;
        }
    }
    return y + high - at.y;
}

void draw_live(const Frame& frame, const Unit& unit, const LiveValue* value, std::string_view label, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const bool opens = value && value->cell;
    const std::string_view item = ui.items->format("%.*s %d", static_cast<int>(label.size()), label.data(), unit.live);
    const Response r = click_area(ui, item, box, value ? value->number : std::nullopt, value ? unit.text : "…", opens);
    if (r.hovered && opens) {
        draw::rounded_box(ui, box.inset(-ui.px(2), 0), t.hover, 0, 4);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(ui, ui.items->format(tr("%s\nClick to see where it comes from."),
                                           frame.cell_name(value->cell->slot, value->cell->cell).c_str()));
    }
    const float y = std::floor(box.max.y - ui.px(3)) + 0.5f;
    const ImVec2 dots[] = {{box.min.x, y}, {box.max.x, y}};
    if (opens) draw::dashed_line(ui, dots, t.attention_text, ui.px(1), 2, 2);
    const float top = std::round(box.min.y + (box.height() - ui.line(FontRole::body)) / 2);
    if (value)
        draw::text(ui, {box.min.x, top}, unit.text, {FontRole::body_bold, t.attention_text});
    else  // a place without a number yet
        draw::text_in(ui, box.between_y(top, top + ui.line(FontRole::body)), "…",
                      {FontRole::body, t.text_faint, draw::Align::centre});
    if (!r.clicked || !opens) return;
    explain(frame.state, *value->cell);
    frame.state.window.panels.number = true;
}

}  // namespace

float lesson_text_height(const Ui& ui, float width, const LiveText& text, std::span<const LiveValue> values) {
    return flow(ui, {0, 0}, width, cut(text, values), [](const Unit&, const Box&) {});
}

float draw_lesson_text(const Frame& frame, ImVec2 at, float width, const LiveText& text,
                       std::span<const LiveValue> values, std::string_view label) {
    const Ui& ui = frame.ui;
    return flow(ui, at, width, cut(text, values), [&](const Unit& unit, const Box& box) {
        if (unit.picture) return draw_lesson_picture(frame, box, *unit.picture);
        if (unit.live >= 0) {
            const std::size_t k = unit.live;
            return draw_live(frame, unit, k < values.size() ? &values[k] : nullptr, label, box);
        }
        const float top = box.min.y + (box.height() - ui.line(FontRole::body)) / 2;
        const ImVec2 place{box.min.x, std::round(top)};
        if (unit.math)
            math::text(ui, place, unit.text, {font_of(unit)});
        else
            draw::text(ui, place, unit.text, {font_of(unit), 0});
    });
}

}  // namespace glassformer::app
