// The reader of msgfmt's files, on files that this test writes byte by byte: both byte orders, plural rules, and
// malicious files.
#include "app/language/catalogue.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "tests/core/error_of.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace std::string_literals;

namespace {

std::string number(std::uint32_t value, bool swapped) {
    std::string bytes(4, '\0');
    for (std::size_t i = 0; i < 4; ++i) bytes[swapped ? 3 - i : i] = static_cast<char>(value >> (8 * i));
    return bytes;
}

/// Builds a catalogue as msgfmt does: header, table of originals, table of translations, texts.
std::string catalogue_of(const std::vector<std::pair<std::string, std::string>>& texts, bool swapped = false) {
    const std::uint32_t count = static_cast<std::uint32_t>(texts.size()), head = 28;
    std::string tables[2], bytes;
    const std::uint32_t first = head + 16 * count;
    for (const auto& [original, translation] : texts)
        for (const std::size_t which : {0u, 1u}) {
            const std::string& text = which == 0 ? original : translation;
            tables[which] += number(static_cast<std::uint32_t>(text.size()), swapped) +
                             number(first + static_cast<std::uint32_t>(bytes.size()), swapped);
            bytes += text + '\0';
        }
    std::string whole;
    for (const std::uint32_t value : {0x950412deu, 0u, count, head, head + 8 * count, 0u, 0u})
        whole += number(value, swapped);
    return whole + tables[0] + tables[1] + bytes;
}

std::string with_rule(const std::string& rule) {
    return catalogue_of({{"", "Language: xx\nPlural-Forms: " + rule + "\n"}, {"one\0many"s, "a\0b\0c"s}});
}

std::string why_not(const TemporaryFolder& folder, const std::string& bytes) {
    write_file_atomically(folder / "x.mo", bytes);
    return error_of([&] { Catalogue(folder / "x.mo"); });
}

}  // namespace

TEST_CASE("catalogue: texts and plurals are found in files of either byte order") {
    const TemporaryFolder folder;
    for (const bool swapped : {false, true}) {
        write_file_atomically(folder / "x.mo",
                              catalogue_of({{"",
                                             "Language: pl\nPlural-Forms: nplurals=3; plural=(n==1 ? 0 : "
                                             "n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"},
                                            {"Train", "Trenuj"},
                                            {"%d layer\0%d layers"s, "%d warstwa\0%d warstwy\0%d warstw"s},
                                            {"untranslated", ""}},
                                           swapped));
        const Catalogue polish(folder / "x.mo");
        CHECK(std::string(polish.find("Train")) == "Trenuj");
        CHECK(polish.find("untranslated") == nullptr);
        CHECK(polish.find("Trai") == nullptr);
        CHECK(polish.field("Language") == "pl");
        CHECK(polish.field("Lang").empty());
        CHECK(std::string(polish.find("%d layer")) == "%d warstwa");
        for (const auto& [n, text] : {std::pair(1UL, "%d warstwa"),
                                      {2UL, "%d warstwy"},
                                      {5UL, "%d warstw"},
                                      {12UL, "%d warstw"},
                                      {22UL, "%d warstwy"},
                                      {0UL, "%d warstw"}})
            CHECK(std::string(polish.find("%d layer", n)) == text);
    }
}

TEST_CASE("catalogue: plural rules follow C's precedence, and invalid ones are rejected") {
    const auto form = [](const char* rule, unsigned long n) {
        return PluralForms("nplurals=9; plural=" + std::string(rule) + ";").form(n);
    };
    CHECK(form("n != 1", 1) == 0);
    CHECK(form("n != 1", 7) == 1);
    CHECK(form("1 + 2 * 3 - 4 / 2", 0) == 5);
    CHECK(form("n > 1 ? n > 4 ? 2 : 1 : 0", 3) == 1);
    CHECK(form("!n || n == 2 && 0", 0) == 1);
    CHECK(form("8 - 2 - 1", 0) == 5);
    CHECK(form("n", 1000) == 0);  // no such plural form
    const TemporaryFolder folder;
    CHECK(why_not(folder, with_rule("nplurals=3; plural=n>2;")).empty());
    for (const std::string& rule :
         {"nplurals=2; plural=n ! 1;"s, "nplurals=2; plural=n % 0;"s, "nplurals=2; plural=;"s, "nplurals=0; plural=n;"s,
          "nplurals=2; plural=exit(1);"s, "nplurals=2; plural=" + std::string(100'000, '(') + ";",
          "nplurals=2; plural=" + std::string(100'000, '!') + "n;"})
        CHECK(contains(why_not(folder, with_rule(rule)), "rule for plurals"));
}

TEST_CASE("catalogue: truncated files and files with wrong offsets are rejected without reading out of bounds") {
    const TemporaryFolder folder;
    const std::string whole = catalogue_of({{"", "Language: xx\n"}, {"one", "eins"}, {"two", "zwei"}});
    REQUIRE(why_not(folder, whole).empty());
    for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(why_not(folder, whole.substr(0, size)).empty());
    for (std::size_t at = 0; at < 28 + 48; at += 4) {
        std::string changed = whole;
        changed.replace(at, 4, "\xff\xff\xff\x7f");
        why_not(folder, changed);  // rejected or read; the sanitizers check the rest
    }
    CHECK(contains(why_not(folder, "msgid \"\"\n"), "msgfmt"));
}

TEST_CASE("catalogue: the system's languages are the ones that gettext would look for") {
    const SetVariable all("LC_ALL", ""), messages("LC_MESSAGES", ""), lang("LANG", "de_AT.UTF-8@euro");
    const SetVariable list("LANGUAGE", "");
    using Names = std::vector<std::string>;
    CHECK(system_languages() == Names{"de_AT", "de"});
    {
        const SetVariable chosen("LANGUAGE", "pt_BR:fr:en:de");
        CHECK(system_languages() == Names{"pt_BR", "pt", "fr"});
        const SetVariable plain("LC_ALL", "C");
        CHECK(system_languages().empty());
        const SetVariable utf8("LC_ALL", "C.UTF-8");
        CHECK(system_languages().empty());
    }
    const SetVariable english("LANG", "en_GB.UTF-8");
    CHECK(system_languages().empty());
}
