#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glassformer::app {

/// Chooses the plural form for a number by the C expression in a catalogue's "Plural-Forms:" field, such as
/// "nplurals=2; plural=n != 1;".
class PluralForms {
public:
    /// Two forms, as in English: one for 1, one for any other number.
    PluralForms() = default;
    /// Throws Error if the rule cannot be parsed.
    explicit PluralForms(std::string_view rule);

    /// The form for `n`, counted from 0.
    std::size_t form(unsigned long n) const;

private:
    std::string expression_ = "n!=1";
    std::size_t count_ = 2;
};

/// The translations of one language: a .mo file of GNU gettext, made by msgfmt, in either byte order. We parse it
/// ourselves because the C library's reader depends on the system's locales: glibc from 2.41 on finds no catalogue for
/// LANGUAGE in the locale C.UTF-8, and neither Windows nor a browser has such a reader.
class Catalogue {
public:
    /// Throws Error if the file cannot be read or is not a catalogue.
    explicit Catalogue(const std::filesystem::path& file);
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;

    /// The translation of `english`, null-terminated; null if there is none.
    const char* find(std::string_view english) const;
    /// The translation for the number `n`, where `english` is the singular; null if there is none.
    const char* find(std::string_view english, unsigned long n) const;
    /// The English texts with separated placeholders {1}, {2} …, which can be matched against finished sentences.
    const std::vector<std::string_view>& patterns() const { return patterns_; }
    /// A field of the catalogue's header ("Language"); empty if it is missing.
    std::string_view field(std::string_view name) const;

private:
    std::uint32_t number_at(std::size_t at) const;
    std::string_view text_at(std::size_t table, std::size_t index) const;

    std::string bytes_;
    bool swapped_ = false;
    std::unordered_map<std::string_view, std::string_view> texts_;
    std::vector<std::string_view> patterns_;
    PluralForms plural_;
};

/// The position of the next placeholder {1} … {9} in a pattern, from `from` on; npos if there is none.
std::size_t next_place(std::string_view pattern, std::size_t from);

/// The languages that the system asks for, best first: "pt_BR", "pt". Read from LANGUAGE, LC_ALL, LC_MESSAGES and LANG
/// as in gettext; empty for English and for the locale "C".
std::vector<std::string> system_languages();

}  // namespace glassformer::app
