#include "app/views/embedding/embedding_view.h"

#include <algorithm>
#include <utility>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/view.h"
#include "core/base/number_text.h"

// The embedding matrix as a map of the vocabulary, and the words nearest to one of them.
namespace glassformer::app::views::embedding {

namespace {

// Pixels at 100 %.
constexpr float control_height = 26, neighbour_height = 22, gap = 8, list_width = 190, lists_beside_from = 560,
                cloud_least = 200;

int chosen_word(const Frame& frame, int slot) {
    const std::vector<int>& tokens = frame.trace(slot)->tokens();
    const int at = std::clamp(frame.state.token[slot], 0, int_size(tokens) - 1);
    return tokens[at];
}

std::string_view item(const EmbeddingFrame& e, const char* name) { return e.ui().items->of_card(e.slot, "%s", name); }

/// Draws the choice of two or three dimensions, and how much of the spread each shows; returns the bottom.
float draw_controls(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    EmbeddingLook& look = e.frame.state.own<EmbeddingLook>();
    const float bottom = box.min.y + ui.px(control_height);
    static constexpr std::array<std::string_view, 2> names = {"2-D", "3-D"};
    const Box choice{box.min, {box.min.x + ui.px(92), bottom}};
    segmented(ui, item(e, "embedding/dimensions"), choice, names, look.solid);
    if (draw::hovered(choice))
        draw::tip(ui, choice,
                  tr("Number of principal components\nIn 3-D, drag to rotate, or press F6 until the map has the focus "
                     "and use the arrow keys. Double-click or press Home to rotate it back."));
    float x = choice.max.x + ui.px(12);
    for (int k = 0; k < (look.solid ? 3 : 2); ++k) {
        const double share = e.words.map->pca.share[k];
        const std::string_view text =
            ui.items->format(share < 0.01 ? tr("PC%d %.1f %%") : tr("PC%d %.0f %%"), k + 1, 100 * share);
        const float width = draw::text_size(ui, text, FontRole::small).x;
        if (x + width > box.max.x) break;
        const Box at{{x, box.min.y}, {x + width, bottom}};
        draw::text_in(ui, {at.min, {at.max.x + 1, bottom}}, text, {FontRole::small, ui.theme->text_muted});
        ui.items->add(ui.items->of_card(e.slot, "embedding share %d", k), at, share);
        if (draw::hovered(at))
            draw::tooltip(
                ui, tr("Share of variance\nHow much of the variance of all word vectors lies along this direction. "
                       "The map shows only this share of their differences."));
        x += width + ui.px(12);
    }
    return bottom;
}

/// Says which words the map names; returns the bottom.
float draw_caption(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    const int drawn = int_size(words_named(e)), all = e.vocabulary();
    const std::string whole = grouped(all);
    const std::string_view text = drawn == all
                                      ? ui.items->format(tr("PCA of the embedding, %s × %zu"), whole.c_str(), e.width)
                                      : ui.items->format(tr("PCA of the embedding, %s × %zu · labelled: the sentence's "
                                                            "words, their neighbours, the first %d of the vocabulary"),
                                                         whole.c_str(), e.width, std::min(all, most_words_named));
    return box.min.y + draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted},
                                           {item(e, "embedding/caption"), item_state(drawn)});
}

/// "nearest to “bat”", with a way back to the chosen token if this is another word.
float draw_list_heading(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    const float height = ui.px(control_height);
    float right = box.max.x;
    if (e.focus != chosen_word(e.frame, e.slot)) {
        const ButtonStyle back{.tone = Tone::bare, .tooltip = tr("Back to the chosen word"), .icon = draw::Icon::close};
        right -= height;
        if (button(ui, item(e, "embedding/follow"), {{right, box.min.y}, {box.max.x, box.min.y + height}}, "", back))
            focus_word(e, -1);
    }
    const std::string word = e.name(e.focus);
    const std::string_view text = ui.items->format(tr("nearest to “%s”"), word.c_str());
    const Box at = box.top(height).left_of(right);
    const bool cut = draw::text_in(ui, at, text, {FontRole::body_bold});
    ui.items->add(item(e, "embedding/nearest"), at, item_state(e.focus), word);
    if (draw::hovered(at))
        draw::tooltip(ui, at,
                      ui.items->format(tr("%s\nThe words whose embedding vectors point in nearly the same direction in "
                                          "all %zu dimensions. Cosine 1 is the same direction, 0 a right angle."),
                                       cut ? text.data() : tr("Nearest words"), e.width));
    return box.min.y + height;
}

