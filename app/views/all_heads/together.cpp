#include "app/views/all_heads/together.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "app/common/block_pattern.h"
#include "app/common/head_picture.h"
#include "app/common/heat_map.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "app/ui/scroll_page.h"

namespace glassformer::app::views::all_heads {

namespace {

// Pixels at 100 %.
constexpr float tile = 52, tile_gap = 10, together_cell_least = 3, together_cell_most = 30, together_row_most = 24,
                together_word = 90, together_word_gap = 6;
constexpr std::int64_t most_cells = 4'000'000;  // in the patterns of all blocks, so that they need little memory
constexpr int tile_rows = 48;
constexpr double sink_from = 0.5;

struct TogetherState {
    std::array<std::shared_ptr<MixedBlocks>, 2> of_cards;
};

/// One matrix as the page shows it.
struct Together {
    std::shared_ptr<const std::vector<float>> values;  // [rows, rows]
    std::vector<float> hidden;                         // −∞ where there is nothing to show: masked, or left out
    std::vector<int> token_of;                         // by row: its first token
    int rows = 0;
};

const MixedBlocks& mixed_blocks(const Frame& frame, int slot) {
    std::shared_ptr<MixedBlocks>& kept = frame.own<TogetherState>().of_cards[slot];
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    const TransformerConfig& config = trace->model().config;
    if (!kept || !kept->of(trace)) {
        kept = nullptr;
        kept = std::make_shared<MixedBlocks>(trace, config.n_layers, config.n_heads, rollout_own_share(config));
    }
    if (kept->go_on(*trace)) frame.state.more_to_compute = true;
    return *kept;
}

const std::vector<float>& of_mix(const MixedPatterns& of, int mix) {
    return mix == AllHeadsLook::mean ? of.mean : mix == AllHeadsLook::largest ? of.largest : of.rollout;
}

/// The written word of each token; empty if every token is a word.
const std::vector<int>& words_of(const Frame& frame, int slot) {
    static thread_local Memo<SharedKey<Trace>, std::vector<int>, 2> known;
    const WatchedSentence& sentence = frame.sentence(slot);
    return known({sentence.trace}, [&]() -> std::vector<int> {
        const ModelInfo& model = frame.model(slot);
        if (!model.tokenizer || model.translates()) return {};
        const std::vector<int> words = written_words(*model.tokenizer, sentence.text, sentence.trace->tokens());
        return words.empty() || words.back() + 1 == int_size(words) ? std::vector<int>{} : words;
    });
}

Together make(const Frame& frame, int slot, const std::vector<float>& from, const AllHeadsLook& look) {
    Together t;
    const int n = frame.trace(slot)->positions();
    std::vector<float> values = look.without_first ? without_first_key(from, n) : from;
    t.rows = n;
    for (int token = 0; token < n; ++token) t.token_of.push_back(token);
    if (const std::vector<int>& words = words_of(frame, slot); look.written_words && !words.empty()) {
        values = weights_of_words(values, words);
        t.rows = words.back() + 1;
        t.token_of.assign(static_cast<std::size_t>(t.rows), 0);
        for (int token = n; token-- > 0;)
            t.token_of[static_cast<std::size_t>(words[static_cast<std::size_t>(token)])] = token;
    }
    const bool causal = frame.model(slot).config.causal();
    if (causal || look.without_first) {
        t.hidden.assign(values.size(), 0.0f);
        for (int row = 0; row < t.rows; ++row)
            for (int column = 0; column < t.rows; ++column)
                if ((causal && column > row) || (look.without_first && column == 0))
                    t.hidden[static_cast<std::size_t>(row * t.rows + column)] = -INFINITY;
    }
    t.values = std::make_shared<const std::vector<float>>(std::move(values));
    return t;
}

const Together& together_of(const Frame& frame, int slot, const MixedPatterns& of, const AllHeadsLook& look) {
    using Key = std::tuple<SharedKey<Trace>, const void*, int, bool, bool>;
    static thread_local Memo<Key, Together, 4> known;
    return known({frame.sentence(slot).trace, &of, look.mix, look.without_first, look.written_words},
                 [&] { return make(frame, slot, of_mix(of, look.mix), look); });
}

/// The text of a row; for a written word, that of all its tokens.
std::string row_name(const Frame& frame, int slot, const Together& t, int row) {
    const int first = t.token_of[static_cast<std::size_t>(row)],
              end = row + 1 < t.rows ? t.token_of[static_cast<std::size_t>(row) + 1] : frame.trace(slot)->positions();
    std::string name;
    for (int token = first; token < end; ++token) {
        std::string piece = frame.word(slot, token);
        if (token > first && piece.starts_with("##")) piece.erase(0, 2);
        name += piece;
    }
    return name;
}

int row_of_token(const Together& t, int token) {
    const auto after = std::ranges::upper_bound(t.token_of, token);
    return std::max(0, static_cast<int>(after - t.token_of.begin()) - 1);
}

/// Draws the choices; returns the bottom.
float draw_choices(const Frame& frame, int slot, const Box& box) {
    const Ui& ui = frame.ui;
    AllHeadsLook& look = frame.own<AllHeadsLook>();
    static constexpr std::array<std::string_view, 3> names = {N_("mean"), N_("maximum"), N_("rollout")};
    float widest = 0;
    for (const std::string_view name : names)
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    const float width = std::min(box.width(), 3 * (widest + ui.px(16)) + ui.px(4));
    segmented(ui, ui.items->of_card(slot, "mix"), Box::sized(box.min, width, ui.px(26)), names, look.mix);
    ImVec2 at{box.min.x, box.min.y + ui.px(34)};
    const auto check = [&](std::string_view item, const char* text, bool& on) {
        const float wide = draw::text_size(ui, text, FontRole::body).x + ui.px(40);
        if (at.x > box.min.x && at.x + wide > box.max.x) at = {box.min.x, at.y + ui.px(26)};
        checkbox(ui, item, at, text, on);
        at.x += wide;
    };
    check(ui.items->of_card(slot, "without first"), tr("without the first column"), look.without_first);
    if (!words_of(frame, slot).empty())
        check(ui.items->of_card(slot, "whole words"), tr("pieces of a word as one"), look.written_words);
    return at.y + ui.px(28);
}

/// Draws small pictures of all blocks together and of each block; a click chooses one. Returns the bottom.
float draw_tiles(const Frame& frame, int slot, const MixedBlocks& blocks, const Box& box) {
    const Ui& ui = frame.ui;
    AllHeadsLook& look = frame.own<AllHeadsLook>();
    look.block = std::clamp(look.block, -1, blocks.layers() - 1);
    const float line = ui.line(FontRole::small) + ui.px(2), side = ui.px(tile);
    ImVec2 at = box.min;
    for (int block = -1; block < blocks.layers(); ++block) {
        if (at.x > box.min.x && at.x + side > box.max.x) at = {box.min.x, at.y + line + side + ui.px(tile_gap)};
        const std::string name = block < 0 ? std::string(tr("all")) : filled(tr("block {1}"), {std::to_string(block)});
        const FontRole font = block == look.block ? FontRole::small_bold : FontRole::small;
        draw::text_in(ui, Box::sized(at, side, line),
                      draw::first_fitting(ui, side, {name, block < 0 ? name : std::to_string(block)}, font),
                      {font, block == look.block ? ui.theme->text : ui.theme->text_muted});
        const Box picture = Box::sized({at.x, at.y + line}, side, side);
        const Response r = link_area(ui, ui.items->of_card(slot, "together block %d", block), picture,
                                     item_state(block == look.block), name);
        if (const MixedPatterns* of = blocks.find(block)) {
            const Together& t = together_of(frame, slot, *of, look);
            static thread_local Memo<SharedKey<std::vector<float>>, PatternPicture, 64> pictures;
            draw_head_picture(
                ui, pictures({t.values}, [&] { return pattern_picture(*t.values, t.rows, t.rows, tile_rows); }),
                {t.values, -2, 0}, picture);
        } else {
            draw::rounded_box(ui, picture, ui.theme->track, 0, 2);
        }
        if (block == look.block) draw::selection_frame(ui, picture.inset(-ui.px(2)), 4);
        if (r.clicked) look.block = block;
        at.x += side + ui.px(tile_gap);
    }
    return at.y + line + side + ui.px(10);
}

/// Says in a sentence what the matrix is.
std::string meaning_of(const Frame& frame, int slot, const AllHeadsLook& look) {
    const TransformerConfig& c = frame.model(slot).config;
    const int count = look.block < 0 ? c.n_heads * c.n_layers : c.n_heads;
    const std::string heads = std::to_string(count),
                      block = std::to_string(look.block < 0 ? c.n_layers - 1 : look.block);
    std::string text;
    if (look.mix == AllHeadsLook::mean)
        text = look.block < 0 ? filled(tr("The weight of the model's only head.",
                                          "The mean weight over the {1} heads of all blocks.", count),
                                       {heads})
                              : filled(tr("The weight of the only head of block {2}.",
                                          "The mean weight over the {1} heads of block {2}.", count),
                                       {heads, block});
    else if (look.mix == AllHeadsLook::largest)
        text = look.block < 0 ? filled(tr("The weight that the model's only head gives.",
                                          "The largest weight that any of the {1} heads of all blocks gives.", count),
                                       {heads})
                              : filled(tr("The weight that the only head of block {2} gives.",
                                          "The largest weight that any of the {1} heads of block {2} gives.", count),
                                       {heads, block});
    else
        text = filled(tr("Attention rollout (Abnar & Zuidema 2020): how much of the stream at each position comes from "
                         "each token after block {1}. In each block a position keeps {2} of its own and takes the rest "
                         "from the others, by the mean weights of the heads. Values and MLPs are ignored."),
                      {block, c.residual ? "½" : "0"});
    if (look.without_first)
        text += std::string(" ") + tr("The first column is left out; the rest of each row is divided by its sum.");
    if (look.written_words && !words_of(frame, slot).empty())
        text += std::string(" ") +
                tr("For a word of several tokens, the weights it gets are added up, and those it gives are averaged.");
    if (frame.model(slot).translates()) text += std::string(" ") + tr("Attention to the source sentence is not in it.");
    return text;
}

/// The head with the largest weight.
std::string of_head(const Frame& frame, int slot, const AllHeadsLook& look, int query, int key) {
    const Trace& trace = *frame.trace(slot);
    float most = -1;
    HeadChoice found{};
    for (int layer = 0; layer < trace.model().config.n_layers; ++layer) {
        const std::optional<BlockPattern> p = block_pattern(trace, slot, layer, false, Slices{0, 0});
        if ((look.block >= 0 && look.block != layer) || !p || !trace.kept(p->node)) continue;
        for (int head = 0; head < p->heads; ++head)
            if (const float weight = trace.at(p->cell(head, query, key)); weight > most)
                most = weight, found = {layer, head};
    }
    return most < 0 ? ""
                    : filled(tr("block {1} · head {2}"), {std::to_string(found.layer), std::to_string(found.head)});
}

/// Draws the matrix with its words; returns the bottom.
float draw_matrix(const Frame& frame, int slot, const Together& t, const AllHeadsLook& look, const Box& box) {
    const Ui& ui = frame.ui;
    std::vector<std::string> names;
    float widest = 0;
    for (int row = 0; row < t.rows; ++row) {
        names.push_back(row_name(frame, slot, t, row));
        widest = std::max(widest, std::ceil(draw::text_size(ui, names.back(), FontRole::small_bold).x));
    }
    const float words = std::min(widest, std::min(ui.px(together_word), box.width() * 0.28f));
    CellGrid grid;
    grid.rows = grid.columns = t.rows;
    const float room = box.width() - words - ui.px(together_word_gap) - ui.px(36);
    grid.pitch.x = std::clamp(room / to_float(t.rows), ui.px(together_cell_least), ui.px(together_cell_most));
    grid.pitch.y = std::min(grid.pitch.x, ui.px(together_row_most));
    const ColumnLabels labels{grid.pitch.x, ui.px(together_word)};
    grid.min = {std::floor(box.min.x + words + ui.px(together_word_gap)),
                std::floor(box.min.y + labels.height(ui, widest))};
    const CellHit under =
        draw_cells(ui, ui.items->of_card(slot, "together"), grid,
                   {t.rows, t.rows, *t.values, t.rows, HeatColours::attention, 1, t.hidden, {t.values, -3, 0}});
    const int chosen = row_of_token(t, frame.state.token[slot]);
    const float line = ui.line(FontRole::small);
    const int every = std::max(1, static_cast<int>(std::ceil(line / grid.pitch.y - 0.05f)));
    for (int row = 0; row < t.rows; ++row) {
        const bool strong = row == chosen || row == under.row;
        if (!strong && (row % every != 0 || std::abs(row - chosen) < every)) continue;
        const float middle = grid.min.y + grid.pitch.y * (to_float(row) + 0.5f);
        draw::text_in(ui, {{box.min.x, middle - line / 2}, {grid.min.x - ui.px(together_word_gap), middle + line / 2}},
                      names[static_cast<std::size_t>(row)],
                      {strong ? FontRole::small_bold : FontRole::small, strong ? ui.theme->text : ui.theme->text_muted,
                       draw::Align::right});
    }
    for (int key = 0; key < t.rows; key += labels.every(ui))
        labels.draw(ui, {grid.min.x + grid.pitch.x * (to_float(key) + 0.5f), grid.min.y},
                    names[static_cast<std::size_t>(key)], {FontRole::small, ui.theme->text_muted});
    const Box row = grid.cell(ui, chosen, 0).inset(-ui.px(2));
    draw::selection_frame(ui, row.between_x(row.min.x, grid.max().x + ui.px(1)), 4);
    if (under.row >= 0) {
        const float value = (*t.values)[static_cast<std::size_t>(under.row * t.rows + under.column)];
        std::string text = names[static_cast<std::size_t>(under.row)] + " → " +
                           names[static_cast<std::size_t>(under.column)] + "  " +
                           std::string(ui.items->format("%.4f", value)) + "\n";
        const bool tokens = t.rows == frame.trace(slot)->positions();
        if (look.mix == AllHeadsLook::largest && tokens && !look.without_first)
            text += of_head(frame, slot, look, under.row, under.column) + "\n";
        draw::tooltip(ui, text + meaning_of(frame, slot, look));
        if (under.clicked)
            choose_token(frame.state, frame.snapshot, slot, t.token_of[static_cast<std::size_t>(under.row)]);
    }
    return grid.max().y + ui.px(10);
}

std::string percent(double share) { return std::to_string(static_cast<int>(std::lround(100 * share))) + " %"; }

/// Says how many heads put most of their weight on the first token. Returns the bottom.
float draw_sink(const Frame& frame, int slot, const MixedBlocks& blocks, const Box& box) {
    const Ui& ui = frame.ui;
    const int heads = frame.model(slot).config.n_heads;
    if (frame.trace(slot)->positions() < 2 || !blocks.done()) return box.min.y;
    int sinks = 0;
    double sum = 0, most = -1;
    HeadChoice strongest{};
    for (int block = 0; block < blocks.layers(); ++block)
        for (int head = 0; head < heads; ++head) {
            const double weight = blocks.on_first(block, head);
            sinks += weight > sink_from;
            sum += weight;
            if (weight > most) most = weight, strongest = {block, head};
        }
    const int all = blocks.layers() * heads;
    const std::string first = frame.word(slot, 0);
    const std::string text =
        sinks == 0
            ? filled(tr("No head puts more than half of its weight on the first token, “{1}”: on average it gets "
                        "{2}, at most {3} (block {4} · head {5})."),
                     {first, percent(sum / all), percent(most), std::to_string(strongest.layer),
                      std::to_string(strongest.head)})
            : filled(tr("Attention sink: {1} of {2} heads puts more than half of its weight on the first token, "
                        "“{3}”; in block {4} · head {5} it is {6}. A row's weights must add up to 1: a head that finds "
                        "nothing to attend to puts its weight where it has the least effect.",
                        "Attention sink: {1} of {2} heads put more than half of their weight on the first token, "
                        "“{3}”; in block {4} · head {5} it is {6}. A row's weights must add up to 1: a head that finds "
                        "nothing to attend to puts its weight where it has the least effect.",
                        sinks),
                     {std::to_string(sinks), std::to_string(all), first, std::to_string(strongest.layer),
                      std::to_string(strongest.head), percent(most)});
    return box.min.y +
           draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted},
                               {ui.items->of_card(slot, "sink"), ItemValue(sinks)}) +
           ui.px(6);
}

