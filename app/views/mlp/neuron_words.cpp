#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/memo.h"
#include "app/views/mlp/mlp_view.h"
#include "core/analysis/neurons.h"

namespace glassformer::app::views::mlp {

namespace {

constexpr std::size_t shown_words = 5;

float word_line_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(2); }

/// A position in one of the two sentences, and how strongly the neuron fires there.
struct Excited {
    int slot = -1, position = 0;
    float value = 0;
};

/// The positions where the neuron fires most, strongest first; slot −1 if there are no more.
std::array<Excited, shown_words> most_excited(const Frame& frame, const MlpTrace& mlp) {
    std::array<Excited, shown_words> best;
    for (int slot = 0; slot < 2; ++slot) {
        const Trace* trace = frame.trace(slot);
        // Another model has other neurons; one trace in both cards counts once.
        if (!trace || trace->parameters() != mlp.trace.parameters()) continue;
        if (slot != mlp.slot && trace == &mlp.trace) continue;
        const SliceView all = trace->part(mlp.post, trace->slices(mlp.post).all());
        const std::span<const float> post = all.values();
        for (int position = 0; position < trace->positions(); ++position) {
            const std::size_t at = static_cast<std::size_t>(position) * static_cast<std::size_t>(mlp.width);
            Excited moving{slot, position, post[at + static_cast<std::size_t>(mlp.chosen)]};
            for (Excited& place : best)
                if (place.slot < 0 || (moving.slot >= 0 && moving.value > place.value)) std::swap(moving, place);
        }
    }
    return best;
}

/// The words of a neuron's weights; computed again only for other weights or another neuron.
const NeuronWords& words_of(const MlpTrace& mlp) {
    static thread_local Memo<std::tuple<SharedKey<ParameterValues>, int, int>, NeuronWords, 4> known;
    return known({mlp.trace.parameters(), mlp.block, mlp.chosen},
                 [&] { return neuron_words(mlp.trace, mlp.block, mlp.chosen, shown_words); });
}

/// Draws a line of a column: a word on the left, a number on the right.
void word_line(const Ui& ui, const Box& row, std::string_view word, double value, ImU32 colour) {
    const std::string shown = draw::signed_number(value);
    const float width = draw::text_size(ui, shown, FontRole::small).x + ui.px(4);
    const bool cut = draw::text_in(ui, row.left_of(row.max.x - width), word, {FontRole::small, colour});
    draw::text_in(ui, row.right(width), shown, {FontRole::small, ui.theme->text_muted, draw::Align::right});
    if (cut && draw::hovered(row)) draw::tooltip(ui, word);
}

void column_heading(const Frame& frame, const Box& column, std::string_view text, std::string_view tip) {
    const Box box = column.top(word_line_height(frame.ui));
    draw::text_in(frame.ui, box, text, {FontRole::small, frame.ui.theme->text_muted});
    if (draw::hovered(box)) draw::tooltip(frame.ui, tip);
}

Box word_line(const Ui& ui, const Box& column, std::size_t i) {
    const float height = word_line_height(ui), y = column.min.y + height * to_float(i + 1);
    return column.between_y(y, y + height);
}

void draw_excited(const Frame& frame, const MlpTrace& mlp, const Box& column) {
    const Ui& ui = frame.ui;
    column_heading(frame, column, tr("most active at"),
                   tr("Most active at\nThe words of both sentences where this neuron's activation is largest."));
    const std::array<Excited, shown_words> best = most_excited(frame, mlp);
    for (std::size_t i = 0; i < best.size() && best[i].slot >= 0; ++i) {
        const Excited& e = best[i];
        const Box row = word_line(ui, column, i);
        const float letter = draw::text_size(ui, "A ", FontRole::small_bold).x;
        draw::text_in(ui, row.left_of(row.min.x + letter + 1), Frame::letter(e.slot),
                      {FontRole::small_bold, e.slot == 0 ? ui.theme->sense_a_text : ui.theme->sense_b_text});
        word_line(ui, row.right_of(row.min.x + letter), frame.word(e.slot, e.position), e.value, ui.theme->text);
        const Cell cell{mlp.post, std::int64_t{e.position} * mlp.width + mlp.chosen};
        const std::string_view label = ui.items->of_card(mlp.slot, "excited %d", static_cast<int>(i));
        traced_value(frame, e.slot, cell, label, row.inset(-ui.px(4), 0));
    }
}

/// Draws the words whose scores have this sign: of a small vocabulary, the strongest of one may have the other.
void draw_scores(const Frame& frame, const MlpTrace& mlp, const Box& column, std::span<const NeuronWord> words,
                 int sign, const char* item, ImU32 colour) {
    const Ui& ui = frame.ui;
    for (std::size_t i = 0; i < words.size() && words[i].score * sign > 0; ++i) {
        const Box row = word_line(ui, column, i);
        const std::string word = frame.model().token_text(words[i].id);
        word_line(ui, row, word, words[i].score, colour);
        ui.items->add(ui.items->of_card(mlp.slot, "%s %d", item, static_cast<int>(i)), row, words[i].score, word);
    }
}

constexpr std::string_view argues_tip =
    N_("The neuron's direction in words\nΣ W_out · U: its row of W_out times each word's vector of the unembedding. "
       "This is what an activation of 1 adds to the word's logit, without the final norm and later blocks. A negative "
       "activation does the opposite.");

}  // namespace