void draw_row(const EmbeddingFrame& e, const Box& row, int i, const Neighbor& near) {
    const Ui& ui = e.ui();
    const Theme& t = *ui.theme;
    const std::string word = e.name(near.id);
    const double cosine = near.cosine;
    const Response r = link_area(ui, ui.items->of_card(e.slot, "embed near %d", i), row, cosine, word);
    EmbeddingLook& look = e.frame.state.own<EmbeddingLook>();
    const std::size_t at = e.slot;
    const bool lit = look.pointed[at] == near.id || look.pointed[1 - at] == near.id;
    if (r.hovered || lit) draw::rounded_box(ui, row, r.hovered ? t.hover : t.selection_tint, 0, 4);
    if (r.hovered) look.pointing[at] = near.id;
    const float number = draw::text_size(ui, "−0.00", FontRole::small).x + ui.px(6), half = ui.px(4);
    const float name = std::min(ui.px(96), row.width() * 0.5f), middle = row.middle_y();
    const bool cut = draw::text_in(ui, row.left(name), word, {FontRole::small, t.residual_text});
    const float left = row.min.x + name + ui.px(6), right = row.max.x - number;
    if (right - left > ui.px(8))
        draw::bar(ui, {{left, middle - half}, {right, middle + half}}, std::max(0.0f, near.cosine), t.residual,
                  t.track);
    draw::text_in(ui, row.right_of(right), cosine < 0 ? draw::signed_number(cosine) : ui.items->format("%.2f", cosine),
                  {FontRole::small, t.text_muted, draw::Align::right});
    if (r.hovered)
        draw::tooltip(ui, row,
                      ui.items->format(tr("%s%scosine %.4f\nClick for its nearest words"), cut ? word.c_str() : "",
                                       cut ? "  " : "", cosine));
    if (r.clicked) focus_word(e, near.id);
}

/// Draws as many neighbours as fit; returns the bottom.
float draw_list(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    float y = draw_list_heading(e, box) + ui.px(2);
    const float height = std::max(ui.px(neighbour_height), ui.line(FontRole::small) + ui.px(2));
    if (e.has_no_direction()) {
        const std::string why = filled(tr("“{1}” has the zero vector, which has no direction: no {2} is near it."),
                                       {e.name(e.focus), token_name(e.frame.model(e.slot))});
        return y + draw::label_wrapped(ui, {box.min.x, y}, box.width(), why, {FontRole::small, ui.theme->text_muted},
                                       {ui.items->of_card(e.slot, "embed near none")});
    }
    if (e.near().empty()) {
        draw::text_in(ui, box.between_y(y, y + height), tr("searching the vocabulary …"),
                      {FontRole::small, ui.theme->text_muted});
        return y + height;
    }
    const int lines = std::clamp(static_cast<int>((box.max.y - y) / height), 1, int_size(e.near()));
    for (int i = 0; i < lines; ++i, y += height) draw_row(e, box.between_y(y, y + height), i, e.near()[i]);
    return y;
}

/// Draws the progress in place of the map while that is being computed; returns the bottom.
float draw_waiting(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    const std::string whole = grouped(e.vocabulary());
    const std::string_view text = ui.items->format(tr("mapping %s words …"), whole.c_str());
    const Box line = box.top(ui.line(FontRole::small));
    draw::label(ui, line, text, {FontRole::small, ui.theme->text_muted},
                {item(e, "embedding/waiting"), item_state(e.vocabulary())});
    return line.max.y;
}

constexpr std::array<std::string_view, 3> page_names = {N_("vectors"), N_("byte pairs"), N_("tokenizer")};

int& chosen_page(ViewState& state) { return state.own<BytePairsLook>().page; }

/// The pages that this model has.
std::span<const std::string_view> pages_of(const Frame& frame, int slot) {
    return std::span(page_names).first(has_tokenizer_page(frame, slot) ? 3 : 2);
}

/// The page on screen: the other card's model may have one page more.
int page_of(const Frame& frame, int slot) {
    return std::min(chosen_page(frame.state), static_cast<int>(pages_of(frame, slot).size()) - 1);
}

/// Draws the choice of the page: the map, byte pairs or the tokenizer's stages; returns the bottom.
float draw_pages(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    const std::span<const std::string_view> pages = pages_of(frame, slot);
    float width = 0;
    for (const std::string_view page : pages)
        width += draw::text_size(ui, tr(page), FontRole::small_bold).x + ui.px(22);
    const ImVec2 end{std::min(box.max.x, box.min.x + width), box.min.y + ui.px(control_height)};
    int chosen = page_of(frame, slot);
    if (segmented(ui, ui.items->of_card(slot, "embedding page"), {box.min, end}, pages, chosen))
        chosen_page(frame.state) = chosen;
    return end.y + ui.px(gap);
}

