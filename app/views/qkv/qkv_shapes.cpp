#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "app/views/qkv/qkv.h"

namespace glassformer::app::views::qkv {

namespace {

constexpr float tallest = 34, widest = 46, least = 7, between = 7;  // pixels at 100 %
constexpr float narrow = 320, narrow_widest = 32, narrow_between = 4;

/// Matrices of very different sizes are side by side: the square root of a size still shows which is larger.
float drawn(const Ui& ui, std::int64_t size, std::int64_t largest, float most) {
    const double part = std::sqrt(static_cast<double>(size) / static_cast<double>(std::max<std::int64_t>(1, largest)));
    return std::max(ui.px(least), std::round(ui.px(most) * to_float(part)));
}

/// A row of boxes with names below them, drawn from left to right.
class ShapeRow {
public:
    ShapeRow(const Ui& ui, const Box& box, std::int64_t largest)
        : ui_(ui), box_(box), largest_(largest), x_(box.min.x), narrow_(box.width() < ui.px(narrow)) {}

    void shape(std::string_view name, std::int64_t rows, std::int64_t columns, ImU32 colour, ImU32 text,
               std::string_view tooltip) {
        const math::Style style{FontRole::small_bold, text, false};
        const float width = drawn(ui_, columns, largest_, narrow_ ? narrow_widest : widest),
                    height = drawn(ui_, rows, largest_, tallest);
        const float label = math::text(ui_, {}, name, style, false), wide = std::max(width, label);
        const float middle = box_.min.y + ui_.px(tallest) / 2, left = x_ + std::round((wide - width) / 2);
        draw::rounded_box(ui_, {{left, middle - height / 2}, {left + width, middle + height / 2}},
                          mix(ui_.theme->card, colour, 0.3f), colour, 2);
        math::text(ui_, {x_ + std::round((wide - label) / 2), label_y()}, name, style);
        if (draw::hovered({{x_, box_.min.y}, {x_ + wide, bottom()}})) draw::tooltip(ui_, tooltip);
        x_ += wide + gap();
    }
    void sign(std::string_view text) {
        const float y = box_.min.y + (ui_.px(tallest) - ui_.line(FontRole::body)) / 2;
        x_ += draw::text(ui_, {x_, y}, text, {FontRole::body, ui_.theme->text_muted}) + gap();
    }
    float label_y() const { return box_.min.y + ui_.px(tallest) + ui_.px(3); }
    float bottom() const { return label_y() + ui_.line(FontRole::small_bold) + ui_.px(3); }

private:
    float gap() const { return ui_.px(narrow_ ? narrow_between : between); }

    const Ui& ui_;
    Box box_;
    std::int64_t largest_;
    float x_;
    bool narrow_;
};

std::string_view dimensions(const Ui& ui, std::string_view name, std::int64_t rows, std::int64_t columns,
                            const char* what) {
    return ui.items->format("%.*s  %lld × %lld\n%s", int_size(name), name.data(), static_cast<long long>(rows),
                            static_cast<long long>(columns), what);
}

/// In words: "x [9 words × 64] · W_Q [64 × 16] + b_Q [16] = q [9 words × 16]"; `tokens` is what the words are called.
std::string sentence(const QkvMatrix& m, const std::string& tokens) {
    const std::string words = std::to_string(m.words) + " " + tokens + " × ", width = std::to_string(m.width);
    const std::string result = std::string(1, m.letter) + " [" + words + width + "]";
    if (m.weights.empty()) return filled(tr("x, this head's {1} features = {2}"), {width, result});
    const std::string in = std::to_string(m.weights_in), bias = m.bias ? " + b [" + width + "]" : "";
    return "x [" + words + in + "] · " + m.weights + " [" + in + " × " + width + "]" + bias + " = " + result;
}

/// If heads share keys and values: says which of them the chosen head reads.
std::string sharing(const TransformerConfig& c, int head) {
    const int groups = c.n_key_value_heads(), each = c.n_heads / groups, group = head / each;
    if (groups == c.n_heads) return "";
    return filled(tr("; k and v are those of key head {1} (of 0 to {2}), which heads {3} to {4} share"),
                  {std::to_string(group), std::to_string(groups - 1), std::to_string(group * each),
                   std::to_string(group * each + each - 1)});
}

}  // namespace

float draw_qkv_shapes(const Frame& frame, int slot, const std::array<QkvMatrix, 3>& matrices, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const QkvMatrix& q = matrices[0];
    const bool projected = !q.weights.empty(), shared = projected && matrices[1].weights == q.weights;
    const std::int64_t in = projected ? q.weights_in : q.stride;
    ShapeRow row(ui, box, std::max<std::int64_t>(in, q.words));
    row.shape(
        "x", q.words, in, t.residual, t.residual_text,
        dimensions(ui, "x", q.words, in, tr("The input of attention: one row per word, one column per feature.")));
    if (projected) {
        if (matrices[1].of_source) {
            row.sign(",");
            row.shape(tr("source"), matrices[1].words, in, t.residual, t.residual_text,
                      dimensions(ui, tr("source"), matrices[1].words, in,
                                 tr("Keys and values are computed from this: the encoder's output, one row per word of "
                                    "the source sentence.")));
        }
        row.sign("·");
        for (const QkvMatrix& m : matrices) {
            if (shared && m.letter != 'q') continue;
            row.shape(m.weights, in, m.width, shared ? t.attention : qkv_colour(t, m.letter),
                      shared ? t.attention_text : qkv_text_colour(t, m.letter),
                      dimensions(ui, m.weights, in, m.width, tr("The chosen head's columns of the learned matrix.")));
        }
    }
    if (q.bias) {
        row.sign("+");
        row.shape("b", 1, q.width, t.residual, t.residual_text,
                  dimensions(ui, "b", 1, q.width, tr("A learned row, added to every word's.")));
    }
    row.sign("=");
    for (const QkvMatrix& m : matrices)
        row.shape(std::string_view(&m.letter, 1), m.words, m.width, qkv_colour(t, m.letter),
                  qkv_text_colour(t, m.letter), dimensions(ui, {&m.letter, 1}, m.words, m.width, m.name));
    std::string text = sentence(q, token_names(frame.model(slot), q.words));
    if (matrices[1].of_source)
        text += filled(tr("; k and v of the source [{1} × {2}]"),
                       {std::to_string(matrices[1].words), std::to_string(matrices[1].weights_in)});
    text += sharing(frame.model(slot).config, frame.state.head);
    const math::Style small{FontRole::small, t.text_muted, false};
    const ImVec2 at{box.min.x, row.bottom() + ui.px(3)};
    float height = ui.line(FontRole::small) + ui.px(4);
    if (math::text(ui, {}, text, small, false) <= box.width())
        math::text(ui, at, text, small);
    else
        height = draw::text_wrapped(ui, at, box.width(), text, {FontRole::small, t.text_muted});
    ui.items->add(ui.items->of_card(slot, "qkv shapes"), box.above(row.bottom()), std::nullopt, text);
    return at.y + height;
}

}  // namespace glassformer::app::views::qkv
