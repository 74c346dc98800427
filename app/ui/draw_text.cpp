#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "app/language/tr.h"
#include "app/ui/draw.h"
#include "app/ui/glyphs/glyph_text.h"
#include "app/ui/glyphs/text_direction.h"
#include "app/ui/running_text.h"
#include "app/ui/text_caret.h"
#include "core/base/number_text.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer::app::draw {

namespace {

const char* end_of(std::string_view text) { return text.data() + text.size(); }

constexpr std::string_view ellipsis = "\xE2\x80\xA6";
constexpr double least_as_power = 1e4;  // smaller numbers are not shorter with a power of ten

/// The text laid out with other scripts; null if ImGui's own font has all of it.
const TextLine* line_of(const Ui& ui, FontRole font, std::string_view text) {
    return ui.fonts->glyphs ? ui.fonts->glyphs->line(font, text) : nullptr;
}

float width_of(const Ui& ui, FontRole role, std::string_view text) {
    if (text.empty()) return 0;
    if (const TextLine* line = line_of(ui, role, text)) return line->width;
    ImFont& font = *(*ui.fonts)[role];
    return font.CalcTextSizeA(font_size(font), FLT_MAX, 0, text.data(), end_of(text)).x;
}

/// How many bytes of a text fit into `room`, counting whole characters only.
std::size_t bytes_within(const Ui& ui, FontRole role, std::string_view text, float room) {
    if (room <= 0) return 0;
    if (const TextLine* line = line_of(ui, role, text)) {
        float used = 0;
        for (const TextStop& stop : line->stops)
            if ((used += stop.width()) > room) return stop.begin;
        return text.size();
    }
    ImFont& font = *(*ui.fonts)[role];
    const char* rest = text.data();
    font.CalcTextSizeA(font_size(font), room, 0, text.data(), end_of(text), &rest);
    return static_cast<std::size_t>(rest - text.data());
}

/// The longest prefix of `text` that leaves room for an ellipsis in `width`; all of it if it fits.
std::string_view fitting(const Ui& ui, FontRole role, std::string_view text, float width) {
    if (width_of(ui, role, text) <= width + 0.5f) return text;
    std::string_view shown = text.substr(0, bytes_within(ui, role, text, width - width_of(ui, role, ellipsis)));
    while (shown.ends_with(' ')) shown.remove_suffix(1);
    return shown;
}

bool raised(char c) { return (c & 0x80) != 0; }  // a byte of ⁻⁰¹²…
bool digit(char c) { return c >= '0' && c <= '9'; }

/// Moves the end of a line from `to` to before a number, if it would break the number at its decimal point or before
/// its %. A number wider than the line is broken anyway.
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

/// Rounds a number that does not fit to fewer decimals, and then to a power of ten, since half a number would be
/// another number. Returns an ellipsis if that does not fit either; empty if the text is not a number with decimals or
/// a power.
std::string rounded_to_fit(const Ui& ui, FontRole role, std::string_view text, float width) {
    constexpr std::string_view minus = "−", power_sign = "·10";
    std::string_view digits = text;
    std::string sign;
    for (const std::string_view s : {minus, std::string_view("-"), std::string_view("+")})
        if (digits.starts_with(s)) sign = s, digits.remove_prefix(s.size());
    const std::string power(digits.substr(std::min(digits.find(power_sign), digits.size())));
    digits.remove_suffix(power.size());
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const bool number = point > 0 && (point < digits.size() ? digits.size() > point + 1 : !power.empty()) &&
                        std::ranges::all_of(digits, [](char c) { return digit(c) || c == '.'; }) &&
                        std::ranges::all_of(power.substr(std::min(power_sign.size(), power.size())), raised) &&
                        digits.find('.', point + 1) == std::string_view::npos && digits.size() < 32;
    if (!number) return {};
    const double value = std::strtod(std::string(digits).c_str(), nullptr);
    std::vector<std::string> shorter;
    for (std::size_t decimals = digits.size() - std::min(point + 1, digits.size()); decimals-- > 0;)
        shorter.push_back(with_decimals(value, static_cast<int>(decimals)) + power);
    if (power.empty() && value >= least_as_power)
        for (const int kept : {3, 2, 1}) shorter.push_back(with_power(value, kept));
    const auto fits = std::ranges::find_if(
        shorter, [&](const std::string& s) { return width_of(ui, role, sign + s) <= width + 0.5f; });
    return fits == shorter.end() ? std::string(ellipsis) : sign + *fits;
}

/// The narrowest that letters get, as a fraction of their width.
constexpr float narrowest = 0.72f;

/// The factor by which letters are narrowed where a text would be cut. Space is laid out for English; translations are
/// often longer, and narrow letters say more than a prefix of the text. 1 if narrowing would not help, and in English.
float narrowed(const Ui& ui, FontRole role, std::string_view text, float room) {
    if (language() == "en" || room <= 0 || line_of(ui, role, text)) return 1;
    const float share = room / width_of(ui, role, text);
    return share < narrowest || share >= 1 ? 1 : share;
}

void put(const Ui& ui, FontRole role, ImVec2 at, ImU32 colour, std::string_view text, float narrow = 1) {
    if (text.empty()) return;
    ImFont* font = (*ui.fonts)[role];
    ImDrawList* list = ui.list();
    const ImVec2 corner{std::floor(at.x + 0.5f), std::floor(at.y + 0.5f)};
    if (!colour) colour = ui.theme->text;
    if (const TextLine* line = line_of(ui, role, text)) {
        const Box clip = clip_box(*list);
        return ui.fonts->glyphs->draw(*list, role, *line, corner, colour,
                                      {clip.min.x, clip.min.y, clip.max.x, clip.max.y});
    }
    if (narrow == 1) return list->AddText(font, font_size(*font), corner, colour, text.data(), end_of(text));
    const int first = list->VtxBuffer.Size;
    constexpr float far = 1e6f;  // a letter that is out of view may move into it
    font->RenderText(list, font_size(*font), corner, colour, {-far, -far, far, far}, text.data(), end_of(text));
    for (int i = first; i < list->VtxBuffer.Size; ++i)
        list->VtxBuffer[i].pos.x = corner.x + (list->VtxBuffer[i].pos.x - corner.x) * narrow;
}

/// A prefix of a text with an ellipsis for the rest, if any. The ellipsis follows in reading direction.
struct Cut {
    std::string_view shown;
    bool dots = false, dots_first = false;
    float shown_width = 0, dots_width = 0;

