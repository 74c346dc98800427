#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/views/layer_norm/norm_drawing.h"
#include "app/views/layer_norm/norm_lens_choice.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::layer_norm {

namespace {

/// The number that a text is, all of it.
std::optional<float> number_of(const std::string& text) {
    if (text.empty()) return {};
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return {};
    return value;
}

/// What is typed, where all of it are numbers.
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

/// ε, and the one γ and β of the box: the notes call them a and b.
struct Settings {
    double gamma, beta, epsilon;
};

void draw_results(const Frame& frame, int slot, const std::array<float, 4>& numbers, const Settings& set,
                  const Box& box) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    const Spread s = spread(numbers);
    const double variance = s.deviation * s.deviation;
    const float line = ui.line(FontRole::small), step = box.width() / 4;
    const float y = box.min.y + line + ui.px(4);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double normalized = (static_cast<double>(numbers[i]) - s.mean) / std::sqrt(variance + set.epsilon);
        const double out = set.gamma * normalized + set.beta;
        const ImVec2 min{box.min.x + step * static_cast<float>(i), y},
            max{min.x + step - ui.px(6), y + line + ui.px(4)};
        draw::text_in(ui, min, max, shown(out), {FontRole::small_bold, 0, draw::Align::centre});
        ui.items->addf(min, max, out, "%s/norm example out %d", letter, static_cast<int>(i));
        if (draw::hovered(min, max))
            draw::tooltip(ui, min, max,
                          filled(tr("γ · x̂ + β\n{1} · {2} + {3} = {4}"),
                                 {shown(set.gamma), shown(normalized), shown(set.beta), shown(out)}));
    }
    const std::string text =
        typographic(filled(tr("mean {1} · variance {2}"), {significant(s.mean, 6), significant(variance, 6)}));
    draw::text_in(ui, box.min, {box.max.x, box.min.y + line}, text, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(box.min, {box.max.x, box.min.y + line}, s.mean, "%s/norm example mean", letter);
    ui.items->addf(box.min, {box.max.x, box.min.y + line}, variance, "%s/norm example variance", letter);
}

/// γ, β and ε, each with its name before it; returns the bottom.
float draw_settings(const Frame& frame, int slot, std::array<std::string, 3>& texts, const Box& box, float field) {
    static constexpr std::array<std::string_view, 3> names = {"γ", "β", "ε"};
    const Ui& ui = frame.ui;
    const float step = box.width() / 3, name = ui.px(14);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ImVec2 min{box.min.x + step * static_cast<float>(i), box.min.y};
        draw::text_in(ui, min, {min.x + name, min.y + field}, names[i], {FontRole::small_bold});
        text_field(ui, ui.items->format("%s/norm example set %d", Frame::letter(slot), static_cast<int>(i)),
                   {min.x + name, min.y}, {min.x + step - ui.px(6), min.y + field}, texts[i], tr("number"));
    }
    return box.min.y + field;
}

}  // namespace

float draw_norm_example(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    std::array<std::string, 4>& texts = frame.state.own<NormLensChoice>().example;
    std::array<std::string, 3>& settings = frame.state.own<NormLensChoice>().example_settings;
    const float line = ui.line(FontRole::small), field = ui.px(28), pad = ui.px(8);
    const float height = 3 * line + 2 * field + 2 * pad + ui.px(26);
    draw::rounded_box(ui, box.min, {box.max.x, box.min.y + height}, t.control, t.control_border, 6);
    const Box inside{{box.min.x + pad, box.min.y + pad}, {box.max.x - pad, box.min.y + height - pad}};
    draw::text_in(ui, inside.min, {inside.max.x, inside.min.y + line}, tr("Try four numbers of your own"),
                  {FontRole::small_bold});
    const float y = inside.min.y + line + ui.px(6), step = inside.width() / 4;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ImVec2 min{inside.min.x + step * static_cast<float>(i), y};
        text_field(ui, ui.items->format("%s/norm example %d", Frame::letter(slot), static_cast<int>(i)), min,
                   {min.x + step - ui.px(6), y + field}, texts[i], tr("number"));
    }
    const float settings_top = y + field + ui.px(6);
    const float bottom = draw_settings(frame, slot, settings, {{inside.min.x, settings_top}, inside.max}, field);
    const Box below{{inside.min.x, bottom + ui.px(6)}, inside.max};
    const auto numbers = typed(texts);
    const auto set = typed(settings);
    if (set && (*set)[2] < 0)
        draw::text_in(ui, below.min, {below.max.x, below.min.y + line}, tr("ε must not be below 0."),
                      {FontRole::small, t.danger_text});
    else if (numbers && set)
        draw_results(frame, slot, *numbers,
                     {static_cast<double>((*set)[0]), static_cast<double>((*set)[1]), static_cast<double>((*set)[2])},
                     below);
    else
        draw::text_in(ui, below.min, {below.max.x, below.min.y + line}, tr("Type a number in each field."),
                      {FontRole::small, t.danger_text});
    return box.min.y + height;
}

}  // namespace glassformer::app::views::layer_norm
