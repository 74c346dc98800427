#include "app/views/sentence_picker.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/views/compare_controls.h"
#include "app/views/head_trace.h"
#include "app/views/long_sentence.h"
#include "app/views/predict_first.h"
#include "app/window/input.h"
#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

constexpr int notes_shown = 3;

SentenceEdit& edit_of(const Frame& frame, int slot) { return frame.state.edit[static_cast<std::size_t>(slot)]; }

/// Card B with a sentence of its own, and card A; else it shows A's.
bool own_sentence(const Frame& frame, int slot) { return slot == 0 || frame.snapshot.comparing.of_sentences(); }

void watch(const Frame& frame, int slot, const std::string& text) {
    frame.state.slot = slot;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), text});
}

/// The model's answer about a whole sentence, where it gives one: its class, or whose translation is shown.
void draw_said(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const ModelInfo& model = frame.model();
    const Trace* trace = frame.trace(slot);
    if (!trace || box.width() < ui.px(40)) return;
    std::string_view text;
    if (model.translates()) {
        text = frame.sentence(slot).target_given ? "your translation" : "translated by the model";
        if (draw::text_size(ui, text, FontRole::small).x > box.width())
            text = frame.sentence(slot).target_given ? "yours" : "the model's";
    } else if (model.config.output == OutputKind::classes) {
        const std::span<const float> shares = trace->values(trace->model().probabilities);
        const auto best = std::ranges::max_element(shares);
        if (waits_for_guess(frame.state, slot))
            return draw_waiting(ui, ui.items->format("%s/said", Frame::letter(slot)), box.min, box.max,
                                draw::Align::left);
        const std::string name = model.class_name(static_cast<int>(best - shares.begin()));
        text = ui.items->format("%s %.0f %%", name.c_str(), static_cast<double>(100 * *best));
        ui.items->add(ui.items->format("%s/said", Frame::letter(slot)), box.min, box.max, static_cast<double>(*best),
                      name);
        if (draw::text_size(ui, text, FontRole::small).x > box.width()) text = ui.items->format("%s", name.c_str());
    }
    draw::text_in(ui, box.min, box.max, text, {FontRole::small, ui.theme->text_muted});
}

void headline(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const WatchedSentence& sentence = frame.sentence(slot);
    std::string_view text = Frame::letter(slot);
    if (!frame.snapshot.comparing.of_sentences()) {
        for (const bool brief : {false, true}) {
            if (slot != 0 || (brief && draw::text_size(ui, text, FontRole::body_bold).x <= box.width())) break;
            text = ui.items->format("A · %s", compared_side(frame, slot, brief).c_str());
        }
    } else if (sentence.sense >= 0) {
        const std::string& sense = frame.model().senses[static_cast<std::size_t>(sentence.sense)].name;
        text = ui.items->format("%s · %s", Frame::letter(slot), sense.c_str());
    }
    const ImU32 colour = slot == 0 ? t.sense_a_text : t.sense_b_text;
    ui.items->add(ui.items->format("%s/headline", Frame::letter(slot)), box.min, box.max, std::nullopt, text);
    draw::text_in(ui, box.min, box.max, text, {FontRole::body_bold, colour});
    draw_said(frame, {{box.min.x + draw::text_size(ui, text, FontRole::body_bold).x + ui.px(22), box.min.y}, box.max},
              slot);
    if (frame.state.slot != slot || !frame.state.compare) return;
    const float x = box.min.x + draw::text_size(ui, text, FontRole::body_bold).x + ui.px(10);
    const float y = (box.min.y + box.max.y) / 2;
    if (x + ui.px(4) > box.max.x) return;
    ui.list()->AddCircleFilled({x, y}, 3.5f * ui.scale, t.selection);
    if (draw::hovered({box.min.x, box.min.y}, {x + ui.px(8), box.max.y}))
        draw::tooltip(ui,
                      "The keyboard acts on this sentence\nTab: next token. ← →: head. ↑ ↓: block. A or B: switch.");
}

/// A menu's line: line ends are shown, not made.
std::string_view in_one_line(const Ui& ui, const std::string& text) {
    std::string line;
    for (const char c : text) line += c == '\n' ? "⏎" : std::string(1, c);
    return ui.items->format("%s", line.c_str());
}

