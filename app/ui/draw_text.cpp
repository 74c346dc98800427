#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "app/ui/draw.h"
#include "app/ui/running_text.h"

namespace glassformer::app::draw {

namespace {

const char* end_of(std::string_view text) { return text.data() + text.size(); }

constexpr std::string_view ellipsis = "\xE2\x80\xA6";

float width_of(ImFont& font, std::string_view text) {
    if (text.empty()) return 0;
    return font.CalcTextSizeA(font_size(font), FLT_MAX, 0, text.data(), end_of(text)).x;
}

/// The longest beginning of `text` that leaves room for an ellipsis in `width`; all of it when it fits.
std::string_view fitting(ImFont& font, std::string_view text, float width) {
    if (width_of(font, text) <= width + 0.5f) return text;
    const char* rest = text.data();
    const float room = width - width_of(font, ellipsis);
    if (room > 0) font.CalcTextSizeA(font_size(font), room, 0, text.data(), end_of(text), &rest);
    while (rest > text.data() && rest[-1] == ' ') --rest;
    return {text.data(), static_cast<size_t>(rest - text.data())};
}

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Where a line that would end at `to` ends instead, so that no number is broken at its point or before its %: before
/// the number. One that is wider than the line is broken all the same.
const char* before_number(const char* from, const char* to, const char* end) {
    const char* next = to;
    while (next < end && *next == ' ') ++next;
    const char* last = to;
    while (last > from && last[-1] == ' ') --last;
    const bool percent = next < end && *next == '%' && last > from && digit(last[-1]);
    const bool point = to < end && to > from + 1 && digit(*to) && (to[-1] == '.' || to[-1] == ',') && digit(to[-2]);
    if (!percent && !point) return to;
    const char* blank = percent ? last : to;
    while (blank > from && blank[-1] != ' ') --blank;
    return blank > from ? blank : to;
}

/// A number that finds no room is rounded to fewer decimals: half a number would be another one. An ellipsis where it
/// finds no room without decimals either; empty where it is no number.
std::string rounded_to_fit(ImFont& font, std::string_view text, float width) {
    constexpr std::string_view minus = "−";
    std::string_view digits = text;
    std::string sign;
    for (const std::string_view s : {minus, std::string_view("-"), std::string_view("+")})
        if (digits.starts_with(s)) sign = s, digits.remove_prefix(s.size());
    const std::size_t point = digits.find('.');
    const bool number = point != std::string_view::npos && point > 0 && digits.size() > point + 1 &&
                        std::ranges::all_of(digits, [](char c) { return digit(c) || c == '.'; }) &&
                        digits.find('.', point + 1) == std::string_view::npos && digits.size() < 32;
    if (!number) return {};
    const double value = std::strtod(std::string(digits).c_str(), nullptr);
    for (std::size_t decimals = digits.size() - point - 1; decimals-- > 0;) {
        std::array<char, 64> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.*f", static_cast<int>(decimals), value);
        if (std::string shorter = sign + buffer.data(); width_of(font, shorter) <= width + 0.5f) return shorter;
    }
    return std::string(ellipsis);
}

void put(const Ui& ui, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    if (text.empty()) return;
    ui.list()->AddText(font, font_size(*font), {std::floor(at.x + 0.5f), std::floor(at.y + 0.5f)},
                       colour ? colour : ui.theme->text, text.data(), end_of(text));
}

float aligned(float left, float width, Align align) {
    if (align == Align::left) return left;
    return align == Align::centre ? left - width / 2 : left - width;
}

float row_pitch(ImFont& font) { return std::round(font_size(font) * 1.22f); }

/// Calls visit(row) for each row of a text that is wrapped at `width`.
template <class Visit>
void for_each_row(ImFont& font, float width, std::string_view text, const Visit& visit) {
    const char* from = text.data();
    const char* end = end_of(text);
    while (from < end) {
        const char* newline = std::find(from, end, '\n');
        const char* to = before_number(from, line_end(font, from, newline, width), newline);
        if (to == from && to < newline) ++to;  // a width narrower than a letter
        visit(std::string_view(from, static_cast<size_t>(to - from)));
        from = to;
        while (from < newline && *from == ' ') ++from;
        if (from == newline && from < end) ++from;
    }
}

}  // namespace

ImVec2 text_size(const Ui& ui, std::string_view text, FontRole font) {
    ImFont& face = *(*ui.fonts)[font];
    return {width_of(face, text), font_size(face)};
}

float text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style) {
    ImFont* font = (*ui.fonts)[style.font];
    const float width = width_of(*font, text);
    put(ui, font, {aligned(at.x, width, style.align), at.y}, style.colour, text);
    ui.items->drew(text);
    return width;
}

