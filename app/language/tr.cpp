#include "app/language/tr.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "app/language/catalogue.h"
#include "core/base/error.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

struct Spoken {
    std::string code;
    fs::path file;
    std::unique_ptr<const Catalogue> catalogue;  // null for English
};

const Spoken english{"en", {}, nullptr};
std::atomic<const Spoken*> chosen{&english};
std::atomic<int> changes{0};

fs::path file_of(const fs::path& folder, const std::string& code) {
    return folder / code / "LC_MESSAGES" / "glassformer.mo";
}

/// The catalogue of this file. Never freed, since callers may still hold its texts.
const Spoken& read(const fs::path& file, const std::string& code) {
    static std::deque<Spoken> known;
    const auto same = std::ranges::find(known, file, &Spoken::file);
    if (same != known.end()) return *same;
    auto catalogue = std::make_unique<const Catalogue>(file);
    const std::string named(catalogue->field("Language"));
    return known.emplace_back(named.empty() ? code : named, file, std::move(catalogue));
}

}  // namespace

const Catalogue* chosen_catalogue() { return chosen.load()->catalogue.get(); }

const char* tr(const char* text) {
    const Catalogue* in = chosen_catalogue();
    const char* found = in && *text ? in->find(text) : nullptr;
    return found ? found : text;
}

std::string_view tr(std::string_view text) {
    const Catalogue* in = chosen_catalogue();
    const char* found = in && !text.empty() ? in->find(text) : nullptr;
    return found ? found : text;
}

std::string tr(const std::string& text) { return std::string(tr(std::string_view(text))); }

const char* tr(const char* one, const char* many, std::int64_t n) {
    const Catalogue* in = chosen_catalogue();
    const char* found = in ? in->find(one, static_cast<unsigned long>(n)) : nullptr;
    return found ? found : n == 1 ? one : many;
}

std::string duration(double seconds) {
    const auto in = [](const char* unit, const std::string& number) { return filled(tr(unit), {number}); };
    if (seconds > 0 && seconds < 0.001) return in(N_("{1} µs"), significant(seconds * 1e6));
    if (seconds > 0 && seconds < 1) return in(N_("{1} ms"), significant(seconds * 1e3));
    if (seconds < 120) return in(N_("{1} s"), seconds < 10 ? significant(seconds) : with_decimals(seconds, 0));
    if (seconds < 7200) return in(N_("{1} min"), with_decimals(seconds / 60, 0));
    return in(N_("{1} h"), significant(seconds / 3600, 2));
}

std::string rough_duration(double seconds) {
    const long whole = std::max(1L, std::lround(seconds));
    if (whole < 10) return filled(tr("{1} s"), {std::to_string(whole)});
    if (whole < 100) return filled(tr("{1} s"), {std::to_string((whole + 5) / 10 * 10)});
    return filled(tr("{1} minute", "{1} minutes", (whole + 59) / 60), {std::to_string((whole + 59) / 60)});
}

std::string in_quotation_marks(std::string_view text) { return filled(tr("“{1}”"), {text}); }

std::string listed(std::span<const std::string> items) {
    std::string text;
    for (const std::string& item : items) text += (&item == items.data() ? "" : tr(", ")) + item;
    return text;
}

std::vector<Language> languages_in(const fs::path& folder) {
    // Each language translates this text as its own name.
    constexpr const char* own_name = N_("English");
    std::vector<Language> found{{"en", own_name, folder}};
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string code = entry.path().filename().string();
        if (!fs::exists(file_of(folder, code), ignored)) continue;
        try {
            const Catalogue catalogue(file_of(folder, code));
            const char* name = catalogue.find(own_name);
            found.push_back({code, name ? name : code, folder});
        } catch (const Error&) {  // --language reports why
        }
    }
    std::ranges::sort(found.begin() + 1, found.end(), {}, &Language::code);
    return found;
}

bool use_language(const std::string& language, const fs::path& folder) {
    ++changes;
    chosen = &english;
    const std::vector<std::string> wanted = language.empty() ? system_languages() : std::vector{language};
    for (const std::string& name : wanted) {
        std::error_code ignored;
        if (name.find('/') != std::string::npos || !fs::exists(file_of(folder, name), ignored)) continue;
        try {
            chosen = &read(file_of(folder, name), name);
            return true;
        } catch (const Error&) {
            if (!language.empty()) throw;  // else nobody asked for it: English will do
        }
    }
    return false;
}

const std::string& language() { return chosen.load()->code; }

int language_changes() { return changes; }

}  // namespace glassformer::app
