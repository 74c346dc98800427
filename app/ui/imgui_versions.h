#pragma once

#include <imgui.h>

#include <cstdint>

/// What differs between versions of Dear ImGui, except for input (input.cpp). Since 1.92 a font has many sizes, and
/// glyphs are made on demand; each of our fonts has one size.
namespace glassformer::app {

/// ImTextureID was once a pointer and is now a number.
inline ImTextureID texture_id(unsigned texture) { return (ImTextureID)(std::intptr_t)texture; }
inline unsigned texture_name(ImTextureID id) { return static_cast<unsigned>((std::intptr_t)id); }

/// Sets the clipboard functions of the current ImGui context, which has no platform backend.
inline void use_clipboard(void (*set)(const char* text), const char* (*get)()) {
    static void (*set_text)(const char*);
    static const char* (*get_text)();
    set_text = set, get_text = get;
#if IMGUI_VERSION_NUM < 19110
    ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { set_text(text); };
    ImGui::GetIO().GetClipboardTextFn = [](void*) { return get_text(); };
#else
    ImGui::GetPlatformIO().Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { set_text(text); };
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) { return get_text(); };
#endif
}

#if IMGUI_VERSION_NUM >= 19200

inline float font_size(const ImFont& font) { return font.LegacySize; }
inline float font_ascent(ImFont& font) { return font.GetFontBaked(font.LegacySize)->Ascent; }
/// Where a line of `width` pixels must break.
inline const char* line_end(ImFont& font, const char* from, const char* end, float width) {
    return font.CalcWordWrapPosition(font.LegacySize, from, end, width);
}
inline void push_font(ImFont& font) { ImGui::PushFont(&font, font.LegacySize); }
/// Where a font stores its glyphs and advances.
inline ImFontBaked& glyphs_of(ImFont& font) { return *font.GetFontBaked(font.LegacySize); }
/// Keeps modified glyphs as they are.
inline void keep_glyphs(ImFont& font) { font.Flags |= ImFontFlags_LockBakedSizes; }
/// Nothing to do: the renderer fetches what is new in the atlas.
inline void build_atlas(ImFontAtlas&) {}
inline ImTextureID atlas_texture(const ImFontAtlas& atlas) { return atlas.TexRef.GetTexID(); }
inline constexpr ImGuiKey ctrl_key = ImGuiMod_Ctrl, shift_key = ImGuiMod_Shift, alt_key = ImGuiMod_Alt;

#else

inline float font_size(const ImFont& font) { return font.FontSize; }
inline float font_ascent(const ImFont& font) { return font.Ascent; }
/// Where a line of `width` pixels must break.
inline const char* line_end(const ImFont& font, const char* from, const char* end, float width) {
    return font.CalcWordWrapPositionA(1, from, end, width);
}
inline void push_font(ImFont& font) { ImGui::PushFont(&font); }
/// Where a font stores its glyphs and advances.
inline ImFont& glyphs_of(ImFont& font) { return font; }
/// Keeps modified glyphs as they are.
inline void keep_glyphs(ImFont&) {}
inline void build_atlas(ImFontAtlas& atlas) { atlas.Build(); }
inline ImTextureID atlas_texture(const ImFontAtlas& atlas) { return atlas.TexID; }
#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey ctrl_key = ImGuiKey_ModCtrl, shift_key = ImGuiKey_ModShift, alt_key = ImGuiKey_ModAlt;
#endif

#endif

}  // namespace glassformer::app
