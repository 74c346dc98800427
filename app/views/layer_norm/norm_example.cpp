#include <cmath>
#include <cstdlib>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/views/layer_norm/norm_lens.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::layer_norm {

namespace {

/// Parses a text that is a number as a whole.
std::optional<float> number_of(const std::string& text) {
    if (text.empty()) return {};
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return {};
    return value;
}

/// The typed numbers, if every text is a number.
template <std::size_t count>
std::optional<std::array<float, count>> typed(const std::array<std::string, count>& texts) {
    std::array<float, count> numbers{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<float> number = number_of(texts[i]);
        if (!number) return {};
        numbers[i] = *number;
    }
    return numbers;
}

/// ε, and the single γ and β of the box; the lecture notes call γ and β a and b.
struct Settings {
    double gamma, beta, epsilon;
};

constexpr float name_width = 44, name_gap = 6, column_gap = 6, example_field = 28, example_pad = 8,
                example_gap = 6;  // pixels at 100 %

/// One of the four columns of the box, right of the names of the rows.
Box column(const Ui& ui, const Box& box, std::size_t i, float y, float height) {
    const float left = box.min.x + ui.px(name_width + name_gap), step = (box.max.x - left) / 4;
    const float x = left + step * to_float(i);
    return {{x, y}, {x + step - ui.px(column_gap), y + height}};
}

void draw_row_name(const Ui& ui, const Box& box, float y, float height, std::string_view name) {
    draw::text_in(ui, {{box.min.x, y}, {box.min.x + ui.px(name_width), y + height}}, name,
                  {FontRole::small_bold, ui.theme->text_muted});
}

/// Draws a row of four results, each with an item "A/norm example <what> <i>".
template <class Value, class Tip>
void draw_row(const Frame& frame, int slot, const Box& box, float y, float height, std::string_view name,
              const char* what, const Value& value, const Tip& tip) {
    const Ui& ui = frame.ui;
    draw_row_name(ui, box, y, height, name);
    for (std::size_t i = 0; i < 4; ++i) {
        const Box at = column(ui, box, i, y, height);
        draw::text_in(ui, at, typographic(significant(value(i), 3)), {FontRole::small_bold, 0, draw::Align::centre});
        ui.items->addf(at, value(i), "%s/norm example %s %d", Frame::letter(slot), what, static_cast<int>(i));
        if (draw::hovered(at)) draw::tooltip(ui, at, tip(i));
    }
}

/// Draws one row per step: what is left after subtracting the mean, and what comes out.
void draw_results(const Frame& frame, int slot, const std::array<float, 4>& numbers, const Settings& set,
                  const Box& box) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    const Spread s = spread(numbers);
    const double variance = s.deviation * s.deviation;
    const float line = ui.line(FontRole::small), row = line + ui.px(4);
    const auto away = [&](std::size_t i) { return static_cast<double>(numbers[i]) - s.mean; };
    const auto normalized = [&](std::size_t i) { return away(i) / std::sqrt(variance + set.epsilon); };
    const auto out = [&](std::size_t i) { return set.gamma * normalized(i) + set.beta; };
    const std::string text =
        typographic(filled(tr("mean {1} · variance {2}"), {significant(s.mean, 6), significant(variance, 6)}));
    draw::text_in(ui, box.top(line), text, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(box.top(line), s.mean, "%s/norm example mean", letter);
    ui.items->addf(box.top(line), variance, "%s/norm example variance", letter);
    const float y = box.min.y + line + ui.px(4);
    draw_row(frame, slot, box, y, row, "x − μ", "difference", away, [&](std::size_t i) {
        return filled(tr("Without the mean\n{1} − {2} = {3}"), {shown(numbers[i]), shown(s.mean), shown(away(i))});
    });
    draw_row(frame, slot, box, y + row, row, "y", "out", out, [&](std::size_t i) {
        return filled(tr("γ · x̂ + β\n{1} · {2} + {3} = {4}"),
                      {shown(set.gamma), shown(normalized(i)), shown(set.beta), shown(out(i))});
    });
}

/// Draws γ, β and ε, each after its name.
void draw_settings(const Frame& frame, int slot, std::array<std::string, 3>& texts, const Box& box, float field) {
    static constexpr std::array<std::string_view, 3> names = {"γ", "β", "ε"};
    const Ui& ui = frame.ui;
    const float step = box.width() / 3, name = ui.px(14);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ImVec2 min{box.min.x + step * to_float(i), box.min.y};
        draw::text_in(ui, {min, {min.x + name, min.y + field}}, names[i], {FontRole::small_bold});
        text_field(ui, ui.items->of_card(slot, "norm example set %d", static_cast<int>(i)),
                   {{min.x + name, min.y}, {min.x + step - ui.px(6), min.y + field}}, texts[i], tr("number"));
    }
}

}  // namespace

float norm_example_height(const Ui& ui) {
    return 4 * ui.line(FontRole::small) + 2 * ui.px(example_field) + 2 * ui.px(example_pad) + 3 * ui.px(example_gap) +
           ui.px(12);
}

float draw_norm_example(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    std::array<std::string, 4>& texts = frame.state.own<NormLensChoice>().example;
    std::array<std::string, 3>& settings = frame.state.own<NormLensChoice>().example_settings;
    const float line = ui.line(FontRole::small), field = ui.px(example_field), pad = ui.px(example_pad),
                gap = ui.px(example_gap), height = norm_example_height(ui);
    draw::rounded_box(ui, box.top(height), t.control, t.control_border, 6);
    const Box inside{{box.min.x + pad, box.min.y + pad}, {box.max.x - pad, box.min.y + height - pad}};
    ui.items->add(ui.items->of_card(slot, "norm example"), box.top(height));
    draw::text_in(ui, inside.top(line), tr("Try four numbers of your own"), {FontRole::small_bold});
    const float y = inside.min.y + line + gap;
    draw_row_name(ui, inside, y, field, "x");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Box at = column(ui, inside, i, y, field);
        text_field(ui, ui.items->of_card(slot, "norm example %d", static_cast<int>(i)), at, texts[i], tr("number"));
    }
    const Box below = inside.below(y + field + gap);
    draw_settings(frame, slot, settings, inside.bottom(field), field);
    const auto numbers = typed(texts);
    const auto set = typed(settings);
    if (numbers && set && (*set)[2] >= 0) {
        draw_results(frame, slot, *numbers, {(*set)[0], (*set)[1], (*set)[2]}, below);
    } else {
        const bool negative = set && (*set)[2] < 0;
        draw::text_in(ui, below.top(line), negative ? tr("ε must not be below 0.") : tr("Type a number in each field."),
                      {FontRole::small, t.danger_text});
    }
    return box.min.y + height;
}

}  // namespace glassformer::app::views::layer_norm
