#include <algorithm>
#include <array>
#include <cmath>

#include "app/views/generation.h"
#include "app/views/scroll_page.h"
#include "app/views/sentence_views.h"
#include "app/views/traced_value.h"
#include "app/views/untold.h"

// A text that grows word by word: what may come next, and what is drawn.
namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float side = 12, control_height = 28, row_height = 22;
constexpr std::size_t rows = 12;
constexpr std::array<int, 5> top_ks = {1, 3, 10, 40, 0};
constexpr std::array<std::string_view, 5> top_k_names = {"1", "3", "10", "40", "all"};

struct Generation {
    const Frame& frame;
    int slot;
    const Trace& trace;

    const Ui& ui() const { return frame.ui; }
    GenerationChoice& choice() const { return frame.state.generation; }
    std::string_view item(const char* name) const { return ui().items->format("%s/%s", Frame::letter(slot), name); }
    bool going() const { return choice().slot == slot; }
};

void tell(const Generation& g, const Box& box, const char* what) {
    if (draw::hovered(box.min, box.max)) draw::tooltip(g.ui(), box.min, box.max, what);
}

/// Temperature and top k.
float draw_choices(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    float& temperature = g.frame.state.temperature;
    const float middle = std::round(box.min.x + box.width() * 0.5f), bottom = box.min.y + ui.px(control_height);
    const float name = draw::text_size(ui, "temperature", FontRole::small_bold).x + ui.px(8);
    const draw::TextStyle caption{FontRole::small_bold, ui.theme->text_muted};
    const Box left{box.min, {middle - ui.px(12), bottom}}, right{{middle, box.min.y}, {box.max.x, bottom}};
    draw::text_in(ui, left.min, left.max, "temperature", caption);
    if (slider(ui, g.item("generate/temperature"), {left.min.x + name, left.min.y}, left.max, temperature, 0.0f, 2.0f,
               ui.items->format("%.2f", static_cast<double>(temperature))) &&
        std::abs(temperature - 1) < 0.03f)
        temperature = 1;
    tell(g, left,
         "Temperature\nThe logits are divided by it before the softmax: below 1 the likeliest words take more, above 1 "
         "they share. At 0 the likeliest word comes always.");
    const float second = draw::text_size(ui, "top k", FontRole::small_bold).x + ui.px(8);
    draw::text_in(ui, right.min, right.max, "top k", caption);
    int chosen = static_cast<int>(std::ranges::find(top_ks, g.choice().top_k) - top_ks.begin());
    if (segmented(ui, g.item("generate/top k"), {right.min.x + second, right.min.y + ui.px(2)},
                  {right.max.x, right.max.y - ui.px(2)}, top_k_names, chosen))
        g.choice().top_k = top_ks[static_cast<std::size_t>(std::clamp(chosen, 0, 4))];
    tell(g, right, "Top k\nThe next word is drawn among so many of the likeliest; the others have no chance.");
    return bottom;
}

/// Next word, go on, take back.
float draw_buttons(const Generation& g, const Box& box, const std::string& why_not) {
    const Ui& ui = g.ui();
    const float height = ui.px(control_height);
    ImVec2 at = box.min;
    ButtonStyle next{.tone = Tone::primary, .tooltip = "Next word\nDraws one word and adds it to the text."};
    next.enabled = why_not.empty();
    if (chip(ui, g.item("generate/next"), at, height, "Next word", next)) {
        g.choice().slot = -1;
        add_word(g.frame, g.slot, draw_next(g.trace, g.frame.state.temperature, g.choice()));
    }
    ButtonStyle go{.tone = Tone::quiet, .tooltip = "Go on\nAdds word after word until you stop it."};
    go.enabled = why_not.empty();
    go.icon = static_cast<int>(g.going() ? draw::Icon::pause : draw::Icon::play);
    if (chip(ui, g.item("generate/go on"), at, height, g.going() ? "Stop" : "Go on", go)) {
        g.choice().slot = g.going() ? -1 : g.slot;
        g.choice().told.clear();
        g.choice().next_at = 0;
    }
    ButtonStyle back{.tone = Tone::quiet, .tooltip = "Take back\nRemoves the last word."};
    back.enabled = g.frame.sentence(g.slot).tokens.size() > 1;
    if (chip(ui, g.item("generate/back"), at, height, "Take back", back)) {
        g.choice().slot = -1;
        take_word_back(g.frame, g.slot);
    }
    ButtonStyle seed{.tone = Tone::quiet,
                     .tooltip = "Other words\nThe same seed draws the same words; this takes another."};
    if (chip(ui, g.item("generate/seed"), at, height,
             ui.items->format("seed %llu", static_cast<unsigned long long>(g.choice().seed)), seed))
        ++g.choice().seed;
    return box.min.y + height;
}

