#include <algorithm>

#include "app/common/provenance.h"
#include "app/language/tr.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/panels/meaning/meaning_views.h"
#include "app/panels/meaning/measured_senses.h"

namespace glassformer::app {

namespace {

int shown_layer(const Frame& frame) {
    const int layers = int_size(shown_map(frame)->layers);
    const int wanted =
        frame.state.own<MeaningMapState>().layer < 0 ? frame.state.layer + 1 : frame.state.own<MeaningMapState>().layer;
    return std::clamp(wanted, 0, layers - 1);
}

/// Draws the title, and the line below it if there is room; both have the tooltip. If there is a list of words, it is
/// beside the title and names the word too.
void draw_map_heading(const Frame& frame, const Box& box, int layer, bool low) {
    const Ui& ui = frame.ui;
    const char* word = shown_map(frame)->homonym.c_str();
    const float line = ui.line(FontRole::body_bold) + ui.px(3);
    const float right = draw_map_words(frame, box.top(line));
    const std::string_view title =
        right < box.max.x ? layer == 0 ? std::string_view(tr("Every use, at the embedding"))
                                       : ui.items->format(tr("Every use, after block %d"), layer - 1)
        : layer == 0 ? ui.items->format(tr("Every “%s” in the corpus, at the embedding"), word)
                          : ui.items->format(tr("Every “%s” in the corpus, after block %d"), word, layer - 1);
    draw::text_in(ui, {box.min, {right, box.min.y + line}}, title, {FontRole::body_bold});
    if (!low)
        draw::text_in(ui, box.below(box.min.y + line),
                      layer == 0 ? tr("one vector per word: only its position differs, so dots coincide")
                                 : tr("PCA of the residual stream · drag to rotate"),
                      {FontRole::small, ui.theme->text_muted});
    if (draw::hovered(box.left_of(right)))
        draw::tooltip(
            ui,
            tr("PCA, principal component analysis\nEach dot is the word in one training sentence. Its residual stream "
               "has "
               "many dimensions; you see the three directions in which the dots differ most. The rings A and B are the "
               "sentences on the screen. Drag to rotate the cloud, double-click to rotate it back."));
}

// ------------------------------------------------------------------------------------------------- layers to choose

struct LayerNames {
    std::vector<std::string_view> name, shown;  // of the items; on the screen
    float width = 0;                            // of the strip, or of the list's button
    bool listed = false;                        // too many for a strip
};

LayerNames layer_names(const Frame& frame) {
    constexpr std::size_t most_beside = 5;
    const Ui& ui = frame.ui;
    LayerNames names;
    float widest = 0;
    for (std::size_t i = 0; i < shown_map(frame)->layers.size(); ++i) {
        const int block = static_cast<int>(i) - 1;
        names.name.push_back(i == 0 ? std::string_view("embedding") : ui.items->format("block %d", block));
        names.shown.push_back(i == 0 ? std::string_view(tr("embedding")) : ui.items->format(tr("block %d"), block));
        widest = std::max(widest, draw::text_size(ui, names.shown[i], FontRole::small_bold).x);
    }
    names.listed = names.name.size() > most_beside;
    names.width =
        names.listed ? widest + ui.px(52) : (widest + 2 * ui.px(6)) * to_float(names.name.size()) + 2 * ui.px(2);
    return names;
}

void draw_layers(const Frame& frame, const Box& box, const LayerNames& names, int layer) {
    int chosen = layer;
    if (names.listed) {
        chosen = dropdown(frame.ui, "meaning layer", box, names.shown[layer], names.name, layer, names.shown);
        if (chosen < 0) return;
    } else if (!segmented(frame.ui, "meaning layer", box, names.name, chosen, names.shown)) {
        return;
    }
    // Choosing the layer that the chosen block gives anyway goes back to following the block.
    frame.state.own<MeaningMapState>().layer = chosen == frame.state.layer + 1 ? -1 : chosen;
}

// ------------------------------------------------------------------------------------------------------------ legend

std::string_view sense_name(const Frame& frame, int which) {
    const std::size_t sense = static_cast<std::size_t>(shown_map(frame)->first_sense + which);
    const std::span<const Sense> senses = shown_map_senses(frame);
    return sense < senses.size() ? std::string_view(senses[sense].name) : std::string_view();
}

float legend_width(const Frame& frame) {
    const Ui& ui = frame.ui;
    float width = 0;
    for (int which = 0; which < 2; ++which)
        width += draw::text_size(ui, sense_name(frame, which), FontRole::small_bold).x + ui.px(28);
    return width;
}

/// Draws the names of the meanings, beside or below each other.
void draw_legend(const Frame& frame, ImVec2 at, float line, bool beside) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    for (int which = 0; which < 2; ++which) {
        const std::string_view name = sense_name(frame, which);
        const float width = draw::text_size(ui, name, FontRole::small_bold).x;
        ui.list()->AddCircleFilled({at.x + ui.px(5), at.y + line / 2}, ui.px(4), meaning_colour(t, which));
        const Box entry = Box::sized(at, ui.px(14) + width + 1, line);
        draw::text_in(ui, entry.right_of(at.x + ui.px(14)), name,
                      {FontRole::small_bold, which == 0 ? t.sense_a_text : t.sense_b_text});
        ui.items->add(ui.items->format("meaning sense %d", which), entry, std::nullopt, name);
        at = beside ? ImVec2{entry.max.x + ui.px(14), at.y} : ImVec2{at.x, at.y + line};
    }
}

/// Draws the share of the variance that each axis explains.
void draw_shares(const Frame& frame, ImVec2 right_top, int layer) {
    const Ui& ui = frame.ui;
    const auto& share = shown_map(frame)->layers[layer].pca.share;
    const float line = ui.line(FontRole::small) + ui.px(1);
    for (int axis = 0; axis < 3; ++axis) {
        const auto value = static_cast<double>(share[axis]);
        const std::string_view text = ui.items->format(tr("PC%d %.0f %%"), axis + 1, 100 * value);
        const float width = draw::text_size(ui, text, FontRole::small).x;
        const Box at{{right_top.x - width, right_top.y}, {right_top.x, right_top.y + line}};
        draw::text(ui, at.min, text, {FontRole::small, ui.theme->text_faint});
        ui.items->addf(at, value, "meaning share %d", axis);
        if (draw::hovered(at))
            draw::tooltip(ui, tr("Share of variance\nHow much of the dots' variance lies along this direction."));
        right_top.y += line;
    }
}

// ------------------------------------------------------------------------------------------------------------ layout

void draw_empty(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::body_bold) + ui.px(5);
    draw::text_in(ui, box.top(line), tr("A map of one word's meanings"), {FontRole::body_bold});
    draw::text_wrapped(
        ui, {box.min.x, box.min.y + line}, box.width(),
        tr("Neither sentence has a word with two meanings. Use one, such as “bat”, and every use of it appears here."),
        {FontRole::small, ui.theme->text_muted});
}

