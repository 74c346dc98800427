#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/math_text.h"
#include "app/ui/memo.h"
#include "app/views/qkv/word_circuits.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::qkv {

namespace {

using Kind = WordCircuitOf::Kind;

constexpr std::size_t of_a_word = 5, of_all = 10;
constexpr float words_beside_from = 560, words_gap = 22, list_gap = 16,
                least_for_pairs = 320;  // in pixels at 100 %; in less width, the pairs are in one column

/// What a page of one card draws.
struct Page {
    const Frame& frame;
    const HeadTrace& head;
    const WordCircuit& circuit;
    int serial;

    const Ui& ui() const { return frame.ui; }
    const ModelInfo& model() const { return frame.model(head.slot); }
    bool looks() const { return circuit.of().kind == Kind::query_key; }
    /// With attention to another sentence, keys and values are the words of that sentence.
    std::string column_word(int id) const { return name(id, looks() && head.cross); }
    std::string row_word(int id) const { return name(id, !looks() && head.cross); }
    std::string_view item(const char* what, std::size_t i) const {
        return ui().items->of_card(head.slot, "%s %s %d", looks() ? "looks" : "hands", what, static_cast<int>(i));
    }
    float line() const { return ui().line(FontRole::small) + ui().px(2); }

private:
    std::string name(int id, bool source) const {
        if (source) return model().source_token_text(id);
        return is_mask(model(), id) ? "▢" : model().token_text(id);
    }
};

/// The word whose row is shown: the one picked from a list, else the chosen one; for values of another sentence, the
/// one that the chosen word reads most. −1 if it is not in the vocabulary.
int word_of(const Page& page) {
    const HeadTrace& head = page.head;
    const Trace& trace = *page.frame.trace(head.slot);
    PickedWord& picked = page.frame.own<QkvLook>().picked[head.slot];
    const bool of_source = head.cross && !page.looks();
    if (of_source) {
        const int key = head.strongest(head.query);
        return key < int_size(trace.source_tokens()) ? trace.source_tokens()[key] : -1;
    }
    const int id = trace.tokens()[head.query];
    if (picked.instead_of != id || picked.token != head.query) picked = {};
    const int word = picked.word >= 0 ? picked.word : id;
    return word < page.circuit.rows() ? word : -1;
}

void pick(const Page& page, int word) {
    page.frame.own<QkvLook>().picked[page.head.slot] = {word, page.head.query,
                                                        page.frame.trace(page.head.slot)->tokens()[page.head.query]};
}

/// Draws "a → b"; if both do not fit, each is cut by itself.
void draw_pair(const Ui& ui, Box row, const std::string& from, const std::string& to, ImU32 colour) {
    constexpr std::string_view arrow = " → ";
    const auto width = [&](std::string_view text) {
        return std::ceil(draw::text_size(ui, text, FontRole::small).x) + 1;
    };
    const float room = row.width() - width(arrow);
    const float left = std::min(width(from), std::max(room / 2, room - width(to)));
    draw::text_in(ui, row.cut_left(left), from, {FontRole::small, colour});
    draw::text_in(ui, row.cut_left(width(arrow)), arrow, {FontRole::small, colour});
    draw::text_in(ui, row, to, {FontRole::small, colour});
}

/// Draws a word, or the pair of it and `to`, on the left, its number on the right; a click shows that word's row.
void draw_entry(const Page& page, const Box& row, std::string_view item, const std::string& word, const std::string& to,
                double value, ImU32 colour, const std::string& tip, int picks) {
    const Ui& ui = page.ui();
    const std::string text = to.empty() ? word : word + " → " + to;
    const std::string number = draw::signed_number(value);
    const float width = draw::text_size(ui, number, FontRole::small).x + ui.px(6);
    const Response r = picks >= 0 ? link_area(ui, item, row, value, text) : Response{};
    if (picks < 0) ui.items->add(item, row, value, text);
    if (r.hovered) draw::rounded_box(ui, row.inset(-ui.px(3), 0), ui.theme->hover, 0, 3);
    const Box words = row.left_of(row.max.x - width);
    if (to.empty())
        draw::text_in(ui, words, word, {FontRole::small, colour});
    else
        draw_pair(ui, words, word, to, colour);
    draw::text_in(ui, row.right(width), number, {FontRole::small, ui.theme->text_muted, draw::Align::right});
    if (draw::hovered(row)) draw::tooltip(ui, text + "  " + number + "\n" + tip);
    if (r.clicked) pick(page, picks);
}

/// Explains how one number was computed.
std::string origin_of(const Page& page) {
    const WordCircuitOf& of = page.circuit.of();
    std::string text =
        page.looks() ? tr("The query made of the first word's embedding, times the key made of the second one's: what "
                          "this head's score would be.")
                     : tr("What this head adds to the second word's logit when it reads the first one's embedding with "
                          "weight 1.");
    if (page.looks() && page.model().config.attention.scale)
        text += std::string(" ") + tr("It is divided by the scale, as the model's scores are.");
    if (!page.looks() && of.with_norms)
        text += std::string(" ") + tr("The final norm's division, which depends on the sentence, is left out.");
    return text;
}

Box entry_box(const Page& page, const Box& column, std::size_t i) {
    const float y = column.min.y + page.line() * to_float(i);
    return column.between_y(y, y + page.line());
}

ImU32 entry_colour(const Page& page, bool low) {
    const Theme& t = *page.ui().theme;
    if (page.looks()) return low ? t.text_muted : t.attention_text;
    return low ? t.danger_text : t.good_text;
}

void list_heading(const Page& page, const Box& column, std::string_view text) {
    draw::text_told(page.ui(), column.top(page.line()), text, {FontRole::small, page.ui().theme->text_muted});
}

struct RowTops {
    std::vector<WordScore> high, low;
};

/// The strongest entries of a word's row; computed again for another word or circuit.
const RowTops& tops_of(const Page& page, int word) {
    static thread_local Memo<std::pair<int, int>, RowTops, 8> known;
    return known({page.serial, word}, [&]() -> RowTops {
        const std::vector<float> row = page.circuit.row(word);
        return {top_of_row(row, of_a_word), top_of_row(row, of_a_word, true)};
    });
}

/// Draws the row of the chosen word. Returns the bottom.
float draw_word(const Page& page, const Box& box) {
    const Ui& ui = page.ui();
    const int word = word_of(page);
    if (word < 0) return box.min.y;
    const std::string name = page.row_word(word);
    const std::string title = filled(page.looks() ? tr("“{1}” looks for") : tr("Reading “{1}”"), {name});
    const Box head = box.top(ui.line(FontRole::small_bold));
    draw::label(ui, head, title, {FontRole::small_bold}, {page.item("word", 0), item_state(word)});
    const Box lists = box.below(head.max.y + ui.px(2));
    const RowTops& tops = tops_of(page, word);
    const std::string tip = origin_of(page);
    for (const bool low : {false, true}) {
        const Box column = lists.column(low ? 1 : 0, 2, ui.px(list_gap));
        list_heading(page, column,
                     page.looks() ? (low ? tr("least") : tr("most")) : (low ? tr("lowers") : tr("raises")));
        const std::vector<WordScore>& found = low ? tops.low : tops.high;
        // In a small vocabulary, the lowest may raise a logit too.
        const auto fits = [&](float value) { return page.looks() || (low ? value < 0 : value > 0); };
        for (std::size_t i = 0; i < found.size() && fits(found[i].value); ++i)
            draw_entry(page, entry_box(page, column, i + 1), page.item(low ? "low" : "high", i),
                       page.column_word(found[i].word), {}, found[i].value, entry_colour(page, low),
                       name + " → " + page.column_word(found[i].word) + "\n" + tip,
                       page.head.cross ? -1 : found[i].word);
    }
    return lists.min.y + page.line() * to_float(1 + of_a_word);
}

/// Draws the pairs of all words, or the progress of the search for them. Returns the bottom.
float draw_pairs(const Page& page, const Box& box) {
    const Ui& ui = page.ui();
    const WordCircuit& circuit = page.circuit;
    const std::string title =
        filled(tr("Of all {1} × {2} pairs"), {grouped(circuit.rows()), grouped(circuit.columns())});
    const Box head = box.top(ui.line(FontRole::small_bold));
    draw::label(ui, head, title, {FontRole::small_bold}, {page.item("pairs", 0), item_state(circuit.progress())});
    const Box lists = box.below(head.max.y + ui.px(2));
    const bool stacked = lists.width() < ui.px(least_for_pairs);
    const float bottom = lists.min.y + (stacked ? 2 : 1) * page.line() * to_float(1 + of_all);
    if (!circuit.done()) {
        const Box row = lists.top(page.line());
        const std::string share = std::to_string(static_cast<int>(100 * circuit.progress())) + " %";
        draw::text_in(ui, row, share, {FontRole::small, ui.theme->text_muted});
        draw::bar(ui, row.right_of(row.min.x + ui.px(48)).inset(0, ui.px(5)), to_float(circuit.progress()),
                  ui.theme->attention, ui.theme->track);
        return bottom;
    }
    const std::string tip = origin_of(page);
    for (const bool low : {false, true}) {
        const Box column = stacked ? lists.below((low ? lists.min.y + bottom : 2 * lists.min.y) / 2)
                                   : lists.column(low ? 1 : 0, 2, ui.px(list_gap));
        list_heading(page, column, low ? tr("the smallest") : tr("the largest"));
        const std::vector<WordPair>& found = low ? circuit.smallest() : circuit.largest();
        for (std::size_t i = 0; i < std::min(of_all, found.size()); ++i)
            draw_entry(page, entry_box(page, column, i + 1), page.item(low ? "smallest" : "largest", i),
                       page.row_word(found[i].row), page.column_word(found[i].column), found[i].value,
                       entry_colour(page, low), tip, page.looks() || !page.head.cross ? found[i].row : -1);
    }
    return bottom;
}

std::string share_of(int count, int words) { return filled(tr("{1} of {2}"), {grouped(count), grouped(words)}); }

float draw_fact(const Page& page, const Box& box, const char* item, const std::string& text, const std::string& number,
                double value, std::string_view tip) {
    const Ui& ui = page.ui();
    const float width = draw::text_size(ui, number, FontRole::small_bold).x + ui.px(10);
    const float height = draw::wrapped_height(ui, box.width() - width, text, FontRole::small);
    const Box row = box.top(std::max(height, page.line()));
    draw::text_wrapped(ui, row.min, box.width() - width, text, {FontRole::small, ui.theme->text_muted});
    draw::text_in(ui, row.right(width).top(page.line()), number, {FontRole::small_bold, 0, draw::Align::right});
    ui.items->add(ui.items->of_card(page.head.slot, "%s %s", page.looks() ? "looks" : "hands", item), row, value,
                  number);
    if (draw::hovered(row)) draw::tooltip(ui, tip);
    return row.max.y + ui.px(2);
}

/// Says how the circuit treats each word's own column. Returns the bottom.
float draw_own(const Page& page, const Box& box) {
    const std::optional<OwnWords>* own = page.circuit.done() ? &page.circuit.own() : nullptr;
    if (!own || !*own) return box.min.y;
    const OwnWords& of = **own;
    float y = box.min.y;
    const bool looks = page.looks();
    if (of.eigenvalues)
        y = draw_fact(page, box.below(y), "score",
                      looks ? tr("looks for the word itself: Σλ / Σ|λ|") : tr("copying score: Σλ / Σ|λ|"),
                      draw::signed_number(*of.eigenvalues), *of.eigenvalues,
                      tr("Σ λ / Σ |λ|\nλ are the eigenvalues of this word-by-word matrix (Elhage et al. 2021). +1: all "
                         "are positive, so any mixture of words leads to itself. −1: it leads away from itself. At "
                         "most d_head eigenvalues are not 0."));
    y = draw_fact(page, box.below(y), "own raised",
                  looks ? tr("words whose score for themselves is above 0") : tr("words that raise their own logit"),
                  share_of(of.raised, of.words), of.raised,
                  tr("On the diagonal\nHow many numbers on the matrix's diagonal are above 0."));
    return draw_fact(
        page, box.below(y), "own most",
        looks ? tr("words that look for themselves most") : tr("words that raise their own logit most"),
        share_of(of.most, of.words), of.most,
        tr("The diagonal against its row\nHow many numbers on the diagonal are the largest of their row."));
}

const char* formula_of(const Page& page) {
    const bool turns =
        page.looks() && page.frame.trace(page.head.slot)->graph().find(page.circuit.of().prefix + "hook_rot_q");
    if (!page.looks()) return "W_E · W_V · W_O · W_U";
    return turns ? "W_E · W_Q · R_Δ · (W_K)ᵀ · (W_E)ᵀ" : "W_E · W_Q · (W_K)ᵀ · (W_E)ᵀ";
}

float draw_circuit_words(const Page& page, const Box& box) {
    const Ui& ui = page.ui();
    const float line = ui.line(FontRole::small_bold);
    const bool looks = page.looks();
    ui.list()->AddRectFilled({box.min.x, box.min.y + ui.px(1)}, {box.min.x + ui.px(4), box.min.y + line},
                             looks ? ui.theme->query : ui.theme->value, ui.px(2));
    math::text(ui, {box.min.x + ui.px(9), box.min.y}, formula_of(page),
               {FontRole::small_bold, looks ? ui.theme->query_text : ui.theme->value_text, false});
    float y = box.min.y + line + ui.px(2);
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(),
                            looks ? tr("What the head looks for: its score for each pair of words.")
                                  : tr("What the head hands over: what reading a word adds to each word's logit."),
                            {FontRole::small, ui.theme->text_muted}) +
         ui.px(8);
    y = draw_word(page, box.below(y)) + ui.px(10);
    y = draw_pairs(page, box.below(y)) + ui.px(8);
    return draw_own(page, box.below(y));
}

