#include "app/common/model_colours.h"

#include <array>

#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

// Blue, vermillion, green, violet, pink, wine; then the same in another lightness.
constexpr std::array<ImU32, coloured_heads> on_light{rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0x8558BE),
                                                     rgb(0xCC79A7), rgb(0x7A1F4E), rgb(0x6CB4DE), rgb(0xF0A26B),
                                                     rgb(0x74C9AE), rgb(0xBEA3E0), rgb(0xE5B4CF), rgb(0xB4688F)};
constexpr std::array<ImU32, coloured_heads> on_dark{rgb(0x3FA0DC), rgb(0xF07A2E), rgb(0x22B389), rgb(0xA87FE0),
                                                    rgb(0xE39CC4), rgb(0xC4507F), rgb(0x2A6489), rgb(0x9A5526),
                                                    rgb(0x1C7259), rgb(0x6C5296), rgb(0x93657F), rgb(0x823A58)};

}  // namespace

ImU32 head_colour(const Theme& theme, int head) {
    if (head < 0 || head >= coloured_heads) return theme.text_faint;
    return (theme.kind == ThemeKind::light ? on_light : on_dark)[head];
}

ImU32 node_text_colour(const Theme& t, const std::string& name) {
    const NodePlace place = node_place(name);
    const auto is = [&](const char* begin) { return place.quantity.starts_with(begin); };
    if (place.attention()) {
        if (is("hook_q")) return t.query_text;
        if (is("hook_k") || is("k_")) return t.key_text;
        if (is("hook_v") || is("v_") || is("hook_z") || is("z_")) return t.value_text;
        if (place.of_pairs()) return t.attention_text;
        if (is("hook_result")) return t.residual_text;
    }
    if (place.module == NodePlace::Module::mlp || is("hook_mlp_out")) return t.mlp_text;
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("resid") || has("embed") || has("attn_out")) return t.residual_text;
    return t.text_muted;
}

}  // namespace glassformer::app
