#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/views/layer_norm/norm_drawing.h"
#include "app/views/layer_norm/norm_lens_choice.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr double epsilon = 1e-5;  // as a LayerNorm has: four equal numbers give zeros

/// The number that a text is, all of it.
std::optional<float> number_of(const std::string& text) {
    if (text.empty()) return {};
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return {};
    return value;
}

/// What is typed, where all of it are numbers.
std::optional<std::array<float, 4>> typed(const std::array<std::string, 4>& texts) {
    std::array<float, 4> numbers{};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::optional<float> number = number_of(texts[i]);
        if (!number) return {};
        numbers[i] = *number;
    }
    return numbers;
}

void draw_results(const Frame& frame, int slot, const std::array<float, 4>& numbers, const Box& box) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    const Spread s = spread(numbers);
    const double variance = s.deviation * s.deviation;
    const float line = ui.line(FontRole::small), step = box.width() / 4;
    const float y = box.min.y + line + ui.px(4);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double out = (static_cast<double>(numbers[i]) - s.mean) / std::sqrt(variance + epsilon);
        const ImVec2 min{box.min.x + step * static_cast<float>(i), y},
            max{min.x + step - ui.px(6), y + line + ui.px(4)};
        draw::text_in(ui, min, max, shown(out), {FontRole::small_bold, 0, draw::Align::centre});
        ui.items->addf(min, max, out, "%s/norm example out %d", letter, static_cast<int>(i));
    }
    const std::string text =
        typographic(filled(tr("mean {1} · variance {2}"), {significant(s.mean, 6), significant(variance, 6)}));
    draw::text_in(ui, box.min, {box.max.x, box.min.y + line}, text, {FontRole::small, ui.theme->text_muted});
    ui.items->addf(box.min, {box.max.x, box.min.y + line}, s.mean, "%s/norm example mean", letter);
    ui.items->addf(box.min, {box.max.x, box.min.y + line}, variance, "%s/norm example variance", letter);
}

}  // namespace

float draw_norm_example(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    std::array<std::string, 4>& texts = frame.state.own<NormLensChoice>().example;
    const float line = ui.line(FontRole::small), field = ui.px(28), pad = ui.px(8);
    const float height = 3 * line + field + 2 * pad + ui.px(20);
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
    const Box below{{inside.min.x, y + field + ui.px(6)}, inside.max};
    if (const auto numbers = typed(texts))
        draw_results(frame, slot, *numbers, below);
    else
        draw::text_in(ui, below.min, {below.max.x, below.min.y + line}, tr("Type a number in each field."),
                      {FontRole::small, t.danger_text});
    return box.min.y + height;
}

}  // namespace glassformer::app