void pick_sample(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const std::vector<Sample>& samples = frame.model().samples;
    std::vector<std::string_view> choices;
    int current = -1;
    for (const Sample& sample : samples) {
        if (sample.text == frame.sentence(slot).text) current = static_cast<int>(choices.size());
        choices.push_back(in_one_line(ui, sample.text));
    }
    const int chosen = dropdown(ui, ui.items->format("%s/samples", Frame::letter(slot)), box.min, box.max, "Samples",
                                choices, current);
    if (chosen < 0) return;
    edit_of(frame, slot).open = false;
    watch(frame, slot, samples[static_cast<std::size_t>(chosen)].text);
}

/// "Samples ▾" and "Type…" at the right; returns where they begin.
float head_buttons(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    const float type = draw::text_size(ui, "Type…", FontRole::body).x + ui.px(20);
    const float samples = draw::text_size(ui, "Samples", FontRole::body).x + ui.px(37);
    const float middle = box.max.x - type - ui.px(6), left = middle - samples;
    ButtonStyle style;
    style.selected = edit.open;
    const ModelInfo& model = frame.model();
    if (!edit.open)
        style.tooltip = model.translates() ? "Write your own sentence\nThe model translates it; after → stands a "
                                             "translation that you give."
                        : model.config.input == InputKind::values
                            ? "Write your own numbers\nsample 3 is a prompt of the world; rows of numbers end with ;"
                        : model.words() && !model.config.causal()
                            ? "Write your own sentence\n_ stands for a hidden word."
                            : "Write your own sentence";
    if (button(ui, ui.items->format("%s/type", Frame::letter(slot)), {box.max.x - type, box.min.y}, box.max, "Type…",
               style)) {
        edit.open = !edit.open;
        edit.take_focus = edit.open, edit.sent = false;
        if (edit.open) edit.draft = frame.sentence(slot).text;
    }
    pick_sample(frame, {{left, box.min.y}, {middle, box.max.y}}, slot);
    return left;
}

void cancel(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    edit.open = edit.sent = false;
    if (!frame.sentence(slot).error.empty() && !edit.last_good.empty()) watch(frame, slot, edit.last_good);
}

/// A new sentence is looked at from its homonym, as the first ones are.
void choose_token_of_new_sentence(const Frame& frame, int slot, int token) {
    frame.state.token[static_cast<std::size_t>(slot)] = token;
    if (frame.state.slot == slot) frame.state.follow_strongest = true;
}

/// After Enter the field waits for the worker's answer: it closes for a sentence that could be read.
void settle_edit(const Frame& frame, int slot) {
    SentenceEdit& edit = edit_of(frame, slot);
    const WatchedSentence& sentence = frame.sentence(slot);
    if (sentence.trace && sentence.text != edit.last_good) {
        const bool first = edit.last_good.empty();
        edit.last_good = sentence.text;
        if (!first && sentence.homonym_pos >= 0) choose_token_of_new_sentence(frame, slot, sentence.homonym_pos);
    }
    if (!edit.sent || sentence.text != edit.draft) return;
    edit.sent = false;
    edit.open = edit.take_focus = !sentence.error.empty();
}

std::string_view typing_hint(const ModelInfo& model) {
    if (model.config.input == InputKind::values) return "sample 3, or rows of numbers; then Enter";
    if (!model.tokenizer) return "Token ids such as 5 17 3, then Enter";
    return model.translates() ? "Type a sentence (→ its translation), then Enter" : "Type a sentence, then Enter";
}

float text_row(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    SentenceEdit& edit = edit_of(frame, slot);
    bool entered = false;
    if (edit.take_focus) ImGui::SetKeyboardFocusHere();
    edit.take_focus = false;
    const float bottom = box.min.y + ui.px(30);
    text_field(ui, ui.items->format("%s/text", Frame::letter(slot)), box.min, {box.max.x, bottom}, edit.draft,
               typing_hint(frame.model()), &entered);
    if (entered) {
        edit.sent = true;
        watch(frame, slot, edit.draft);
    } else if (key_pressed(Key::escape)) {
        cancel(frame, slot);
    }
    return bottom;
}

