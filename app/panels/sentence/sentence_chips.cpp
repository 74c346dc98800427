#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "app/common/head_trace.h"
#include "app/common/hidden_word.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/predict_first.h"
#include "app/common/word_surprise.h"
#include "app/language/tr.h"
#include "app/panels/sentence/chip_edit.h"
#include "app/panels/sentence/prompt_numbers.h"
#include "app/panels/sentence/sentence_parts.h"
#include "app/ui/child_window.h"
#include "app/ui/memo.h"
#include "core/text/character_tokenizer.h"

namespace glassformer::app {

namespace {

constexpr float most_number_lines = 92, chip_gap = 4;  // pixels at 100 %; the first: three lines of chips

/// Returns the row of numbers behind a chip: "(1, 0)", "−0.5"; empty if the sentence consists of words.
std::string numbers_of(const Frame& frame, int slot, int token) {
    return row_of_prompt(frame.sentence(slot), frame.model(slot).config.d_input, token);
}

/// In a prompt of numbers, adds the row: "x₁ (1, 0)", if that takes only a few lines.
std::string chip_text(const Frame& frame, int slot, int token, bool with_numbers) {
    const std::string numbers = with_numbers ? numbers_of(frame, slot, token) : "";
    return frame.word(slot, token) + (numbers.empty() ? "" : " " + numbers);
}

/// Colours a word by how surprised the model is by it, or how uncertain it was before it.
void colour_by_surprise(const Frame& frame, int slot, int token, ButtonStyle& style) {
    const WordSurprise& found = word_surprise(frame, slot);
    const TokenSurprise bits = found.at(token);
    if (std::isnan(bits.bits) || saying_waits(frame.state, slot, found.predicted_at(token))) return;
    const bool entropy = frame.state.word_colour == WordColour::entropy;
    style.fill = frame.ui.theme->surprise_colour(share_of_bits(frame, slot, entropy ? bits.entropy : bits.bits));
    style.tooltip = frame.ui.items->format(
        found.read == ReadBefore::earlier_words
            ? tr("%s  %.2f bits\nP = %.4f after the words before it: −log₂ P bits. The model expected %.2f bits there "
                 "(entropy).")
            : tr("%s  %.2f bits\nP = %.4f with this word masked: −log₂ P bits. The model expected %.2f bits there "
                 "(entropy)."),
        frame.word(slot, token).c_str(), bits.bits, std::exp2(-bits.bits), bits.entropy);
}

ButtonStyle token_style(const Frame& frame, const HeadTrace* head, int slot, int token) {
    ButtonStyle style{.gold = token == frame.state.token[slot], .content = true};
    const std::string numbers = numbers_of(frame, slot, token), text = chip_text(frame, slot, token, true);
    if (!numbers.empty()) style.tooltip = frame.ui.items->format("%s", text.c_str());
    if (coloured_by_surprise(frame, slot)) {
        colour_by_surprise(frame, slot, token, style);
        return style;
    }
    if (!head || style.gold) return style;
    if (head->cross || head->hidden(head->query, token) || waits_for_guess(frame.state, slot)) return style;
    const float weight = head->pair(head->pattern, head->query, token);
    const std::string from = frame.word(slot, head->query), to = frame.word(slot, token);
    style.fill = frame.ui.theme->attention_colour(weight);
    style.tooltip = frame.ui.items->format(
        tr("%s → %s  %.2f\nHow much “%s” attends to it in this head. Click to choose this token."), from.c_str(),
        to.c_str(), weight, from.c_str());
    if (!numbers.empty()) style.tooltip = frame.ui.items->format("%s\n%s", text.c_str(), style.tooltip.data());
    return style;
}

/// The corner of the chip under the mouse: ▢ hides the word, × brings it back.
struct HideCorner : Box {
    bool hides = true, hovered = false;
};

/// Call this before drawing the chip, because the item drawn first gets the click. Returns nullopt away from the mouse,
/// and for words that cannot be hidden.
std::optional<HideCorner> hide_corner(const Frame& frame, int slot, int token, const Box& chip) {
    const Ui& ui = frame.ui;
    const float size = ui.px(15);
    const ImVec2 at{chip.max.x - size + ui.px(3), chip.min.y - ui.px(5)};
    HideCorner corner{{at, {at.x + size, at.y + size}}};
    // Also while the mouse button is down on it; otherwise it would vanish before the release.
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        (!ImGui::IsMouseHoveringRect(chip.min, chip.max) && !ImGui::IsMouseHoveringRect(corner.min, corner.max)))
        return std::nullopt;
    corner.hides = can_hide_word(frame, slot, token);
    if (!corner.hides && !can_show_word(frame, slot, token)) return std::nullopt;
    const std::string_view label =
        ui.items->format(corner.hides ? "%s/hide %d" : "%s/unhide %d", Frame::letter(slot), token);
    const Response r = click_area(ui, label, corner);
    corner.hovered = r.hovered;
    if (r.clicked && corner.hides) hide_word(frame, slot, token);
    if (r.clicked && !corner.hides) show_word(frame, slot, token);
    return corner;
}

void draw_hide_corner(const Ui& ui, const HideCorner& corner) {
    const Theme& t = *ui.theme;
    draw::rounded_box(ui, corner, corner.hovered ? t.selection_tint : t.card,
                      corner.hovered ? t.selection : t.text_muted, 4);
    draw::text_in(ui, corner, corner.hides ? "▢" : "×", {FontRole::small, t.text, draw::Align::centre});
    if (!corner.hovered) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui, corner,
                  corner.hides ? tr("Mask this word\n▢ takes its place, and the model has to predict it.")
                               : tr("Show this word again"));
}

