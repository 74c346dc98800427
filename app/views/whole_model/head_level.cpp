#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/head_trace.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/model_colours.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float edge = 12, top_height = 96, header = 40, bottom_height = 54, highest_row = 46, word_width = 96,
                number_width = 82, weight_width = 170;

/// A score on its way to the weight, one number for each key.
struct Step {
    const char *hook, *title, *below;
    int node = -1;
};

/// One drawing of the page of level "head": the worksheet of the chosen word.
class HeadDrawing {
public:
    explicit HeadDrawing(const Canvas& canvas)
        : c_(canvas), ui_(canvas.ui()), u_(canvas.ui().scale), head_(canvas.frame, canvas.trace, canvas.slot) {
        find_steps();
        place();
    }
    void draw() const;

private:
    void find_steps();
    void place();
    float row_y(int key) const { return rows_top_ + pitch_ * static_cast<float>(key); }
    Box on_screen(float x0, float y0, float x1, float y1) const { return c_.place.of({{x0, y0}, {x1, y1}}); }
    std::string_view item(const char* name, int key) const {
        return ui_.items->format("whole/%s/head/%s %d", Frame::letter(c_.slot), name, key);
    }
    void text(const Box& box, std::string_view words, const draw::TextStyle& style, float page_height) const {
        if (c_.room_for(style.font, page_height) && c_.sees(box)) draw::text_in(ui_, box.min, box.max, words, style);
    }
    void strip(const HeadTrace::Values& of, int position, const Box& box, std::string_view label, float faded) const;
    void number(Cell cell, const Box& box, std::string_view label, bool strong) const;
    void draw_query() const;
    void draw_headings() const;
    void draw_key(int key) const;
    void draw_weight(int key, const Box& box) const;
    void draw_result() const;

    const Canvas& c_;
    const Ui& ui_;
    float u_;
    HeadTrace head_;
    std::vector<Step> steps_;
    float rows_top_ = 0, pitch_ = 0, word_end_ = 0, k_left_ = 0, k_right_ = 0, steps_left_ = 0, step_ = 0,
          weight_left_ = 0, v_left_ = 0, v_right_ = 0, bottom_ = 0;
};

/// Those that this model has as nodes of their own.
void HeadDrawing::find_steps() {
    std::vector<int> seen;
    for (Step step : {Step{"attn.hook_attn_scores_raw", "q · k", tr("added up")},
                      Step{"attn.hook_attn_scores_scaled", "÷ √d", tr("scaled")},
                      Step{"attn.hook_attn_scores_alibi", tr("ALiBi"), tr("distance")},
                      Step{"attn.hook_attn_scores_causal", "causal", tr("masked")},
                      Step{"attn.hook_attn_scores", "score", tr("for softmax")}}) {
        step.node = hooked_node(c_.frame.state, c_.trace, step.hook);
        if (step.node < 0 || std::ranges::count(seen, step.node) > 0) continue;
        seen.push_back(step.node);
        steps_.push_back(step);
    }
}

void HeadDrawing::place() {
    const float w = c_.view.width(), h = c_.view.height(), squeeze = std::min(1.0f, h / (420 * u_));
    const float left = edge * u_ * 2, right = w - edge * u_ * 2;
    rows_top_ = (edge + top_height + header) * u_ * squeeze;
    bottom_ = h - (edge + bottom_height) * u_ * squeeze;
    pitch_ = std::min((bottom_ - rows_top_) / static_cast<float>(std::max(1, head_.keys)), highest_row * u_);
    const float narrow = std::min(1.0f, w / (1000 * u_));
    word_end_ = left + word_width * u_ * narrow;
    const float numbers = number_width * u_ * narrow * static_cast<float>(steps_.size()),
                weight = weight_width * u_ * narrow;
    const float strips = (right - word_end_ - numbers - weight - 60 * u_ * narrow) / 2;
    k_left_ = word_end_ + 12 * u_ * narrow, k_right_ = k_left_ + strips;
    steps_left_ = k_right_ + 16 * u_ * narrow, step_ = number_width * u_ * narrow;
    weight_left_ = steps_left_ + numbers + 8 * u_ * narrow;
    v_left_ = weight_left_ + weight + 16 * u_ * narrow, v_right_ = right;
}

