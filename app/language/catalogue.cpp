#include "app/language/catalogue.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/platform/atomic_file.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

constexpr std::uint64_t largest_catalogue = 64 << 20;
constexpr std::uint32_t magic = 0x950412de;
constexpr std::size_t deepest = 64;  // limit on nested brackets and "?" in a plural rule

/// Evaluates a C expression without assignments, as in gettext's plural rules.
class Expression {
public:
    Expression(std::string_view text, unsigned long n) : text_(text), n_(n) {}

    unsigned long value() {
        const unsigned long value = choice();
        skip_blanks();
        if (!text_.empty()) fail();
        return value;
    }

private:
    [[noreturn]] static void fail() { throw Error("its rule for plurals cannot be read"); }

    void skip_blanks() {
        while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) text_.remove_prefix(1);
    }

    bool take(std::string_view sign) {
        skip_blanks();
        if (!text_.starts_with(sign)) return false;
        text_.remove_prefix(sign.size());
        return true;
    }

    unsigned long choice() {
        if (++depth_ > deepest) fail();
        const unsigned long condition = binary(0);
        unsigned long value = condition;
        if (take("?")) {
            const unsigned long yes = choice();
            if (!take(":")) fail();
            const unsigned long no = choice();
            value = condition ? yes : no;
        }
        --depth_;
        return value;
    }

    unsigned long binary(std::size_t level) {
        // Longer operators first: "<=" before "<".
        static constexpr std::string_view signs[][4] = {
            {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
        if (level == std::size(signs)) return operand();
        unsigned long left = binary(level + 1);
        for (;;) {
            std::string_view found;
            for (const std::string_view sign : signs[level])
                if (found.empty() && !sign.empty() && take(sign)) found = sign;
            if (found.empty()) return left;
            left = combined(left, found, binary(level + 1));
        }
    }

    static unsigned long combined(unsigned long a, std::string_view sign, unsigned long b) {
        if (sign == "||") return a || b;
        if (sign == "&&") return a && b;
        if (sign == "==") return a == b;
        if (sign == "!=") return a != b;
        if (sign == "<=") return a <= b;
        if (sign == ">=") return a >= b;
        if (sign == "<") return a < b;
        if (sign == ">") return a > b;
        if (sign == "+") return a + b;
        if (sign == "-") return a - b;
        if (sign == "*") return a * b;
        if (b == 0) fail();
        return sign == "/" ? a / b : a % b;
    }

    unsigned long operand() {
        if (take("!")) {
            if (++depth_ > deepest) fail();
            const unsigned long value = !operand();
            --depth_;
            return value;
        }
        if (take("(")) {
            const unsigned long value = choice();
            if (!take(")")) fail();
            return value;
        }
        if (take("n")) return n_;
        unsigned long number = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
        if (error != std::errc{}) fail();
        text_.remove_prefix(end - text_.data());
        return number;
    }

    std::string_view text_;
    unsigned long n_;
    std::size_t depth_ = 0;
};

/// The part of `rule` between `name` and the next ";".
std::string_view part_of(std::string_view rule, std::string_view name) {
    const std::size_t at = rule.find(name);
    if (at == std::string_view::npos) return {};
    rule.remove_prefix(at + name.size());
    return trimmed(rule.substr(0, rule.find(';')));
}

/// True if the pattern has placeholders, but no two adjacent ones: nothing would tell where the first of them ends.
bool can_be_found_again(std::string_view pattern) {
    std::size_t place = next_place(pattern, 0);
    if (place == std::string_view::npos) return false;
    for (std::size_t next = 0; place != std::string_view::npos; place = next) {
        next = next_place(pattern, place + 3);
        if (next == place + 3) return false;
    }
    return true;
}

}  // namespace

PluralForms::PluralForms(std::string_view rule) : expression_(part_of(rule, "plural=")), count_(0) {
    const std::string_view count = part_of(rule, "nplurals=");
    std::from_chars(count.data(), count.data() + count.size(), count_);
    if (count_ == 0) throw Error("its rule for plurals names no forms");
    for (const unsigned long n : {0UL, 1UL, 2UL, 5UL, 11UL, 100UL}) form(n);
}

