#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/common/head_trace.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/model_colours.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/views/whole_model/canvas.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

// Pixels at 100 %.
constexpr float head_edge = 12, title_height = 30, caption = 20, query_height = 22, header = 46, brief_header = 23,
                result = 30, highest_head_row = 58, least_row = 15, highest_strip = 30, word_width = 96,
                number_width = 82, weight_width = 170, roomy = 420;

/// A step from the score to the weight, one number per key.
struct Step {
    const char *hook, *title, *below;
    int node = -1;
};

/// Draws the page of level "head" once: the worksheet of the chosen word.
class HeadDrawing {
public:
    explicit HeadDrawing(const Canvas& canvas)
        : c_(canvas),
          ui_(canvas.ui()),
          u_(canvas.unit),
          of_source_{canvas.block(), canvas.head(), canvas.word_looked_at()},
          head_(canvas.frame, canvas.trace, canvas.slot, canvas.state.source ? &of_source_ : nullptr),
          word_(head_.query_word(canvas.frame)) {
        find_steps();
        place();
    }
    void draw() const;

private:
    void find_steps();
    void place();
    void choose_rows();
    float row_y(int row) const { return rows_top_ + pitch_ * to_float(row); }
    FontRole font(FontRole role) const { return c_.font(role); }
    FontRole row_font(bool strong) const {
        const FontRole plain = strong ? FontRole::small_bold : FontRole::small;
        return c_.room_for(font(plain), pitch_) ? font(plain) : plain;
    }
    bool waits(int key) const {
        return is_hidden_by_quiz(c_.frame, c_.slot, head_.pair_cell(head_.pattern, head_.query, key));
    }
    Box on_screen(float x0, float y0, float x1, float y1) const { return c_.place.of({{x0, y0}, {x1, y1}}); }
    std::string_view item(const char* name, int key) const {
        return ui_.items->format("whole/%s/head/%s %d", Frame::letter(c_.slot), name, key);
    }
    void text(const Box& box, std::string_view words, const draw::TextStyle& style, float page_height) const {
        if (c_.room_for(style.font, page_height) && c_.sees(box)) draw::text_in(ui_, box, words, style);
    }
    void strip(const HeadTrace::Values& of, int position, const Box& box, std::string_view label, float faded) const;
    void number(Cell cell, const Box& box, std::string_view label, bool strong) const;
    void use_keys(std::string_view label, const Box& box, const Cell& first, int count = 1) const;
    void draw_query() const;
    void draw_headings() const;
    void draw_key(int row) const;
    void draw_weight(int key, const Box& box) const;
    void draw_rest() const;
    void draw_result() const;

    const Canvas& c_;
    const Ui& ui_;
    float u_;
    HeadTrace::OfSource of_source_;
    HeadTrace head_;
    std::string word_;  ///< the word that reads
    std::vector<Step> steps_;
    std::vector<int> keys_;  ///< keys that have a row: all, or the most strongly read ones, in sentence order
    bool brief_ = false;     ///< for little height: no title, headings of one line
    float query_top_ = 0, rows_top_ = 0, pitch_ = 0, word_end_ = 0, k_left_ = 0, k_right_ = 0, steps_left_ = 0,
          step_ = 0, weight_left_ = 0, v_left_ = 0, v_right_ = 0, bottom_ = 0;
};

/// The steps that have their own nodes in this model.
void HeadDrawing::find_steps() {
    std::vector<int> seen;
    for (Step step : {Step{"attn.hook_attn_scores_raw", "q · k", tr("added up")},
                      Step{"attn.hook_attn_scores_scaled", "÷ √d", tr("scaled")},
                      Step{"attn.hook_attn_scores_alibi", tr("ALiBi"), tr("distance")},
                      Step{"attn.hook_attn_scores_causal", tr("causal"), tr("masked")},
                      Step{"attn.hook_attn_scores", tr("score"), tr("for softmax")}}) {
        step.node = head_.source ? c_.trace.graph().find(block_hook(of_source_.layer, step.hook, true)).value_or(-1)
                                 : hooked_node(c_.frame.state, c_.trace, step.hook);
        if (step.node < 0 || std::ranges::count(seen, step.node) > 0) continue;
        seen.push_back(step.node);
        steps_.push_back(step);
    }
}

