#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/ui/plot.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/training_pages.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::training {

namespace {

// Pixels at 100 %.
constexpr float chip_height = 26, chip_gap = 10, arc_height = 54, hop_height = 24, plot_height = 116, plot_width = 520,
                plot_least = 235, beside_gap = 24;
constexpr std::string_view by_distance = "copy of ", behind_distance = " syllables back";

/// The accuracy of the newest model of a family, by the distance between the words.
struct ByDistance {
    Family family = Family::decoder;  // all models with attention count as decoder
    std::int64_t step = 0;
    std::vector<std::string> distances;  // "6 to 8"
    std::vector<double> right;
};

/// The settings of the page, and what it has seen: it compares families although one is on screen at a time.
struct PathLook {
    int from = 0;
    std::vector<ByDistance> seen;
    void on_model_changed() { from = 0; }
};

const char* name_of_family(Family family) {
    return family == Family::rnn ? "RNN" : family == Family::gru ? "GRU" : N_("attention");
}

ImU32 colour_of(const Theme& t, Family family) {
    return family == Family::rnn ? t.residual : family == Family::gru ? t.mlp : t.attention;
}

/// Notes the accuracy measured for the unaltered model on screen.
void note_measured(const Frame& frame, PathLook& look) {
    const Snapshot& s = frame.snapshot;
    if (!s.measured || !s.of_shown(s.measured->of) || !s.what_if.empty()) return;
    const Family family = s.model->config.recurrent() ? s.model->config.family : Family::decoder;
    ByDistance found{family, s.measured->of.step, {}, {}};
    for (const auto& [name, value] : s.measured->found.details) {
        if (!name.starts_with(by_distance) || !name.ends_with(behind_distance)) continue;
        found.distances.push_back(
            name.substr(by_distance.size(), name.size() - by_distance.size() - behind_distance.size()));
        found.right.push_back(value);
    }
    if (found.right.empty()) return;
    std::erase_if(look.seen, [&](const ByDistance& d) { return d.family == family || d.distances != found.distances; });
    look.seen.push_back(std::move(found));
}

/// Draws an arc from one chip to another over the words between them, with an arrowhead at its end.
void draw_arc(const Ui& ui, ImVec2 from, ImVec2 to, float height, ImU32 colour) {
    constexpr int pieces = 32;
    std::vector<ImVec2> points;
    for (int i = 0; i <= pieces; ++i) {
        const float share = to_float(i) / pieces;
        points.push_back(
            {std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share) + 4 * height * share * (1 - share)});
    }
    draw::line(ui, points, colour, ui.px(2));
    const ImVec2 back = points[pieces - 3];
    const float dx = to.x - back.x, dy = to.y - back.y, length = std::max(1.0f, std::hypot(dx, dy)), size = ui.px(6);
    const ImVec2 along{dx / length * size, dy / length * size};
    ui.list()->AddTriangleFilled(to, {to.x - along.x - along.y * 0.6f, to.y - along.y + along.x * 0.6f},
                                 {to.x - along.x + along.y * 0.6f, to.y - along.y - along.x * 0.6f}, colour);
}

/// Draws the words in a row, with both paths to the chosen word from the one asked about; returns the bottom.
float draw_ways(const Frame& frame, PathLook& look, const std::vector<float>& lefts, ImVec2 at) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const int slot = frame.state.slot, words = int_size(lefts) - 1;
    const int to = std::clamp(frame.state.token[slot], 0, words - 1), from = look.from;
    const float top = at.y + ui.px(arc_height) + ui.line(FontRole::small), bottom = top + ui.px(chip_height);
    const std::string tip = filled(tr("How far is it from here to the chosen {1}?"), {token_name(frame.model(slot))});
    for (int word = 0; word < words; ++word) {
        const std::size_t w = word;
        ButtonStyle style{.font = FontRole::small, .tooltip = tip};
        style.gold = word == to;
        style.fill = word == from && word != to ? t.attention_colour(0.15f) : 0;
        if (button(ui, ui.items->format("path/word %d", word),
                   {{at.x + lefts[w], top}, {at.x + lefts[w + 1] - ui.px(chip_gap), bottom}}, frame.word(slot, word),
                   style))
            look.from = word;
    }
    const auto middle = [&](int word) {
        const std::size_t w = word;
        return at.x + (lefts[w] + lefts[w + 1] - ui.px(chip_gap)) / 2;
    };
    const float below = bottom + ui.px(4), end = below + ui.px(hop_height) + ui.line(FontRole::small) + ui.px(6);
    if (from >= to) return end;
    draw_arc(ui, {middle(from), top - ui.px(3)}, {middle(to), top - ui.px(3)}, -ui.px(arc_height - 10), t.attention);
    for (int word = from; word < to; ++word)
        draw_arc(ui, {middle(word) + ui.px(3), below}, {middle(word + 1) - ui.px(3), below}, ui.px(hop_height),
                 t.residual);
    const float centre = (middle(from) + middle(to)) / 2;
    const auto label = [&](const char* item, float y, const std::string& text, double steps, ImU32 colour) {
        const float half = draw::text_size(ui, text, FontRole::small_bold).x / 2, x = std::max(centre, at.x + half);
        draw::text(ui, {x, y}, text, {FontRole::small_bold, colour, draw::Align::centre});
        ui.items->add(item, {{x - half, y}, {x + half, y + ui.line(FontRole::small)}}, steps, text);
    };
    label("path/attention", at.y, tr("attention: 1 step"), 1, t.attention);
    const int hops = to - from;
    label("path/rnn", below + ui.px(hop_height),
          std::string(ui.items->format(tr("RNN: %d step", "RNN: %d steps", hops), hops)), hops, t.residual);
    return end;
}

