#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/filled.h"
#include "core/base/mark_text.h"

/// The language of the texts on screen, with GNU gettext's files and tools. The code has them in English inside
/// tr("…"); the target glassformer_pot collects them, and a language is one file assets/po/<language>.po. Names of
/// items, of nodes and of fields in files are no texts: they are the same in every language.
namespace glassformer::app {

/// `text` in the chosen language, or itself where that has no translation of it. A literal in tr() is found by the
/// build; a text from a table was marked there with N_.
const char* tr(const char* text) __attribute__((format_arg(1)));
std::string_view tr(std::string_view text);
std::string tr(const std::string& text);
/// The form for `n`: a language may have more than these two.
const char* tr(const char* one, const char* many, long n) __attribute__((format_arg(1))) __attribute__((format_arg(2)));

/// `text` with `pieces` in the places of {1}, {2} …
using glassformer::filled;

/// In the language's quotation marks.
std::string in_quotation_marks(std::string_view text);

/// "a, b, c", with what the language has between two.
std::string listed(std::span<const std::string> items);

/// "850 µs", "12.3 ms", "1.45 s", "45 s", "30 min", "2.5 h".
std::string duration(double seconds);

/// "1 s", "20 s", "3 minutes": a guess has no more digits.
std::string rough_duration(double seconds);

/// A language that can be chosen.
struct Language {
    std::string code;              ///< "de", "pt_BR"; "en" needs no catalogue
    std::string name;              ///< what it calls itself: "Deutsch"
    std::filesystem::path folder;  ///< of its catalogue, for use_language()
};
/// Those that have a catalogue in `folder`, after English. A catalogue that cannot be read is left out.
std::vector<Language> languages_in(const std::filesystem::path& folder);

class Catalogue;
/// Of the chosen language; null where the texts are in English.
const Catalogue* chosen_catalogue();

/// From now on the texts are in `language` ("de", "pt_BR"), or, where it is empty, in that of the system (LANGUAGE,
/// LC_ALL, LANG). `folder` has the catalogues, <language>/LC_MESSAGES/glassformer.mo. False where there is none: then
/// they are in English. Throws Error where that of a named language cannot be read. May be called at any time, by one
/// thread; texts that another thread has asked for stay valid.
bool use_language(const std::string& language, const std::filesystem::path& folder);
/// What the texts are in: "de", "en" where there is no catalogue.
const std::string& language();
/// How often use_language() was called: who keeps texts makes them anew when this has changed.
int language_changes();

}  // namespace glassformer::app