/// For a pair of sentences: says how much the words of one read the other. Returns the bottom.
float draw_pair(const Frame& frame, int slot, const std::vector<float>& values, const AllHeadsLook& look,
                const Box& box) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(slot);
    const TransformerGraph& model = trace.model();
    if (model.token_types < 0 || look.mix == AllHeadsLook::largest) return box.min.y;
    const std::span<const float> types = trace.values(model.token_types);
    std::vector<int> groups;
    for (std::size_t token = 0; token < types.size(); ++token)
        groups.push_back(
            token == 0 || trace.tokens()[token] == model.config.sentence_end ? 2 : static_cast<int>(types[token]));
    const std::optional<double> b_to_a = weight_between(values, groups, 1, 0),
                                a_to_b = weight_between(values, groups, 0, 1);
    if (!b_to_a || !a_to_b) return box.min.y;
    const double a_special = weight_between(values, groups, 0, 2).value_or(0),
                 b_special = weight_between(values, groups, 1, 2).value_or(0);
    const std::string text = filled(
        look.mix == AllHeadsLook::rollout
            ? tr("{1} of the second sentence's stream comes from the first sentence and {3} from the special tokens; "
                 "{2} of the first sentence's stream comes from the second and {4} from the special tokens.")
            : tr("The words of the second sentence put {1} of their weight on the first sentence and {3} on the "
                 "special tokens; those of the first sentence put {2} on the second and {4} on the special tokens."),
        {percent(*b_to_a), percent(*a_to_b), percent(b_special), percent(a_special)});
    const float height = draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text},
                                             {ui.items->of_card(slot, "second reads first"), ItemValue(*b_to_a)});
    ui.items->add(ui.items->of_card(slot, "first reads second"), box.top(height), ItemValue(*a_to_b), text);
    return box.min.y + height + ui.px(6);
}