/// In a low box the legend covers an empty corner of the cloud, so that the cloud keeps its room.
void draw_map(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const int layer = shown_layer(frame);
    const bool low = box.height() < ui.px(190);
    const float head = ui.line(FontRole::body_bold) + ui.px(3) + (low ? 0 : ui.px(1) + ui.line(FontRole::small));
    draw_map_heading(frame, box.top(head), layer, low);

    const LayerNames names = layer_names(frame);
    const float strip = ui.px(24), strip_width = std::min(names.width, box.width());
    const bool beside = legend_width(frame) + strip_width <= box.width();
    const float legend_line = ui.line(FontRole::small) + ui.px(3);
    const float foot = beside || low ? strip : strip + legend_line + ui.px(4);
    const Box plot = box.between_y(box.min.y + head + ui.px(7), box.max.y - foot - ui.px(4));
    const float shares_width = draw::text_size(ui, tr("PC1 100 %"), FontRole::small).x;
    const float side = low ? shares_width : 0;  // the corners are occupied
    draw_meaning_cloud(frame, plot.inset(side, 0), layer);
    draw_shares(frame, {plot.max.x, plot.min.y + ui.px(2)}, layer);
    cover_unless_of_shown(frame, plot, *shown_map_of(frame));
    draw_layers(frame, {{box.max.x - strip_width, box.max.y - strip}, box.max}, names, layer);
    if (beside) return draw_legend(frame, {box.min.x, box.max.y - strip}, strip, true);
    if (low) return draw_legend(frame, {box.min.x, plot.min.y + ui.px(2)}, legend_line, false);
    draw_legend(frame, {box.min.x, plot.max.y + ui.px(4)}, legend_line, true);
}

}  // namespace

void draw_meaning_map(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(16), edge = ui.px(11);
    const Box inside = box.inset(pad, edge);
    const MeaningMap* map = shown_map(frame);
    if (!map || map->layers.empty()) return draw_empty(frame, inside);
    draw_map(frame, inside);
}

}  // namespace glassformer::app
