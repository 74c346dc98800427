#include "app/ui/theme.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app {

namespace {

/// Converts 0xRRGGBB to ImGui's packed format.
constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

/// A colour in both themes.
struct Colour {
    ImU32 Theme::*field;
    unsigned light, dark;
};
constexpr Colour palette[] = {
    {&Theme::query, 0x0072B2, 0x3FA0DC},
    {&Theme::query_text, 0x006BA8, 0x6DB9EE},
    {&Theme::key, 0xD55E00, 0xF07A2E},
    {&Theme::key_text, 0xB04A00, 0xFF9A57},
    {&Theme::value, 0x009E73, 0x22B389},
    {&Theme::value_text, 0x00745A, 0x4FCFA5},
    {&Theme::attention, 0x3F1D87, 0xD3C4FF},
    {&Theme::attention_text, 0x5B3A9E, 0xB79CF0},
    {&Theme::attention_tint, 0xEFEBFA, 0x2C2646},
    {&Theme::attention_zero, 0xF5F3FB, 0x212639},
    {&Theme::attention_middle, 0x9B87D1, 0x6D50B4},
    {&Theme::surprise_zero, 0xFBF3F6, 0x2A2030},
    {&Theme::surprise, 0xA3195B, 0xFF9CC6},
    {&Theme::surprise_text, 0x9A1857, 0xF08DB8},
    {&Theme::accent, 0x5B3A9E, 0x6D4BB8},
    {&Theme::accent_hover, 0x4A2C88, 0x7A58C6},
    {&Theme::residual, 0x475569, 0x94A3B8},
    {&Theme::residual_text, 0x475569, 0xA3B1C4},
    {&Theme::mlp, 0xB7791F, 0xD39A3C},
    {&Theme::mlp_text, 0x855610, 0xDDA64B},
    {&Theme::selection, 0xE69F00, 0xF2B43A},
    {&Theme::selection_text, 0x8A5E00, 0xF2B43A},
    {&Theme::selection_tint, 0xFFF7E0, 0x3A3118},
    {&Theme::sense_a, 0xE07B00, 0xF08C2E},
    {&Theme::sense_a_text, 0xA35600, 0xF0A04B},
    {&Theme::sense_b, 0x2A8CCB, 0x4AA8E6},
    {&Theme::sense_b_text, 0x1A6BA1, 0x6DB9EE},
    {&Theme::good, 0x0F9D72, 0x34C08E},
    {&Theme::good_text, 0x047050, 0x5FD3A0},
    {&Theme::good_tint, 0xE6F5EF, 0x17332C},
    {&Theme::danger, 0xC8372D, 0xE5605A},
    {&Theme::danger_text, 0xB42318, 0xFF8F88},
    {&Theme::danger_tint, 0xFDECEA, 0x3C2226},
    {&Theme::text, 0x1E293B, 0xE6EAF2},
    {&Theme::text_muted, 0x536077, 0xA7B1C2},
    {&Theme::text_faint, 0x626F82, 0x8F9BAE},
    {&Theme::background, 0xF6F8FA, 0x12161F},
    {&Theme::card, 0xFFFFFF, 0x1A2030},
    {&Theme::card_border, 0xE2E8F0, 0x2C3548},
    {&Theme::control, 0xF1F4F8, 0x242B3C},
    {&Theme::control_border, 0xD9E0E9, 0x37415A},
    {&Theme::hover, 0xE9EEF4, 0x2A3245},
    {&Theme::track, 0xEEF1F6, 0x293144},
    {&Theme::grid, 0xE5EAF0, 0x2A3245},
    {&Theme::focus, 0x2563EB, 0x7AA7FF},
    {&Theme::signed_negative, 0x2166AC, 0x4E9BE6},
    {&Theme::signed_neutral, 0xEEF0F3, 0x2B3242},
    {&Theme::signed_positive, 0xB2182B, 0xE5535E},
};

Theme make_theme(ThemeKind kind) {
    Theme t;
    t.kind = kind;
    for (const Colour& colour : palette) t.*colour.field = rgb(kind == ThemeKind::light ? colour.light : colour.dark);
    return t;
}

int channel(ImU32 colour, int shift) { return static_cast<int>((colour >> shift) & 255); }

double linear(int byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(ImU32 c) {
    return 0.2126 * linear(channel(c, IM_COL32_R_SHIFT)) + 0.7152 * linear(channel(c, IM_COL32_G_SHIFT)) +
           0.0722 * linear(channel(c, IM_COL32_B_SHIFT));
}

ImVec4 vec(ImU32 colour) { return ImGui::ColorConvertU32ToFloat4(colour); }

void style_colours(const Theme& t, ImVec4* c) {
    c[ImGuiCol_Text] = vec(t.text);
    c[ImGuiCol_TextDisabled] = vec(t.text_faint);
    c[ImGuiCol_WindowBg] = vec(t.background);
    c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_PopupBg] = vec(t.card);
    c[ImGuiCol_Border] = vec(t.control_border);
    c[ImGuiCol_FrameBg] = vec(t.card);
    c[ImGuiCol_FrameBgHovered] = vec(t.card);
    c[ImGuiCol_FrameBgActive] = vec(t.card);
    c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_ScrollbarGrab] = vec(t.control_border);
    c[ImGuiCol_ScrollbarGrabHovered] = vec(t.text_faint);
    c[ImGuiCol_ScrollbarGrabActive] = vec(t.text_muted);
    c[ImGuiCol_Header] = vec(t.attention_tint);
    c[ImGuiCol_HeaderHovered] = vec(t.hover);
    c[ImGuiCol_HeaderActive] = vec(t.attention_tint);
    c[ImGuiCol_Separator] = vec(t.card_border);
    c[ImGuiCol_TextSelectedBg] = vec(mix(t.card, t.focus, 0.3f));
    c[ImGuiCol_NavHighlight] = vec(t.focus);
    c[ImGuiCol_ModalWindowDimBg] = ImVec4(0.05f, 0.06f, 0.1f, 0.45f);
}

}  // namespace