void token_chip(const Frame& frame, const HeadTrace* head, int slot, int token, const std::string& word,
                const Box& box) {
    const Ui& ui = frame.ui;
    if (type_in_chip(frame, slot, token, box)) return;
    const ButtonStyle style = token_style(frame, head, slot, token);
    const std::optional<HideCorner> corner = hide_corner(frame, slot, token, box);
    const Response r = button(ui, ui.items->of_card(slot, "token %d", token), box, word, style);
    if (r.clicked) choose_token(frame.state, frame.snapshot, slot, token);
    if (r.hovered) point_at_word(frame, slot, token);
    edit_by_mouse(frame, slot, token, box, r);
    if (corner) draw_hide_corner(ui, *corner);
    if (frame.state.compare && word_is_lit(frame.state, slot, token)) {
        const float out = ui.px(1);
        draw::rounded_box(ui, box.inset(-out), 0, ui.theme->selection, 7, 2);
        ui.items->add(ui.items->of_card(slot, "lit token"), box, item_state(token), word);
    }
    if (!is_unknown(frame, slot, token)) return;
    const float y = box.max.y - ui.px(5);
    const std::array<ImVec2, 2> line{ImVec2{box.min.x + ui.px(6), y}, ImVec2{box.max.x - ui.px(6), y}};
    draw::dashed_line(ui, line, ui.theme->danger, ui.px(2), 3, 2);
    if (!style.gold) draw::rounded_box(ui, box, 0, ui.theme->danger, 6, 1);
}

float chip_pad(const Ui& ui, float line) { return ui.px(line < ui.px(360) ? 6 : 8); }
float chip_width_of(const Ui& ui, const std::string& word, float pad) {
    return std::max(std::ceil(draw::text_size(ui, word, FontRole::body_bold).x) + 2 * pad, ui.px(20));
}

/// Places chips of these words side by side, in as many lines as needed, and draws each with draw(i, box). In a
/// right-to-left language, words start at the right. `field`: the chip that is now a field.
template <class Word, class Draw>
float chip_rows(const Frame& frame, const Box& box, bool from_right, int count, const Word& word, const Draw& draw_chip,
                const ChipField& field = {}) {
    const Ui& ui = frame.ui;
    const float height = ui.px(27), pad = chip_pad(ui, box.width()), gap = ui.px(chip_gap);
    ImVec2 at = box.min;
    for (int i = 0; i < count; ++i) {
        const float least = i == field.position ? field.width : 0;
        const float width = std::min(std::max(chip_width_of(ui, word(i), pad), least), box.width());
        if (at.x > box.min.x && at.x + width > box.max.x) at = {box.min.x, at.y + height + gap};
        const float left = from_right ? box.min.x + box.max.x - at.x - width : at.x;
        draw_chip(i, Box{{left, at.y}, {left + width, at.y + height}});
        at.x += width + gap;
    }
    return at.y + height;
}

/// Draws a word of the source sentence, in the colour of the chosen word's attention to it.
void source_chip(const Frame& frame, const HeadTrace* head, int slot, int token, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string word = frame.source_word(slot, token);
    const std::string_view label = ui.items->of_card(slot, "source %d", token);
    const bool weighted = head && head->cross && !waits_for_guess(frame.state, slot);
    const float weight = weighted ? head->pair(head->pattern, head->query, token) : 0.0f;
    const ImU32 fill = weighted ? ui.theme->attention_colour(weight) : ui.theme->card;
    draw::rounded_box(ui, box, fill, ui.theme->control_border, 6);
    draw::label(ui, box, word, {FontRole::body, weighted ? Theme::text_on(fill) : ui.theme->text, draw::Align::centre},
                {label, weighted ? std::optional<double>(static_cast<double>(weight)) : std::nullopt});
    if (weighted && draw::hovered(box)) {
        const std::string from = frame.word(slot, head->query);
        draw::tooltip(ui, ui.items->format(tr("%s → %s  %.2f\nHow much “%s” attends to it in this head."), from.c_str(),
                                           word.c_str(), weight, from.c_str()));
    }
}