void HeadDrawing::strip(const HeadTrace::Values& of, int position, const Box& box, std::string_view label,
                        float faded) const {
    if (!c_.sees(box)) return;
    const auto values = head_.vector(of, position);
    if (!c_.active) {
        draw::signed_strip(ui_, box.min, box.max, values, of.range, faded);
        return;
    }
    traced_strip(c_.frame, c_.slot, {head_.vector_cell(of, position, 0), values, of.range, faded}, label, box.min,
                 box.max);
}

void HeadDrawing::number(Cell cell, const Box& box, std::string_view label, bool strong) const {
    if (!c_.sees(box) || !c_.active) return;
    if (box.height() >= 4) traced_value(c_.frame, c_.slot, cell, label, box.min, box.max);
    if (is_hidden_by_quiz(c_.frame, c_.slot, cell))
        return text(box, "?", {FontRole::small, c_.theme().text_faint, draw::Align::right}, box.height() / c_.place.sy);
    const double value = static_cast<double>(c_.trace.at(cell));
    char number[32];
    text(box, std::isinf(value) ? std::string_view("−∞") : draw::signed_number(number, value),
         {strong ? FontRole::small_bold : FontRole::small, strong ? c_.theme().text : c_.theme().text_muted,
          draw::Align::right},
         box.height() / c_.place.sy);
}

void HeadDrawing::draw_query() const {
    const Theme& t = c_.theme();
    const float y = edge * u_, line = 26 * u_;
    const std::string word = c_.word(false, head_.query);
    text(on_screen(edge * 2 * u_, y, c_.view.width() - edge * 2 * u_, y + line),
         ui_.items->format(tr("block %d · head %d: what “%s” reads%s"), c_.frame.state.layer, head_.head, word.c_str(),
                           head_.cross ? tr(" in the source sentence") : ""),
         {FontRole::title_bold, mix(head_colour(t, head_.head), t.text, 0.3f)}, line);
    const float y1 = y + line + 26 * u_, high = std::min(pitch_ * 0.62f, 20 * u_);
    text(on_screen(k_left_, y1 - 21 * u_, k_right_, y1 - 2 * u_),
         ui_.items->format(tr("query q of “%s”: what it looks for"), word.c_str()),
         {FontRole::small_bold, t.query_text}, 19 * u_);
    strip(head_.q, head_.query, on_screen(k_left_, y1, k_right_, y1 + high), c_.item("head/q"), 1);
}

void HeadDrawing::draw_headings() const {
    const Theme& t = c_.theme();
    const float line = 18 * u_, y1 = rows_top_ - 4 * u_, y0 = y1 - line;
    const auto heading = [&](float x0, float x1, std::string_view title, std::string_view below, ImU32 ink,
                             draw::Align align) {
        text(on_screen(x0, y0 - line, x1, y0), title, {FontRole::small_bold, ink, align}, line);
        text(on_screen(x0, y0, x1, y1), below, {FontRole::small, t.text_muted, align}, line);
    };
    heading(k_left_, k_right_, tr("key k of each word"), tr("what it offers"), t.key_text, draw::Align::left);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const float x = steps_left_ + step_ * static_cast<float>(i);
        heading(x - 6 * u_, x + step_ - 4 * u_, steps_[i].title, steps_[i].below, t.attention_text, draw::Align::right);
    }
    heading(weight_left_, v_left_ - 10 * u_, tr("softmax"), tr("shares: they add up to 1"), t.attention_text,
            draw::Align::left);
    heading(v_left_, v_right_, tr("value v"), tr("taken by its share"), t.value_text, draw::Align::left);
}

void HeadDrawing::draw_weight(int key, const Box& box) const {
    if (!c_.sees(box)) return;
    const Cell cell = head_.pair_cell(head_.pattern, head_.query, key);
    const Theme& t = c_.theme();
    if (c_.active) traced_value(c_.frame, c_.slot, cell, item("weight", key), box.min, box.max);
    if (is_hidden_by_quiz(c_.frame, c_.slot, cell)) return text(box, "?", {FontRole::small, t.text_faint}, pitch_);
    const float weight = head_.pair(head_.pattern, head_.query, key), number = 44 * u_ * c_.place.sx;
    const float y = (box.min.y + box.max.y) / 2, half = std::min(box.height() * 0.3f, ui_.px(7));
    draw::bar(ui_, {box.min.x, y - half}, {box.max.x - number, y + half}, weight, head_colour(t, head_.head), t.track);
    text({{box.max.x - number, box.min.y}, box.max}, ui_.items->format("%.2f", static_cast<double>(weight)),
         {weight >= 0.2f ? FontRole::small_bold : FontRole::small, t.text, draw::Align::right}, pitch_);
}