float neuron_words_height(const Ui& ui) { return word_line_height(ui) * (2.0f + to_float(shown_words)) + ui.px(3); }

void draw_neuron_words(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    if (mlp.chosen < 0) return;
    const Ui& ui = frame.ui;
    const float top = box.min.y + word_line_height(ui) + ui.px(3);
    const double post = mlp.value(mlp.post, mlp.chosen);
    const std::string shown = draw::signed_number(post);
    const std::string word = frame.word(mlp.slot, mlp.token);
    const std::string_view title =
        ui.items->format(tr("neuron %d: %.*s at “%s”"), mlp.chosen, int_size(shown), shown.data(), word.c_str());
    draw::label(ui, box.above(top), title, {FontRole::small_bold, ui.theme->mlp_text},
                {ui.items->of_card(mlp.slot, "chosen neuron"), item_state(mlp.chosen)});
    const bool words = has_neuron_words(mlp.trace.model());
    const auto column = [&](int i) { return box.below(top).column(i, words ? 3 : 1, ui.px(16)); };
    draw_excited(frame, mlp, column(0));
    if (!words) return;
    const NeuronWords& found = words_of(mlp);
    column_heading(frame, column(1), tr("promotes"), argues_tip);
    draw_scores(frame, mlp, column(1), found.favoured, 1, "favoured", ui.theme->good_text);
    column_heading(frame, column(2), tr("suppresses"), argues_tip);
    draw_scores(frame, mlp, column(2), found.opposed, -1, "opposed", ui.theme->danger_text);
}

/// Which neurons are on screen.
struct NeuronCorpusState {
    int shown = -1, asked = -1;  // blocks: the one shown in this frame, and the one last sent to the worker; −1: none
};

namespace {

constexpr std::size_t least_lines = 3;

/// The words of one example, from which a line shows a range.
struct Context {
    const Frame& frame;
    const std::vector<int>& ids;
    int at;
    std::string_view between;  // a space between words, nothing between letters

