#include "app/theme.h"

#include <algorithm>
#include <cmath>

namespace glassformer::app {

namespace {

/// 0xRRGGBB as ImGui packs it.
constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

Theme light_theme() {
    Theme t;
    t.kind = ThemeKind::light;
    t.query = rgb(0x0072B2), t.query_text = rgb(0x006BA8);
    t.key = rgb(0xD55E00), t.key_text = rgb(0xB04A00);
    t.value = rgb(0x009E73), t.value_text = rgb(0x00745A);
    t.attention = rgb(0x3F1D87), t.attention_text = rgb(0x5B3A9E), t.attention_tint = rgb(0xEFEBFA);
    t.attention_zero = rgb(0xF5F3FB), t.attention_middle = rgb(0x9B87D1);
    t.accent = rgb(0x5B3A9E), t.accent_hover = rgb(0x4A2C88);
    t.residual = rgb(0x475569), t.residual_text = rgb(0x475569);
    t.mlp = rgb(0xB7791F), t.mlp_text = rgb(0x855610);
    t.selection = rgb(0xE69F00), t.selection_text = rgb(0x8A5E00), t.selection_tint = rgb(0xFFF7E0);
    t.sense_a = rgb(0xE07B00), t.sense_a_text = rgb(0xA35600);
    t.sense_b = rgb(0x2A8CCB), t.sense_b_text = rgb(0x1A6BA1);
    t.good = rgb(0x0F9D72), t.good_text = rgb(0x047050), t.good_tint = rgb(0xE6F5EF);
    t.danger = rgb(0xC8372D), t.danger_text = rgb(0xB42318), t.danger_tint = rgb(0xFDECEA);
    t.text = rgb(0x1E293B), t.text_muted = rgb(0x536077), t.text_faint = rgb(0x667386);
    t.background = rgb(0xF6F8FA), t.card = rgb(0xFFFFFF), t.card_border = rgb(0xE2E8F0);
    t.control = rgb(0xF1F4F8), t.control_border = rgb(0xD9E0E9);
    t.hover = rgb(0xE9EEF4), t.track = rgb(0xEEF1F6), t.grid = rgb(0xE5EAF0);
    t.focus = rgb(0x2563EB);
    t.signed_negative = rgb(0x2166AC), t.signed_neutral = rgb(0xEEF0F3), t.signed_positive = rgb(0xB2182B);
    return t;
}

Theme dark_theme() {
    Theme t;
    t.kind = ThemeKind::dark;
    t.query = rgb(0x3FA0DC), t.query_text = rgb(0x6DB9EE);
    t.key = rgb(0xF07A2E), t.key_text = rgb(0xFF9A57);
    t.value = rgb(0x22B389), t.value_text = rgb(0x4FCFA5);
    t.attention = rgb(0xD3C4FF), t.attention_text = rgb(0xB79CF0), t.attention_tint = rgb(0x2C2646);
    t.attention_zero = rgb(0x212639), t.attention_middle = rgb(0x6D50B4);
    t.accent = rgb(0x6D4BB8), t.accent_hover = rgb(0x7A58C6);
    t.residual = rgb(0x94A3B8), t.residual_text = rgb(0xA3B1C4);
    t.mlp = rgb(0xD39A3C), t.mlp_text = rgb(0xDDA64B);
    t.selection = rgb(0xF2B43A), t.selection_text = rgb(0xF2B43A), t.selection_tint = rgb(0x3A3118);
    t.sense_a = rgb(0xF08C2E), t.sense_a_text = rgb(0xF0A04B);
    t.sense_b = rgb(0x4AA8E6), t.sense_b_text = rgb(0x6DB9EE);
    t.good = rgb(0x34C08E), t.good_text = rgb(0x5FD3A0), t.good_tint = rgb(0x17332C);
    t.danger = rgb(0xE5605A), t.danger_text = rgb(0xFF8F88), t.danger_tint = rgb(0x3C2226);
    t.text = rgb(0xE6EAF2), t.text_muted = rgb(0xA7B1C2), t.text_faint = rgb(0x8F9BAE);
    t.background = rgb(0x12161F), t.card = rgb(0x1A2030), t.card_border = rgb(0x2C3548);
    t.control = rgb(0x242B3C), t.control_border = rgb(0x37415A);
    t.hover = rgb(0x2A3245), t.track = rgb(0x293144), t.grid = rgb(0x2A3245);
    t.focus = rgb(0x7AA7FF);
    t.signed_negative = rgb(0x4E9BE6), t.signed_neutral = rgb(0x2B3242), t.signed_positive = rgb(0xE5535E);
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
    static const Theme light = light_theme();
    static const Theme dark = dark_theme();
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

ImU32 Theme::signed_colour(float v, float range) const {
    if (std::isnan(v)) return selection;
    const float t = range > 0 ? std::clamp(std::abs(v) / range, 0.0f, 1.0f) : 0.0f;
    return mix(signed_neutral, v < 0 ? signed_negative : signed_positive, t);
}

ImU32 Theme::text_on(ImU32 fill) {
    constexpr ImU32 dark = rgb(0x030509), white = rgb(0xFFFFFF);
    return contrast(fill, dark) > contrast(fill, white) ? dark : white;
}

std::vector<TextPair> text_pairs(const Theme& t) {
    std::vector<TextPair> pairs;
    const auto on = [&](const char* fill_name, ImU32 fill, std::initializer_list<TextPair> texts) {
        for (const TextPair& p : texts) pairs.push_back({p.name + " on " + fill_name, p.text, fill});
    };
    const std::initializer_list<TextPair> words = {{"text", t.text, 0},
                                                   {"muted", t.text_muted, 0},
                                                   {"query", t.query_text, 0},
                                                   {"key", t.key_text, 0},
                                                   {"value", t.value_text, 0},
                                                   {"attention", t.attention_text, 0},
                                                   {"residual", t.residual_text, 0},
                                                   {"mlp", t.mlp_text, 0},
                                                   {"selection", t.selection_text, 0},
                                                   {"sense_a", t.sense_a_text, 0},
                                                   {"sense_b", t.sense_b_text, 0},
                                                   {"good", t.good_text, 0},
                                                   {"danger", t.danger_text, 0}};
    on("card", t.card, words);
    on("background", t.background, words);
    on("hover", t.hover, words);
    on("card", t.card, {{"faint", t.text_faint, 0}});
    on("background", t.background, {{"faint", t.text_faint, 0}});
    on("control", t.control, {{"text", t.text, 0}, {"muted", t.text_muted, 0}});
    on("attention tint", t.attention_tint,
       {{"text", t.text, 0}, {"attention", t.attention_text, 0}, {"muted", t.text_muted, 0}});
    on("selection tint", t.selection_tint,
       {{"text", t.text, 0}, {"selection", t.selection_text, 0}, {"muted", t.text_muted, 0}});
    on("good tint", t.good_tint, {{"good", t.good_text, 0}});
    on("danger tint", t.danger_tint, {{"danger", t.danger_text, 0}});
    on("accent", t.accent, {{"white", rgb(0xFFFFFF), 0}});
    on("accent hover", t.accent_hover, {{"white", rgb(0xFFFFFF), 0}});
    return pairs;
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