void HeadDrawing::place() {
    const float w = c_.view.width(), h = c_.view.height();
    brief_ = h < roomy * u_;
    const float left = head_edge * u_ * 2, right = w - head_edge * u_ * 2;
    query_top_ = (brief_ ? head_edge * 0.8f : head_edge + title_height + caption) * u_;
    rows_top_ = query_top_ + (query_height + (brief_ ? brief_header : header) + 4) * u_;
    bottom_ = h - (head_edge * 0.8f + result) * u_;
    choose_rows();
    const float narrow = std::min(1.0f, w / (1000 * u_));
    word_end_ = left + word_width * u_ * narrow;
    const float numbers = number_width * u_ * narrow * to_float(steps_.size()), weight = weight_width * u_ * narrow;
    const float strips = (right - word_end_ - numbers - weight - 60 * u_ * narrow) / 2;
    k_left_ = word_end_ + 12 * u_ * narrow, k_right_ = k_left_ + strips;
    steps_left_ = k_right_ + 16 * u_ * narrow, step_ = number_width * u_ * narrow;
    weight_left_ = steps_left_ + numbers + 8 * u_ * narrow;
    v_left_ = weight_left_ + weight + 16 * u_ * narrow, v_right_ = right;
}

/// If not all words fit, the most strongly read ones get a row each, and the word itself if there are several rows. As
/// long as that has to be guessed, it is the first words of the sentence instead.
void HeadDrawing::choose_rows() {
    const float height = bottom_ - rows_top_;
    const int fitting = std::max(1, static_cast<int>(height / (least_row * ui_.scale)));
    keys_.resize(head_.keys);
    std::iota(keys_.begin(), keys_.end(), 0);
    if (head_.keys > fitting) {
        const auto weight = [&](int key) {
            if (key == head_.query && !head_.cross && fitting > 2) return 2.0f;
            return waits(key) ? 0.0f : head_.pair(head_.pattern, head_.query, key);
        };
        std::ranges::stable_sort(keys_, std::ranges::greater{}, weight);
        keys_.resize(std::max(1, fitting - 1));
        std::ranges::sort(keys_);
    }
    const bool rest = int_size(keys_) < head_.keys;
    pitch_ = std::min(height / to_float(keys_.size() + (rest ? 1 : 0)), highest_head_row * u_);
}

void HeadDrawing::strip(const HeadTrace::Values& of, int position, const Box& box, std::string_view label,
                        float faded) const {
    if (!c_.sees(box)) return;
    const auto values = head_.vector(of, position);
    if (!c_.active) return void(draw::signed_strip(ui_, box, values, of.range, faded));
    traced_strip(c_.frame, c_.slot, {head_.vector_cell(of, position, 0), values, of.range, faded}, label, box);
    use_keys(label, box, head_.vector_cell(of, position, 0), int_size(values));
}

/// Keyboard focus on a strip of numbers: Enter explains one of them, the arrows lead to its neighbours.
void HeadDrawing::use_keys(std::string_view label, const Box& box, const Cell& first, int count) const {
    if (!c_.active || !has_keyboard(c_, label, box)) return;
    int at = 0;
    if (const auto& trail = c_.frame.state.trail; !trail.empty() && trail.back().slot == c_.slot)
        if (const std::int64_t in = trail.back().cell.offset - first.offset;
            trail.back().cell.node == first.node && in >= 0 && in < count)
            at = static_cast<int>(in);
    const int moved = moved_by_arrows(at, count, count);
    if (moved >= 0) at = moved;
    if (moved >= 0 || ui_.focus->activated(ImGui::GetID(label.data(), label.data() + label.size())))
        explain_number(c_, {first.node, first.offset + at});
}

void HeadDrawing::number(Cell cell, const Box& box, std::string_view label, bool strong) const {
    if (!c_.sees(box) || !c_.active) return;
    if (box.height() >= 4) traced_value(c_.frame, c_.slot, cell, label, box);
    use_keys(label, box, cell);
    if (is_hidden_by_quiz(c_.frame, c_.slot, cell))
        return text(box, "?", {FontRole::small, c_.theme().text_faint, draw::Align::right}, box.height() / c_.place.sy);
    const double value = c_.trace.at(cell);
    text(box, std::isinf(value) ? std::string_view("−∞") : draw::signed_number(value),
         {row_font(strong), strong ? c_.theme().text : c_.theme().text_muted, draw::Align::right},
         box.height() / c_.place.sy);
}

