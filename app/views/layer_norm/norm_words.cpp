#include <algorithm>

#include "app/common/signed_map.h"
#include "app/common/token_names.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/layer_norm/norm_lens.h"

namespace glassformer::app::views::layer_norm {

namespace {

constexpr float row_height = 6, letter_width = 16;  // pixels at 100 %
constexpr int most_features = 128;                  // side by side; for a wider model, those around the chosen one

/// The range of features that is shown.
struct Window {
    int first, count;
};

Window window(const NormLens& lens) {
    const int count = std::min(lens.features, most_features);
    return {std::clamp(lens.feature / count * count, 0, lens.features - count), count};
}

SignedMap word_rows(const Frame& frame, const NormLens& lens, int slot, const Window& shown, ImVec2 at, float width) {
    const Trace& trace = *frame.trace(slot);
    const NormNodes nodes = *find_norm(trace, lens.prefix);
    SignedMap map;
    map.rows = trace.positions(), map.columns = shown.count, map.stride = lens.features;
    map.values = trace.values(nodes.x).subspan(shown.first);
    map.min = at, map.pitch = {width / to_float(shown.count), frame.ui.px(row_height)};
    map.cells_are_items = false;
    map.key = {frame.sentence(slot).trace, nodes.x, shown.first};
    return map;
}

void use(const Frame& frame, const NormLens& lens, int slot, const Window& shown, const CellHit& hit) {
    if (hit.row < 0) return;
    const NormNodes nodes = *find_norm(*frame.trace(slot), lens.prefix);
    const int feature = shown.first + hit.column;
    if (hit.clicked) {
        frame.state.own<NormLensChoice>().feature = feature;
        choose_token(frame.state, frame.snapshot, slot, hit.row);
    }
    const Cell cell{nodes.x, lens.cell(hit.row, feature)};
    const std::string value = draw::signed_number(frame.trace(slot)->at(cell), 3);
    const std::string word = frame.word(slot, hit.row);
    point_at(frame, slot, cell, hit.clicked,
             frame.ui.items->format(tr("%s, feature %d: %.*s"), word.c_str(), feature, int_size(value), value.data()));
}

/// Draws the rows of one sentence.
void draw_rows(const Frame& frame, const NormLens& lens, int slot, const Window& shown, const SignedMap& map) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    draw::text_in(ui, {{map.min.x - ui.px(letter_width), map.min.y}, {map.min.x - ui.px(4), map.max().y}},
                  Frame::letter(slot), {FontRole::small_bold, slot == 0 ? t.sense_a_text : t.sense_b_text});
    use(frame, lens, slot, shown,
        signed_map(ui, ui.items->of_card(lens.slot, "norm words %s", Frame::letter(slot)), map));
    if (lens.over_words)
        frame_cells(ui, map, 0, lens.feature - shown.first, map.rows, 1);
    else if (slot == lens.slot)
        frame_cells(ui, map, lens.token, 0, 1, map.columns);
}

}  // namespace

float draw_norm_words(const Frame& frame, const NormLens& lens, const Box& box) {
    const Ui& ui = frame.ui;
    const Window shown = window(lens);
    const float line = ui.line(FontRole::small), left = box.min.x + ui.px(letter_width);
    const std::string tokens = token_names(frame.model(lens.slot)), features = std::to_string(lens.features);
    const std::string caption =
        shown.count == lens.features
            ? filled(tr("x: {1} down, {2} features across"), {tokens, features})
            : filled(tr("x: {1} down, features {2}–{3} of {4} across"),
                     {tokens, std::to_string(shown.first), std::to_string(shown.first + shown.count - 1), features});
    draw::label(ui, box.top(line), caption, {FontRole::small, ui.theme->text_muted},
                {ui.items->of_card(lens.slot, "norm words"), item_state(lens.features)});
    std::array<SignedMap, 2> maps;
    float y = box.min.y + line + ui.px(6), range = 0;
    for (int slot = 0; slot < 2; ++slot) {
        if (!frame.trace(slot) || (slot != lens.slot && !frame.same_model())) continue;
        SignedMap& map = maps[slot];
        map = word_rows(frame, lens, slot, shown, {left, y}, box.max.x - ui.px(3) - left);
        range = std::max(range, largest_magnitude(map));
        y = map.max().y + ui.px(6);
    }
    for (int slot = 0; slot < 2; ++slot) {
        SignedMap& map = maps[slot];
        if (map.rows == 0) continue;
        map.range = range;
        draw_rows(frame, lens, slot, shown, map);
    }
    return y;
}

}  // namespace glassformer::app::views::layer_norm
