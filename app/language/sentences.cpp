#include "app/language/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "app/language/catalogue.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// Titles in assets/worlds, collected here for translation.
[[maybe_unused]] constexpr const char* titles[] = {
    N_("Words with two meanings"),          N_("What does \"it\" mean?"), N_("What comes next?"),
    N_("The order decides: good, not bad"), N_("English to French"),
};
constexpr std::size_t most_places = 9;
using Places = std::array<std::string, most_places>;

/// What is in the places of a pattern; nothing where the text is of another one.
std::optional<Places> places_of(std::string_view text, std::string_view pattern) {
    Places places{};
    std::size_t place = next_place(pattern, 0);
    if (!text.starts_with(pattern.substr(0, place))) return {};
    text.remove_prefix(place);
    while (place != std::string_view::npos) {
        const std::size_t number = static_cast<std::size_t>(pattern[place + 1] - '1');
        const std::size_t next = next_place(pattern, place + 3);
        const std::string_view after = pattern.substr(place + 3, next - place - 3);
        const std::size_t end = next == std::string_view::npos
                                    ? (text.ends_with(after) ? text.size() - after.size() : std::string_view::npos)
                                    : text.find(after);
        const bool may_be_empty = place > 0 && pattern[place - 1] == '"' && after.starts_with('"');
        if (end == std::string_view::npos || (end == 0 && !may_be_empty) || number >= most_places) return {};
        // "file: its problem: why" is not of "{1}:{2}: {3}". Only the last place has a list of lines.
        if (end > 0 && (text.front() == ' ' || text[end - 1] == ' ')) return {};
        if (!after.empty() && text.substr(0, end).find('\n') != std::string_view::npos) return {};
        places[number] = text.substr(0, end);
        text.remove_prefix(end + after.size());
        place = next;
    }
    return places;
}

/// Whether what is in this place is a text too. It is a name in quotation marks ("{1}"), and, where a pattern has no
/// word of its own ("{1}: {2}"), if it is a single word: of a field, an option, a file.
bool may_be_text(std::string_view pattern, std::size_t number, std::string_view place) {
    const char sign[] = {'"', '{', static_cast<char>('1' + number), '}', '"'};
    if (pattern.find(std::string_view(sign, sizeof sign)) != std::string_view::npos) return false;
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    return std::ranges::any_of(pattern, is_letter) || place.find(' ') != std::string_view::npos;
}

/// The lines one by one, each behind its indentation.
std::string tr_lines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size()), next = std::min(end + 1, text.size()),
                          begin = std::min(text.find_first_not_of(' '), end);
        lines.append(text.substr(0, begin)).append(tr_sentence(text.substr(begin, end - begin)));
        lines.append(text.substr(end, next - end));
        text.remove_prefix(next);
    }
    return lines;
}

}  // namespace

std::string tr_sentence(std::string_view text) {
    const Catalogue* catalogue = chosen_catalogue();
    if (!catalogue || text.empty()) return std::string(text);
    if (const std::string_view whole = tr(text); whole != text) return std::string(whole);
    for (const std::string_view pattern : catalogue->patterns()) {
        std::optional<Places> places = places_of(text, pattern);
        if (!places) continue;
        for (std::size_t i = 0; i < most_places; ++i)
            if (std::string& place = (*places)[i]; may_be_text(pattern, i, place)) place = tr_sentence(place);
        const Places& said = *places;
        return filled(tr(pattern), {said[0], said[1], said[2], said[3], said[4], said[5], said[6], said[7], said[8]});
    }
    return text.find('\n') == std::string_view::npos ? std::string(text) : tr_lines(text);
}

}  // namespace glassformer::app
