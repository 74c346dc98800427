#include "app/views/mlp/mlp_view.h"

#include <algorithm>
#include <cmath>

#include "app/common/traced_value.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/scroll_area.h"
#include "app/views/view.h"

namespace glassformer::app::views::mlp {

namespace {

// Pixels at 100 %.
constexpr float side = 12, row_least = 18, row_most = 24, row_roomy = 34, plot_least = 88, plot_most = 190,
                plot_roomy = 340, section_gap = 10, side_by_side = 640;

/// Heights of one frame.
struct Sizes {
    float line, row, plot, words, gap;
    float list(int rows) const { return 2 * line + row * to_float(rows); }
};

Sizes sizes_for(const Frame& frame, const MlpTrace& mlp, float height, bool beside) {
    const Ui& ui = frame.ui;
    Sizes s{ui.line(FontRole::small) + ui.px(4), ui.px(row_least), ui.px(plot_least), 0, ui.px(section_gap)};
    s.row = std::max(s.row, ui.line(FontRole::small) + ui.px(1));
    s.words = neuron_words_height(ui);
    if (has_neuron_corpus(frame, mlp.slot)) s.words += ui.px(6) + neuron_corpus_height(ui);
    const float rows = to_float(mlp.shown);
    const float fixed = beside ? s.list(mlp.shown) : s.list(mlp.shown) + s.plot + s.words + 2 * s.gap;
    const float spare = std::max(0.0f, height - fixed);
    s.row += std::floor(
        std::min(ui.px(beside ? row_roomy : row_most) - s.row, (beside ? spare : spare / 2) / std::max(1.0f, rows)));
    const float above = beside ? s.words + s.gap : s.list(mlp.shown) + s.words + 2 * s.gap;
    s.plot = std::clamp(height - above, s.plot, ui.px(beside ? plot_roomy : plot_most));
    return s;
}

/// Right ends of the columns of the list.
struct Columns {
    float name, before, bar, after;
};

Columns columns_of(const Ui& ui, const Box& box) {
    const float number = draw::text_size(ui, "−00.00 ", FontRole::small).x;
    const float name = draw::text_size(ui, "00000 ", FontRole::small_bold).x;
    const float heading = draw::text_size(ui, tr("before "), FontRole::small_bold).x;
    const float before = box.min.x + name + std::max(number, heading);
    return {box.min.x + name, before, box.max.x - number, box.max.x};
}

void list_heading(const Frame& frame, const MlpTrace& mlp, const Box& box, const Sizes& s, const Columns& at) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Box first = box.top(s.line), second = box.between_y(first.max.y, first.max.y + s.line);
    const std::string_view count = ui.items->format(tr("%d of %d"), mlp.shown, mlp.width);
    const float count_width = draw::text_size(ui, count, FontRole::small).x + ui.px(6);
    const std::string word = frame.word(mlp.slot, mlp.token);
    draw::text_in(ui, first.left_of(box.max.x - count_width),
                  ui.items->format(tr("strongest neurons of “%s”"), word.c_str()), {FontRole::small_bold, t.mlp_text});
    draw::text_in(ui, first.right(count_width), count, {FontRole::small, t.text_faint, draw::Align::right});
    const draw::TextStyle right{FontRole::small, t.text_muted, draw::Align::right};
    draw::text_in(ui, second.between_x(at.name, at.before), tr("before"), right);
    const std::string_view name = title_of(mlp.activation());
    const std::string_view after =
        ui.items->format(mlp.gate >= 0 ? tr("after %.*s gate × in") : tr("after %.*s"), int_size(name), name.data());
    draw::text_in(ui, second.between_x(at.before + ui.px(8), at.after), after, right);
    draw::text_in(ui, second.left_of(at.name + ui.px(10)), tr("neuron"), {FontRole::small, t.text_muted});
    if (draw::hovered(box.above(second.max.y)))
        draw::tooltip(
            ui,
            tr("MLP\nEach neuron is a weighted sum of the word's features, followed by the activation function. The "
               "neurons furthest from 0 write most to the residual stream. Click one to see where it comes from."));
}

void neuron_row(const Frame& frame, const MlpTrace& mlp, int i, const Box& row, const Columns& at, float full) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const int neuron = mlp.strongest[i];
    const char* letter = Frame::letter(mlp.slot);
    const float before = mlp.value(mlp.pre, neuron), after = mlp.value(mlp.post, neuron);
    const bool chosen = neuron == mlp.chosen;
    if (chosen) draw::rounded_box(ui, row.inset(-ui.px(4), 0), t.selection_tint, 0, 4);
    const draw::TextStyle number{chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted,
                                 draw::Align::right};
    draw::text_in(ui, row.left_of(at.name), ui.items->format("%d", neuron), {FontRole::small_bold, t.text});
    draw::text_in(ui, row.between_x(at.name, at.before), draw::signed_number(before), number);
    draw::text_in(ui, row.right_of(at.bar), draw::signed_number(after), number);
    const float half = std::max(2.0f, row.height() * 0.22f), middle = row.middle_y();
    const float left = at.before + ui.px(10), right = at.bar - ui.px(2);
    if (right - left > ui.px(8))
        draw::bar(ui, {{left, middle - half}, {right, middle + half}}, full > 0 ? std::abs(after) / full : 0,
                  after < 0 ? with_alpha(t.mlp, 0.45f) : t.mlp, t.track);
    traced_value(frame, mlp.slot, mlp.cell(mlp.pre, neuron), ui.items->format("%s/neuron before %d", letter, i),
                 row.between_x(at.name, at.before + ui.px(3)));
    const std::string_view label = ui.items->format("%s/neuron %d", letter, i);
    traced_value(frame, mlp.slot, mlp.cell(mlp.post, neuron), label, row.inset(-ui.px(4), 0));
}

