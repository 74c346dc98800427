#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/common/colour_legend.h"
#include "app/common/heat_map.h"
#include "app/common/hidden_word.h"
#include "app/common/signed_map.h"
#include "app/common/what_if_changes.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/views/what_if/what_if_pages.h"
#include "core/analysis/patching.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::what_if {

/// What is patched from the other sentence, chosen for one pair of sentences.
struct PatchChoice {
    int node = 0;               // PatchedNode
    int word = -1, minus = -1;  // whose difference of logits is looked at; −1: the likeliest of either sentence
    std::array<std::string, 2> sentences;
};

/// What the view remembers.
struct WhatIfState {
    std::array<PatchChoice, 2> patch;  // into A, into B
};

namespace {

// Pixels at 100 %.
constexpr float control_height = 26, row_gap = 6, longest_label = 64, cell_height = 22, cell_least = 14, cell_most = 44,
                kinds_width = 216, word_width = 96, bar_height = 6;
constexpr int patches_of_each = 4;  // words to choose from, of either sentence

/// The likeliest words at the chosen place, of the sentence that is patched and then of the other.
struct Candidates {
    std::array<std::vector<int>, 2> of;  // [0: patched, 1: the other]
    std::vector<int> all;
};

std::vector<int> likeliest_at(const Trace& trace, int position) {
    const int node = trace.model().probabilities;
    const std::size_t width = trace.shape(node).back();
    std::vector<int> best =
        likeliest(trace.values(node).subspan(static_cast<std::size_t>(position) * width, width), patches_of_each);
    if (best.empty()) best.push_back(0);  // of a training whose numbers ran away nothing is likeliest
    return best;
}

/// Draws the section of one sentence. Lives for one call.
class Patches {
public:
    Patches(const Frame& frame, const Box& box, int slot)
        : frame_(frame),
          ui_(frame.ui),
          box_(box),
          slot_(slot),
          position_(frame.state.token[slot]),
          choice_(frame.state.own<WhatIfState>().patch[slot]),
          partners_(patch_partners(frame, slot)) {}
    float draw();

private:
    /// The place of the other sentence that one of this sentence is patched from; −1: none.
    int partner(int position) const { return partners_.empty() ? position : partners_[position]; }
    bool in_sight(int slot, int position) const;
    void say_which_words();
    void say_what_is_in_sight();
    void find_words();
    void say_of_which_model();
    void title();
    void kinds();
    void words();
    int word_choice(const char* item, const Box& box, int chosen);
    void answer();
    void progress(const PatchStudy& study);
    void grid(const PatchStudy& study);
    void cross_out(const SignedMap& map, int position);
    void headings(const PatchStudy& study, const SignedMap& map);
    void use(const PatchStudy& study, const SignedMap& map, const CellHit& hit);
    glassformer::what_if::Patch patch_at(int block, int position) const;
    const Trace& original(int slot) const {
        const WatchedSentence& s = frame_.sentence(slot);
        return s.original ? *s.original : *s.trace;
    }
    std::string_view label(const char* what) const { return ui_.items->of_card(slot_, "patch %s", what); }
    Box next_row() { return box_.cut_top(ui_.px(control_height), ui_.px(row_gap)); }
    /// Returns where it was said.
    Box say(std::string_view text) {
        const draw::TextStyle style{FontRole::small, ui_.theme->text_muted};
        return box_.cut_top(draw::text_wrapped(ui_, box_.min, box_.width(), text, style) + ui_.px(row_gap));
    }