std::string ways_text(const Frame& frame, int from, int to) {
    const int slot = frame.state.slot;
    const ModelInfo& model = frame.model(slot);
    const std::string here = frame.word(slot, to), there = frame.word(slot, from);
    if (from >= to)
        return filled(
            tr("Click a {2} before “{1}” to see how far apart they are. An RNN has not read the later {3} yet."),
            {here, token_name(model), token_names(model)});
    return filled(tr("“{1}” is {2} {4} before “{3}”. Attention reaches it directly, however far away. An RNN passes it "
                     "on from state to state, and every step may lose some of it."),
                  {there, std::to_string(to - from), here, token_names(model, to - from)});
}

void draw_plot(const Frame& frame, const std::vector<ByDistance>& all, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), labels = draw::text_size(ui, "100 %", FontRole::small).x + ui.px(8);
    const std::vector<std::string>& distances = all.front().distances;
    // Each distance is in the middle of its own column.
    const Plot plot{{{box.min.x + labels, box.min.y + line / 2}, {box.max.x - ui.px(20), box.max.y - line - ui.px(4)}},
                    {-0.5, static_cast<double>(distances.size()) - 0.5},
                    {}};
    for (const int percent : {0, 50, 100})
        draw_y_tick(ui, plot, percent / 100.0, ui.items->format("%d %%", percent), t.text_muted);
    for (std::size_t i = 0; i < distances.size(); ++i)
        draw_x_label(ui, plot, static_cast<double>(i), distances[i], t.text_muted);
    for (const ByDistance& of : all) {
        const std::string name(tr(name_of_family(of.family)));
        std::vector<ImVec2> points;
        for (std::size_t i = 0; i < of.right.size(); ++i) points.push_back(plot.at(i, of.right[i]));
        draw_series(ui, points, {.colour = colour_of(t, of.family), .thickness = ui.px(2), .dot = ui.px(4)});
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Box at = Box::around(points[i], ui.px(4));
            const std::string text = filled(tr("{1}, {2} syllables back: {3} %"),
                                            {name, of.distances[i], std::to_string(std::lround(100 * of.right[i]))});
            ui.items->add(ui.items->format("path/%s %d", name_of_family(of.family), static_cast<int>(i)), at,
                          of.right[i], text);
            if (draw::hovered(at)) draw::tooltip(ui, at, text);
        }
    }
}

/// Draws the accuracy by distance for each family seen here; returns the bottom.
float draw_by_distance(const Frame& frame, const PathLook& look, ImVec2 at, float width) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small);
    float y = at.y + draw::text_wrapped(ui, at, width, tr("Accuracy by distance"), {FontRole::body_bold});
    if (look.seen.empty())
        return y + draw::text_wrapped(ui, {at.x, y}, width,
                                      tr("The world “induction” measures it: there the model has to repeat what came "
                                         "some syllables earlier."),
                                      {FontRole::small, t.text_muted});
    float x = at.x;
    for (const ByDistance& of : look.seen) {
        const std::string name = filled(tr("{1}, step {2}"), {tr(name_of_family(of.family)), grouped(of.step)});
        ui.list()->AddCircleFilled({x + ui.px(5), y + line / 2}, ui.px(4), colour_of(t, of.family));
        x += ui.px(14) + draw::text(ui, {x + ui.px(14), y}, name, {FontRole::small}) + ui.px(16);
    }
    y += line + ui.px(4);
    const float bottom = y + ui.px(plot_height);
    draw_plot(frame, look.seen, {{at.x, y}, {at.x + std::min(width, ui.px(plot_width)), bottom}});
    return bottom + ui.px(4) +
           draw::text_wrapped(ui, {at.x, bottom + ui.px(4)}, width,
                              tr("Accuracy on held-out data, by how many syllables back the copy is. Each architecture "
                                 "shown here so far has a curve; train an RNN or a GRU to compare."),
                              {FontRole::small, t.text_muted});
}

}  // namespace

void draw_training_path(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    PathLook& look = frame.own<PathLook>();
    note_measured(frame, look);
    const int slot = frame.state.slot, words = int_size(frame.sentence(slot).tokens);
    std::vector<float> lefts{0};
    for (int word = 0; word < words; ++word)
        lefts.push_back(lefts.back() + draw::text_size(ui, frame.word(slot, word), FontRole::small).x +
                        ui.px(16 + chip_gap));
    ScrollPage page(ui, "##training path", box, lefts.back());
    const float left = page.seen_left(), width = page.seen_right() - left;
    float y = page.inside().min.y;
    if (words > 0) {
        look.from = std::min(look.from, words - 1);
        const int to = std::clamp(frame.state.token[slot], 0, words - 1);
        const std::string text = ways_text(frame, look.from, to);
        y += draw::label_wrapped(ui, {left, y}, width, text, {FontRole::small, ui.theme->text_muted}, {"path/text"}) +
             ui.px(8);
        const float bottom = draw_ways(frame, look, lefts, {page.inside().min.x, y});
        // Beside the words if there is room, else below them.
        const float beside = lefts.back() + ui.px(beside_gap);
        if (beside + ui.px(plot_least) <= width)
            return page.reaches(std::max(bottom, draw_by_distance(frame, look, {left + beside, y}, width - beside)));
        y = bottom + ui.px(14);
    }
    page.reaches(draw_by_distance(frame, look, {left, y}, width));
}

}  // namespace glassformer::app::views::training
