#include <algorithm>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lens_grid.h"
#include "app/common/said_words.h"
#include "app/common/token_names.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/views/whole_model/canvas.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::whole_model {

namespace {

std::string two_digits(float value) { return with_decimals(value); }

std::string of_attention(const Canvas& c, const CanvasRow& row) {
    if (row.source)
        return filled(tr("Encoder block {1}, attention: the source {2} attend to one another."),
                      {std::to_string(row.block), token_names(c.model())});
    const std::string word = in_quotation_marks(c.word(false, c.token()));
    const auto of_block = [&](const std::string& what) {
        return filled(row.cross ? tr("Block {1}, cross-attention: {2}") : tr("Block {1}, attention: {2}"),
                      {std::to_string(row.block), what});
    };
    if (heads_that_are_on(c, row) == 0) return of_block(tr("switched off. It writes nothing."));
    const Arc* arc = strongest_arc(c, row);
    const bool waits = waits_for_guess(c.frame.state, c.slot) && row.block == c.frame.state.layer;
    const bool before = !row.cross && c.trace.model().config.causal();
    if (!arc || waits)
        return of_block(filled(before ? tr("every {1} attends to the {2} before it that matter to it.")
                                      : tr("every {1} attends to the {2} that matter to it."),
                               {token_name(c.model()), token_names(c.model())}));
    return of_block(filled(before ? tr("every {1} attends to those before it; {2} attends most to {3} ({4}, head {5}).")
                                  : tr("every {1} attends to others; {2} attends most to {3} ({4}, head {5})."),
                           {token_name(c.model()), word, in_quotation_marks(c.word(row.cross, arc->key)),
                            two_digits(arc->weight), std::to_string(arc->head)}));
}

/// Says how many of the chosen word's neurons exceed a tenth of the value with the full colour.
std::string of_neurons(const Canvas& c, const CanvasRow& row) {
    const std::int64_t width = c.trace.slices(row.node).width;
    const std::string all =
        filled(row.source ? tr("Encoder block {1}, {2}: {3} neurons process each {4} separately")
                          : tr("Block {1}, {2}: {3} neurons process each {4} separately"),
               {std::to_string(row.block), row.title, std::to_string(width), token_name(c.model())});
    if (row.source) return filled(tr("{1}."), {all});
    if (mlp_is_off(c, row))
        return filled(tr("Block {1}, {2}: switched off. It writes nothing."), {std::to_string(row.block), row.title});
    const std::optional<SliceView> part = c.reading.part(row.node, {c.token(), 1});
    const std::optional<float> range = c.reading.range(row.node);
    if (!part || !range) return filled(tr("{1}."), {all});
    const auto firing = std::ranges::count_if(part->values(), [&](float v) { return v > 0.1f * *range; });
    return filled(tr("{1}; {3} of them fire at {2}."),
                  {all, in_quotation_marks(c.word(false, c.token())), std::to_string(firing)});
}

/// True if something is added to the stream: a norm alone adds nothing.
bool adds(const Canvas& c, const StoryStage& stage) {
    for (int row = stage.first_row; row < stage.end_row; ++row)
        if (c.layout.rows[row].kind == RowKind::add) return true;
    return false;
}

bool says_next(const Canvas& c) { return guess_of(c.model()) == Guess::next; }

/// Says what the output of the heads is written to, and how many of them are on.
std::string of_mix(const Canvas& c, const CanvasRow& row) {
    const int on = heads_that_are_on(c, row);
    if (on == 0) return tr("All heads are off: nothing is written.");
    const std::string where =
        filled(c.layout.has_stream ? tr("and added to each {1}: nothing is lost.") : tr("in place of each {1}."),
               {token_name(c.model())});
    if (on < row.heads)
        return filled(on == 1 ? tr("The output of the one head that is on is written {1}")
                              : tr("The output of the {2} heads that are on is written {1}"),
                      {where, std::to_string(on)});
    return filled(tr("The output of the head is written {1}", "The output of the {2} heads is written {1}", on),
                  {where, std::to_string(on)});
}

std::string of_stream(const Canvas& c, const CanvasRow& row, bool added) {
    if (row.block < 0) return tr("The source sentence is encoded: the decoder reads it from here.");
    const std::string after = filled(
        added ? tr("It is added to the residual stream: this is each {2} after {1}") : tr("This is each {2} after {1}"),
        {filled(row.source ? tr("encoder block {1}") : tr("block {1}"), {std::to_string(row.block)}),
         token_name(c.model())});
    if (row.source || !c.reading.lens().why_not().empty() || c.hides_said(c.token()))
        return filled(tr("{1}."), {after});
    const LensWord* best = c.reading.lens().best(row.block + 1, c.token());
    if (!best) return filled(tr("{1}."), {after});
    return filled(says_next(c) ? tr("{1}; after {2} the prediction is now {3} ({4}).")
                               : tr("{1}; at {2} the prediction is now {3} ({4})."),
                  {after, in_quotation_marks(c.word(false, c.token())),
                   in_quotation_marks(std::string(vocabulary_word(c.frame, best->id))), two_digits(best->probability)});
}

std::string of_answer(const Canvas& c) {
    const TransformerConfig& config = c.trace.model().config;
    if (config.output == OutputKind::classes)
        return tr("The whole sentence is pooled into one vector, and the model predicts its class.");
    if (config.output == OutputKind::vectors)
        return tr("This model has no prediction head: each last vector is its output.");
    if (config.outputs_numbers()) return tr("The last vector at each position becomes the prediction.");
    if (c.hides_said(c.token()))
        return filled(tr("Each {1}’s vector is compared with the whole vocabulary: this gives the most likely {2}."),
                      {token_name(c.model()), token_names(c.model())});
    const std::vector<LensWord>* said = c.reading.said(c.token());
    if (!said) return filled(tr("Each {1}’s vector is compared with the whole vocabulary."), {token_name(c.model())});
    return filled(
        says_next(c)
            ? tr("Each {4}’s vector is compared with the whole vocabulary; after {1} the model predicts {2} ({3}).")
            : tr("Each {4}’s vector is compared with the whole vocabulary; at {1} the model predicts {2} ({3})."),
        {in_quotation_marks(c.word(false, c.token())),
         in_quotation_marks(std::string(vocabulary_word(c.frame, said->front().id))),
         two_digits(said->front().probability), token_name(c.model())});
}

}  // namespace