const Theme& theme(ThemeKind kind) {
    static const Theme light = make_theme(ThemeKind::light);
    static const Theme dark = make_theme(ThemeKind::dark);
    return kind == ThemeKind::light ? light : dark;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
    const ImU32 a = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255));
    return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    ImU32 result = 0;
    for (int shift : {0, 8, 16, 24}) {
        const float from = static_cast<float>(channel(a, shift));
        const float to = static_cast<float>(channel(b, shift));
        result |= static_cast<ImU32>(std::lround(from + (to - from) * t)) << shift;
    }
    return result;
}

double contrast(ImU32 a, ImU32 b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

ImU32 Theme::attention_colour(float weight) const {
    if (std::isnan(weight)) return danger;
    const float t = std::pow(std::clamp(weight, 0.0f, 1.0f), 0.6f);
    return t < 0.5f ? mix(attention_zero, attention_middle, 2 * t) : mix(attention_middle, attention, 2 * t - 1);
}

ImU32 Theme::surprise_colour(float share) const {
    return mix(surprise_zero, surprise, std::isnan(share) ? 0.0f : share);
}

ImU32 Theme::signed_colour(float v, float range) const {
    if (std::isnan(v)) return selection;
    const float t = range > 0 ? std::clamp(std::abs(v) / range, 0.0f, 1.0f) : 0.0f;
    return mix(signed_neutral, v < 0 ? signed_negative : signed_positive, t);
}

ImU32 Theme::text_on(ImU32 fill) {
    constexpr ImU32 dark = rgb(0x030509), white = rgb(0xFFFFFF);
    return contrast(fill, dark) > contrast(fill, white) ? dark : white;
}

void apply_style(const Theme& t, float scale) {
    ImGuiStyle style;
    style.WindowPadding = ImVec2(8, 8);
    style.FramePadding = ImVec2(8, 5);
    style.ItemSpacing = ImVec2(8, 6);
    style.WindowRounding = 0;
    style.ChildRounding = 8;
    style.FrameRounding = 6;
    style.PopupRounding = 8;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 10;
    style.FrameBorderSize = 1;
    style.PopupBorderSize = 1;
    style.WindowBorderSize = 0;
    style.CircleTessellationMaxError = 0.2f;
    style.ScaleAllSizes(scale);
    style_colours(t, style.Colors);
    ImGui::GetStyle() = style;
}

}  // namespace glassformer::app