std::size_t PluralForms::form(unsigned long n) const {
    const unsigned long form = Expression(expression_, n).value();
    return form < count_ ? form : 0;
}

Catalogue::Catalogue(const std::filesystem::path& file) : bytes_(read_file(file, largest_catalogue)) {
    try {
        swapped_ = number_at(0) != magic;
        if (number_at(0) != magic) throw Error("it is not a file that msgfmt made");
        const std::size_t count = number_at(8), originals = number_at(12), translations = number_at(16);
        for (std::size_t i = 0; i < count; ++i) {
            // an entry is "one\0many", found by its singular
            const std::string_view original = text_at(originals, i);
            const std::string_view english = original.substr(0, original.find('\0'));
            texts_.emplace(english, text_at(translations, i));
            if (can_be_found_again(english)) patterns_.push_back(english);
        }
        if (const std::string_view rule = field("Plural-Forms"); !rule.empty()) plural_ = PluralForms(rule);
    } catch (const Error& error) {
        throw Error("cannot read the language in {1}: {2}", file, error.what());
    }
}

std::uint32_t Catalogue::number_at(std::size_t at) const {
    std::uint32_t number = 0;
    if (bytes_.size() < sizeof number || at > bytes_.size() - sizeof number) throw Error("it ends too early");
    std::memcpy(&number, bytes_.data() + at, sizeof number);
    return swapped_ ? (number >> 24) | (number >> 8 & 0xff00) | (number << 8 & 0xff0000) | (number << 24) : number;
}

std::string_view Catalogue::text_at(std::size_t table, std::size_t index) const {
    const std::size_t length = number_at(table + 8 * index), at = number_at(table + 8 * index + 4);
    if (at > bytes_.size() || length >= bytes_.size() - at || bytes_[at + length] != '\0')
        throw Error("it ends too early");
    return std::string_view(bytes_).substr(at, length);
}

const char* Catalogue::find(std::string_view english) const {
    const auto found = texts_.find(english);
    return found == texts_.end() || found->second.empty() ? nullptr : found->second.data();
}

const char* Catalogue::find(std::string_view english, unsigned long n) const {
    const auto found = texts_.find(english);
    if (found == texts_.end() || found->second.empty()) return nullptr;
    std::string_view forms = found->second;
    for (std::size_t form = plural_.form(n); form > 0; --form) {
        const std::size_t end = forms.find('\0');
        if (end == std::string_view::npos) break;  // too few forms: use the last
        forms.remove_prefix(end + 1);
    }
    return forms.data();
}

std::string_view Catalogue::field(std::string_view name) const {
    const auto head = texts_.find(std::string_view());
    if (head == texts_.end()) return {};
    std::string_view lines = head->second;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
            return trimmed(line.substr(name.size() + 1));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    return {};
}

std::size_t next_place(std::string_view pattern, std::size_t from) {
    for (std::size_t at = pattern.find('{', from); at != std::string_view::npos; at = pattern.find('{', at + 1))
        if (at + 2 < pattern.size() && pattern[at + 1] >= '1' && pattern[at + 1] <= '9' && pattern[at + 2] == '}')
            return at;
    return std::string_view::npos;
}

std::vector<std::string> system_languages() {
    const auto value = [](const char* name) {
        const char* found = std::getenv(name);
        return std::string(found ? found : "");
    };
    std::string locale = value("LC_ALL");
    if (locale.empty()) locale = value("LC_MESSAGES");
    if (locale.empty()) locale = value("LANG");
    if (locale.empty()) locale = platform::user_language();
    const auto without = [](const std::string& name, const char* signs) {
        return name.substr(0, name.find_first_of(signs));
    };
    const std::string plain = without(locale, ".@");
    if (plain.empty() || plain == "C" || plain == "POSIX") return {};
    std::string list = value("LANGUAGE");
    if (list.empty()) list = plain;

    std::vector<std::string> languages;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        const std::string name = without(list.substr(begin, end - begin), ".@"), language = without(name, "_");
        begin = end + 1;
        if (language.empty()) continue;
        if (language == "en" && name != "en_XA") break;  // the texts in the code
        languages.push_back(name);
        if (language != name) languages.push_back(language);
    }
    return languages;
}

}  // namespace glassformer::app