void HeadDrawing::draw_query() const {
    const Theme& t = c_.theme();
    const float y = head_edge * 0.7f * u_, y1 = query_top_, high = query_height * u_;
    if (!brief_)
        text(on_screen(head_edge * 2 * u_, y, c_.view.width() - head_edge * 2 * u_, y + title_height * u_),
             ui_.items->format(head_.source ? tr("source block %d · head %d: what “%s” attends to%s")
                                            : tr("block %d · head %d: what “%s” attends to%s"),
                               c_.block(), head_.head, word_.c_str(), head_.cross ? tr(" in the source sentence") : ""),
             {font(FontRole::title_bold), mix(head_colour(t, head_.head), t.text, 0.3f)}, title_height * u_);
    const std::string_view name = brief_ ? std::string_view(ui_.items->format("q %s", word_.c_str()))
                                         : ui_.items->format(tr("query q of “%s”: what it looks for"), word_.c_str());
    const Box at = brief_ ? on_screen(head_edge * u_, y1, word_end_, y1 + high)
                          : on_screen(k_left_, y1 - caption * u_, k_right_, y1 - 2 * u_);
    text(at, name, {font(FontRole::small_bold), t.query_text, brief_ ? draw::Align::right : draw::Align::left},
         caption * u_);
    strip(head_.q, head_.query, on_screen(k_left_, y1, k_right_, y1 + high), c_.item("head/q"), 1);
}

void HeadDrawing::draw_headings() const {
    const Theme& t = c_.theme();
    const float line = 19 * u_, y1 = rows_top_ - 3 * u_, y0 = y1 - line;
    // A shorter text is used if the full one would be cut.
    using Texts = std::initializer_list<std::string_view>;
    const auto heading = [&](float x0, float x1, Texts titles, Texts belows, ImU32 ink, draw::Align align) {
        const float room = on_screen(x0, y0, x1, y1).width();
        const FontRole bold = font(FontRole::small_bold), plain = font(FontRole::small);
        const std::string_view title = draw::first_fitting(ui_, room, titles, bold),
                               below = draw::first_fitting(ui_, room, belows, plain);
        const float top = brief_ ? y0 : y0 - line;
        text(on_screen(x0, top, x1, top + line), title, {bold, ink, align}, line);
        if (!brief_) text(on_screen(x0, y0, x1, y1), below, {plain, t.text_muted, align}, line);
    };
    heading(k_left_, k_right_, {tr("key k of each word"), tr("key k")}, {tr("what it is found by"), tr("found by")},
            t.key_text, draw::Align::left);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const float x = steps_left_ + step_ * to_float(i);
        heading(x - 6 * u_, x + step_ - 4 * u_, {steps_[i].title}, {steps_[i].below}, t.attention_text,
                draw::Align::right);
    }
    // Nothing in the encoder can be changed.
    const std::string_view weights = head_.source
                                         ? (c_.model().config.attention.hard ? tr("hardmax") : tr("softmax"))
                                         : weights_title(c_.frame, c_.slot, head_.layer, head_.head, head_.query,
                                                         head_.cross ? AttentionTo::source : AttentionTo::itself);
    heading(weight_left_, v_left_ - 10 * u_, {weights}, {tr("weights add up to 1"), tr("add up to 1")},
            t.attention_text, draw::Align::left);
    heading(v_left_, v_right_, {tr("value v")}, {tr("times its weight"), tr("× weight")}, t.value_text,
            draw::Align::left);
}

void HeadDrawing::draw_weight(int key, const Box& box) const {
    if (!c_.sees(box)) return;
    const Cell cell = head_.pair_cell(head_.pattern, head_.query, key);
    const Theme& t = c_.theme();
    if (c_.active) traced_value(c_.frame, c_.slot, cell, item("weight", key), box);
    use_keys(item("weight", key), box, cell);
    if (is_hidden_by_quiz(c_.frame, c_.slot, cell)) return text(box, "?", {FontRole::small, t.text_faint}, pitch_);
    const float weight = head_.pair(head_.pattern, head_.query, key), number = 44 * u_ * c_.place.sx, air = ui_.px(5);
    const float y = box.middle_y(), half = std::min(box.height() * 0.3f, 7 * u_);
    draw::bar(ui_, {{box.min.x + air, y - half}, {box.max.x - number, y + half}}, weight, head_colour(t, head_.head),
              t.track);
    text(box.between_x(box.max.x - number, box.max.x - air), ui_.items->format("%.2f", weight),
         {row_font(weight >= 0.2f), t.text, draw::Align::right}, pitch_);
}

