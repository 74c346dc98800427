#include "app/language/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <unordered_map>
#include <utility>

#include "app/language/catalogue.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// Titles and summaries from assets/worlds and assets/models, collected here for translation.
[[maybe_unused]] constexpr const char* titles[] = {
    N_("Four words, by hand"),
    N_("Attention without learned matrices: softmax(X·Xᵀ)·X."),
    N_("A search among five videos, by hand"),
    N_("A query meets keys and takes their values."),
    N_("Four words, queries wider than values"),
    N_("Queries and keys of 3 numbers, values of 2."),
    N_("Copying"),
    N_("Sorting"),
    N_("Induction"),
    N_("Regression"),
    N_("Sample"),
    N_("Words with two meanings"),
    N_("What does \"it\" mean?"),
    N_("What comes next?"),
    N_("The order decides: good, not bad"),
    N_("English to French"),
    N_("English to Chinese"),
    N_("mean pool"),
    N_("token pool"),
};
constexpr std::size_t most_places = 9;
using Places = std::array<std::string, most_places>;

/// The contents of the pattern's placeholders; nothing if the text does not match.
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
        // "file: its problem: why" does not match "{1}:{2}: {3}". Only the last placeholder may contain several lines.
        if (end > 0 && (text.front() == ' ' || text[end - 1] == ' ')) return {};
        if (!after.empty() && text.substr(0, end).find('\n') != std::string_view::npos) return {};
        places[number] = text.substr(0, end);
        text.remove_prefix(end + after.size());
        place = next;
    }
    return places;
}

/// True if a placeholder's content is itself to be translated. It is a name if it is in quotation marks, here or in the
/// pattern, or if the pattern has no word of its own ("{1}: {2}") and it is a single word: a field, an option, a file.
bool may_be_text(std::string_view pattern, std::size_t number, std::string_view place) {
    const char sign[] = {'"', '{', static_cast<char>('1' + number), '}', '"'};
    if (pattern.find(std::string_view(sign, sizeof sign)) != std::string_view::npos) return false;
    if (place.size() > 1 && place.front() == place.back() && (place.front() == '"' || place.front() == '\''))
        return false;
    const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    return std::ranges::any_of(pattern, is_letter) || place.find(' ') != std::string_view::npos;
}

/// The length of a pattern without its placeholders.
std::size_t own_letters(std::string_view pattern) {
    std::size_t count = pattern.size();
    for (std::size_t at = next_place(pattern, 0); at != std::string_view::npos; at = next_place(pattern, at + 3))
        count -= 3;
    return count;
}

/// A translated text, and how many of its characters belong to texts with a translation.
struct Said {
    std::string text;
    std::size_t known = 0;
};

/// Translates one text. Caches the results for its parts, since many patterns ask for the same ones.
class Sentence {
public:
    explicit Sentence(const Catalogue& catalogue) : catalogue_(catalogue) {}

    Said said(std::string_view text) {
        if (text.empty()) return {};
        if (const std::string_view whole = tr(text); whole != text) return {std::string(whole), text.size()};
        if (const auto found = parts_.find(std::string(text)); found != parts_.end()) return found->second;
        Said best{std::string(text)};
        for (const std::string_view pattern : catalogue_.patterns())
            if (const std::optional<Places> places =
                    own_letters(pattern) > 0 ? places_of(text, pattern) : std::nullopt) {
                Said other = in_places(pattern, *places);
                if (other.known > best.known) best = std::move(other);
            }
        if (best.known == 0 && text.find('\n') != std::string_view::npos) best = lines(text);
        return parts_.emplace(text, std::move(best)).first->second;
    }

private:
    Said in_places(std::string_view pattern, Places places) {
        Said whole{{}, own_letters(pattern)};
        for (std::size_t i = 0; i < most_places; ++i)
            if (may_be_text(pattern, i, places[i])) {
                Said place = said(places[i]);
                whole.known += place.known;
                places[i] = std::move(place.text);
            }
        const Places& p = places;
        whole.text = filled(tr(pattern), {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]});
        return whole;
    }

    /// Translates line by line, keeping the indentation.
    Said lines(std::string_view text) {
        Said all;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size()), next = std::min(end + 1, text.size()),
                              begin = std::min(text.find_first_not_of(' '), end);
            Said line = said(text.substr(begin, end - begin));
            all.known += line.known;
            all.text.append(text.substr(0, begin)).append(line.text).append(text.substr(end, next - end));
            text.remove_prefix(next);
        }
        return all;
    }

    const Catalogue& catalogue_;
    std::unordered_map<std::string, Said> parts_;
};

}  // namespace

std::string tr_sentence(std::string_view text) {
    constexpr std::size_t most_kept = 256;  // every frame asks for the same ones again
    static thread_local std::unordered_map<std::string, std::string> kept;
    static thread_local const Catalogue* language = nullptr;
    const Catalogue* catalogue = chosen_catalogue();
    if (!catalogue) return std::string(text);
    if (std::exchange(language, catalogue) != catalogue || kept.size() == most_kept) kept.clear();
    std::string& said = kept[std::string(text)];
    if (said.empty()) said = Sentence(*catalogue).said(text).text;
    return said;
}

std::string tr_full_sentence(std::string_view text) {
    std::string said = tr_sentence(text);
    if (said.empty()) return said;
    const bool file = text.substr(0, text.find(' ')).find_first_of("/\\.:") != std::string_view::npos;
    if (!file) said[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(said[0])));
    return text.ends_with('.') ? said : filled(tr("{1}."), {said});
}

}  // namespace glassformer::app