    const Frame& frame_;
    const Ui& ui_;
    Box box_;  // what is left of it
    int slot_, position_;
    PatchChoice& choice_;
    PatchPartners partners_;
    Candidates candidates_;
    int word_ = -1, minus_ = -1;
};

/// Whether a word that the model would have to guess is there for it to read.
bool Patches::in_sight(int slot, int position) const {
    const WatchedSentence& sentence = frame_.sentence(slot);
    if (position < 0 || sentence.masked_probabilities.empty()) return false;
    return !is_mask(frame_.model(slot), sentence.tokens[position].id);
}

void Patches::say_which_words() {
    if (partners_.empty()) return;
    const std::string here = frame_.word(slot_, position_), there = frame_.word(1 - slot_, partner(position_));
    const Box said = say(ui_.items->format(
        tr("%d and %d words: each is patched from the same word of %s, and “%s” from “%s”, the chosen one."),
        original(slot_).positions(), original(1 - slot_).positions(), Frame::letter(1 - slot_), here.c_str(),
        there.c_str()));
    ui_.items->add(label("by words"), said);
}

/// The list beside this hides the chosen word; the sentence that is patched has it, unless somebody hides it there.
void Patches::say_what_is_in_sight() {
    const int there = partner(position_);
    const bool here = in_sight(slot_, position_), other = in_sight(1 - slot_, there);
    if (!here && !other) return;
    const std::string word = here ? frame_.word(slot_, position_) : frame_.word(1 - slot_, there);
    ui_.items->add(label("in sight"),
                   say(ui_.items->format(tr("The model sees “%s” here. Hide it to ask what the model would predict."),
                                         word.c_str())));
    const ButtonStyle style{.tone = Tone::attention,
                            .font = FontRole::small,
                            .tooltip = tr("Hide the chosen word\nBoth sentences get ▢ in its place.")};
    ImVec2 at = next_row().min;
    if (chip(ui_, label("hide"), at, ui_.px(control_height), ui_.items->format(tr("hide “%s”"), word.c_str()), style)) {
        if (other) hide_word(frame_, 1 - slot_, there);
        if (here) hide_word(frame_, slot_, position_);
    }
}

/// The map is of the model as it is without changes, also beside one that was altered.
void Patches::say_of_which_model() {
    if (frame_.snapshot.what_if.empty()) return;
    ui_.items->add(label("unaltered"),
                   say(tr("This map is of the unaltered model: without what-ifs and kept patches.")));
}

/// The words whose logits are compared: those chosen, else what the other sentence would say and what this one says.
void Patches::find_words() {
    const std::array<std::string, 2> sentences = {frame_.sentence(0).text, frame_.sentence(1).text};
    if (choice_.sentences != sentences) choice_.word = choice_.minus = -1, choice_.sentences = sentences;
    const int there = partner(position_);
    candidates_.of[0] = likeliest_at(original(slot_), position_);
    candidates_.of[1] = there < 0 ? candidates_.of[0] : likeliest_at(original(1 - slot_), there);
    candidates_.all = candidates_.of[1];
    for (const int id : candidates_.of[0])
        if (std::ranges::find(candidates_.all, id) == candidates_.all.end()) candidates_.all.push_back(id);
    word_ = choice_.word >= 0 ? choice_.word : candidates_.of[1][0];
    minus_ = choice_.minus >= 0 ? choice_.minus : candidates_.of[0][0];
    // Both say the same: the runner-up is what it is held against.
    if (choice_.minus < 0 && minus_ == word_ && candidates_.of[0].size() > 1) minus_ = candidates_.of[0][1];
}

void Patches::title() {
    const Box row = box_.cut_top(ui_.line(FontRole::body_bold), ui_.px(4));
    draw::text_in(ui_, row, ui_.items->format(tr("Patch in activations of %s"), Frame::letter(1 - slot_)),
                  {FontRole::body_bold});
    if (draw::hovered(row))
        draw::tip(ui_, row,
                  ui_.items->format(tr("Activation patching\nReplaces one activation of this sentence by the one that "
                                       "%s has at the same position. Where the prediction changes, that activation "
                                       "carries the difference between the sentences."),
                                    Frame::letter(1 - slot_)));
    if (frame_.state.compare) return;
    // The other sentence has no card of its own: what is patched in must not come from nowhere.
    const std::string text = frame_.sentence(1 - slot_).text;
    ui_.items->add(label("other"), say(filled(tr("{1} is “{2}”"), {Frame::letter(1 - slot_), text})), std::nullopt,
                   text);
}

void Patches::kinds() {
    static constexpr std::array<std::string_view, 3> names = {N_("stream"), N_("attention"), N_("MLP")};
    const float right = std::min(box_.max.x, box_.min.x + ui_.px(kinds_width));
    segmented(ui_, label("kind"), next_row().left_of(right), names, choice_.node);
}

int Patches::word_choice(const char* item, const Box& box, int chosen) {
    std::vector<std::string> names;
    int selected = -1;
    for (const int id : candidates_.all) {
        if (id == chosen) selected = int_size(names);
        names.push_back(frame_.snapshot.model->token_text(id));
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string shown = frame_.snapshot.model->token_text(chosen);
    const int picked = dropdown(ui_, label(item), box, shown, views, selected, views);
    return picked < 0 ? -1 : candidates_.all[picked];
}

/// logit(word) − logit(minus), to choose.
void Patches::words() {
    const float gap = ui_.px(row_gap);
    const auto width = [&](std::string_view text) { return std::ceil(draw::text_size(ui_, text, FontRole::small).x); };
    const float texts = width(tr("logit of")) + width(tr("minus")) + 3 * gap;
    const float each = std::clamp((box_.width() - texts) / 2, ui_.px(48), ui_.px(word_width));
    Box row = next_row();
    const auto write = [&](std::string_view text) {
        draw::text_in(ui_, row.left(width(text) + 1), text, {FontRole::small, ui_.theme->text_muted});
        row.cut_left(width(text), gap);
    };
    write(tr("logit of"));
    if (const int id = word_choice("word", row.cut_left(each, gap), word_); id >= 0) choice_.word = id;
    write(tr("minus"));
    if (const int id = word_choice("minus", row.cut_left(each, gap), minus_); id >= 0) choice_.minus = id;
}

void Patches::progress(const PatchStudy& study) {
    const Box row = box_.cut_top(ui_.line(FontRole::small), ui_.px(2));
    draw::text_in(ui_, row, ui_.items->format(tr("patch %d of %d"), study.done, study.total),
                  {FontRole::small, ui_.theme->text_muted});
    ui_.items->add(label("progress"), row, item_state(study.done));
    const float share = study.total > 0 ? to_float(study.done) / to_float(study.total) : 0;
    draw::bar(ui_, box_.cut_top(ui_.px(bar_height), ui_.px(row_gap)), share, ui_.theme->accent, ui_.theme->track);
}

glassformer::what_if::Patch Patches::patch_at(int block, int position) const {
    const std::string name = patched_name(static_cast<PatchedNode>(choice_.node), block);
    return {slot_, {name, partner(position), -1}, {name, position, -1}};
}

void Patches::headings(const PatchStudy& study, const SignedMap& map) {
    const ColumnLabels labels{map.pitch.x, ui_.px(longest_label)};
    for (int position = 0; position < study.grid.columns; ++position) {
        const bool strong = position == position_ || position == map.lit_column;
        if (!strong && position % labels.every(ui_) != 0) continue;
        labels.draw(
            ui_, {map.min.x + map.pitch.x * (to_float(position) + 0.5f), map.min.y}, frame_.word(slot_, position),
            {strong ? FontRole::small_bold : FontRole::small, strong ? ui_.theme->text : ui_.theme->text_muted});
    }
    for (int block = 0; block < study.grid.rows; ++block) {
        const float y = map.min.y + map.pitch.y * to_float(block);
        draw::text_in(ui_, {{box_.min.x, y}, {map.min.x - ui_.px(6), y + map.pitch.y}},
                      ui_.items->format(tr("block %d"), block), {FontRole::small, ui_.theme->text_muted});
    }
}

/// What the mouse does to the cell under it.
void Patches::use(const PatchStudy& study, const SignedMap& map, const CellHit& hit) {
    if (hit.row < 0) return;
    const std::string at = frame_.word(slot_, hit.column);
    if (partner(hit.column) < 0) {
        draw::tooltip(ui_, ui_.items->format(tr("“%s”\nNo word of %s matches it, so nothing is patched here."),
                                             at.c_str(), Frame::letter(1 - slot_)));
        return;
    }
    const glassformer::what_if::Patch patch = patch_at(hit.row, hit.column);
    const bool on = is_changed(frame_, patch);
    static constexpr std::array<const char*, 3> names = {N_("residual stream before block"), N_("attention of block"),
                                                         N_("MLP of block")};
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string change = draw::signed_number(map.value(hit.row, hit.column));
    draw::tooltip(
        ui_,
        ui_.items->format(
            tr("%s %d at “%s” from “%s” of %s: %s\nThe logit difference goes from %s to %s; %s has %s. Click to %s."),
            tr(names[choice_.node]), hit.row, at.c_str(), frame_.word(1 - slot_, partner(hit.column)).c_str(),
            Frame::letter(1 - slot_), change.data(), with_decimals(study.grid.a).c_str(),
            with_decimals(study.grid.at(hit.row, hit.column)).c_str(), Frame::letter(1 - slot_),
            with_decimals(study.grid.b).c_str(), on ? tr("remove the patch") : tr("keep this patch")));
    if (hit.clicked) toggle_change(frame_, patch);
}

/// A column in which nothing is patched: it has no numbers.
void Patches::cross_out(const SignedMap& map, int position) {
    const float x = map.min.x + map.pitch.x * to_float(position);
    for (int block = 0; block < map.rows; ++block) {
        const Box cell = Box::sized({x, map.min.y + map.pitch.y * to_float(block)}, map.pitch.x, map.pitch.y);
        ui_.list()->AddRectFilled(cell.min, cell.max, ui_.theme->card);
        draw::text_in(ui_, cell, "–", {FontRole::small, ui_.theme->text_muted, draw::Align::centre});
    }
}

void Patches::grid(const PatchStudy& study) {
    const PatchGrid& g = study.grid;
    if (g.rows == 0 || g.columns == 0) return;
    std::vector<float> moved;
    for (const double difference : g.difference)
        moved.push_back(std::isnan(difference) ? 0.0f : to_float(difference - g.a));
    float widest = 0;
    for (int position = 0; position < g.columns; ++position)
        widest = std::max(widest, draw::text_size(ui_, frame_.word(slot_, position), FontRole::small_bold).x);
    const float left = box_.min.x + std::ceil(draw::text_size(ui_, tr("block 00"), FontRole::small).x) + ui_.px(4);
    const float tilt = ui_.px(longest_label) * 0.6f;  // the last word leans to the right
    const float pitch =
        std::clamp((box_.max.x - left - tilt) / to_float(g.columns), ui_.px(cell_least), ui_.px(cell_most));
    const ColumnLabels labels{pitch, ui_.px(longest_label)};
    SignedMap map;
    map.rows = g.rows, map.columns = g.columns;
    map.values = moved, map.stride = g.columns;
    map.min = {left, box_.min.y + labels.height(ui_, widest)}, map.pitch = {pitch, ui_.px(cell_height)};
    map.range = largest_magnitude(map);
    light_under_mouse(map);
    headings(study, map);
    const CellHit hit = signed_map(ui_, ui_.items->of_card(slot_, "patch"), map);
    for (int position = 0; position < g.columns; ++position)
        if (partner(position) < 0) cross_out(map, position);
    for (int block = 0; block < g.rows; ++block)
        for (int position = 0; position < g.columns; ++position)
            if (partner(position) >= 0 && is_changed(frame_, patch_at(block, position)))
                frame_cells(ui_, map, block, position, 1, 1);
    use(study, map, hit);
    box_.min.y = map.max().y + ui_.px(row_gap);
    Box foot = box_.cut_top(ui_.line(FontRole::small)).right_of(left);
    draw_signed_legend(ui_, foot.cut_left(signed_legend_width(ui_), ui_.px(8)), label("legend"),
                       tr("How far the patch moves the difference between the two logits."));
    draw::text_in(ui_, foot, tr("click a cell to keep its patch"), {FontRole::small, ui_.theme->text_muted});
}

/// What was found, what is being found out, or how to ask.
void Patches::answer() {
    const PatchStudy* study = frame_.snapshot.patch_study.get();
    const bool asked = study && study->step == frame_.snapshot.step && study->slot == slot_ &&
                       static_cast<int>(study->node) == choice_.node && study->position == position_ &&
                       study->word == word_ && study->minus == minus_ && study->partners == partners_;
    if (asked && !study->refusal.empty()) return void(say(tr_sentence(study->refusal)));
    if (asked && study->done < study->total) progress(*study);
    if (asked) return say_of_which_model(), grid(*study);
    ImVec2 at = next_row().min;
    const ButtonStyle style{.tone = Tone::attention,
                            .font = FontRole::small,
                            .tooltip = tr("Run the sentence once for each block and word, each time with that one "
                                          "activation from the other sentence.")};
    if (chip(ui_, label("try"), at, ui_.px(control_height), tr("patch every position"), style))
        frame_.send(
            command::AskPatchGrid{static_cast<PatchedNode>(choice_.node), slot_, position_, word_, minus_, partners_});
}

float Patches::draw() {
    title();
    if (position_ < 0 || position_ >= original(slot_).positions()) return box_.min.y;
    say_which_words();
    say_what_is_in_sight();
    find_words();
    kinds();
    words();
    answer();
    return box_.min.y;
}

}  // namespace

bool can_patch(const Frame& frame) {
    const TransformerConfig& config = frame.snapshot.model->config;
    return config.output == OutputKind::words && !config.recurrent() && frame.trace(0) && frame.trace(1) &&
           frame.snapshot.comparing.of_sentences();
}

std::string patches_of(const Frame& frame) {
    const bool map = frame.snapshot.patch_study && frame.snapshot.patch_study->step == frame.snapshot.step;
    return map && !frame.snapshot.what_if.empty() ? tr("map of patches: unaltered") : "";
}

float draw_what_if_patches(const Frame& frame, const Box& box, int slot) { return Patches(frame, box, slot).draw(); }

}  // namespace glassformer::app::views::what_if