void HeadDrawing::draw_key(int key) const {
    const Theme& t = c_.theme();
    const float y = row_y(key), air = pitch_ * 0.19f, end = y + pitch_;
    const Box row = on_screen(edge * u_, y, c_.view.width() - edge * u_, end);
    if (!c_.sees(row)) return;
    const bool hidden = head_.hidden(head_.query, key), itself = key == head_.query && !head_.cross;
    if (itself) draw::rounded_box(ui_, row.min, row.max, t.selection_tint, 0, 4);
    text(on_screen(edge * 2 * u_, y, word_end_, end), head_.key_word(c_.frame, key),
         {itself ? FontRole::small_bold : FontRole::small, hidden ? t.text_faint : t.text, draw::Align::right}, pitch_);
    strip(head_.k, key, on_screen(k_left_, y + air, k_right_, end - air), item("k", key), hidden ? 0.3f : 1);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const float x = steps_left_ + step_ * static_cast<float>(i);
        const std::string_view label =
            ui_.items->format("whole/%s/head/step %d %d", Frame::letter(c_.slot), static_cast<int>(i), key);
        number({steps_[i].node, head_.pair_offset(head_.query, key)}, on_screen(x + 6 * u_, y, x + step_ - 4 * u_, end),
               label, i + 1 == steps_.size());
    }
    draw_weight(key, on_screen(weight_left_, y, v_left_ - 10 * u_, end));
    const bool waits = is_hidden_by_quiz(c_.frame, c_.slot, head_.pair_cell(head_.pattern, head_.query, key));
    const float share = waits ? 1 : head_.pair(head_.pattern, head_.query, key);
    strip(head_.v, key, on_screen(v_left_, y + air, v_right_, end - air), item("v", key),
          std::clamp(0.15f + share * 1.4f, 0.15f, 1.0f));
}

void HeadDrawing::draw_result() const {
    const Theme& t = c_.theme();
    const float y = row_y(head_.keys) + 10 * u_, high = std::min(std::max(pitch_ * 0.62f, 8 * u_), 22 * u_);
    const Box line = on_screen(v_left_, y - 6 * u_, v_right_, y - 5 * u_);
    ui_.list()->AddLine(line.min, {line.max.x, line.min.y}, t.text_faint, ui_.px(1));
    const std::string word = c_.word(false, head_.query);
    text(on_screen(steps_left_, y, v_left_ - 10 * u_, y + high),
         ui_.items->format(tr("z = Σ a · v: what “%s” takes away"), word.c_str()),
         {FontRole::small_bold, t.value_text, draw::Align::right}, high);
    strip(head_.z, head_.query, on_screen(v_left_, y, v_right_, y + high), c_.item("head/z"), 1);
}

void HeadDrawing::draw() const {
    const Box card = on_screen(edge * u_ * 0.5f, edge * u_ * 0.4f, c_.view.width() - edge * u_ * 0.5f,
                               c_.view.height() - edge * u_ * 0.4f);
    draw::rounded_box(ui_, card.min, card.max, c_.theme().card, c_.theme().card_border, 10);
    draw_query();
    draw_headings();
    for (int key = 0; key < head_.keys; ++key) draw_key(key);
    draw_result();
}

}  // namespace

void draw_head_page(const Canvas& canvas) {
    if (!has_attention(canvas.frame.state, canvas.trace)) {
        const Ui& ui = canvas.ui();
        if (canvas.active)
            draw::text_in(ui, canvas.view.min, canvas.view.max,
                          tr("This block has no heads: its words see the past through the state alone."),
                          {FontRole::body, canvas.theme().text_muted, draw::Align::centre});
        return;
    }
    HeadDrawing(canvas).draw();
}

}  // namespace glassformer::app
