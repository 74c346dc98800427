#include "app/language/tr.h"

#include <memory>
#include <vector>

#include "app/language/catalogue.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

const Catalogue* catalogue = nullptr;  // English needs none
std::string chosen = "en";

}  // namespace

const char* tr(const char* text) {
    const char* found = catalogue && *text ? catalogue->find(text) : nullptr;
    return found ? found : text;
}

std::string_view tr(std::string_view text) {
    const char* found = catalogue && !text.empty() ? catalogue->find(text) : nullptr;
    return found ? found : text;
}

std::string tr(const std::string& text) { return std::string(tr(std::string_view(text))); }

const char* tr(const char* one, const char* many, long n) {
    const char* found = catalogue ? catalogue->find(one, static_cast<unsigned long>(n)) : nullptr;
    return found ? found : n == 1 ? one : many;
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
    static std::vector<std::unique_ptr<Catalogue>> read;  // kept: somebody may still hold a text of the last one
    catalogue = nullptr;
    chosen = "en";
    const std::vector<std::string> wanted = language.empty() ? system_languages() : std::vector{language};
    for (const std::string& name : wanted) {
        const std::filesystem::path file = folder / name / "LC_MESSAGES" / "glassformer.mo";
        if (name.find('/') != std::string::npos || !std::filesystem::exists(file)) continue;
        try {
            catalogue = read.emplace_back(std::make_unique<Catalogue>(file)).get();
        } catch (const Error&) {
            if (!language.empty()) throw;
            continue;  // nobody asked for it: English will do
        }
        const std::string_view named = catalogue->field("Language");
        chosen = named.empty() ? name : named;
        return true;
    }
    return false;
}

const std::string& language() { return chosen; }

}  // namespace glassformer::app
