#include <array>

#include "app/language/tr.h"
#include "app/views/qkv/qkv.h"

namespace glassformer::app::views::qkv {

namespace {

constexpr float scores_beside_from = 470, scores_gap = 18;  // pixels at 100 %

/// A stage of the scores on their way to the weights.
struct Stage {
    const char *hook, *name, *title, *meaning;
};
constexpr std::array stages = {
    Stage{"attn.hook_attn_scores_raw", "raw scores", N_("Q · Kᵀ"),
          N_("Query times key\nEach row holds the dot products of one word's query with every key.")},
    Stage{"attn.hook_attn_scores_scaled", "scaled scores", N_("÷ √d_head"),
          N_("Divided by √d_head\nThe scores keep their order, but their differences shrink.")},
    Stage{"attn.hook_attn_scores_alibi", "nearer scores", N_("− slope · distance"),
          N_("Lowered by the distance\nThe further away a word is, the lower its score (ALiBi).")},
    Stage{"attn.hook_attn_scores", "masked scores", N_("masked"),
          N_("Masked\nThe score of a masked word is −∞, shown as a dot.")},
};

}  // namespace

float draw_qkv_scores(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(head.slot);
    const bool beside = box.width() >= ui.px(scores_beside_from);
    const float width = beside ? (box.width() - ui.px(scores_gap)) / 2 : box.width();
    float row_top = box.min.y, bottom = row_top;
    int drawn = 0;
    const auto next = [&](const WordMatrix& matrix) {
        const bool right = beside && drawn % 2 == 1;
        if (!right) row_top = bottom + (drawn ? ui.px(scores_gap) : 0);
        const float left = box.min.x + (right ? width + ui.px(scores_gap) : 0);
        bottom = std::max(bottom, draw_word_matrix(frame, head, matrix, {{left, row_top}, {left + width, box.max.y}}));
        ++drawn;
    };
    int before = -1;
    for (const Stage& stage : stages) {
        const int node = hooked_node(frame.state, trace, stage.hook);
        if (node < 0 || node == before) continue;  // this model has no such stage
        before = node;
        const HeadTrace::Values of{node, trace.part(node, {head.head, 1}), head.keys, 0};
        const std::span<const float> values = of.values.values();
        next({.name = stage.name,
              .title = tr(stage.title),
              .meaning = tr(stage.meaning),
              .values = values,
              .range = largest_finite(values),
              .key = {frame.sentence(head.slot).trace, node, head.pair_offset(0, 0)},
              .of = &of});
    }
    next({.name = "weights",
          .title = tr("softmax of each row"),
          .meaning =
              tr("The weights\ne to the power of each score, divided by the sum of its row: each row adds up to 1."),
          .values = head.pattern.values.values(),
          .colours = HeatColours::attention,
          .key = {frame.sentence(head.slot).trace, head.pattern.node, head.pair_offset(0, 0)},
          .of = &head.pattern,
          .sum_of_row = true});
    return bottom;
}

}  // namespace glassformer::app::views::qkv
