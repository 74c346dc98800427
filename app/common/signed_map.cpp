#include "app/common/signed_map.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/ui/memo.h"

namespace glassformer::app {

CellHit signed_map(const Ui& ui, std::string_view label, const SignedMap& map) {
    return draw_cells(ui, label, map,
                      {.rows = map.rows,
                       .columns = map.columns,
                       .values = map.values,
                       .stride = map.stride,
                       .colours = HeatColours::signed_values,
                       .range = map.range,
                       .scores = {},
                       .key = map.key},
                      map.cells_are_items);
}

void light_under_mouse(SignedMap& map) {
    if (map.rows < 1 || map.columns < 1 || !draw::hovered({map.min, map.max()})) return;
    const CellHit hit = cell_at(map, ImGui::GetIO().MousePos);
    map.lit_row = hit.row, map.lit_column = hit.column;
}

namespace {

float found_magnitude(const SignedMap& map) {
    float largest = 0;
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const float size = std::abs(map.value(row, column));
            if (std::isfinite(size)) largest = std::max(largest, size);
        }
    return largest > 0 ? largest : 1;
}

}  // namespace

float largest_magnitude(const SignedMap& map) {
    if (!map.key.owner) return found_magnitude(map);
    static thread_local Memo<std::tuple<SharedKey<void>, int, std::int64_t, int, int>, float, 64> known;
    return known({map.key.owner, map.key.node, map.key.first, map.rows, map.columns},
                 [&] { return found_magnitude(map); });
}

}  // namespace glassformer::app
