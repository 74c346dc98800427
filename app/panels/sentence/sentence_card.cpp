#include "app/panels/sentence/sentence_card.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/common/card_scope.h"
#include "app/language/tr.h"
#include "app/panels/sentence/sentence_parts.h"
#include "app/ui/child_window.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float view_side = 12;    // margin left and right of a view
constexpr float card_gap = 12;     // between A and B
constexpr float low_card = 240;    // below this height there is no room for its words and a view
constexpr float least_view = 72;   // minimum height of a view below the words
constexpr float wheel_notch = 65;  // how far the wheel scrolls a card
constexpr float least_half = 200;  // minimum width of each of two sentences side by side

/// The inside of a card with its words. Where they leave too little of it for the view (a lesson below, large text),
/// the card scrolls as a whole, and the view gets as much height as the card has.
class CardPage {
public:
    CardPage(const Ui& ui, const char* id, const Box& card, bool with_words)
        : ui_(ui), inside_(card), words_(*ImGui::GetStateStorage()), key_(ImGui::GetID(id)) {
        const float words = words_.GetFloat(key_);  // as high as in the previous frame
        if (!with_words || words == 0 || card.height() - words >= ui.px(least_view)) return;
        const float edge = ui.px(2), left = ui.px(6);
        const Box seen{{card.min.x + left, card.min.y + edge}, {card.max.x - edge, card.max.y - edge}};
        const ImVec2 at = page_.emplace(ui, id, seen, ChildWindow::Kind::scrolls).start();
        inside_ = Box::sized({card.min.x, at.y - edge}, card.width() - ImGui::GetStyle().ScrollbarSize - edge,
                             words + card.height());
        page_->reaches({at.x + 1, inside_.max.y});
        ui.items->take_wheel();  // what is beside this card has passed on is not for it
    }
    ~CardPage() {
        if (const float wheel = page_ ? ui_.items->take_wheel() : 0; wheel != 0)
            ImGui::SetScrollY(ImGui::GetScrollY() - wheel * ui_.px(wheel_notch));
    }
    CardPage(const CardPage&) = delete;
    CardPage& operator=(const CardPage&) = delete;

    const Box& inside() const { return inside_; }
    /// Call this with the y where the words end.
    void words_end(float y) { words_.SetFloat(key_, y - inside_.min.y); }

private:
    const Ui& ui_;
    Box inside_;
    ImGuiStorage& words_;
    ImGuiID key_;
    std::optional<ChildWindow> page_;
};

void draw_in_the_middle(const Frame& frame, const Box& box, std::string_view text) {
    const float line = frame.ui.line(FontRole::small);
    const float y = std::max(box.min.y, box.middle_y() - line);
    draw::text_in(frame.ui, box.between_y(y, y + line), text,
                  {FontRole::small, frame.ui.theme->text_muted, draw::Align::centre});
}

/// Returns "0.5 1 0; 1 0 2": two rows with as many numbers as the model reads.
std::string rows_in_example(int width) {
    std::string rows;
    for (const int row : {0, 1})
        for (int i = 0; i < width; ++i)
            rows += (rows.empty() ? "" : i ? " " : "; ") + std::string(i % 2 == row ? "0.5" : "1");
    return rows;
}

void draw_nothing(const Frame& frame, const Box& box, int slot) {
    const TransformerConfig& c = frame.model().config;
    const bool numbers = c.input == InputKind::values, words = frame.model().words() != nullptr;
    const std::string_view text =
        numbers ? frame.ui.items->format(tr("Pick a sample, or type rows of %d number: %s",
                                            "Pick a sample, or type rows of %d numbers: %s", c.d_input),
                                         c.d_input, rows_in_example(c.d_input).c_str())
                : frame.ui.items->format(tr("Pick a sample, or type a sentence of up to %d %s."), c.n_ctx,
                                         words ? tr("known words") : tr("tokens"));
    frame.ui.items->add(frame.ui.items->of_card(slot, "nothing"), box, std::nullopt, text);
    draw_in_the_middle(frame, box, text);
}

}  // namespace