void draw_list(const Frame& frame, const MlpTrace& mlp, const Box& box, const Sizes& s) {
    const Columns at = columns_of(frame.ui, box);
    list_heading(frame, mlp, box, s, at);
    const float full = mlp.shown > 0 ? std::abs(mlp.value(mlp.post, mlp.strongest[0])) : 0;
    for (int i = 0; i < mlp.shown; ++i) {
        const float y = box.min.y + 2 * s.line + s.row * to_float(i);
        neuron_row(frame, mlp, i, box.between_y(y, y + s.row), at, full);
    }
}

/// Draws what excites the chosen neuron, and what it argues for.
void draw_words(const Frame& frame, const MlpTrace& mlp, const Box& box) {
    const float words = box.min.y + neuron_words_height(frame.ui);
    draw_neuron_words(frame, mlp, box.above(words));
    if (!has_neuron_corpus(frame, mlp.slot)) return;
    draw_neuron_corpus(frame, mlp, box.below(words + frame.ui.px(6)));
}

/// Where plot, words and end are below the list, measured from the top. For an audience, a part that would not fit into
/// what is visible at first begins below it: half a picture says nothing.
struct Stacked {
    float plot, words, end;

    Stacked(const Frame& frame, const MlpTrace& mlp, const Sizes& s, float height) {
        const auto next = [&](float from, float size) {
            return frame.state.presenter && from < height && from + size > height ? height : from;
        };
        plot = next(s.list(mlp.shown) + s.gap, s.plot);
        words = next(plot + s.plot + s.gap, s.words);
        end = words + s.words;
    }
};

void draw_stacked(const Frame& frame, const MlpTrace& mlp, const Box& box, const Sizes& s, const Stacked& at) {
    const float plot = box.min.y + at.plot, words = box.min.y + at.words;
    draw_list(frame, mlp, box.top(s.list(mlp.shown)), s);
    draw_activation_plot(frame, mlp, box.between_y(plot, plot + s.plot));
    draw_words(frame, mlp, box.between_y(words, std::max(box.max.y, words + s.words)));
}

void draw_beside(const Frame& frame, const MlpTrace& mlp, const Box& box, const Sizes& s) {
    const float middle = std::round(box.min.x + box.width() * 0.42f), gap = frame.ui.px(28);
    draw_list(frame, mlp, box.left_of(middle - gap / 2), s);
    const float left = middle + gap / 2, plot = box.min.y + s.plot;
    draw_activation_plot(frame, mlp, {{left, box.min.y}, {box.max.x, plot}});
    draw_words(frame, mlp, {{left, plot + s.gap}, {box.max.x, std::max(box.max.y, plot + s.gap + s.words)}});
}