/// One word: a click adds it, whatever its chance.
void draw_word(const Generation& g, const Box& row, int i, const NextWord& word, float name_width) {
    const Ui& ui = g.ui();
    const Theme& t = *ui.theme;
    const std::string text = g.frame.model(g.slot).token_text(word.id);
    const auto chance = static_cast<double>(word.chance), probability = static_cast<double>(word.probability);
    const Response r = click_area(ui, ui.items->format("%s/generate/word %d", Frame::letter(g.slot), i), row.min,
                                  row.max, probability, text);
    if (r.hovered) draw::rounded_box(ui, row.min, row.max, t.hover, 0, 4);
    const bool possible = word.chance > 0.0f;
    draw::text_in(ui, row.min, {row.min.x + name_width, row.max.y}, text,
                  {FontRole::small, possible ? t.text : t.text_muted, draw::Align::right});
    const float number = draw::text_size(ui, "100.0 %", FontRole::small).x + ui.px(8);
    const float left = row.min.x + name_width + ui.px(8), room = row.max.x - number - left;
    const float middle = (row.min.y + row.max.y) / 2, half = ui.px(5);
    if (room > 0) {
        draw::bar(ui, {left, middle - half}, {left + room, middle + half}, word.probability,
                  possible ? t.attention : t.text_muted, t.track);
    }
    draw::text_in(ui, {row.max.x - number, row.min.y}, {row.max.x - ui.px(4), row.max.y},
                  ui.items->format("%.1f %%", 100 * probability), {FontRole::small, t.text_muted, draw::Align::right});
    if (r.hovered)
        draw::tooltip(ui, row.min, row.max,
                      possible ? ui.items->format("%s\nIt is drawn with a chance of %.1f %%. Click to add it yourself.",
                                                  text.c_str(), 100 * chance)
                               : ui.items->format("%s\nBeyond the top k: it is never drawn. Click to add it yourself.",
                                                  text.c_str()));
    if (r.clicked) {
        g.choice().slot = -1;
        add_word(g.frame, g.slot, word.id);
    }
}

float draw_words(const Generation& g, const Box& box) {
    const Ui& ui = g.ui();
    const float temperature = std::max(0.01f, g.frame.state.temperature);
    const std::vector<NextWord> words = next_words(g.trace, temperature, g.choice().top_k, rows);
    float name_width = ui.px(40);
    for (const NextWord& word : words)
        name_width =
            std::max(name_width, draw::text_size(ui, g.frame.model(g.slot).token_text(word.id), FontRole::small).x);
    name_width = std::min(std::ceil(name_width) + ui.px(4), box.width() * 0.4f);
    float y = box.min.y;
    for (std::size_t i = 0; i < words.size(); ++i, y += ui.px(row_height))
        draw_word(g, {{box.min.x, y}, {box.max.x, y + ui.px(row_height)}}, static_cast<int>(i), words[i], name_width);
    return y;
}

}  // namespace

bool has_generation(const Frame& frame) { return generates(frame.model()); }

void draw_generate_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Trace* trace = frame.trace(slot);
    if (!trace || !generates(frame.model(slot))) return;
    const Generation g{frame, slot, *trace};
    ScrollPage page(ui, slot == 0 ? "##generate A" : "##generate B", box);
    Box at{{page.inside().min.x + ui.px(side), page.inside().min.y + ui.px(4)},
           {page.inside().max.x - ui.px(side), page.inside().max.y}};
    const std::string why_not = why_not_longer(frame, slot);
    at.min.y = draw_buttons(g, at, why_not) + ui.px(10);
    at.min.y = draw_choices(g, at) + ui.px(10);
    if (!why_not.empty()) {
        ui.items->add(g.item("generate/why not"), at.min, at.max, std::nullopt, why_not);
        at.min.y += draw::text_wrapped(ui, at.min, at.width(), why_not, {FontRole::small, ui.theme->text_muted});
    }
    const std::string last = frame.word(slot, trace->positions() - 1);
    const float line = ui.line(FontRole::body_bold);
    draw::text_in(ui, at.min, {at.max.x, at.min.y + line}, ui.items->format("What may come after “%s”", last.c_str()),
                  {FontRole::body_bold});
    const Box list{{at.min.x, at.min.y + line + ui.px(6)}, at.max};
    const Cell said{trace->model().probabilities,
                    (trace->positions() - 1) * trace->shape(trace->model().probabilities).back()};
    page.reaches((is_untold(frame, slot, said) ? draw_untold(frame, slot, list, g.item("generate/untold"))
                                               : draw_words(g, list)) +
                 ui.px(8));
}

}  // namespace glassformer::app