    std::string word(int position) const {
        const int id = ids[position];
        return is_mask(frame.model(), id) ? "▢" : frame.model().token_text(id);
    }
    std::string text(int first, int end) const {
        std::string joined;
        for (int i = first; i < end; ++i) joined += (i > first ? std::string(between) : "") + word(i);
        return joined;
    }
    int count() const { return int_size(ids); }
};

/// A line: the word, and what is before and after it.
struct Line {
    std::string before, word, after;
};

Line line_of(const Context& c, int first, int end) {
    Line line{c.text(first, c.at), c.word(c.at), c.text(c.at + 1, end)};
    if (!line.before.empty()) line.before += c.between;
    if (!line.after.empty()) line.after = std::string(c.between) + line.after;
    if (first > 0) line.before = "… " + line.before;
    if (end < c.count()) line.after += " …";
    return line;
}

float width_of(const Ui& ui, const Line& line) {
    return draw::text_size(ui, line.before, FontRole::small).x +
           draw::text_size(ui, line.word, FontRole::small_bold).x + draw::text_size(ui, line.after, FontRole::small).x;
}

/// The whole sentence if it fits; else as many words around the word as fit.
Line fitting(const Ui& ui, const Context& c, float room) {
    int first = 0, end = c.count();
    Line line = line_of(c, first, end);
    while (width_of(ui, line) > room && end - first > 1) {
        if (c.at - first > end - 1 - c.at)
            ++first;
        else
            --end;
        line = line_of(c, first, end);
    }
    return line;
}

void draw_example(const Frame& frame, const MlpTrace& mlp, const NeuronExamples& found, int i, const Box& row) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const TopActivation& example = found.of(mlp.chosen)[i];
    const bool spaced = frame.model().words() != nullptr;
    const Context c{frame, found.sentences[example.sentence], example.position, spaced ? " " : ""};
    const std::string value = draw::signed_number(example.activation);
    const float right = row.max.x - draw::text_size(ui, value, FontRole::small).x - ui.px(8);
    const Line line = fitting(ui, c, right - row.min.x);
    const std::array runs{draw::Run{line.before, FontRole::small, t.text_muted},
                          draw::Run{line.word, FontRole::small_bold, t.mlp_text},
                          draw::Run{line.after, FontRole::small, t.text_muted}};
    const bool cut = width_of(ui, line) > right - row.min.x;
    ImGui::PushClipRect(row.min, {cut ? right : row.max.x, row.max.y}, true);
    draw::text_runs(ui, {row.min.x, row.min.y + ui.px(1)}, runs);
    ImGui::PopClipRect();
    draw::text_in(ui, row.right_of(right), value, {FontRole::small, t.text_muted, draw::Align::right});
    const Line whole = line_of(c, 0, c.count());
    const std::string text = whole.before + "[" + whole.word + "]" + whole.after;
    ui.items->add(ui.items->of_card(mlp.slot, "corpus %d", i), row, example.activation, text);
    if (draw::hovered(row)) draw::tooltip(ui, line.word + "  " + std::string(value) + "\n" + text);
}

}  // namespace

bool has_neuron_corpus(const Frame& frame, int slot) {
    const ModelInfo& model = frame.model(slot);
    return model.trainable() && model.config.input == InputKind::words && frame.snapshot.is_measured(slot);
}

float neuron_corpus_height(const Ui& ui) { return word_line_height(ui) * (1.0f + to_float(least_lines)); }

void draw_neuron_corpus(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    const Ui& ui = frame.ui;
    frame.state.own<NeuronCorpusState>().shown = mlp.block;
    if (mlp.chosen < 0) return;
    const float height = word_line_height(ui);
    const Box head = box.top(height);
    const NeuronExamples* found = frame.snapshot.neurons.get();
    const bool here = found && found->block == mlp.block && mlp.chosen < found->neurons;
    const std::size_t count = here ? found->sentences.size() : 0;
    draw::text_in(
        ui, head,
        here ? ui.items->format(tr("most active in %zu sentence of the corpus",
                                   "most active in %zu sentences of the corpus", static_cast<std::int64_t>(count)),
                                count)
             : std::string_view(tr("searching the corpus …")),
        {FontRole::small, ui.theme->text_muted});
    if (draw::hovered(head))
        draw::tooltip(ui, tr("Most active in the corpus\nThe words of the world's sentences where this neuron's "
                             "activation is largest, each in its sentence. What they have in common shows what the "
                             "neuron detects, if it detects one thing."));
    if (!here) return;
    const int lines = std::min(static_cast<int>(found->each), static_cast<int>((box.height() - height) / height));
    for (int i = 0; i < lines; ++i) {
        const float y = head.max.y + height * to_float(i);
        draw_example(frame, mlp, *found, i, box.between_y(y, y + height));
    }
}

void ask_for_neurons(const Frame& frame) {
    NeuronCorpusState& state = frame.own<NeuronCorpusState>();
    const int shown = std::exchange(state.shown, -1);
    if (shown != std::exchange(state.asked, shown)) frame.send(command::ShowNeurons{shown});
}

}  // namespace glassformer::app::views::mlp