bool has_mlp(const Frame& frame) {
    const TransformerConfig& config = frame.model().config;
    return config.activation != Activation::none && !config.recurrent();
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const MlpTrace mlp(frame, *frame.trace(slot), slot);
    Box inside = box.inset(ui.px(side), ui.px(2));
    if (!mlp.is_there())
        return void(draw::text_in(ui, inside, tr("This block has no MLP."),
                                  {FontRole::small, ui.theme->text_muted, draw::Align::centre}));
    if (shows_mlp_off(frame, slot, frame.state.layer)) {
        const float line = ui.line(FontRole::small);
        const std::string_view off = tr("this MLP is off: it writes nothing");
        draw::label(ui, inside.cut_top(line, ui.px(4)), off, {FontRole::small_bold, ui.theme->text_muted},
                    {ui.items->of_card(slot, "mlp off")});
    }
    const bool beside = inside.width() >= ui.px(side_by_side);
    const Sizes s = sizes_for(frame, mlp, inside.height(), beside);
    const float right = s.plot + s.gap + s.words;
    const Stacked stacked(frame, mlp, s, inside.height());
    const float needed = beside ? std::max(s.list(mlp.shown), right) : stacked.end;
    const ScrollArea area(ui, slot == 0 ? "##mlp A" : "##mlp B", inside, needed);
    if (beside)
        draw_beside(frame, mlp, area.content(), s);
    else
        draw_stacked(frame, mlp, area.content(), s, stacked);
}

}  // namespace

MlpTrace::MlpTrace(const Frame& frame, const Trace& t, int slot_index)
    : trace(t),
      slot(slot_index),
      block(frame.state.layer),
      token(std::clamp(frame.state.token[slot_index], 0, t.positions() - 1)) {
    const auto node = [&](const char* name) { return t.graph().find(hook(frame.state, name)).value_or(-1); };
    pre = node("mlp.hook_pre"), post = node("mlp.hook_post");
    gate = node("mlp.hook_gate"), pre_linear = node("mlp.hook_pre_linear");
    if (!is_there()) return;
    width = static_cast<int>(t.graph()[post].shape.back());
    find_strongest();
    find_chosen(frame);
}

// Inserts each neuron at its place among the strongest: there is no list of all neurons.
void MlpTrace::find_strongest() {
    shown = std::min(most_shown, width);
    strongest.fill(-1);
    const SliceView part = row(post);
    const std::span<const float> values = part.values();
    const auto size = [&](int neuron) { return neuron < 0 ? -1.0f : std::abs(values[neuron]); };
    for (int neuron = 0; neuron < width; ++neuron) {
        int moving = neuron;
        if (!(size(moving) > size(strongest[shown - 1]))) continue;
        for (int i = 0; i < shown; ++i)
            if (size(moving) > size(strongest[i])) std::swap(moving, strongest[i]);
    }
}

void MlpTrace::find_chosen(const Frame& frame) {
    chosen = shown > 0 ? strongest[0] : -1;
    const auto& trail = frame.state.trail;
    for (auto at = trail.rbegin(); at != trail.rend(); ++at) {
        const int node = at->cell.node;
        if (node < 0 || (node != pre && node != post && node != gate && node != pre_linear)) continue;
        // A number in the other card picks the same neuron here, unless that card shows a different model.
        const Trace* other = at->slot == slot ? nullptr : frame.trace(at->slot);
        if (other && other->graph().find(trace.graph()[node].name) != node) continue;
        chosen = static_cast<int>(at->cell.offset % width);
        return;
    }
}

extern constinit const View view{
    .name = N_("MLP"),
    .meaning = N_("How each neuron responds to the chosen word, and which words it promotes."),
    .also = "neurons activation GELU ReLU SwiGLU feed-forward d_mlp",
    .draw = draw_view,
    .offered = has_mlp,
    .of_block = [](const Frame&, int) { return true; },
    .request = ask_for_neurons,
};

}  // namespace glassformer::app::views::mlp
