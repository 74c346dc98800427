#include "app/language/tr.h"

#include <libintl.h>

#include <array>
#include <clocale>
#include <cstdlib>
#include <cstring>

namespace glassformer::app {

namespace {

constexpr const char* domain = "glassformer";
bool translated = false;  // English needs no look-up
std::string chosen = "en";

/// The field "Language:" of what a catalogue says of itself.
std::string language_in(std::string_view head) {
    constexpr std::string_view field = "\nLanguage: ";
    const std::size_t at = head.find(field);
    if (at == std::string_view::npos) return "en";
    head.remove_prefix(at + field.size());
    return std::string(head.substr(0, head.find('\n')));
}

}  // namespace

const char* tr(const char* text) { return translated && *text ? dgettext(domain, text) : text; }

std::string_view tr(std::string_view text) {
    std::array<char, 2048> whole;  // gettext wants a zero behind it
    if (!translated || text.empty() || text.size() >= whole.size()) return text;
    std::memcpy(whole.data(), text.data(), text.size());
    whole[text.size()] = '\0';
    const char* found = dgettext(domain, whole.data());
    return found == whole.data() ? text : found;
}

std::string tr(const std::string& text) { return std::string(tr(std::string_view(text))); }

const char* tr(const char* one, const char* many, long n) {
    if (!translated) return n == 1 ? one : many;
    return dngettext(domain, one, many, static_cast<unsigned long>(n));
}

std::string filled(std::string_view text, std::initializer_list<std::string_view> pieces) {
    std::string whole;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t piece = static_cast<std::size_t>(i + 2 < text.size() ? text[i + 1] - '1' : 0);
        if (text[i] != '{' || i + 2 >= text.size() || text[i + 2] != '}' || piece >= pieces.size()) {
            whole += text[i];
            continue;
        }
        whole += pieces.begin()[piece];
        i += 2;
    }
    return whole;
}

bool use_language(const std::string& language, const std::filesystem::path& folder) {
    std::setlocale(LC_MESSAGES, "C");  // gettext forgets what it found for another language
    bindtextdomain(domain, folder.c_str());
    bind_textdomain_codeset(domain, "UTF-8");
    if (language.empty()) {
        std::setlocale(LC_MESSAGES, "");
    } else {
        setenv("LANGUAGE", language.c_str(), 1);
        std::setlocale(LC_MESSAGES, "C.UTF-8");  // any but "C" makes gettext look at LANGUAGE
    }
    const std::string_view head = dgettext(domain, "");
    translated = !head.empty();
    chosen = language_in(head);
    return translated;
}

const std::string& language() { return chosen; }

}  // namespace glassformer::app