bool text_in(const Ui& ui, ImVec2 min, ImVec2 max, std::string_view text, const TextStyle& style) {
    ImFont* font = (*ui.fonts)[style.font];
    const float room = max.x - min.x;
    const std::string number = width_of(*font, text) > room + 0.5f ? rounded_to_fit(*font, text, room) : std::string();
    const std::string_view shown = number.empty() ? fitting(*font, text, room) : std::string_view(number);
    const bool dots = number.empty() && shown.size() < text.size();
    const float shown_width = width_of(*font, shown);
    const float width = shown_width + (dots ? width_of(*font, ellipsis) : 0);
    float x = min.x;
    if (style.align == Align::centre) x += (room - width) / 2;
    if (style.align == Align::right) x = max.x - width;
    const float y = min.y + (max.y - min.y - font_size(*font)) / 2;
    put(ui, font, {x, y}, style.colour, shown);
    if (dots) put(ui, font, {x + shown_width, y}, style.colour, ellipsis);
    const bool cut = dots || !number.empty();
    ui.items->drew(text, cut);
    return cut;
}

std::vector<std::string_view> wrapped_lines(const Ui& ui, std::string_view text, float width, FontRole role) {
    std::vector<std::string_view> lines;
    for_each_row(*(*ui.fonts)[role], width, text, [&](std::string_view row) { lines.push_back(row); });
    return lines;
}

float text_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style) {
    ImFont* font = (*ui.fonts)[style.font];
    const float pitch = row_pitch(*font);
    float y = at.y;
    ui.items->drew(text);
    for_each_row(*font, width, text, [&](std::string_view row) {
        const float left = style.align == Align::left     ? at.x
                           : style.align == Align::centre ? at.x + (width - width_of(*font, row)) / 2
                                                          : at.x + width - width_of(*font, row);
        put(ui, font, {left, y}, style.colour, row);
        y += pitch;
    });
    return y - at.y;
}

float wrapped_height(const Ui& ui, float width, std::string_view text, FontRole role) {
    ImFont* font = (*ui.fonts)[role];
    int rows = 0;
    for_each_row(*font, width, text, [&](std::string_view) { ++rows; });
    return static_cast<float>(rows) * row_pitch(*font);
}

void text_rotated(const Ui& ui, ImVec2 anchor, float degrees, std::string_view text, const TextStyle& style,
                  float max_length) {
    ImFont* font = (*ui.fonts)[style.font];
    const std::string_view shown = max_length > 0 ? fitting(*font, text, max_length) : text;
    ui.items->drew(text, shown.size() < text.size());
    const ImU32 colour = style.colour ? style.colour : ui.theme->text;
    const float shown_width = width_of(*font, shown);
    const float width = shown_width + (shown.size() < text.size() ? width_of(*font, ellipsis) : 0);
    const ImVec2 at = {aligned(anchor.x, width, style.align), anchor.y - font_size(*font) / 2};

    // Laid flat first, with no clipping there, and turned about the anchor.
    ImDrawList* list = ui.list();
    const int first = list->VtxBuffer.Size;
    const ImVec4 everywhere(-1e9f, -1e9f, 1e9f, 1e9f);
    if (!shown.empty()) font->RenderText(list, font_size(*font), at, colour, everywhere, shown.data(), end_of(shown));
    if (shown.size() < text.size()) {
        font->RenderText(list, font_size(*font), {at.x + shown_width, at.y}, colour, everywhere, ellipsis.data(),
                         end_of(ellipsis));
    }
    const float angle = -degrees * std::numbers::pi_v<float> / 180;
    const float c = std::cos(angle), s = std::sin(angle);
    for (int i = first; i < list->VtxBuffer.Size; ++i) {
        ImVec2& p = list->VtxBuffer[i].pos;
        const float x = p.x - anchor.x, y = p.y - anchor.y;
        p = {anchor.x + x * c - y * s, anchor.y + x * s + y * c};
    }
}

float text_runs(const Ui& ui, ImVec2 at, std::span<const Run> runs) {
    float ascent = 0;
    for (const Run& run : runs) ascent = std::max(ascent, font_ascent(*(*ui.fonts)[run.font]));
    float x = at.x;
    for (const Run& run : runs) {
        ImFont* font = (*ui.fonts)[run.font];
        put(ui, font, {x, at.y + ascent - font_ascent(*font) - run.rise * font_size(*font)}, run.colour, run.text);
        x += width_of(*font, run.text);
        ui.items->drew(run.text);
    }
    return x - at.x;
}

}  // namespace glassformer::app::draw