/// The places of a long sentence's chips, relative to their top left corner.
struct ChipPlaces {
    std::vector<ImVec2> at;
    std::vector<float> widths;
};

const ChipPlaces& chip_places(const Frame& frame, int slot, float width) {
    static thread_local Memo<std::tuple<SharedKey<Trace>, float, float, float, int, float>, ChipPlaces, 2> known;
    const Ui& ui = frame.ui;
    const ChipField field = chip_field(frame, slot);
    const float line = ui.line(FontRole::body_bold);
    return known({frame.sentence(slot).trace, width, line, ui.scale, field.position, field.width}, [&] {
        ChipPlaces places;
        const int count = int_size(frame.sentence(slot).tokens);
        // Draws nothing: it only records where the chips would be.
        chip_rows(
            frame, {{0, 0}, {width, 0}}, reads_from_right(frame, slot), count,
            [&](int i) { return frame.word(slot, i); },
            [&](int, const Box& box) {
                places.at.push_back(box.min);
                places.widths.push_back(box.width());
            },
            field);
        return places;
    });
}

/// Draws a few lines of chips that scroll. Only visible chips are built, and the chosen one is scrolled into view.
float long_token_row(const Frame& frame, const HeadTrace* head, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const float line = ui.px(27) + ui.px(4), bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    const ChipPlaces& places = chip_places(frame, slot, box.width() - bar);
    const float room = std::max(box.height() * 0.16f, 2 * line), whole = places.at.back().y + line;
    const float height = std::min(whole, std::floor(std::min(room, 4 * line) / line) * line) - ui.px(4);
    ChildWindow window(ui, slot == 0 ? "##tokens A" : "##tokens B", box.top(height), ChildWindow::Kind::scrolls);
    const ImVec2 at = window.start();
    const int token = std::clamp(frame.state.token[slot], 0, int_size(places.at) - 1);
    const float chosen = at.y + places.at[token].y;
    // In another view the rows may be wider, and the word in a different row.
    const int row = static_cast<int>(places.at[token].y / line);
    keep_in_sight("token", token + row * int_size(places.at), chosen, chosen + ui.px(27));
    for (std::size_t i = 0; i < places.at.size(); ++i) {
        const Box chip = Box::sized({at.x + places.at[i].x, at.y + places.at[i].y}, places.widths[i], ui.px(27));
        if (chip.max.y < box.min.y) continue;
        if (chip.min.y > box.min.y + height) break;
        token_chip(frame, head, slot, static_cast<int>(i), frame.word(slot, static_cast<int>(i)), chip);
    }
    window.reaches({at.x + 1, at.y + whole - ui.px(4)});
    return box.min.y + height;
}

constexpr float number_width = 20;  // of a pair's number, pixels at 100 %

/// Returns where the second of two sentences starts; nullopt if there is only one.
std::optional<int> second_begins(const Trace* trace) {
    if (!trace || trace->model().token_types < 0) return std::nullopt;
    const std::span<const float> types = trace->values(trace->model().token_types);
    const auto second = std::ranges::find(types, 1.0f);
    return second == types.end() ? std::nullopt : std::optional(static_cast<int>(second - types.begin()));
}

/// Draws "1" or "2" before the words of a sentence in a pair.
void sentence_number(const Frame& frame, const Box& box, int slot, int number) {
    const Ui& ui = frame.ui;
    const std::string_view text = ui.items->format("%d", number);
    ui.items->add(ui.items->of_card(slot, "sentence %d", number), box, item_state(number - 1), text);
    draw::rounded_box(ui, box, ui.theme->hover, 0, 5);
    draw::text_in(ui, box, text, {FontRole::small_bold, ui.theme->text_muted, draw::Align::centre});
    if (draw::hovered(box))
        draw::tooltip(ui, ui.items->format(tr("Sentence %d: token type %d\nThe model adds the learned row of this type "
                                              "to each of these tokens."),
                                           number, number - 1));
}