/// Returns the bottom.
float draw_map(const EmbeddingFrame& e, const Box& in) {
    const Ui& ui = e.ui();
    if (!e.words.map) return draw_list(e, in.below(draw_waiting(e, in) + ui.px(gap)));
    float y = draw_controls(e, in) + ui.px(gap);
    y = draw_caption(e, in.below(y)) + ui.px(gap);
    const float room = in.max.y - y - ui.px(6);
    if (in.width() >= ui.px(lists_beside_from)) {
        const float left = in.max.x - ui.px(list_width), end = y + std::max(room, ui.px(cloud_least));
        draw_embedding_cloud(e, {{in.min.x, y}, {left - ui.px(16), end}});
        draw_list(e, {{left, y}, {in.max.x, end}});
        return end;
    }
    const float list =
        ui.px(control_height + 2) + 6 * std::max(ui.px(neighbour_height), ui.line(FontRole::small) + ui.px(2));
    const float end = y + std::max(room - list - ui.px(gap), ui.px(cloud_least));
    draw_embedding_cloud(e, in.between_y(y, end));
    return draw_list(e, in.between_y(end + ui.px(gap), end + ui.px(gap) + list));
}

}  // namespace

void focus_word(const EmbeddingFrame& e, int word) {
    const std::size_t at = e.slot;
    EmbeddingLook& look = e.frame.state.own<EmbeddingLook>();
    look.word[at] = word == chosen_word(e.frame, e.slot) ? -1 : word;
    look.token[at] = e.frame.state.token[at];
}

namespace {

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const std::size_t at = slot;
    EmbeddingLook& look = frame.state.own<EmbeddingLook>();
    const Trace& trace = *frame.trace(slot);
    const std::optional<int> node = trace.graph().find("embed.W_E");
    if (!node || trace.tokens().empty()) return;
    if (page_of(frame, slot) == 2) {
        ScrollPage page(ui, slot == 0 ? "##tokenizer A" : "##tokenizer B", box);
        return draw_tokenizer(frame, slot, page, draw_pages(frame, slot, page.inside()));
    }
    if (page_of(frame, slot) == 1) {
        ScrollPage page(ui, slot == 0 ? "##byte pairs A" : "##byte pairs B", box);
        return draw_byte_pairs(frame, slot, page, draw_pages(frame, slot, page.inside()));
    }
    if (look.token[at] != frame.state.token[at]) look.word[at] = -1;  // another token was chosen: show its neighbours
    const int focus = look.word[at] >= 0 ? look.word[at] : chosen_word(frame, slot);
    look.seen = true;
    look.wanted[at] = focus;
    ScrollPage page(ui, slot == 0 ? "##embedding A" : "##embedding B", box);
    const float top = draw_pages(frame, slot, page.inside());
    const EmbeddedWords* words = frame.snapshot.embeddings[at].get();
    const std::size_t width = trace.shape(*node).back();
    if (!words || (words->map && words->map->points.size() != trace.values(*node).size() / width)) {
        frame.state.more_to_compute = true;
        const float line = ui.line(FontRole::small);
        draw::text_in(ui, page.inside().between_y(top, top + line), tr("mapping the vocabulary …"),
                      {FontRole::small, ui.theme->text_muted});
        return page.reaches(top + line);
    }
    page.reaches(draw_map({frame, slot, *words, trace.values(*node), width, focus}, page.inside().below(top)));
}

void ask_for_embeddings(const Frame& frame) {
    EmbeddingLook& look = frame.state.own<EmbeddingLook>();
    const bool seen = std::exchange(look.seen, false);
    look.pointed = std::exchange(look.pointing, {-1, -1});
    if (!seen) look.wanted = {-1, -1};
    if (seen == look.asked_seen && look.wanted == look.asked) return;
    look.asked_seen = seen;
    look.asked = look.wanted;
    frame.send(command::ShowEmbeddings{seen, look.wanted});
}

}  // namespace

extern constinit const View view{
    .name = N_("Embedding"),
    .meaning = N_("A map of all word vectors, the nearest words, and how text becomes tokens."),
    .also = "W_E word vectors PCA cosine nearest neighbours vocabulary BPE byte pairs subword tokenizer WordPiece",
    .draw = draw_view,
    .offered = [](const Frame& frame) { return frame.model().config.input == InputKind::words; },
    .pages = page_names,
    .page = chosen_page,
    .request = ask_for_embeddings,
};

}  // namespace glassformer::app::views::embedding
