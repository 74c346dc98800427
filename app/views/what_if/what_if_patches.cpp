#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/common/hidden_word.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/views/what_if/patches.h"

namespace glassformer::app::views::what_if {

namespace {

constexpr int patches_of_each = 4;  // words to choose from, for each sentence

std::vector<int> likeliest_at(const Trace& trace, int position) {
    const int node = trace.model().probabilities;
    const std::size_t width = trace.shape(node).back();
    std::vector<int> best =
        likeliest(trace.values(node).subspan(static_cast<std::size_t>(position) * width, width), patches_of_each);
    if (best.empty()) best.push_back(0);  // no word is likeliest if the numbers of a training have diverged
    return best;
}

}  // namespace

/// True if the model can read a word that it would otherwise have to guess.
bool Patches::in_sight(int slot, int position) const {
    const WatchedSentence& sentence = frame_.sentence(slot);
    if (position < 0 || sentence.masked_probabilities.empty()) return false;
    return !is_mask(frame_.model(slot), sentence.tokens[position].id);
}

void Patches::say_which_words() {
    if (aligned_.words.empty() || source() != PatchSource::other) return;
    const std::string here = frame_.word(slot_, position_), there = frame_.word(1 - slot_, partner(position_));
    const std::string text =
        filled(tr("Each word is patched from the same word in {1}; the chosen words “{2}” and “{3}” form a pair."),
               {Frame::letter(1 - slot_), here, there});
    ui_.items->add(label("by words"), say(text), std::nullopt, text);
}

/// The list beside this hides the chosen word; the patched sentence has it, unless it is hidden there too.
void Patches::say_what_is_in_sight() {
    const int there = partner(position_);
    const bool here = in_sight(slot_, position_), other = in_sight(1 - slot_, there);
    if (!here && !other) return;
    const std::string word = here ? frame_.word(slot_, position_) : frame_.word(1 - slot_, there);
    ui_.items->add(label("in sight"),
                   say(ui_.items->format(tr("The model sees “%s” here. Mask it to ask what the model would predict."),
                                         word.c_str())));
    const ButtonStyle style{.tone = Tone::attention,
                            .font = FontRole::small,
                            .tooltip = tr("Mask the chosen word\nBoth sentences get ▢ in its place.")};
    ImVec2 at = next_row().min;
    if (chip(ui_, label("hide"), at, ui_.px(control_height), ui_.items->format(tr("mask “%s”"), word.c_str()), style)) {
        if (other) hide_word(frame_, 1 - slot_, there);
        if (here) hide_word(frame_, slot_, position_);
    }
}

/// The map is of the model without changes, even beside one that was altered.
void Patches::say_of_which_model() {
    if (frame_.snapshot.what_if.empty()) return;
    ui_.items->add(label("unaltered"),
                   say(tr("This map is of the unaltered model: without what-ifs and kept patches.")));
}

/// The words whose logits are compared: the chosen ones, else the predictions of the other sentence and of this one.
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
    // If both predict the same, compares with the runner-up.
    if (choice_.minus < 0 && minus_ == word_ && candidates_.of[0].size() > 1) minus_ = candidates_.of[0][1];
}

void Patches::title() {
    const Box row = box_.cut_top(ui_.line(FontRole::body_bold), ui_.px(4));
    const bool mean = source() != PatchSource::other;
    draw::text_in(
        ui_, row,
        mean ? tr("Patch in a mean") : ui_.items->format(tr("Patch in activations of %s"), Frame::letter(1 - slot_)),
        {FontRole::body_bold});
    if (draw::hovered(row))
        draw::tip(ui_, row,
                  mean ? tr("Mean ablation\nReplaces one part of a head by its mean. Where the prediction changes, the "
                            "model used what that part says about this word, or this sentence.")
                       : ui_.items->format(
                             tr("Activation patching\nReplaces one activation of this sentence by the one that %s has "
                                "there. Where the prediction changes, that activation carries the difference between "
                                "the sentences."),
                             Frame::letter(1 - slot_)));
    if (frame_.state.compare) return;
    // The other sentence has no card of its own: shows where the patched activations come from.
    const std::string text = frame_.sentence(1 - slot_).text;
    ui_.items->add(label("other"), say(filled(tr("{1} is “{2}”"), {Frame::letter(1 - slot_), text})), std::nullopt,
                   text);
}

