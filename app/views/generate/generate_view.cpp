#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lens_grid.h"
#include "app/common/token_names.h"
#include "app/common/traced_value.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/ui/memo.h"
#include "app/ui/running_text.h"
#include "app/ui/scroll_page.h"
#include "app/views/generate/generation.h"
#include "app/views/view.h"
#include "core/base/number_text.h"

// A text that grows word by word: what may come next, and what is sampled.
namespace glassformer::app::views::generate {

namespace {

// Pixels at 100 %.
constexpr float control_height = 28, row_height = 22, row_gap = 6, copy_height = 22;
constexpr float choices_abreast = 400, cuts_abreast = 260;  // enough for two side by side
constexpr std::size_t rows = 12;
constexpr std::array<int, 5> top_ks = {1, 3, 10, 40, 0};
constexpr std::array<std::string_view, 5> top_k_names = {"1", "3", "10", "40", N_("all")};

/// How many words can be sampled, for the newest traces and choices.
struct KnownRemaining {
    struct Key {
        SharedKey<Trace> trace;
        float temperature;
        int top_k;
        Cut cut;
        int words;
        bool operator==(const Key&) const = default;
    };
    Memo<Key, Remaining, 4> known;
};

/// The selection in each of the two texts.
struct SelectedTexts {
    std::array<TextSelection, 2> of;
};

/// What each layer would predict at each token, extended as the text grows.
struct GrowingLens {
    bool shown = false;
    std::array<std::shared_ptr<LensReading>, 2> now;
    std::array<std::shared_ptr<LensReading>, 2> before;  // stopped; nobody waits for their threads
    void on_model_changed() { now = before = {}; }

    LensReading& of(const std::shared_ptr<const Trace>& trace, int slot) {
        if (now[slot] && now[slot]->of(trace)) return *now[slot];
        if (now[slot]) now[slot]->stop();
        before[slot] = std::exchange(now[slot], std::make_shared<LensReading>(trace, nullptr, now[slot].get()));
        return *now[slot];
    }
};

struct Generation {
    const Frame& frame;
    int slot;
    const Trace& trace;

