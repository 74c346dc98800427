#include "app/panels/runs/run_colours.h"

#include <array>

namespace glassformer::app {

namespace {

struct Pair {
    unsigned light, dark;
};
// pink, petrol, olive, brown, grey-lilac
constexpr std::array<Pair, run_colour_count - 1> others = {
    {{0xB5367D, 0xF08FC4}, {0x0B7285, 0x3BC9DB}, {0x6B7000, 0xC5CC4A}, {0x6B3A2A, 0xC98F78}, {0x756482, 0xF2E6F7}}};

ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

int round_about(int colour) { return ((colour % run_colour_count) + run_colour_count) % run_colour_count; }

}  // namespace

ImU32 run_colour(const Theme& theme, int colour) {
    const int index = round_about(colour);
    if (index == 0) return theme.residual;
    const Pair& pair = others[index - 1];
    return rgb(theme.kind == ThemeKind::light ? pair.light : pair.dark);
}

ImU32 run_metric_colour(const Theme& theme, int colour) {
    return round_about(colour) == 0 ? theme.attention_text : run_colour(theme, colour);
}

}  // namespace glassformer::app