void Patches::kinds() {
    static constexpr std::array<std::string_view, 4> names = {N_("stream"), N_("attention"), N_("MLP"), N_("one head")};
    const float right = std::min(box_.max.x, box_.min.x + ui_.px(kinds_width));
    segmented(ui_, label("kind"), next_row().left_of(right), names, choice_.node);
    if (of_head()) head_choice();
}

/// Says which head it is and what else has the same numbers, and draws the choice of where its parts are taken from.
void Patches::head_choice() {
    const TransformerConfig& config = frame_.snapshot.model->config;
    Box row = next_row();
    const std::string name = head_name(head(), false);
    const float width = std::ceil(draw::text_size(ui_, name, FontRole::small_bold).x);
    draw::label(ui_, row.left(width + 1), name, {FontRole::small_bold}, {label("head")});
    row.cut_left(width, ui_.px(2 * row_gap));
    const std::array<std::string, 3> shown = {filled(tr("from {1}"), {Frame::letter(1 - slot_)}), tr("from the mean"),
                                              tr("from its world")};
    const std::array<std::string_view, 3> names = {"other", "mean", "world"}, texts = {shown[0], shown[1], shown[2]};
    const int averaged = frame_.snapshot.model->averaged_sentences;
    const std::size_t sources = averaged > 0 ? 3 : 2;
    if (choice_.source >= static_cast<int>(sources)) choice_.source = 0;
    const float wanted = ui_.px(sources_width) * (sources == 3 ? 1.5f : 1.0f);
    const Box place = row.left_of(std::min(row.max.x, row.min.x + wanted));
    segmented(ui_, label("source"), place, std::span(names).first(sources), choice_.source,
              std::span(texts).first(sources));
    if (draw::hovered(place)) {
        std::string tip = filled(
            tr("Where the patch comes from\nFrom {1}: from the same position there. From the mean: the mean over the "
               "words of this sentence; for the pattern, the mean row over the keys that the word may attend to."),
            {Frame::letter(1 - slot_)});
        if (sources == 3)
            tip += " " + filled(tr("From its world: the mean over all words of {1} held-out sentences of this model's "
                                   "world, the same for every word. This removes what the activation says about this "
                                   "sentence (mean ablation)."),
                                {std::to_string(averaged)});
        draw::tip(ui_, place, tip);
    }
    if (source() == PatchSource::world)
        ui_.items->add(label("of world"),
                       say(filled(tr("The mean over all words of {1} held-out sentences of this model's world."),
                                  {std::to_string(averaged)})));
    if (frame_.snapshot.model->translates())
        ui_.items->add(
            label("attends to"),
            say(to() == AttentionTo::source
                    ? tr("This is the attention of the block to the source: k and v are at its words.")
                    : tr("This is the attention of the block to its own sentence, not that to the source.")));
    const std::vector<int> heads = heads_sharing(config, head().head, HeadPart::k);
    if (heads.size() > 1) {
        std::string all;
        for (const int one : heads) all += (all.empty() ? "" : ", ") + std::to_string(one);
        ui_.items->add(label("shared"),
                       say(filled(tr("Heads {1} share k and v: a patch of either reaches all of them."), {all})));
    }
    if (to() == AttentionTo::source && !parts_sharing(config, HeadPart::k, to()).empty())
        ui_.items->add(label("shared"),
                       say(tr("In this model k and v are the same numbers: a patch of one is a patch of both.")));
    if (!parts_sharing(config, HeadPart::q, to()).empty())
        ui_.items->add(
            label("shared"),
            say(tr("In this model q, k and v are the same numbers: a patch of one is a patch of all three.")));
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

/// Draws logit(word) − logit(minus), with both words to choose.
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

float Patches::draw() {
    title();
    if (position_ < 0 || position_ >= original(slot_).positions()) return box_.min.y;
    say_which_words();
    say_what_is_in_sight();
    find_words();
    kinds();
    const bool by_words = to() == AttentionTo::source ? !aligned_.source.empty() : !aligned_.words.empty();
    if (of_head() && by_words && source() == PatchSource::other)
        say(tr("A row of the pattern gets the weights of the words that both sentences have, divided by their sum."));
    words();
    answer();
    return box_.min.y;
}

std::string patches_of(const Frame& frame) {
    const bool map = frame.snapshot.patch_study && frame.snapshot.patch_study->step == frame.snapshot.step;
    return map && !frame.snapshot.what_if.empty() ? tr("map of patches: unaltered") : "";
}

float draw_what_if_patches(const Frame& frame, const Box& box, int slot) { return Patches(frame, box, slot).draw(); }

}  // namespace glassformer::app::views::what_if