bool tells_a_hidden_row(const Frame& frame, int slot) {
    const TransformerConfig& c = frame.model(slot).config;
    for (int layer = 0; layer < c.n_layers; ++layer)
        for (int head = 0; head < c.n_heads; ++head)
            if (row_hidden_by_quiz(frame, slot, {layer, head}) >= 0) return true;
    return false;
}

}  // namespace

void draw_together(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const AllHeadsLook& look = frame.own<AllHeadsLook>();
    ScrollPage page(ui, slot == 0 ? "##together A" : "##together B", box);
    const Box inside{{page.seen_left(), page.inside().min.y}, {page.seen_right(), page.inside().max.y}};
    if (tells_a_hidden_row(frame, slot))
        return page.reaches(draw_hidden_by_quiz(frame, slot, inside, ui.items->of_card(slot, "together hidden")));
    const Trace& trace = *frame.trace(slot);
    const std::int64_t cells = std::int64_t{trace.positions()} * trace.positions() * trace.model().config.n_layers;
    if (cells > most_cells)
        return page.reaches(inside.min.y +
                            draw::text_wrapped(ui, inside.min, inside.width(),
                                               tr("The sentence is too long to mix the patterns of all blocks."),
                                               {FontRole::small, ui.theme->text_muted}));
    const MixedBlocks& blocks = mixed_blocks(frame, slot);
    float y = draw_choices(frame, slot, inside);
    y = draw_tiles(frame, slot, blocks, inside.below(y));
    const MixedPatterns* shown = blocks.find(look.block);
    if (!shown) {
        const std::string text =
            filled(tr("{1} of {2} blocks …"), {std::to_string(blocks.made()), std::to_string(blocks.layers())});
        return page.reaches(y + draw::text_wrapped(ui, {inside.min.x, y}, inside.width(), text,
                                                   {FontRole::small, ui.theme->text_muted}));
    }
    y += draw::label_wrapped(ui, {inside.min.x, y}, inside.width(), meaning_of(frame, slot, look),
                             {FontRole::small, ui.theme->text_muted}, {ui.items->of_card(slot, "together meaning")}) +
         ui.px(6);
    y = draw_matrix(frame, slot, together_of(frame, slot, *shown, look), look, inside.below(y));
    y = draw_pair(frame, slot, of_mix(*shown, look.mix), look, inside.below(y));
    page.reaches(draw_sink(frame, slot, blocks, inside.below(y)));
}

}  // namespace glassformer::app::views::all_heads