    const Ui& ui() const { return frame.ui; }
    GenerationChoice& choice() const { return frame.state.own<GenerationChoice>(); }
    std::string_view item(const char* name) const { return ui().items->of_card(slot, "%s", name); }
    const char* noun() const { return tr(frame.model(slot).token_noun.c_str()); }
    bool going() const { return choice().slot == slot; }
};

void tell(const Generation& g, const Box& box, std::string_view what) {
    if (draw::hovered(box)) draw::tooltip(g.ui(), box, what);
}

void draw_temperature(const Generation& g, const Box& row) {
    const Ui& ui = g.ui();
    float& temperature = g.frame.state.temperature;
    const float name = draw::text_size(ui, tr("temperature"), FontRole::small_bold).x + ui.px(8);
    draw::text_in(ui, row, tr("temperature"), {FontRole::small_bold, ui.theme->text_muted});
    if (slider(ui, g.item("generate/temperature"), row.right_of(row.min.x + name), temperature, 0.0f, 2.0f,
               ui.items->format("%.2f", temperature)) &&
        std::abs(temperature - 1) < 0.03f)
        temperature = 1;
    tell(g, row,
         tr("Temperature\nThe logits are divided by it before softmax. Below 1, the most likely ones get more "
            "probability; above 1, less. At 0, the most likely one is always chosen."));
}

void draw_top_k(const Generation& g, const Box& row) {
    const Ui& ui = g.ui();
    const float name = draw::text_size(ui, tr("top k"), FontRole::small_bold).x + ui.px(8);
    draw::text_in(ui, row, tr("top k"), {FontRole::small_bold, ui.theme->text_muted});
    int chosen = static_cast<int>(std::ranges::find(top_ks, g.choice().top_k) - top_ks.begin());
    const Box choices = row.right_of(row.min.x + name).inset(0, ui.px(2));
    if (segmented(ui, g.item("generate/top k"), choices, top_k_names, chosen))
        g.choice().top_k = top_ks[std::clamp(chosen, 0, 4)];
    tell(g, row, g.ui().items->format(tr("Top k\nThe next %s is sampled from the k most likely ones."), g.noun()));
}

/// Draws the slider of a share that cuts words off; at `off`, it cuts off none.
void draw_cut(const Generation& g, const Box& row, const char* item, const char* name, float& value, float off,
              const char* told) {
    const Ui& ui = g.ui();
    const float width = draw::text_size(ui, name, FontRole::small_bold).x + ui.px(8);
    draw::text_in(ui, row, name, {FontRole::small_bold, ui.theme->text_muted});
    if (slider(ui, g.item(item), row.right_of(row.min.x + width), value, 0.0f, 1.0f, ui.items->format("%.2f", value)) &&
        std::abs(value - off) < 0.015f)
        value = off;
    tell(g, row, told);
}

/// Draws temperature and top k, top p and min p, two side by side if they fit; returns the bottom.
float draw_choices(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    const float height = ui.px(control_height);
    Box rest = box;
    const auto next_two = [&](float room, const auto& first, const auto& second) {
        const bool abreast = box.width() >= ui.px(room);
        Box row = rest.cut_top(height, ui.px(row_gap));
        first(abreast ? row.left(std::round(row.width() * 0.5f) - ui.px(12)) : row);
        if (!abreast) row = rest.cut_top(height, ui.px(row_gap));
        second(abreast ? row.right(std::round(row.width() * 0.5f)) : row);
    };
    next_two(
        choices_abreast, [&](const Box& row) { draw_temperature(g, row); },
        [&](const Box& row) { draw_top_k(g, row); });
    Cut& cut = g.choice().cut;
    next_two(
        cuts_abreast,
        [&](const Box& row) {
            draw_cut(g, row, "generate/top p", tr("top p"), cut.top_p, 1,
                     tr("Top p\nOf these, only the most likely ones are kept, until together they have this share of "
                        "the probability. At 1.00 all are kept."));
        },
        [&](const Box& row) {
            draw_cut(g, row, "generate/min p", tr("min p"), cut.min_p, 0,
                     tr("Min p\nOf these, only those are kept that have at least this share of the most likely one's "
                        "probability. At 0.00 all are kept."));
        });
    return rest.min.y - ui.px(row_gap);
}

/// Chips from left to right; one without room starts the next row.
class ChipRows {
public:
    ChipRows(const Ui& ui, const Box& box) : ui_(ui), box_(box), at_(box.min) {}
    bool chip(std::string_view item, std::string_view text, const ButtonStyle& style) {
        const float height = ui_.px(control_height);
        if (at_.x > box_.min.x && at_.x + chip_width(ui_, text, style) > box_.max.x)
            at_ = {box_.min.x, at_.y + height + ui_.px(row_gap)};
        return app::chip(ui_, item, at_, height, text, style).clicked;
    }
    float bottom() const { return at_.y + ui_.px(control_height); }

private:
    const Ui& ui_;
    Box box_;
    ImVec2 at_;
};

/// Draws the buttons for the next word, going on, and taking back; returns the bottom.
float draw_buttons(const Generation& g, const Box& box, const std::string& why_not) {
    const Ui& ui = g.ui();
    ChipRows row(ui, box);
    const char* const noun = g.noun();
    const ButtonStyle next{
        .tone = Tone::primary,
        .enabled = why_not.empty(),
        .tooltip = ui.items->format(tr("Next %s\nSamples one %s and adds it to the text."), noun, noun)};
    if (row.chip(g.item("generate/next"), ui.items->format(tr("Next %s"), noun), next)) {
        g.choice().slot = -1;
        add_word(g.frame, g.slot,
                 draw_next(g.trace, g.frame.state.temperature, g.choice(), left_behind(g.frame, g.slot),
                           words_with_text(g.frame.model(g.slot))));
    }
    const ButtonStyle go{
        .tone = Tone::quiet,
        .enabled = why_not.empty(),
        .tooltip = ui.items->format(tr("Continue\nAdds one %s after another until you stop it."), noun),
        .icon = g.going() ? draw::Icon::pause : draw::Icon::play};
    if (row.chip(g.item("generate/go on"), g.going() ? tr("Stop") : tr("Continue"), go)) {
        if (g.going())
            g.choice().slot = -1;
        else
            start_generating(g.frame, g.slot);
    }
    const ButtonStyle back{.tone = Tone::quiet,
                           .enabled = can_take_back(g.frame, g.slot),
                           .tooltip = ui.items->format(tr("Remove last\nRemoves the last %s."), noun)};
    if (row.chip(g.item("generate/back"), tr("Remove last"), back)) {
        g.choice().slot = -1;
        take_word_back(g.frame, g.slot);
    }
    const ButtonStyle seed{
        .tone = Tone::quiet,
        .tooltip = tr("Change the seed\nThe same seed gives the same text, another seed another text.")};
    const std::string_view name = ui.items->format(tr("seed %llu"), static_cast<unsigned long long>(g.choice().seed));
    if (row.chip(g.item("generate/seed"), name, seed)) ++g.choice().seed;
    bool& layers = g.frame.own<GrowingLens>().shown;
    const ButtonStyle lens{.tone = Tone::quiet,
                           .selected = layers,
                           .tooltip = tr("Layers\nBelow the text, for each token, what the model would predict next if "
                                         "it stopped after a layer: the logit lens, which grows with the text.")};
    if (row.chip(g.item("generate/layers"), tr("Layers"), lens)) layers = !layers;
    return row.bottom();
}

/// Draws the text so far, to read, select and copy; returns the bottom.
float draw_text_so_far(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    const std::string text = grown_text(g.frame, g.slot);
    TextSelection& selection = g.frame.own<SelectedTexts>().of[g.slot];
    const float line = std::max(ui.line(FontRole::body_bold), ui.px(copy_height));
    draw::text_in(ui, box.top(line), tr("The text so far"), {FontRole::body_bold});
    const ButtonStyle copy{.tone = Tone::quiet,
                           .font = FontRole::small,
                           .tooltip = tr("Copy\nCopies the selection, or the whole text if nothing is selected.")};
    ImVec2 at{box.max.x - chip_width(ui, tr("Copy"), copy), box.min.y};
    if (chip(ui, g.item("generate/copy"), at, ui.px(copy_height), tr("Copy"), copy))
        ImGui::SetClipboardText(std::string(selection.of(text)).c_str());
    float y = box.min.y + line + ui.px(4);
    y += running_text(ui, g.item("generate/text"), {box.min.x, y}, box.width(), text, selection);
    const std::size_t before = left_behind(g.frame, g.slot);
    if (before == 0) return y;
    const int reads = g.frame.model(g.slot).config.n_ctx;
    const std::string note =
        filled(tr("The model reads the last {1} {2}. The first {3} are outside its context window."),
               {std::to_string(reads), token_names(g.frame.model(g.slot), reads), std::to_string(before)});
    y += ui.px(4);
    return y + draw::label_wrapped(ui, {box.min.x, y}, box.width(), note, {FontRole::small, ui.theme->text_muted},
                                   {g.item("generate/left"), item_state(before)});
}

/// Draws one word: a click adds it, whatever its chance.
void draw_word(const Generation& g, const Box& row, int i, const NextWord& word, float name_width) {
    const Ui& ui = g.ui();
    const Theme& t = *ui.theme;
    const std::string text = g.frame.model(g.slot).token_text(word.id);
    const double chance = word.chance, probability = word.probability;
    const Response r = click_area(ui, ui.items->of_card(g.slot, "generate/word %d", i), row, probability, text);
    if (r.hovered) draw::rounded_box(ui, row, t.hover, 0, 4);
    const bool possible = word.chance > 0.0f, by_k_alone = g.choice().cut.none();
    draw::text_in(ui, row.left(name_width), text,
                  {FontRole::small, possible ? t.text : t.text_muted, draw::Align::right});
    const float number = draw::text_size(ui, "100.0 %", FontRole::small).x + ui.px(8);
    const float left = row.min.x + name_width + ui.px(8), room = row.max.x - number - left;
    const float middle = row.middle_y(), half = ui.px(5);
    if (room > 0)
        draw::bar(ui, {{left, middle - half}, {left + room, middle + half}}, word.probability,
                  possible ? t.attention : t.text_muted, t.track);
    draw::text_in(ui, row.between_x(row.max.x - number, row.max.x - ui.px(4)),
                  ui.items->format("%.1f %%", 100 * probability), {FontRole::small, t.text_muted, draw::Align::right});
    if (r.hovered)
        draw::tooltip(
            ui, row,
            possible ? ui.items->format(tr("%s\nIt is sampled with probability %.1f %%. Click to add it yourself."),
                                        text.c_str(), 100 * chance)
            : by_k_alone
                ? ui.items->format(tr("%s\nNot in the top k, so it is never sampled. Click to add it yourself."),
                                   text.c_str())
                : ui.items->format(tr("%s\nCut off, so it is never sampled. Click to add it yourself."), text.c_str()));
    if (r.clicked) {
        g.choice().slot = -1;
        add_word(g.frame, g.slot, word.id);
    }
}

/// The words that can be sampled; sorted once per trace and choice.
const Remaining& drawn_from(const Generation& g, float temperature) {
    const GenerationChoice& choice = g.choice();
    const int words = words_with_text(g.frame.model(g.slot));
    const std::shared_ptr<const Trace>& trace = g.frame.sentence(g.slot).trace;
    return g.frame.own<KnownRemaining>().known({trace, temperature, choice.top_k, choice.cut, words}, [&] {
        return remaining_words(*trace, temperature, choice.top_k, choice.cut, words);
    });
}

float draw_words(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    const float temperature = std::max(0.01f, g.frame.state.temperature);
    const bool cut = !g.choice().cut.none();
    const int with_text = words_with_text(g.frame.model(g.slot));
    std::vector<NextWord> words = next_words(g.trace, temperature, cut ? 0 : g.choice().top_k, rows, with_text);
    const Remaining& drawn = drawn_from(g, temperature);
    if (cut)
        for (std::size_t i = 0; i < words.size(); ++i)
            words[i].chance = i < drawn.words ? words[i].chance / static_cast<float>(drawn.probability) : 0.0f;
    float name_width = ui.px(40);
    for (const NextWord& word : words)
        name_width =
            std::max(name_width, draw::text_size(ui, g.frame.model(g.slot).token_text(word.id), FontRole::small).x);
    name_width = std::min(std::ceil(name_width) + ui.px(4), box.width() * 0.4f);
    float y = box.min.y;
    for (std::size_t i = 0; i < words.size(); ++i, y += ui.px(row_height))
        draw_word(g, box.between_y(y, y + ui.px(row_height)), static_cast<int>(i), words[i], name_width);
    if (g.frame.state.temperature <= 0.0f) return y;
    const std::string text = filled(
        tr("{1} of {2} can be sampled, with {3} of the probability"),
        {std::to_string(drawn.words), std::to_string(with_text), with_decimals(100 * drawn.probability, 1) + " %"});
    y += ui.px(4);
    return y + draw::label_wrapped(ui, {box.min.x, y}, box.width(), text, {FontRole::small, ui.theme->text_muted},
                                   {g.item("generate/remaining"), drawn.words});
}

/// Draws the grid of the logit lens; returns the bottom.
float draw_layers(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    LensReading& lens = g.frame.own<GrowingLens>().of(g.frame.sentence(g.slot).trace, g.slot);
    const draw::TextStyle muted{FontRole::small, ui.theme->text_muted};
    if (!lens.why_not().empty())
        return box.min.y + draw::label_wrapped(ui, box.min, box.width(), tr_full_sentence(lens.why_not()), muted,
                                               {g.item("generate/no layers")});
    const std::string at = g.frame.state.temperature == 1.0f ? "" : " (T = 1)";  // the list's may differ
    const std::string title =
        filled(tr("Which {1} would come next, if the model stopped after a layer"), {g.noun()}) + at;
    const float line = ui.line(FontRole::small), above = line + ui.px(4);
    draw::text_in(
        ui, box.top(line),
        draw::first_fitting(ui, box.width(), {title, tr("If the model stopped after a layer") + at}, FontRole::small),
        muted);
    const LensGrid grid = lens_grid(g.frame, lens, g.slot, box.width());
    draw_lens_grid(g.frame, lens, grid, {box.min.x, box.min.y + above}, box.width(), g.slot);
    return box.min.y + above + grid.height();
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Trace* trace = frame.trace(slot);
    if (!trace || !generates(frame.model(slot))) return;
    const Generation g{frame, slot, *trace};
    ScrollPage page(ui, slot == 0 ? "##generate A" : "##generate B", box);
    Box at{{page.inside().min.x, page.inside().min.y + ui.px(4)}, page.inside().max};
    const std::string why_not = why_not_longer(frame, slot);
    at.min.y = draw_buttons(g, at, why_not) + ui.px(10);
    // What grows should be visible without scrolling: with its layers, the text is above the choices.
    const bool layers = frame.own<GrowingLens>().shown;
    if (!layers) at.min.y = draw_choices(g, at) + ui.px(10);
    if (!why_not.empty()) {
        ui.items->add(g.item("generate/why not"), at, std::nullopt, why_not);
        at.min.y += draw::text_wrapped(ui, at.min, at.width(), why_not, {FontRole::small, ui.theme->text_muted});
    }
    at.min.y = draw_text_so_far(g, at) + ui.px(10);
    const Cell said{trace->model().probabilities,
                    (trace->positions() - 1) * trace->shape(trace->model().probabilities).back()};
    const bool hidden = is_hidden_by_quiz(frame, slot, said);
    if (layers && !hidden) at.min.y = draw_layers(g, at) + ui.px(12);
    if (layers) at.min.y = draw_choices(g, at) + ui.px(10);
    const std::string last = frame.word(slot, trace->positions() - 1);
    const float line = ui.line(FontRole::body_bold);
    draw::text_in(ui, at.top(line), ui.items->format(tr("What may follow “%s”"), last.c_str()), {FontRole::body_bold});
    const Box list = at.below(at.min.y + line + ui.px(6));
    page.reaches(
        (hidden ? draw_hidden_by_quiz(frame, slot, list, g.item("generate/hidden by quiz")) : draw_words(g, list)) +
        ui.px(8));
}

}  // namespace

extern constinit const View view{
    .name = N_("Generate"),
    .meaning = N_("Let the model continue the text, one token at a time."),
    .also = "write continue sample temperature top k autoregressive text top p min p nucleus layers lens",
    .draw = draw_view,
    .offered = [](const Frame& frame) { return generates(frame.model()); },
    .advance = go_on_generating,
};

}  // namespace glassformer::app::views::generate
