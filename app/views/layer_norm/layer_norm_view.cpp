#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/layer_norm/norm_lens.h"
#include "app/views/view.h"

namespace glassformer::app::views::layer_norm {

namespace {

constexpr float plot_least = 24, plot_most = 64, plot_lowest = 18, two_columns_from = 640,
                formula_height = 80;  // pixels at 100 %

/// Draws the choice of the norm: ln1, the one before cross-attention, and ln2 of the chosen block, or the last one.
void choose_norm(const Frame& frame, const NormLens& lens, const std::vector<NormChoice>& choices, const Box& box) {
    std::vector<std::string_view> names;
    int selected = 0;
    for (const NormChoice& choice : choices) {
        if (choice.prefix == lens.prefix) selected = int_size(names);
        names.push_back(choice.name);
    }
    const std::string_view label = frame.ui.items->of_card(lens.slot, "norm");
    if (!segmented(frame.ui, label, box, names, selected)) return;
    const std::string_view chosen = names[selected];
    frame.state.own<NormLensChoice>().final_norm = chosen == "final";
    if (chosen == "final") return;
    frame.state.second_layer_norm = chosen == "ln2";
    if (chosen != "ln2") frame.state.cross_attention = chosen == "cross";
}

/// Draws both switches, side by side if they fit; returns the bottom.
float draw_switches(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    static constexpr std::array<std::string_view, 2> over = {N_("per token"), N_("batch norm")};
    const std::vector<NormChoice> choices = norm_choices(frame, *frame.trace(lens.slot));
    const float height = ui.px(26), count = to_float(choices.size());
    const float first = count * (draw::text_size(ui, tr("final"), FontRole::small_bold).x + ui.px(14)) + ui.px(4);
    const float second = 2 * (draw::text_size(ui, over[1], FontRole::small_bold).x + ui.px(14)) + ui.px(4);
    choose_norm(frame, lens, choices, {box.min, {box.min.x + first, box.min.y + height}});
    const bool fits = first + ui.px(8) + second <= box.width();
    const ImVec2 at = fits ? ImVec2{box.max.x - second, box.min.y} : ImVec2{box.min.x, box.min.y + height + ui.px(5)};
    bool words = lens.over_words;
    if (segmented(ui, ui.items->of_card(lens.slot, "norm over"), Box::sized(at, second, height), over, words))
        frame.own<NormLensChoice>().over_words = words;
    return at.y + height + ui.px(6);
}

/// Says what the numbers below are computed from.
std::string meaning(const Frame& frame, const NormLens& lens) {
    const std::string features = std::to_string(lens.features);
    if (lens.over_words)
        return filled(
            lens.kind == NormKind::batch_norm
                ? tr("Per feature, over the {1} on screen: the {2} values of feature {3}, one for each {4} of both "
                     "sentences, give one μ and one σ. Batch norm would do this if they were its batch.")
                : tr("Per feature, over the {1} on screen: the {2} values of feature {3}, one for each {4} of both "
                     "sentences, give one μ and one σ. Batch norm works like this; this model does not use it."),
            {token_names(frame.model(lens.slot)), std::to_string(lens.values[0].size()), std::to_string(lens.feature),
             token_name(frame.model(lens.slot))});
    const std::string word = frame.word(lens.slot, lens.token);
    if (lens.nodes.of_features())
        return filled(tr("The {1} features of “{2}”. This model has batch norm: each feature has its own μ and σ."),
                      {features, word});
    return filled(lens.takes_mean() ? tr("Per token: the {1} features of “{2}” give one μ and one σ.")
                                    : tr("Per token: the {1} features of “{2}” give one rms, and no μ."),
                  {features, word});
}

/// Draws the formula and the controls that change it; returns the bottom.
float draw_formula(const Frame& frame, const NormLens& lens, const Box& box) {
    const float gap = frame.ui.px(10), y = draw_norm_formula(frame, lens, box) + gap;
    if (!is_altered(frame, lens.slot) || lens.nodes.gamma < 0) return y;
    return draw_norm_scale(frame, lens, box.below(y)) + gap;
}

/// The top of a part that should not be cut in two. For an audience, it is below what is visible at first if the rest
/// of that is too small for the part.
float whole(const Frame& frame, const Box& box, float y, float height) {
    return frame.state.presenter && y < box.max.y && y + height > box.max.y ? box.max.y : y;
}

/// Draws everything in one column.
float draw_column(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const float gap = ui.px(4), example = norm_example_height(ui), frames = norm_histogram_frame(ui, box.width()),
                low_frames = norm_histogram_frame(ui, box.width(), AxisEnds::at_sides);
    float plot = std::clamp((box.height() * 0.55f - frames) / 3, ui.px(plot_least), ui.px(plot_most));
    // For an audience, lower histograms make room to see the four numbers at once.
    const float low = (box.height() - low_frames - gap - example) / 3;
    AxisEnds ends = AxisEnds::below;
    if (frame.state.presenter && frames + 3 * plot + gap + example > box.height() && low >= ui.px(plot_lowest)) {
        plot = std::floor(std::min(low, ui.px(plot_most)));
        ends = AxisEnds::at_sides;
    }
    float y = draw_norm_histograms(frame, lens, box, plot, ends) + gap;
    y = whole(frame, box, y, example);
    y = draw_norm_example(frame, lens.slot, box.below(y)) + ui.px(10);
    y = draw_formula(frame, lens, box.below(whole(frame, box, y, ui.px(formula_height))));
    return draw_norm_words(frame, lens, box.below(y));
}

/// Draws the histograms on the left and the rest on the right: first four numbers, which one can work out by hand.
float draw_columns(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const float middle = std::round(box.min.x + box.width() * 0.56f);
    const Box left = box.left_of(middle - ui.px(12)), right{{middle + ui.px(12), box.min.y}, box.max};
    const float frames = norm_histogram_frame(ui, left.width());
    const float plot = std::clamp((box.height() - frames) / 3, ui.px(plot_least), ui.px(2 * plot_most));
    const float bottom = draw_norm_histograms(frame, lens, left, plot);
    float y = draw_norm_example(frame, lens.slot, right) + ui.px(10);
    y = draw_formula(frame, lens, right.below(whole(frame, box, y, ui.px(formula_height))));
    return std::max(bottom, draw_norm_words(frame, lens, right.below(y)));
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    ScrollPage page(ui, slot == 0 ? "##norm A" : "##norm B", box);
    const Box& inside = page.inside();
    const NormLens lens = norm_lens(frame, slot);
    float y = draw_switches(frame, lens, inside);
    const std::string text = meaning(frame, lens);
    y += draw::label_wrapped(ui, {inside.min.x, y}, inside.width(), text, {FontRole::small, ui.theme->text_muted},
                             {ui.items->of_card(slot, "norm meaning")}) +
         ui.px(6);
    const Box rest = inside.below(y);
    page.reaches(inside.width() >= ui.px(two_columns_from) ? draw_columns(frame, lens, rest)
                                                           : draw_column(frame, lens, rest));
}

}  // namespace

extern constinit const View view{
    .name = N_("LayerNorm"),
    .meaning = N_("What a LayerNorm does to the chosen word's features, before and after."),
    .also = "RMSNorm batch norm normalization mean variance γ β ε pre-LN post-LN",
    .draw = draw_view,
    .offered = has_norm,
    .of_block = [](const Frame& frame, int slot) { return norm_lens(frame, slot).prefix != "ln_final"; },
};

}  // namespace glassformer::app::views::layer_norm
