#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/filled.h"
#include "core/base/mark_text.h"

/// Translation of the texts on screen, with GNU gettext's files and tools. The code contains them in English inside
/// tr("…"); the target glassformer_pot collects them, and each language is one file assets/po/<language>.po. The names
/// of items, of nodes and of fields in files are not translated.
namespace glassformer::app {

/// `text` in the chosen language, or `text` itself if it has no translation. The build collects literals in tr(); a
/// text from a table must be marked there with N_.
const char* tr(const char* text) __attribute__((format_arg(1)));
std::string_view tr(std::string_view text);
std::string tr(const std::string& text);
/// The plural form for `n`; a language may have more forms than these two.
const char* tr(const char* one, const char* many, std::int64_t n) __attribute__((format_arg(1)))
__attribute__((format_arg(2)));

/// Returns `text` with `pieces` in place of {1}, {2} …
using glassformer::filled;

/// Adds the language's quotation marks.
std::string in_quotation_marks(std::string_view text);

/// "a, b, c", with the language's separator.
std::string listed(std::span<const std::string> items);

/// "850 µs", "12.3 ms", "1.45 s", "45 s", "30 min", "2.5 h".
std::string duration(double seconds);

/// "1 s", "20 s", "3 minutes": an estimate needs no more digits.
std::string rough_duration(double seconds);

/// A language that the user can choose.
struct Language {
    std::string code;              ///< "de", "pt_BR"; "en" needs no catalogue
    std::string name;              ///< its own name: "Deutsch"
    std::filesystem::path folder;  ///< with its catalogue, for use_language()
};
/// English, then the languages with a catalogue in `folder`. Skips catalogues that cannot be read.
std::vector<Language> languages_in(const std::filesystem::path& folder);

class Catalogue;
/// The catalogue of the chosen language; null for English.
const Catalogue* chosen_catalogue();

/// Switches the texts to `language` ("de", "pt_BR") or, if that is empty, to the system's language (LANGUAGE, LC_ALL,
/// LANG). `folder` contains the catalogues, <language>/LC_MESSAGES/glassformer.mo. Returns false if there is none; the
/// texts are then in English. Throws Error if a language was named and its catalogue cannot be read. Call this at any
/// time, but always from the same thread; texts already returned to other threads stay valid.
bool use_language(const std::string& language, const std::filesystem::path& folder);
/// The language in use: "de"; "en" without a catalogue.
const std::string& language();
/// How often use_language() has been called. Whoever caches texts must rebuild them when this changes.
int language_changes();

}  // namespace glassformer::app
