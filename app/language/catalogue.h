#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glassformer::app {

/// Which of a language's forms a number takes: the expression of C that a catalogue has in "Plural-Forms:", such as
/// "nplurals=2; plural=n != 1;".
class PluralForms {
public:
    /// Two forms, as in English: one, and any other number.
    PluralForms() = default;
    /// Throws Error where the rule cannot be read.
    explicit PluralForms(std::string_view rule);

    /// The form for `n`, from 0 on and smaller than the number of forms.
    std::size_t form(unsigned long n) const;

private:
    std::string expression_ = "n!=1";
    std::size_t count_ = 2;
};

/// The texts of a language: a file that msgfmt made (GNU gettext's .mo, of either byte order). It is read here, since
/// the C library's own reader depends on which locales the system has: glibc from 2.41 on finds no catalogue for
/// LANGUAGE in the locale C.UTF-8, and neither Windows nor a browser has one.
class Catalogue {
public:
    /// Throws Error where the file cannot be read or is no catalogue.
    explicit Catalogue(const std::filesystem::path& file);
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;

    /// The text for `english`, ended by a zero; null where there is none.
    const char* find(std::string_view english) const;
    /// The text for `n` of what is `english` for one; null where there is none.
    const char* find(std::string_view english, unsigned long n) const;
    /// The texts that have places {1}, {2} … in them, apart from each other.
    const std::vector<std::string_view>& patterns() const { return patterns_; }
    /// A field of what the catalogue says of itself ("Language"); empty where it has none.
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

/// Where the next place {1} … {9} of a pattern is, from `from` on; npos where there is none.
std::size_t next_place(std::string_view pattern, std::size_t from);

/// The languages that the system asks for, best first: "pt_BR", "pt". From LANGUAGE, LC_ALL, LC_MESSAGES and LANG as
/// gettext has it; empty where that is English, or the locale "C".
std::vector<std::string> system_languages();

}  // namespace glassformer::app