/// Says that there is no circuit yet, or why there will be none. Returns the bottom.
float draw_waiting(const Frame& frame, int slot, const ShownCircuit& shown, std::size_t index, const Box& box) {
    const Ui& ui = frame.ui;
    const bool failed = !shown.failure.empty();
    return box.min.y + draw::label_wrapped(ui, box.min, box.width(),
                                           failed ? tr_full_sentence(shown.failure) : std::string(tr("computing …")),
                                           {FontRole::small, failed ? ui.theme->danger_text : ui.theme->text_muted},
                                           {ui.items->of_card(slot, "%s waiting", index == 0 ? "looks" : "hands")});
}

/// Says what the numbers leave out, and what they include.
std::string condition_of(const Frame& frame, const HeadTrace& head, bool with_norms) {
    const TransformerConfig& c = frame.model(head.slot).config;
    std::string text = with_norms ? tr("Only each word's embedding, as this block reads it: after its norm, with the "
                                       "biases. Of the final norm, only γ is applied, not the division.")
                                  : tr("The products of the matrices alone, without norms and biases.");
    const auto add = [&](const char* more) { text += std::string(" ") + more; };
    if (c.positions == Positions::learned || c.positions == Positions::sinusoidal)
        add(tr("The vectors of the positions are left out."));
    if (c.attention.qk_norm && !head.cross)
        add(with_norms ? tr("Queries and keys are normalized (q/k norm).")
                       : tr("The norms of queries and keys are left out."));
    if (c.head_transform) add(tr("The layer between the stream and the unembedding is left out."));
    if (head.layer > 0)
        add(
            tr("In a later block the stream contains more than the word's embedding; this is the effect of the "
               "embedding alone."));
    return text;
}

}  // namespace