    Cut(const Ui& ui, FontRole role, std::string_view shown_part, bool cut)
        : shown(shown_part), dots(cut), shown_width(width_of(ui, role, shown)) {
        if (!dots) return;
        dots_width = width_of(ui, role, ellipsis);
        const TextLine* line = line_of(ui, role, shown);
        dots_first = line && line->right_to_left;
    }
    float width() const { return shown_width + dots_width; }
    float text_at() const { return dots_first ? dots_width : 0; }
    float dots_at() const { return dots_first ? 0 : shown_width; }
};

float aligned(float left, float width, Align align) {
    if (align == Align::left) return left;
    return align == Align::centre ? left - width / 2 : left - width;
}

float row_pitch(ImFont& font) { return std::round(font_size(font) * 1.22f); }

/// Where a row of `width` pixels ends that begins at byte `from` of a line.
std::size_t row_end(const TextLine& line, std::string_view text, std::size_t from, float width) {
    float used = 0;
    std::size_t good = 0;  // the last allowed break
    char32_t before = 0;
    for (auto stop = std::ranges::lower_bound(line.stops, from, {}, &TextStop::begin); stop != line.stops.end();
         ++stop) {
        const std::string_view letter = text.substr(stop->begin, stop->end - stop->begin);
        const bool readable = is_valid_utf8(letter);
        const char32_t point = readable ? code_points(letter).front() : U'?';
        if (before == U' ' || may_break_between(before, point)) good = stop->begin;
        used += stop->width();
        if (point != U' ' && used > width + 0.5f) return good > from ? good : std::max(stop->begin, from);
        before = point;
    }
    return text.size();
}

/// Calls visit(row) for each row of a text that is wrapped at `width`.
template <class Visit>
void for_each_row(const Ui& ui, FontRole role, float width, std::string_view text, const Visit& visit) {
    ImFont& font = *(*ui.fonts)[role];
    const char* from = text.data();
    const char* end = end_of(text);
    while (from < end) {
        const char* const begin = from;
        const char* newline = std::find(from, end, '\n');
        const std::string_view paragraph(begin, static_cast<std::size_t>(newline - begin));
        const TextLine* line = line_of(ui, role, paragraph);
        do {
            const char* to = line ? begin + row_end(*line, paragraph, static_cast<std::size_t>(from - begin), width)
                                  : before_number(from, line_end(font, from, newline, width), newline);
            if (to == from && to < newline) ++to;  // the width is narrower than a letter
            while (line && to < newline && (static_cast<unsigned char>(*to) & 0xC0) == 0x80) ++to;
            visit(std::string_view(from, static_cast<size_t>(to - from)));
            from = to;
            while (from < newline && *from == ' ') ++from;
        } while (from < newline);
        if (from < end) ++from;
    }
}

}  // namespace

ImVec2 text_size(const Ui& ui, std::string_view text, FontRole font) {
    return {width_of(ui, font, text), ui.line(font)};
}

float text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style) {
    const float width = width_of(ui, style.font, text);
    const ImVec2 begin{aligned(at.x, width, style.align), at.y};
    put(ui, style.font, begin, style.colour, text);
    ui.items->drew(text, begin);
    return width;
}

void typed_text(const Ui& ui, ImVec2 at, std::string_view text, const TextStyle& style) {
    put(ui, style.font, at, style.colour, text);
}

