#include <algorithm>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/views/embedding/embedding_view.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/platform/atomic_file.h"
#include "core/text/byte_pair_tokenizer.h"

namespace glassformer::app::views::embedding {

/// All merges of a text, and the pairs that each was chosen from.
struct LearnedMerges {
    std::vector<BytePairMerge> merges;
    std::vector<std::vector<PairCount>> chosen_from;  // by merge; empty if the text is not available
    std::vector<std::string> names;                   // of all tokens
    bool of_model = false;
    std::string error;

    // The typed text as it is tokenized now.
    std::string cut_text;
    std::size_t cut_merges = 0;
    std::vector<int> cut;
};

namespace {

constexpr float field_height = 28, chip_height = 24, chip_gap = 4, row_height = 20, table_width = 300, side_gap = 24,
                beside_from = 620;  // pixels at 100 %
constexpr std::uint64_t most_text = 1u << 20;
constexpr std::size_t pairs_listed = 8;

std::shared_ptr<LearnedMerges> learn(const ModelInfo& model, const std::filesystem::path& worlds) {
    auto learned = std::make_shared<LearnedMerges>();
    if (const auto* own = dynamic_cast<const BytePairTokenizer*>(model.tokenizer.get())) {
        learned->of_model = true;
        learned->merges = own->merges();
        for (int id = 0; id < own->size(); ++id) learned->names.push_back(own->token_text(id));
        return learned;
    }
    try {
        BytePairTraining training(read_file(worlds / "sample.txt", most_text), {.table_size = pairs_listed});
        while (std::optional<BytePairStep> step = training.step()) {
            learned->merges.push_back(step->merge);
            learned->chosen_from.push_back(std::move(step->most_frequent));
        }
        for (int id = 0; id < training.size(); ++id) learned->names.push_back(training.token_text(id));
    } catch (const Error& e) {
        learned->error = e.what();
    }
    return learned;
}

BytePairsLook::Of& look_at(const Frame& frame, int slot) {
    const ModelInfo& model = frame.model(slot);
    BytePairsLook::Of& look = frame.own<BytePairsLook>().of[slot];
    const bool own = dynamic_cast<const BytePairTokenizer*>(model.tokenizer.get());
    const std::shared_ptr<const Tokenizer> tokenizer = own ? model.tokenizer : nullptr;
    if (look.learned && look.tokenizer == tokenizer) return look;
    look.learned = learn(model, frame.snapshot.catalog ? frame.snapshot.catalog->worlds_folder : "");
    look.tokenizer = tokenizer;
    look.merges = 0;
    return look;
}

/// Tokenizes the text again if it or the number of merges has changed.
void cut(LearnedMerges& learned, const std::string& text, std::size_t merges) {
    if (learned.cut_text == text && learned.cut_merges == merges && !learned.cut.empty()) return;
    learned.cut_text = text, learned.cut_merges = merges;
    const auto end = learned.merges.begin() + static_cast<std::ptrdiff_t>(merges);
    try {
        learned.cut = BytePairTokenizer({learned.merges.begin(), end}).ids(text);
    } catch (const Error&) {  // nothing typed
        learned.cut.clear();
    }
}

std::string pair_text(const LearnedMerges& learned, int left, int right) {
    return in_quotation_marks(learned.names[left]) + " + " + in_quotation_marks(learned.names[right]);
}

/// Draws the tokens as chips, those that the last merge made in gold; returns the bottom.
float draw_tokens(const Frame& frame, int slot, const LearnedMerges& learned, int newest, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    float x = box.min.x, y = box.min.y;
    for (std::size_t i = 0; i < learned.cut.size(); ++i) {
        const std::string& name = learned.names[learned.cut[i]];
        const float width = draw::text_size(ui, name, FontRole::small).x + ui.px(14);
        if (x > box.min.x && x + width > box.max.x) x = box.min.x, y += ui.px(chip_height + chip_gap);
        const Box chip = Box::sized({x, y}, width, ui.px(chip_height));
        const bool made_now = learned.cut[i] == newest;
        draw::rounded_box(ui, chip, made_now ? t.selection_tint : t.control, made_now ? t.selection : t.control_border,
                          5);
        draw::label(ui, chip, name, {FontRole::small, 0, draw::Align::centre},
                    {ui.items->of_card(slot, "piece %zu", i), item_state(learned.cut[i])});
        if (draw::hovered(chip))
            draw::tooltip(ui, chip, filled(tr("“{1}”\ntoken {2}"), {name, std::to_string(learned.cut[i])}));
        x += width + ui.px(chip_gap);
    }
    return y + ui.px(chip_height);
}

/// Draws the number of merges: a slider, and buttons for one more and one less; returns the bottom.
float draw_merges_done(const Frame& frame, int slot, BytePairsLook::Of& look, int all, const Box& box) {
    const Ui& ui = frame.ui;
    const char* letter = Frame::letter(slot);
    ImVec2 at = box.min;
    int done = static_cast<int>(std::lround(look.merges));
    if (chip(ui, ui.items->format("%s/merge back", letter), at, ui.px(field_height), tr("Undo merge"),
             {.enabled = done > 0}))
        --done;
    if (chip(ui, ui.items->format("%s/merge next", letter), at, ui.px(field_height), tr("Next merge"),
             {.tone = Tone::primary, .enabled = done < all}))
        ++done;
    look.merges = to_float(std::clamp(done, 0, all));
    const ImVec2 end{std::min(box.max.x, at.x + ui.px(300)), box.min.y + ui.px(field_height)};
    slider(ui, ui.items->format("%s/merges", letter), {at, end}, look.merges, 0, to_float(all), std::to_string(done));
    look.merges = std::round(look.merges);
    return end.y;
}

/// Draws the pairs that are most often adjacent before the next merge; returns the bottom.
float draw_pairs(const Frame& frame, int slot, const LearnedMerges& learned, std::size_t merge, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), row = std::max(ui.px(row_height), line + ui.px(2));
    draw::text_in(ui, box.top(line), tr("most frequent pairs in the text"), {FontRole::small_bold});
    float y = box.min.y + line + ui.px(4);
    const std::vector<PairCount>& pairs = learned.chosen_from[merge];
    for (std::size_t i = 0; i < pairs.size(); ++i, y += row) {
        const PairCount& pair = pairs[i];
        const std::string text = pair_text(learned, pair.left, pair.right), count = grouped(pair.count);
        const Box at = box.between_y(y, y + row);
        if (i == 0) draw::rounded_box(ui, at.right_of(box.min.x - ui.px(4)), t.selection_tint, 0, 4);
        const float middle = box.min.x + box.width() * 0.46f, numbers = draw::text_size(ui, "0,000", FontRole::small).x;
        draw::text_in(ui, at.left_of(middle), text, {i == 0 ? FontRole::small_bold : FontRole::small});
        draw::bar(
            ui, {{middle + ui.px(6), y + row / 2 - ui.px(4)}, {box.max.x - numbers - ui.px(8), y + row / 2 + ui.px(4)}},
            to_float(pair.count) / to_float(std::max<std::int64_t>(1, pairs.front().count)), t.residual, t.track);
        draw::text_in(ui, at.between_x(box.max.x - numbers, box.max.x - ui.px(4)), count,
                      {FontRole::small, t.text_muted, draw::Align::right});
        ui.items->add(ui.items->of_card(slot, "pair %zu", i), at, pair.count, text);
    }
    return y;
}

/// Draws the newest merges, last one first; returns the bottom.
float draw_done(const Frame& frame, const LearnedMerges& learned, std::size_t done, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small), row = std::max(ui.px(row_height), line + ui.px(2));
    draw::text_in(ui, box.top(line), tr("merges so far, newest first"), {FontRole::small_bold});
    float y = box.min.y + line + ui.px(4);
    for (std::size_t i = done, listed = 0; i-- > 0 && listed < pairs_listed; ++listed, y += row) {
        const BytePairMerge& m = learned.merges[i];
        draw::text_in(ui, box.between_y(y, y + row),
                      filled(tr("{1}.  {2} → “{3}”"),
                             {std::to_string(i + 1), pair_text(learned, m.left, m.right), learned.names[m.token]}),
                      {FontRole::small});
    }
    return y;
}

