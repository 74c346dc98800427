#include "app/views/mlp/neuron_corpus_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/language/tr.h"
#include "app/session/masks.h"
#include "core/analysis/neurons.h"

namespace glassformer::app::views::mlp {

/// Whose neurons are on screen.
struct NeuronCorpusState {
    int saved_view = -1, asked = -1;  // blocks: in this frame, and as the worker was told last; −1: none
};

namespace {

constexpr std::size_t least_lines = 3;

float line_height(const Ui& ui) { return ui.line(FontRole::small) + ui.px(2); }

/// The words of one example, and between which of them a line can show.
struct Context {
    const Frame& frame;
    const std::vector<int>& ids;
    int at;
    std::string_view between;  // words are spaced, letters are not

    std::string word(int position) const {
        const int id = ids[position];
        return is_mask(frame.model(), id) ? "▢" : frame.model().token_text(id);
    }
    std::string text(int first, int end) const {
        std::string joined;
        for (int i = first; i < end; ++i) joined += (i > first ? std::string(between) : "") + word(i);
        return joined;
    }
    int count() const { return static_cast<int>(ids.size()); }
};

/// What is before and after the word on a line.
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

/// The whole sentence where it fits, else as many words around as there is room for.
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
    char number[32];
    const std::string_view value = draw::signed_number(number, static_cast<double>(example.activation));
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
    ui.items->add(ui.items->format("%s/corpus %d", Frame::letter(mlp.slot), i), row,
                  static_cast<double>(example.activation), text);
    if (draw::hovered(row)) draw::tooltip(ui, line.word + "  " + std::string(value) + "\n" + text);
}

}  // namespace

bool has_neuron_corpus(const Frame& frame, int slot) {
    const ModelInfo& model = frame.model(slot);
    return model.trainable() && model.config.input == InputKind::words && frame.snapshot.is_measured(slot);
}

float neuron_corpus_height(const Ui& ui) { return line_height(ui) * (1.0f + static_cast<float>(least_lines)); }

void draw_neuron_corpus(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    const Ui& ui = frame.ui;
    frame.state.own<NeuronCorpusState>().saved_view = mlp.block;
    if (mlp.chosen < 0) return;
    const float height = line_height(ui);
    const ImVec2 head{box.max.x, box.min.y + height};
    const NeuronExamples* found = frame.snapshot.neurons.get();
    const bool here = found && found->block == mlp.block && mlp.chosen < found->neurons;
    const std::size_t count = here ? found->sentences.size() : 0;
    draw::text_in(ui, {box.min, head},
                  here ? ui.items->format(tr("most active in %zu sentences of the corpus"), count)
                       : std::string_view(tr("searching the corpus …")),
                  {FontRole::small, ui.theme->text_muted});
    if (draw::hovered({box.min, head}))
        draw::tooltip(
            ui, tr("Most active in the corpus\nThe words of the world's sentences at which this neuron is largest "
                   "after the non-linearity, with the sentence around them. What they have in common shows what the "
                   "neuron detects, if it detects one thing."));
    if (!here) return;
    const int lines = std::min(static_cast<int>(found->each), static_cast<int>((box.height() - height) / height));
    for (int i = 0; i < lines; ++i) {
        const float y = head.y + height * static_cast<float>(i);
        draw_example(frame, mlp, *found, i, box.between_y(y, y + height));
    }
}

void ask_for_neurons(const Frame& frame) {
    ViewState& state = frame.state;
    const int saved_view = std::exchange(state.own<NeuronCorpusState>().saved_view, -1);
    if (saved_view == state.own<NeuronCorpusState>().asked) return;
    state.own<NeuronCorpusState>().asked = saved_view;
    frame.send(command::ShowNeurons{saved_view});
}

}  // namespace glassformer::app::views::mlp