void draw_both_sentences(const Frame& frame, const Box& whole, int slot) {
    const Ui& ui = frame.ui;
    const View& view = chosen_view(frame.state);
    draw::card(ui, whole);
    const bool words = !view.draws_own_words || whole.height() >= ui.px(low_card);
    CardPage page(ui, "##card of both", whole, words);
    const Box& box = page.inside();
    const float pad = ui.px(18), gap = ui.px(24), half = (box.width() - 2 * pad - gap) / 2;
    const bool beside = half >= ui.px(least_half);
    std::array<Box, 2> at;
    for (int card = 0; card < 2; ++card) {
        const CardScope scope(frame, card);
        Box& own = at[card];
        own.min = {box.min.x + pad, box.min.y + ui.px(10)}, own.max = {box.max.x - pad, box.max.y};
        if (beside && card == 0) own.max.x = own.min.x + half;
        if (beside && card == 1) own.min.x = own.max.x - half;
        if (!beside && card == 1) own.min.y = at[0].max.y + ui.px(6);
        own.max.y = draw_sentence_picker(frame, own, card, words);
    }
    const float below = std::max(at[0].max.y, at[1].max.y);
    for (int card = 0; card < 2; ++card) {
        const Box& own = at[card];
        draw::rounded_box(ui, {{own.min.x - ui.px(10), own.min.y}, {own.min.x - ui.px(6), beside ? below : own.max.y}},
                          card == 0 ? ui.theme->sense_a : ui.theme->sense_b, 0, 2);
    }
    const float line = below + ui.px(9), y = line + ui.px(8);
    draw::horizontal_line(ui, box.min.x + ui.px(8), box.max.x - ui.px(8), line, ui.theme->card_border);
    page.words_end(y);
    view.draw(frame, {{box.min.x + ui.px(6), y}, {box.max.x, box.max.y - ui.px(6)}}, slot);
}

void draw_sentence(const Frame& frame, const Box& whole, int slot) {
    const Ui& ui = frame.ui;
    const CardScope scope(frame, slot);
    draw::card(ui, whole, slot == 0 ? ui.theme->sense_a : ui.theme->sense_b);
    const View& view = chosen_view(frame.state);
    const bool words = !view.draws_own_words || !frame.trace(slot) || whole.height() >= ui.px(low_card);
    CardPage page(ui, slot == 0 ? "##card A" : "##card B", whole, words);
    const Box& box = page.inside();
    const float side = ui.px(view_side), left = ui.px(6);
    const Box top{{box.min.x + left + side, box.min.y + ui.px(10)}, {box.max.x - side, box.max.y}};
    const float y = draw_sentence_picker(frame, top, slot, words) + ui.px(words ? 8 : 0);
    page.words_end(y);
    const Box inside = top.between_y(y, box.max.y);
    const bool own = slot == 0 || frame.snapshot.comparing.of_sentences();
    if (!frame.trace(slot) && own)
        draw_nothing(frame, inside, slot);
    else if (!frame.trace(slot))
        draw_in_the_middle(frame, inside, tr("There are no numbers for this side."));
    else if (!is_offered(frame, view))  // only if B's model is a different one
        draw_in_the_middle(frame, inside, tr("This model has no such part."));
    else
        view.draw(frame, {{box.min.x + left, y}, {box.max.x, box.max.y - ui.px(6)}}, slot);
}

void draw_sentences(const Frame& frame, const Box& box, bool above) {
    if (!frame.state.compare) return draw_sentence(frame, box, frame.state.slot);
    const View& view = chosen_view(frame.state);
    if (view.spans_cards) return draw_both_sentences(frame, box, frame.state.slot);
    const float gap = frame.ui.px(card_gap);
    const ImVec2 first_end = above ? ImVec2(box.max.x, std::round((box.min.y + box.max.y - gap) / 2))
                                   : ImVec2(box.min.x + (box.width() - gap) / 2, box.max.y);
    const ImVec2 second = above ? ImVec2(box.min.x, first_end.y + gap) : ImVec2(first_end.x + gap, box.min.y);
    draw_sentence(frame, {box.min, first_end}, 0);
    draw_sentence(frame, {second, box.max}, 1);
}

}  // namespace glassformer::app
