#include "app/ui/text_caret.h"

#include "app/ui/glyphs/glyph_text.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer::app::draw {

namespace {

/// The characters of a line; in invalid UTF-8, each byte counts as one.
std::vector<ByteRange> characters(std::string_view line) {
    if (is_valid_utf8(line)) return graphemes(line);
    std::vector<ByteRange> bytes;
    for (std::size_t i = 0; i < line.size(); ++i) bytes.push_back({i, i + 1});
    return bytes;
}

/// The characters with their positions, in reading order.
std::vector<TextStop> stops_of(const Ui& ui, std::string_view line, FontRole font) {
    if (ui.fonts->glyphs)
        if (const TextLine* known = ui.fonts->glyphs->line(font, line)) return known->stops;
    std::vector<TextStop> stops;
    float x = 0;
    for (const ByteRange c : characters(line)) {
        const float width = text_size(ui, line.substr(c.begin, c.end - c.begin), font).x;
        stops.push_back({c.begin, c.end, x, x + width});
        x += width;
    }
    return stops;
}

float start_of(const TextStop& stop) { return stop.right_to_left ? stop.right : stop.left; }
float end_of(const TextStop& stop) { return stop.right_to_left ? stop.left : stop.right; }

}  // namespace

std::size_t after_character(std::string_view line, std::size_t at) {
    if (at >= line.size()) return line.size();
    return at + characters(line.substr(at)).front().end;
}

std::size_t before_character(std::string_view line, std::size_t at) {
    return at == 0 ? 0 : characters(line.substr(0, at)).back().begin;
}

float caret_x(const Ui& ui, std::string_view line, std::size_t at, FontRole font) {
    const std::vector<TextStop> stops = stops_of(ui, line, font);
    if (stops.empty()) return 0;
    for (const TextStop& stop : stops)
        if (at < stop.end) return start_of(stop);
    return end_of(stops.back());
}

std::size_t caret_at(const Ui& ui, std::string_view line, float x, FontRole font) {
    const std::vector<TextStop> stops = stops_of(ui, line, font);
    std::size_t nearest = 0;
    float least = 0;
    bool first = true;
    const auto offer = [&](float place, std::size_t at) {
        const float away = place > x ? place - x : x - place;
        if (!first && away >= least) return;
        first = false, least = away, nearest = at;
    };
    for (const TextStop& stop : stops) offer(start_of(stop), stop.begin), offer(end_of(stop), stop.end);
    return nearest;
}

std::vector<Stretch> covered(const Ui& ui, std::string_view line, std::size_t from, std::size_t to, FontRole font) {
    std::vector<Stretch> found;
    for (const TextStop& stop : stops_of(ui, line, font)) {
        if (stop.begin < from || stop.end > to || stop.width() <= 0) continue;
        if (!found.empty() && found.back().right == stop.left)
            found.back().right = stop.right;
        else if (!found.empty() && found.back().left == stop.right)
            found.back().left = stop.left;
        else
            found.push_back({stop.left, stop.right});
    }
    return found;
}

bool begins_at_right(const Ui& ui, std::string_view line, FontRole font) {
    const TextLine* known = ui.fonts->glyphs ? ui.fonts->glyphs->line(font, line) : nullptr;
    return known && known->right_to_left;
}

}  // namespace glassformer::app::draw