float draw_distance_control(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const TransformerConfig& c = frame.model(head.slot).config;
    int& distance = frame.own<QkvLook>().distance;
    const int most = std::min(c.n_ctx - 1, 64), least = c.causal() ? 0 : -most;
    distance = std::clamp(distance, least, most);
    const Box row = box.top(ui.px(26));
    const std::string name = tr("distance Δ");
    const float width = draw::text_size(ui, name, FontRole::small).x + ui.px(10);
    draw::text_in(ui, row.left(width), name, {FontRole::small, ui.theme->text_muted});
    const std::string shown = (distance < 0 ? "−" : "") + std::to_string(std::abs(distance));
    const float room = std::min(row.width() - width, ui.px(280));
    auto moved = to_float(distance);
    if (slider(ui, ui.items->of_card(head.slot, "circuit distance"),
               Box::sized({row.min.x + width, row.min.y}, room, row.height()), moved, to_float(least), to_float(most),
               shown))
        distance = static_cast<int>(std::lround(moved));
    if (draw::hovered(row.left(width)))
        draw::tooltip(ui, tr("Distance Δ\nHow many words the key comes before the query. Rotary positions rotate both, "
                             "so the match depends on the distance alone."));
    return row.max.y + ui.px(6);
}

float draw_qkv_words(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string prefix = hook(frame.state, "attn.");
    const TransformerGraph& model = frame.trace(head.slot)->model();
    const auto said = [&](const char* text) {
        return box.min.y + draw::text_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted});
    };
    if (!has_circuits(*model.graph, prefix))
        return said(tr("This model's attention has no matrices of its own: a head uses the vectors as they are."));
    if (!has_word_circuit(model, prefix, Kind::query_key))
        return said(tr("This model reads numbers: there are no words that its heads could connect."));
    QkvLook& look = frame.own<QkvLook>();
    const std::array<std::string_view, 2> choices{N_("weights alone"), N_("with norms")};
    float widest = 0;
    for (const std::string_view name : choices)
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    const Box switch_box = Box::sized(box.min, std::min(box.width(), 2 * widest + ui.px(32)), ui.px(26));
    segmented(ui, ui.items->of_card(head.slot, "circuit"), switch_box, std::span<const std::string_view, 2>(choices),
              look.with_norms);
    float y = switch_box.max.y + ui.px(6);
    if (model.graph->find(prefix + "hook_rot_q")) y = draw_distance_control(frame, head, box.below(y));
    const bool says = has_word_circuit(model, prefix, Kind::value_output);
    const bool beside = box.width() >= ui.px(words_beside_from) && says;
    float bottom = y;
    for (const Kind kind : {Kind::query_key, Kind::value_output}) {
        if (kind == Kind::value_output && !says) continue;
        const std::size_t index = kind == Kind::query_key ? 0 : 1;
        Box at = beside ? box.below(y).column(static_cast<int>(index), 2, ui.px(words_gap)) : box.below(bottom);
        if (!beside && index > 0) at.min.y += ui.px(words_gap);
        const ShownCircuit shown = word_circuit(
            frame, head, {kind, prefix, head.head, look.with_norms, kind == Kind::query_key ? look.distance : 0});
        bottom = std::max(bottom, shown.circuit ? draw_circuit_words({frame, head, *shown.circuit, shown.serial}, at)
                                                : draw_waiting(frame, head.slot, shown, index, at));
    }
    // What the numbers mean is below them, since it is read only once.
    bottom += ui.px(12);
    return bottom + draw::label_wrapped(
                        ui, {box.min.x, bottom}, box.width(), condition_of(frame, head, look.with_norms),
                        {FontRole::small, ui.theme->text_muted}, {ui.items->of_card(head.slot, "circuit condition")});
}

}  // namespace glassformer::app::views::qkv