void HeadDrawing::draw_key(int index) const {
    const Theme& t = c_.theme();
    const int key = keys_[index];
    const float y = row_y(index), air = std::max(pitch_ * 0.17f, (pitch_ - highest_strip * u_) / 2), end = y + pitch_;
    const Box row = on_screen(head_edge * u_, y, c_.view.width() - head_edge * u_, end);
    if (!c_.sees(row)) return;
    const bool hidden = head_.hidden(head_.query, key), itself = key == head_.query && !head_.cross;
    if (itself) draw::rounded_box(ui_, row, t.selection_tint, 0, 4);
    text(on_screen(head_edge * 2 * u_, y, word_end_, end), head_.key_word(c_.frame, key),
         {row_font(itself), hidden ? t.text_faint : t.text, draw::Align::right}, pitch_);
    strip(head_.k, key, on_screen(k_left_, y + air, k_right_, end - air), item("k", key), hidden ? 0.3f : 1);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const float x = steps_left_ + step_ * to_float(i);
        const std::string_view label =
            ui_.items->format("whole/%s/head/step %d %d", Frame::letter(c_.slot), static_cast<int>(i), key);
        number({steps_[i].node, head_.pair_offset(head_.query, key)}, on_screen(x + 6 * u_, y, x + step_ - 4 * u_, end),
               label, i + 1 == steps_.size());
    }
    draw_weight(key, on_screen(weight_left_, y, v_left_ - 10 * u_, end));
    const float share = waits(key) ? 1 : head_.pair(head_.pattern, head_.query, key);
    strip(head_.v, key, on_screen(v_left_, y + air, v_right_, end - air), item("v", key),
          std::clamp(0.15f + share * 1.4f, 0.15f, 1.0f));
}

/// Draws "and 40 other words: 0.03 together".
void HeadDrawing::draw_rest() const {
    const int rest = head_.keys - int_size(keys_);
    if (rest == 0) return;
    float together = 1;
    for (const int key : keys_) together -= waits(key) ? 1 : head_.pair(head_.pattern, head_.query, key);
    const float y = row_y(int_size(keys_));
    const bool told = !waits(keys_.front());
    const std::string words(ui_.items->format(tr("and %d other word", "and %d other words", rest), rest));
    text(on_screen(k_left_, y, v_left_, y + pitch_),
         told ? ui_.items->format(tr("%s: %.2f together"), words.c_str(), std::max(together, 0.0f))
              : std::string_view(words),
         {row_font(false), c_.theme().text_muted}, pitch_);
}

void HeadDrawing::draw_result() const {
    const Theme& t = c_.theme();
    const float used = row_y(int_size(keys_) + (int_size(keys_) < head_.keys ? 1 : 0));
    const float y = used + 9 * u_, high = (result - 9) * u_;
    const Box line = on_screen(v_left_, y - 6 * u_, v_right_, y - 5 * u_);
    ui_.list()->AddLine(line.min, {line.max.x, line.min.y}, t.text_faint, ui_.px(1));
    text(on_screen(steps_left_, y, v_left_ - 10 * u_, y + high),
         ui_.items->format(tr("z = Σ a · v: the result for “%s”"), word_.c_str()),
         {font(FontRole::small_bold), t.value_text, draw::Align::right}, high);
    strip(head_.z, head_.query, on_screen(v_left_, y, v_right_, y + high), c_.item("head/z"), 1);
}

void HeadDrawing::draw() const {
    const Box card = on_screen(head_edge * u_ * 0.5f, head_edge * u_ * 0.4f, c_.view.width() - head_edge * u_ * 0.5f,
                               c_.view.height() - head_edge * u_ * 0.4f);
    draw::rounded_box(ui_, card, c_.theme().card, c_.theme().card_border, 10);
    draw_query();
    draw_headings();
    for (int row = 0; row < int_size(keys_); ++row) draw_key(row);
    draw_rest();
    draw_result();
}

}  // namespace

void draw_head_page(const Canvas& canvas) {
    if (!canvas.has_heads()) {
        const Ui& ui = canvas.ui();
        if (canvas.active)
            draw::text_in(ui, canvas.view,
                          tr("This block has no heads: only its state carries information from word to word."),
                          {FontRole::body, canvas.theme().text_muted, draw::Align::centre});
        return;
    }
    HeadDrawing(canvas).draw();
}

}  // namespace glassformer::app::views::whole_model