std::string next_text(const LearnedMerges& learned, std::size_t done) {
    if (done == learned.merges.size()) return tr("No pair occurs twice any more: that was the last merge.");
    const BytePairMerge& next = learned.merges[done];
    return filled(tr("Next: {1} becomes one token, “{2}”. It occurs {3} times in the text."),
                  {pair_text(learned, next.left, next.right), learned.names[next.token], grouped(next.count)});
}

}  // namespace

void draw_byte_pairs(const Frame& frame, int slot, ScrollPage& page, float top) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const char* letter = Frame::letter(slot);
    BytePairsLook::Of& look = look_at(frame, slot);
    LearnedMerges& learned = *look.learned;
    const Box& in = page.inside();
    float y = top;
    const auto words = [&](std::string_view text, ImU32 colour) {
        y += draw::text_wrapped(ui, {in.min.x, y}, in.width(), text, {FontRole::small, colour}) + ui.px(6);
    };
    if (!learned.error.empty()) {
        words(tr_full_sentence(learned.error), t.danger_text);
        return page.reaches(y);
    }
    words(learned.of_model
              ? tr("Byte pairs: the text starts as single bytes, and each merge turns two neighbours into one token. "
                   "These merges are the model's own.")
              : tr("Byte pairs: a text starts as single characters. Again and again, the most frequent pair of "
                   "neighbours becomes one token. Here this is done with the text of the world “sample”."),
          t.text_muted);
    text_field(ui, ui.items->format("%s/byte pair text", letter), in.between_y(y, y + ui.px(field_height)), look.text,
               tr("a text to tokenize"));
    y += ui.px(field_height) + ui.px(8);
    y = draw_merges_done(frame, slot, look, int_size(learned.merges), in.below(y)) + ui.px(8);
    const auto done = static_cast<std::size_t>(look.merges);
    cut(learned, look.text, done);
    y = draw_tokens(frame, slot, learned, done > 0 ? learned.merges[done - 1].token : -1, in.below(y)) + ui.px(6);
    const auto tokens = static_cast<std::int64_t>(learned.cut.size()),
               bytes = static_cast<std::int64_t>(look.text.size());
    const std::string count = filled(tr("{1} for {2}, after {3} of {4} merges"),
                                     {filled(tr("{1} token", "{1} tokens", tokens), {std::to_string(tokens)}),
                                      filled(tr("{1} byte", "{1} bytes", bytes), {std::to_string(bytes)}),
                                      std::to_string(done), std::to_string(learned.merges.size())});
    ui.items->add(ui.items->format("%s/pieces", letter), in.between_y(y, y + ui.line(FontRole::small)),
                  learned.cut.size(), count);
    words(count, t.text);
    words(next_text(learned, done), t.text_muted);
    const bool beside = in.width() >= ui.px(beside_from);
    const float width = std::min(in.width(), ui.px(table_width));
    float bottom = y;
    const bool pairs = done < learned.chosen_from.size();
    if (pairs) bottom = draw_pairs(frame, slot, learned, done, {{in.min.x, y}, {in.min.x + width, in.max.y}});
    if (done > 0) {
        const ImVec2 at = pairs && beside ? ImVec2{in.min.x + width + ui.px(side_gap), y}
                                          : ImVec2{in.min.x, pairs ? bottom + ui.px(10) : y};
        bottom = std::max(bottom, draw_done(frame, learned, done, {at, {in.max.x, in.max.y}}));
    }
    page.reaches(bottom);
}

}  // namespace glassformer::app::views::embedding