bool text_in(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style) {
    const FontRole font = style.font;
    const float room = box.width();
    const float y = box.min.y + (box.height() - ui.line(font)) / 2;
    if (const float narrow = narrowed(ui, font, text, room); narrow < 1) {
        put(ui, font, {box.min.x, y}, style.colour, text, narrow);
        ui.items->drew(text, {box.min.x, y});
        return false;
    }
    const std::string number =
        width_of(ui, font, text) > room + 0.5f ? rounded_to_fit(ui, font, text, room) : std::string();
    const std::string_view shown = number.empty() ? fitting(ui, font, text, room) : std::string_view(number);
    const Cut cut(ui, font, shown, number.empty() && shown.size() < text.size());
    float x = box.min.x;
    if (style.align == Align::centre) x += (room - cut.width()) / 2;
    if (style.align == Align::right) x = box.max.x - cut.width();
    put(ui, font, {x + cut.text_at(), y}, style.colour, shown);
    if (cut.dots) put(ui, font, {x + cut.dots_at(), y}, style.colour, ellipsis);
    const bool less = cut.dots || !number.empty();
    ui.items->drew(text, {x, y}, less);
    return less;
}

std::vector<std::string_view> wrapped_lines(const Ui& ui, std::string_view text, float width, FontRole role) {
    std::vector<std::string_view> lines;
    for_each_row(ui, role, width, text, [&](std::string_view row) { lines.push_back(row); });
    return lines;
}

float text_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style) {
    const float pitch = row_pitch(*(*ui.fonts)[style.font]);
    float y = at.y;
    ui.items->drew(text, at);
    const bool to_the_right = style.align == Align::left && runs_right_to_left(text);
    for_each_row(ui, style.font, width, text, [&](std::string_view row) {
        const float room = style.align == Align::left && !to_the_right ? 0 : width - width_of(ui, style.font, row);
        put(ui, style.font, {at.x + (style.align == Align::centre ? room / 2 : room), y}, style.colour, row);
        y += pitch;
    });
    return y - at.y;
}

float wrapped_height(const Ui& ui, float width, std::string_view text, FontRole role) {
    int rows = 0;
    for_each_row(ui, role, width, text, [&](std::string_view) { ++rows; });
    return static_cast<float>(rows) * row_pitch(*(*ui.fonts)[role]);
}

void text_told(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style) {
    if (text_in(ui, box, text, style) && hovered(box)) tooltip(ui, box, text);
}

bool label(const Ui& ui, const Box& box, std::string_view text, const TextStyle& style, const TextItem& item) {
    const bool cut = text_in(ui, box, text, style);
    ui.items->add(item.label, box, item.value, text);
    if (!item.tip.empty() && hovered(box)) tip(ui, box, item.tip);
    return cut;
}

float label_wrapped(const Ui& ui, ImVec2 at, float width, std::string_view text, const TextStyle& style,
                    const TextItem& item) {
    const float height = text_wrapped(ui, at, width, text, style);
    ui.items->add(item.label, {at, {at.x + width, at.y + height}}, item.value, text);
    return height;
}

std::string_view first_fitting(const Ui& ui, float width, std::initializer_list<std::string_view> texts,
                               FontRole font) {
    const auto fits = [&](std::string_view text) { return text_size(ui, text, font).x <= width; };
    const auto* const found = std::ranges::find_if(texts, fits);
    return found == texts.end() ? *(texts.end() - 1) : *found;
}

void text_rotated(const Ui& ui, ImVec2 anchor, float degrees, std::string_view text, const TextStyle& style,
                  float max_length) {
    const FontRole role = style.font;
    ImFont* font = (*ui.fonts)[role];
    const std::string_view shown = max_length > 0 ? fitting(ui, role, text, max_length) : text;
    const Cut cut(ui, role, shown, shown.size() < text.size());
    ui.items->drew(text, anchor, cut.dots);
    const ImU32 colour = style.colour ? style.colour : ui.theme->text;
    const ImVec2 at = {aligned(anchor.x, cut.width(), style.align), anchor.y - font_size(*font) / 2};

    // Laid out horizontally without clipping first, then rotated about the anchor.
    ImDrawList* list = ui.list();
    const int first = list->VtxBuffer.Size;
    const ImVec4 everywhere(-1e9f, -1e9f, 1e9f, 1e9f);
    const auto lay = [&](float x, std::string_view part) {
        if (const TextLine* line = line_of(ui, role, part))
            ui.fonts->glyphs->draw(*list, role, *line, {x, at.y}, colour, everywhere);
        else if (!part.empty())
            font->RenderText(list, font_size(*font), {x, at.y}, colour, everywhere, part.data(), end_of(part));
    };
    lay(at.x + cut.text_at(), shown);
    if (cut.dots) lay(at.x + cut.dots_at(), ellipsis);
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
        ImFont& font = *(*ui.fonts)[run.font];
        put(ui, run.font, {x, at.y + ascent - font_ascent(font) - run.rise * font_size(font)}, run.colour, run.text);
        ui.items->drew(run.text, {x, at.y});
        x += width_of(ui, run.font, run.text);
    }
    return x - at.x;
}

}  // namespace glassformer::app::draw
