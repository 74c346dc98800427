
#include "app/language/tr.h"
#include "app/panels/explanation/explanation_panel.h"
#include "app/views/training/training_view.h"

namespace glassformer::app {

namespace {

std::string sizes_of(const Shape& shape) {
    std::string text;
    for (int axis = 0; axis < shape.rank(); ++axis) text += (axis ? " × " : "") + std::to_string(shape[axis]);
    return text.empty() ? tr("one number") : text;
}

float paragraph(const Ui& ui, ImVec2 at, float width, std::string_view text, const draw::TextStyle& style) {
    return draw::text_wrapped(ui, at, width, text, style) + ui.px(4);
}

std::string row_title(const ExplanationPanel& panel, const NodeInfo& info, const Shape& shape, std::int64_t row) {
    if (shape.rank() == 1)
        return filled(tr("its only number", "all {1} numbers", shape[0]), {std::to_string(shape[0])});
    if (info.name == "embed.W_E")
        return filled(tr("the embedding of “{1}”: row {2}"),
                      {panel.frame.model().token_text(static_cast<int>(row)), std::to_string(row)});
    return filled(tr("row {1} of {2}"), {std::to_string(row), std::to_string(shape[0])});
}

/// Draws the row of the matrix that contains the number, with the number framed.
float draw_row_strip(const ExplanationPanel& panel, const NodeInfo& info, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    const Cell& cell = panel.x.at.cell;
    const Shape shape = panel.trace.shape(cell.node);
    const std::int64_t columns = shape.back(), row = cell.offset / columns;
    const SliceView part = panel.trace.part(cell.node, panel.trace.slices(cell.node).around(row * columns, columns));
    const auto values = part.cells(row * columns, columns);
    const float title =
        paragraph(ui, at, width, row_title(panel, info, shape, row), {FontRole::small, ui.theme->text_muted});
    const Box box{{at.x, at.y + title}, {at.x + width, at.y + title + ui.px(22)}};
    const int under = draw::signed_strip(ui, box, values, largest_size(values));
    const Box own = draw::strip_cell(ui, box, static_cast<int>(cell.offset % columns), static_cast<int>(columns));
    draw::selection_frame(ui, own.inset(-ui.px(2)));
    if (under >= 0) {
        const Cell other{cell.node, row * columns + under};
        panel.light_up(other);
        draw::tooltip(ui, panel.name(other) + " = " + precise(panel.trace.at(other)));
    }
    return title + ui.px(22) + ui.px(8);
}

/// Draws the link to what the training does to this weight.
float draw_life_link(const ExplanationPanel& panel, const NodeInfo& info, ImVec2 at) {
    const Ui& ui = panel.ui();
    if (!views::training::has_update_explanation(panel.frame, panel.x.at.slot, info.name)) return 0;
    const ButtonStyle style{
        .tone = Tone::attention,
        .font = FontRole::small_bold,
        .tooltip = tr(
            "History in training\nIts gradient, the optimizer's state and the update of every step, with the formula")};
    if (chip(ui, "explain/life", at, ui.px(26), tr("History in training ›"), style))
        views::training::show_update_explanation(panel.frame, info.name, panel.x.at.cell.offset);
    return ui.px(32);
}

}  // namespace

float draw_given_number(const ExplanationPanel& panel, ImVec2 at, float width) {
    const Ui& ui = panel.ui();
    const Cell& cell = panel.x.at.cell;
    const NodeInfo& info = panel.trace.graph()[cell.node];
    float y = at.y;
    const draw::TextStyle muted{FontRole::small, ui.theme->text_muted}, strong{FontRole::body_bold, 0},
        plain{FontRole::small, 0};
    const auto say = [&](std::string_view text, const draw::TextStyle& style) {
        y += paragraph(ui, {at.x, y}, width, text, style);
    };
    if (panel.x.whole.overwritten) {
        say(tr("set by an intervention"), strong);
        say(tr("The model computed another number here. You replaced it, and everything after it was computed "
               "from the new number."),
            muted);
    } else if (info.kind == NodeInfo::Kind::parameter) {
        say(tr("a learned weight"), strong);
        say(filled(tr("{1}  {2}, here {3}"),
                   {info.name, sizes_of(panel.trace.shape(cell.node)), precise(panel.x.whole.traced)}),
            plain);
        say(history(panel.frame, panel.x.at.slot, info), muted);
        y += ui.px(4);
        y += draw_row_strip(panel, info, {at.x, y}, width);
        y += draw_life_link(panel, info, {at.x, y});
    } else if (cell.node == panel.trace.model().tokens) {
        say(tr("the token ID: its index in the vocabulary"), strong);
        say(tr("The model reads numbers, not letters. This one selects the token's row of W_E."), muted);
    } else {
        say(tr("given to the model, not computed"), strong);
        const bool mask = cell.node == panel.trace.model().key_mask;
        const TransformerGraph& model = panel.trace.model();
        const bool read = cell.node == model.values || cell.node == model.source_tokens;
        say(read                             ? tr("what the model reads")
            : mask                           ? tr("1: the token can be attended to; 0: it is masked")
            : cell.node == model.token_types ? tr("0: a token of the first sentence; 1: of the second sentence")
                                             : tr("an input of training"),
            muted);
    }
    ui.items->add("explain/given", {at, {at.x + width, y}}, panel.x.whole.traced, info.name);
    return y - at.y;
}

}  // namespace glassformer::app