float error_line(const Frame& frame, const Box& box, float y, int slot) {
    const std::string& error = frame.sentence(slot).error;
    if (error.empty()) return y;
    y += frame.ui.px(6);
    const float height = draw::text_wrapped(frame.ui, {box.min.x, y}, box.width(), error,
                                            {FontRole::small, frame.ui.theme->danger_text});
    frame.ui.items->add(frame.ui.items->format("%s/error", Frame::letter(slot)), {box.min.x, y},
                        {box.max.x, y + height}, std::nullopt, error);
    return y + height;
}

bool is_unknown(const Frame& frame, int id) { return frame.model().words() && id == WordTokenizer::unknown; }

ButtonStyle token_style(const Frame& frame, const HeadTrace* head, int slot, int token) {
    ButtonStyle style;
    style.gold = token == frame.state.token[static_cast<std::size_t>(slot)];
    if (!head || style.gold) return style;
    if (head->cross || head->hidden(head->query, token) || waits_for_guess(frame.state, slot)) return style;
    const float weight = head->pair(head->pattern, head->query, token);
    const std::string from = frame.word(slot, head->query), to = frame.word(slot, token);
    style.fill = frame.ui.theme->attention_colour(weight);
    style.tooltip =
        frame.ui.items->format("%s → %s  %.2f\nHow much “%s” reads from here in this head. Click to choose this token.",
                               from.c_str(), to.c_str(), static_cast<double>(weight), from.c_str());
    return style;
}

void token_chip(const Frame& frame, const HeadTrace* head, int slot, int token, ImVec2 min, ImVec2 max) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(slot, token);
    const ButtonStyle style = token_style(frame, head, slot, token);
    if (button(ui, ui.items->format("%s/token %d", Frame::letter(slot), token), min, max, word, style))
        choose_token(frame.state, frame.snapshot, slot, token);
    if (!is_unknown(frame, frame.sentence(slot).tokens[static_cast<std::size_t>(token)].id)) return;
    const float y = max.y - ui.px(5);
    const std::array<ImVec2, 2> line{ImVec2{min.x + ui.px(6), y}, ImVec2{max.x - ui.px(6), y}};
    draw::dashed_line(ui, line, ui.theme->danger, ui.px(2), 3, 2);
    if (!style.gold) draw::rounded_box(ui, min, max, 0, ui.theme->danger, 6, 1);
}

/// Puts chips of these words one after the other, in as many lines as it takes; draws each with draw(i, min, max).
template <class Word, class Draw>
float chip_rows(const Frame& frame, const Box& box, int count, const Word& word, const Draw& draw_chip) {
    const Ui& ui = frame.ui;
    const float height = ui.px(27), pad = box.width() < ui.px(360) ? ui.px(6) : ui.px(8), gap = ui.px(4);
    ImVec2 at = box.min;
    for (int i = 0; i < count; ++i) {
        const float text = draw::text_size(ui, word(i), FontRole::body_bold).x;
        const float width = std::min(std::max(std::ceil(text) + 2 * pad, ui.px(20)), box.width());
        if (at.x > box.min.x && at.x + width > box.max.x) at = {box.min.x, at.y + height + gap};
        draw_chip(i, at, ImVec2{at.x + width, at.y + height});
        at.x += width + gap;
    }
    return at.y + height;
}

/// A word of the sentence that is translated, in the colour of the chosen word's attention to it.
void source_chip(const Frame& frame, const HeadTrace* head, int slot, int token, ImVec2 min, ImVec2 max) {
    const Ui& ui = frame.ui;
    const std::string word = frame.source_word(slot, token);
    const std::string_view label = ui.items->format("%s/source %d", Frame::letter(slot), token);
    const bool weighted = head && head->cross && !waits_for_guess(frame.state, slot);
    const float weight = weighted ? head->pair(head->pattern, head->query, token) : 0.0f;
    const ImU32 fill = weighted ? ui.theme->attention_colour(weight) : ui.theme->card;
    draw::rounded_box(ui, min, max, fill, ui.theme->control_border, 6);
    draw::text_in(ui, min, max, word,
                  {FontRole::body, weighted ? Theme::text_on(fill) : ui.theme->text, draw::Align::centre});
    ui.items->add(label, min, max, weighted ? std::optional<double>(static_cast<double>(weight)) : std::nullopt, word);
    if (weighted && draw::hovered(min, max)) {
        const std::string from = frame.word(slot, head->query);
        draw::tooltip(ui, ui.items->format("%s → %s  %.2f\nHow much “%s” reads from here in this head.", from.c_str(),
                                           word.c_str(), static_cast<double>(weight), from.c_str()));
    }
}