AttentionTo attention_of(const CanvasRow& row) { return row.cross ? AttentionTo::source : AttentionTo::itself; }

bool head_is_off(const Canvas& c, const CanvasRow& row, int head) {
    if (row.source && !row.cross) return is_removed(c.frame, c.slot, true, row.block, head);
    return shows_head_off(c.frame, c.slot, row.block, head, attention_of(row));
}

bool mlp_is_off(const Canvas& c, const CanvasRow& row) {
    return row.kind == RowKind::mlp && !row.source && shows_mlp_off(c.frame, c.slot, row.block);
}

int heads_that_are_on(const Canvas& c, const CanvasRow& row) {
    int on = 0;
    for (int head = 0; head < row.heads; ++head) on += !head_is_off(c, row, head);
    return on;
}

const Arc* strongest_arc(const Canvas& c, const CanvasRow& row) {
    const PatternArcs* arcs = c.reading.arcs(row.node);
    if (!arcs) return nullptr;
    const std::span<const Arc> of_word = arcs->of(c.token());
    const auto found = std::ranges::find_if(of_word.rbegin(), of_word.rend(), [&](const Arc& arc) {
        return (row.cross || arc.key != arc.query) && !head_is_off(c, row, arc.head);
    });
    return found == of_word.rend() ? nullptr : &*found;
}

std::string story_caption(const Canvas& c, const StoryStage& stage) {
    if (stage.kind == StoryStage::Kind::words)
        return c.trace.model().config.input == InputKind::values
                   ? tr("The model is given these numbers, one after the other.")
                   : filled(tr("These are the {1} that the model is given."), {token_names(c.model())});
    if (stage.kind == StoryStage::Kind::said) return of_answer(c);
    const CanvasRow& first = c.layout.rows[stage.first_row];
    const CanvasRow& last = c.layout.rows[stage.end_row - 1];
    switch (first.kind) {
        case RowKind::embedding:
            if (c.trace.model().config.input == InputKind::values)
                return filled(tr("A learned matrix turns each of them into {1} numbers."),
                              {std::to_string(c.trace.slices(first.node).width)});
            return filled(first.source
                              ? tr("Each source {1} becomes {2} numbers, looked up in a table that the model learned.")
                              : tr("Each {1} becomes {2} numbers, looked up in a table that the model learned."),
                          {token_name(c.model()), std::to_string(c.trace.slices(first.node).width)});
        case RowKind::attention:
            return of_attention(c, first);
        case RowKind::mix:
            return of_mix(c, first);
        case RowKind::mlp:
            return of_neurons(c, first);
        case RowKind::recurrent:
            return filled(tr("Block {1}: one {2} after another updates the state and passes it on."),
                          {std::to_string(first.block), token_name(c.model())});
        case RowKind::add:
        case RowKind::norm:
        case RowKind::stream:
            if (last.kind == RowKind::stream) return of_stream(c, last, c.layout.has_stream);
            return filled(adds(c, stage) ? tr("It is added to each {1}’s vector: nothing is lost.")
                                         : tr("Each {1}’s vector is normalized."),
                          {token_name(c.model())});
        case RowKind::pooler:
            return filled(tr("The pooler turns {1}’s vector into one for the whole text. The {2} do not use it."),
                          {in_quotation_marks(c.word(false, 0)), token_names(c.model())});
        case RowKind::other:
            break;
    }
    return filled(tr("{1}."), {first.title});
}

}  // namespace glassformer::app::views::whole_model
