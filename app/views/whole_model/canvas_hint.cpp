#include <algorithm>
#include <cmath>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lesson_secrets.h"
#include "app/common/provenance.h"
#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/views/whole_model/canvas.h"

namespace glassformer::app::views::whole_model {

namespace {

/// "; its true meaning here is baseball, not animal" for a word with two meanings: known from the sentence alone.
std::string meaning_here(const Canvas& c) {
    const WatchedSentence& sentence = c.frame.sentence(c.slot);
    if (sentence.homonym_pos != c.token() || sentence.sense < 0) return "";
    const auto& senses = c.model().senses;
    const std::size_t here = sentence.sense;
    return filled(tr("; its true meaning here is {1}, not {2}"), {senses[here].name, senses[here ^ 1].name});
}

/// True if the word gives another key of that head the same weight.
bool reads_alike(const Canvas& c, const CanvasRow& row, const Arc& best) {
    const auto same = [&](const Arc& arc) {
        return arc.head == best.head && arc.key != best.key && arc.weight == best.weight;
    };
    const bool causal = !row.cross && c.trace.model().config.causal();
    const int keys = causal ? best.query + 1 : c.layout.side(row.cross).words;
    // Arcs have weights of a tenth or more; a uniform row over many words has only one.
    return std::ranges::any_of(c.reading.arcs(row.node)->of(best.query), same) ||
           (keys > 1 && std::abs(best.weight * to_float(keys) - 1) < 1e-5f);
}

/// True if it reads itself more than any other word.
bool reads_itself(const Canvas& c, const CanvasRow& row, const Arc& best) {
    return !row.cross && std::ranges::any_of(c.reading.arcs(row.node)->of(best.query), [&](const Arc& arc) {
        return arc.head == best.head && arc.key == best.query && arc.weight > best.weight;
    });
}

/// "“bat” reads “foul” most (0.83 in block 1, head 0); its true meaning here is baseball, not animal. ", or nothing if
/// that has to be guessed first.
std::string what_is_read(const Canvas& c) {
    if (waits_for_guess(c.frame.state, c.slot) || c.difference) return "";
    const Arc* best = nullptr;
    const CanvasRow* where = nullptr;
    for (const CanvasRow& row : c.layout.rows) {
        if (row.kind != RowKind::attention || row.source) continue;
        const Arc* arc = strongest_arc(c, row);
        if (arc && (!best || arc->weight > best->weight)) best = arc, where = &row;
    }
    if (!best) return "";
    const bool alike = reads_alike(c, *where, *best);
    const char* text = tr("“{1}” attends most to “{2}” ({3} in block {4}, {8} {5}){6}. ");
    if (alike) text = tr("“{1}” attends equally to several {7} ({3} each in block {4}, {8} {5}){6}. ");
    if (!alike && reads_itself(c, *where, *best))
        text = tr("Besides itself, “{1}” attends most to “{2}” ({3} in block {4}, {8} {5}){6}. ");
    return filled(text, {c.word(false, c.token()), c.word(where->cross, best->key),
                         std::string(c.ui().items->format("%.2f", best->weight)), std::to_string(where->block),
                         std::to_string(best->head), meaning_here(c), token_names(c.model()),
                         where->cross ? tr("cross-attention head") : tr("head")});
}

/// With "predict first" on, what is hidden, and where to guess it.
std::string what_to_guess(const Canvas& c, float width) {
    const std::string hidden = tr("Hidden for now: guess first, in Attention or in Flow."),
                      asked = filled(tr("What does “{1}” attend to most in {2}?"),
                                     {c.word(false, c.token()),
                                      head_name(head_of(c.frame.state, c.slot), c.frame.state.cross_attention)}) +
                              " " + hidden;
    return draw::text_size(c.ui(), asked, FontRole::small).x <= width ? asked : hidden;
}

std::string of_model(const Canvas& c, float width) {
    if (waits_for_guess(c.frame.state, c.slot) && !c.frame.state.own<LessonSecrets>().any())
        return what_to_guess(c, width);
    const std::string read = what_is_read(c);
    const char *all =
                   tr("Colours are heads, widths are weights. Scroll to zoom into a block, a head, a product; click a "
                      "tile for its numbers."),
               *brief = tr("Colours are heads, widths are weights. Scroll to zoom in.");
    for (const char* more : {all, brief})
        if (draw::text_size(c.ui(), read + more, FontRole::small).x <= width) return read + more;
    return read.empty() ? brief : read;
}

}  // namespace

std::string canvas_hint(const Canvas& c, float width) {
    const std::string word = c.word(c.state.source, c.word_looked_at());
    switch (c.state.camera.level()) {
        case CanvasLevel::model:
            if (c.trace.model().config.recurrent())
                return tr(
                    "Read it from the bottom up. Scroll or press + to zoom into a block; click a tile for its "
                    "numbers.");
            if (c.difference)
                return filled(
                    tr("Arcs show what “{1}” attends to more (red) or less (blue); click a tile for its numbers."),
                    {word});
            return of_model(c, width);
        case CanvasLevel::block:
            return filled(c.has_heads() ? tr("“{1}” is the gold row: follow it from left to right. Scroll to zoom "
                                             "into a head; click any cell.")
                                        : tr("“{1}” is the gold row: follow it from left to right. Click any cell."),
                          {word});
        case CanvasLevel::head:
            return std::string(draw::first_fitting(
                c.ui(), width,
                {tr("Each row is a word; each number was computed for this sentence. Click any number."),
                 tr("Each row is a word. Click any number.")},
                FontRole::small));
        case CanvasLevel::number:
            return tr("Click a term to see where it comes from.");
    }
    return "";
}

}  // namespace glassformer::app::views::whole_model