/// Where the chips of a long sentence stand, from the top left on; found once for a width.
struct ChipPlaces {
    std::weak_ptr<const Trace> trace;
    float width = 0, size = 0, scale = 0;
    std::vector<ImVec2> at;
    std::vector<float> widths;
};

const ChipPlaces& chip_places(const Frame& frame, int slot, float width) {
    static thread_local std::array<ChipPlaces, 2> kept;
    ChipPlaces& places = kept[static_cast<std::size_t>(slot)];
    const Ui& ui = frame.ui;
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    const float size = ui.line(FontRole::body_bold);
    if (places.width == width && places.size == size && places.scale == ui.scale && places.trace.lock() == trace)
        return places;
    places = {trace, width, size, ui.scale, {}, {}};
    const int count = static_cast<int>(frame.sentence(slot).tokens.size());
    // Away from every item: it only asks where the chips would stand.
    chip_rows(
        frame, {{0, 0}, {width, 0}}, count, [&](int i) { return frame.word(slot, i); },
        [&](int, ImVec2 min, ImVec2 max) {
            places.at.push_back(min);
            places.widths.push_back(max.x - min.x);
        });
    return places;
}

/// A few lines of chips that scroll; those in sight are built, and the chosen one is brought into sight.
float long_token_row(const Frame& frame, const HeadTrace* head, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const float line = ui.px(27) + ui.px(4), bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    const ChipPlaces& places = chip_places(frame, slot, box.width() - bar);
    const float room = std::max(box.height() * 0.16f, 2 * line), whole = places.at.back().y + line;
    const float height = std::min(whole, std::floor(std::min(room, 4 * line) / line) * line) - ui.px(4);
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild(slot == 0 ? "##tokens A" : "##tokens B", {box.width(), height}, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const int token =
        std::clamp(frame.state.token[static_cast<std::size_t>(slot)], 0, static_cast<int>(places.at.size()) - 1);
    const float chosen = at.y + places.at[static_cast<std::size_t>(token)].y;
    keep_in_sight("token", token, chosen, chosen + ui.px(27));
    for (std::size_t i = 0; i < places.at.size(); ++i) {
        const ImVec2 min{at.x + places.at[i].x, at.y + places.at[i].y},
            max{min.x + places.widths[i], min.y + ui.px(27)};
        if (max.y < box.min.y) continue;
        if (min.y > box.min.y + height) break;
        token_chip(frame, head, slot, static_cast<int>(i), min, max);
    }
    ImGui::SetCursorScreenPos({at.x, at.y + whole - ui.px(4) - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    return box.min.y + height;
}

float token_row(const Frame& frame, Box box, int slot) {
    const Ui& ui = frame.ui;
    const Trace* trace = frame.trace(slot);
    const HeadTrace* head = nullptr;
    std::optional<HeadTrace> made;
    if (trace && has_attention(frame.state, *trace)) head = &made.emplace(frame, *trace, slot);
    const WatchedSentence& sentence = frame.sentence(slot);
    if (const int count = static_cast<int>(sentence.source.size()); count > 0)
        box.min.y = ui.px(5) + chip_rows(
                                   frame, box, count, [&](int i) { return frame.source_word(slot, i); },
                                   [&](int i, ImVec2 min, ImVec2 max) { source_chip(frame, head, slot, i, min, max); });
    if (trace && is_long(static_cast<int>(sentence.tokens.size()))) return long_token_row(frame, head, box, slot);
    return chip_rows(
        frame, box, static_cast<int>(sentence.tokens.size()), [&](int i) { return frame.word(slot, i); },
        [&](int i, ImVec2 min, ImVec2 max) { token_chip(frame, head, slot, i, min, max); });
}

void replace_word(const Frame& frame, int slot, int position, const std::string& word) {
    std::vector<std::string> words;
    for (const WordTokenizer::Token& token : frame.sentence(slot).tokens) words.push_back(token.text);
    words[static_cast<std::size_t>(position)] = word;
    Sentence sentence;
    sentence.words = std::move(words);
    watch(frame, slot, text_of(sentence));
}

void offer_chips(const Frame& frame, const Box& box, ImVec2& at, float height, int slot, int position) {
    const Ui& ui = frame.ui;
    ButtonStyle style;
    style.tone = Tone::attention, style.font = FontRole::small;
    for (const std::string& offer : frame.sentence(slot).nearest_known[static_cast<std::size_t>(position)]) {
        if (at.x > box.min.x && at.x + chip_width(ui, offer, style) > box.max.x)
            at = {box.min.x, at.y + height + ui.px(3)};
        const std::string_view label = ui.items->format("%s/offer %d %s", Frame::letter(slot), position, offer.c_str());
        if (chip(ui, label, at, height, offer, style, 4)) replace_word(frame, slot, position, offer);
    }
}

/// Says which word is unknown, and offers the known ones that are spelt most like it. Only the first is told at length.
float unknown_note(const Frame& frame, const Box& box, float y, int slot, int position, bool first) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(slot, position);
    const int known = frame.model().tokenizer->size() - 3;  // without the special tokens
    const std::string_view text =
        first
            ? ui.items->format("‘%s’ is not in this model's vocabulary (%d words); spelt like it:", word.c_str(), known)
            : ui.items->format("‘%s’ is not in it either; spelt like it:", word.c_str());
    const draw::TextStyle style{FontRole::small, ui.theme->danger_text};
    const float height = ui.px(21), width = draw::text_size(ui, text, FontRole::small).x;
    y += ui.px(4);
    ImVec2 at{box.min.x + width + ui.px(8), y};
    if (width <= box.width())
        draw::text_in(ui, {box.min.x, y}, {box.max.x, y + height}, text, style);
    else
        at = {box.min.x, y + draw::text_wrapped(ui, {box.min.x, y}, box.width(), text, style)};
    ui.items->add(ui.items->format("%s/unknown %d", Frame::letter(slot), position), {box.min.x, y},
                  {std::min(box.min.x + width, box.max.x), y + height}, std::nullopt, text);
    offer_chips(frame, box, at, height, slot, position);
    return at.y + height;
}

float unknown_notes(const Frame& frame, const Box& box, float y, int slot) {
    const std::vector<WordTokenizer::Token>& tokens = frame.sentence(slot).tokens;
    int unknown = 0;
    for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
        if (!is_unknown(frame, tokens[static_cast<std::size_t>(i)].id) || unknown++ >= notes_shown) continue;
        y = unknown_note(frame, box, y, slot, i, unknown == 1);
    }
    const int more = unknown - notes_shown;
    if (more <= 0) return y;
    y += frame.ui.px(4);
    draw::text(frame.ui, {box.min.x, y},
               frame.ui.items->format(more == 1 ? "and %d more unknown word" : "and %d more unknown words", more),
               {FontRole::small, frame.ui.theme->danger_text});
    return y + frame.ui.line(FontRole::small);
}

}  // namespace

float draw_sentence_picker(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    if (own_sentence(frame, slot)) settle_edit(frame, slot);
    const float head = box.min.y + ui.px(26);
    const Box right{{box.min.x + ui.px(24), box.min.y}, {box.max.x, head}};
    const bool own = own_sentence(frame, slot);
    const float buttons = own ? head_buttons(frame, right, slot) : draw_compare_controls(frame, right);
    headline(frame, {box.min, {buttons - ui.px(8), head}}, slot);
    const Box below{{box.min.x, head + ui.px(8)}, box.max};
    if (!own && edit_of(frame, slot).open) return draw_compare_folder(frame, below);
    if (edit_of(frame, slot).open) return error_line(frame, below, text_row(frame, below, slot), slot);
    if (!frame.sentence(slot).error.empty()) return error_line(frame, below, below.min.y, slot);
    const float tokens = token_row(frame, below, slot);
    // What is wrong in a translation that the model made itself is no spelling mistake.
    return frame.model().translates() ? tokens : unknown_notes(frame, below, tokens, slot);
}

}  // namespace glassformer::app