/// Each sentence of a pair starts on its own line, after its number.
template <class Word, class Draw>
float numbered_rows(const Frame& frame, Box box, int slot, int count, int second, const Word& word,
                    const Draw& draw_chip) {
    const Ui& ui = frame.ui;
    const bool from_right = reads_from_right(frame, slot);
    const float width = ui.px(number_width), gap = ui.px(4);
    const ChipField field = chip_field(frame, slot);
    for (const auto& [first, end] : {std::pair{0, second}, {second, count}}) {
        const float left = from_right ? box.max.x - width : box.min.x, top = box.min.y;
        const Box rest{{box.min.x + (from_right ? 0 : width + gap), top},
                       {box.max.x - (from_right ? width + gap : 0), 0}};
        sentence_number(frame, {{left, top}, {left + width, top + ui.px(27)}}, slot, first == 0 ? 1 : 2);
        box.min.y = gap + chip_rows(
                              frame, rest, from_right, end - first, [&](int i) { return word(first + i); },
                              [&](int i, const Box& chip) { draw_chip(first + i, chip); },
                              {field.position - first, field.width});
    }
    return box.min.y - gap;
}

/// Appears after the words of a model that reads two sentences, while there is only one.
void second_sentence_button(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    if (button(ui, ui.items->of_card(slot, "second"), box, tr("+ second sentence"),
               {.tone = Tone::bare, .font = FontRole::small, .tooltip = tr(second_sentence_hint)}))
        type_second_sentence(frame, slot);
}

}  // namespace

bool is_unknown(const Frame& frame, int slot, int position) {
    const int id = frame.sentence(slot).tokens[position].id;
    if (dynamic_cast<const CharacterTokenizer*>(frame.model(slot).tokenizer.get()))
        return id == CharacterTokenizer::unknown;
    return frame.model(slot).words() && id == WordTokenizer::unknown;
}

bool sentence_chips_fit(const Frame& frame, int slot, float room) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int count = int_size(sentence.tokens);
    if (!sentence.source.empty() || !sentence.values.empty() || is_long(count) ||
        reads_two_sentences(frame.model(slot)))
        return false;
    float width = -frame.ui.px(chip_gap);
    for (int i = 0; i < count; ++i)
        width += chip_width_of(frame.ui, frame.word(slot, i), chip_pad(frame.ui, room)) + frame.ui.px(chip_gap);
    return width <= room;
}

namespace {

float draw_chips(const Frame& frame, Box box, int slot) {
    const Ui& ui = frame.ui;
    const Trace* trace = frame.trace(slot);
    const HeadTrace* head = nullptr;
    std::optional<HeadTrace> made;
    if (trace && has_attention(frame.state, *trace)) head = &made.emplace(frame, *trace, slot);
    const WatchedSentence& sentence = frame.sentence(slot);
    if (const int count = int_size(sentence.source); count > 0)
        box.min.y = ui.px(5) + chip_rows(
                                   frame, box, reads_from_right(frame, slot, true), count,
                                   [&](int i) { return frame.source_word(slot, i); },
                                   [&](int i, const Box& box) { source_chip(frame, head, slot, i, box); });
    if (trace && is_long(int_size(sentence.tokens))) return long_token_row(frame, head, box, slot);
    const int count = int_size(sentence.tokens);
    bool with_numbers = !sentence.values.empty();
    const auto text = [&](int i) { return chip_text(frame, slot, i, with_numbers); };
    const auto draw_token = [&](int i, const Box& box) { token_chip(frame, head, slot, i, text(i), box); };
    if (const std::optional<int> second = second_begins(trace))
        return numbered_rows(frame, box, slot, count, *second, text, draw_token);
    if (trace && reads_two_sentences(frame.model(slot)) && (slot == 0 || frame.snapshot.comparing.of_sentences()))
        return chip_rows(
            frame, box, reads_from_right(frame, slot), count + 1,
            [&](int i) { return i < count ? text(i) : std::string(tr("+ second sentence")); },
            [&](int i, const Box& box) {
                if (i < count)
                    draw_token(i, box);
                else
                    second_sentence_button(frame, slot, box);
            },
            chip_field(frame, slot));
    const auto place = [&](const auto& draw_chip) {
        return chip_rows(frame, box, reads_from_right(frame, slot), count, text, draw_chip, chip_field(frame, slot));
    };
    if (with_numbers) with_numbers = place([](int, const Box&) {}) - box.min.y <= ui.px(most_number_lines);
    return place(draw_token);
}

}  // namespace

float draw_sentence_chips(const Frame& frame, const Box& box, int slot) {
    const float bottom = draw_chips(frame, box, slot);
    settle_drag(frame, slot);
    return bottom;
}

}  // namespace glassformer::app
