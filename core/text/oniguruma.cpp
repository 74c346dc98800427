#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/text/regular_expression.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

/// Unicode's White_Space; PCRE2's own \s also includes U+180E.
constexpr const char* spaces =
    R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
constexpr const char* word = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
/// What Oniguruma's \w and \b also include outside a class: ² ³ ¹ ¼ ½ ¾.
constexpr const char* word_outside = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})";
constexpr const char* hexadecimal = "0-9a-fA-F";

/// The POSIX bracket classes ("[:alpha:]") as members of a PCRE2 class; empty if there is no such name.
std::string members_of_bracket(std::string_view name) {
    struct Named {
        std::string_view name, members;
    };
    constexpr std::array all{Named{"alnum", R"(\p{Alphabetic}\p{Nd})"},
                             Named{"alpha", R"(\p{Alphabetic})"},
                             Named{"ascii", R"(\x{0}-\x{7F})"},
                             Named{"blank", R"(\p{Zs}\x{9})"},
                             Named{"cntrl", R"(\p{Cc})"},
                             Named{"digit", R"(\p{Nd})"},
                             Named{"lower", R"(\p{Lowercase})"},
                             Named{"punct", R"(\p{P})"},
                             Named{"space", spaces},
                             Named{"upper", R"(\p{Uppercase})"},
                             Named{"word", word},
                             Named{"xdigit", hexadecimal}};
    for (const Named& each : all)
        if (each.name == name) return std::string(each.members);
    return {};
}

/// One character out of a set, in PCRE2: members of a single class if that is possible, else an expression that matches
/// one character.
struct Set {
    std::string members;     // "a-z\p{L}", to put inside [ ]
    std::string expression;  // if not empty, it is complete and includes the members

    std::string one() const {
        return !expression.empty() ? expression : members.empty() ? "(*FAIL)" : "[" + members + "]";
    }
    std::string none() const {
        if (!expression.empty()) return "(?:(?!" + expression + ")(?s:.))";
        return members.empty() ? "(?s:.)" : "[^" + members + "]";
    }
};

class Translator {
public:
    Translator(std::string_view expression, const std::string& where) : text_(expression), where_(where) {}

    std::string run() {
        while (at_ < text_.size()) step();
        return out_;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error("{1}: the expression {2} has {3}, which is not supported", where_, in_quotes(std::string(text_)),
                    what);
    }
    bool sees(std::string_view next) const { return text_.substr(at_).starts_with(next); }
    void atom(const std::string& translated) {
        atom_ = out_.size();
        out_ += translated;
    }

    void step() {
        const char c = text_[at_];
        if (c == '\\') return escape();
        if (c == '[') return atom(bracket());
        if (c == '(') return open();
        if (c == ')') return close();
        if (c == '{') return interval();
        ++at_;
        // Matches at line ends in every mode.
        if (c == '^' || c == '$') return atom(std::string("(?m:") + c + ")");
        if (c == '*' || c == '+' || c == '?' || c == '|')
            out_ += c;
        else
            atom(character(c));
    }

    /// The whole character that begins with this byte.
    std::string character(char first) {
        std::string whole(1, first);
        while (at_ < text_.size() && continues_character(text_[at_])) whole += text_[at_++];
        return whole;
    }

    void open() {
        groups_.push_back(out_.size());
        out_ += text_[at_++];
        if (!sees("?")) return;
        std::size_t end = at_ + 1;
        while (end < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[end])) || text_[end] == '-')) ++end;
        const bool options = end < text_.size() && end > at_ + 1 && (text_[end] == ':' || text_[end] == ')');
        if (!options) return;
        for (; at_ < end; ++at_) {
            const char c = text_[at_];
            if (c != '?' && c != 'i' && c != 'm' && c != 'x' && c != '-') fail(filled_with(N_("the option {1}"), c));
            out_ += c == 'm' ? 's' : c;  // makes the dot match line ends
        }
    }

    void close() {
        ++at_;
        out_ += ')';
        if (groups_.empty()) return;  // PCRE2 will report it
        atom_ = groups_.back();
        groups_.pop_back();
    }

    /// {n,m}. A following "+" repeats it and does not make it possessive; "?" after {n} makes it optional, not lazy.
    void interval() {
        std::size_t end = at_ + 1;
        bool comma = false, digits = false;
        for (; end < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[end])) || text_[end] == ','); ++end)
            (text_[end] == ',' ? comma : digits) = true;
        if (end >= text_.size() || text_[end] != '}' || !digits) {
            ++at_;
            return atom("\\{");
        }
        std::string range(text_.substr(at_ + 1, end - at_ - 1));
        if (range.starts_with(',')) range = "0" + range;
        at_ = end + 1;
        out_ += "{" + range + "}";
        const bool again = sees("+") || (!comma && sees("?"));
        if (!again) return;
        out_.insert(atom_, "(?:");
        out_ += ")";
    }

    void escape() {
        if (at_ + 1 >= text_.size()) {
            out_ += text_[at_++];
            return;
        }
        if (const std::optional<Set> set = class_escape(word_outside)) {
            atom(set->one());
            return;
        }
        const char c = text_[at_ + 1];
        const std::string w = std::string("[") + word_outside + "]";
        at_ += 2;
        if (c == 'b') return atom("(?:(?<=" + w + ")(?!" + w + ")|(?<!" + w + ")(?=" + w + "))");
        if (c == 'B') return atom("(?:(?<=" + w + ")(?=" + w + ")|(?<!" + w + ")(?!" + w + "))");
        if (c == 'v') return atom("\\x{B}");
        if (c == 'y' || c == 'Y' || c == 'O' || c == 'N' || c == 'C' || c == 'M') fail(std::string("\\") + c);
        if (c == 'u') return atom(hexadecimal_character());
        std::string whole = "\\" + character(c);
        if ((c == 'x' || c == 'o') && sees("{"))
            while (at_ < text_.size() && whole.back() != '}') whole += text_[at_++];
        atom(whole);
    }

    /// The four hexadecimal digits after \u.
    std::string hexadecimal_character() {
        const std::string digits(text_.substr(at_, 4));
        if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            fail(N_("\\u without four hexadecimal digits"));
        at_ += 4;
        return "\\x{" + digits + "}";
    }

    /// An escape that stands for several characters, inside or outside a class; if there is none, leaves at_ unchanged.
    std::optional<Set> class_escape(const char* word_members) {
        const char c = text_[at_ + 1];
        const auto one_of = [&](const std::string& members) {
            at_ += 2;
            const Set set{members, {}};
            const bool negated = std::isupper(static_cast<unsigned char>(c));
            return negated ? Set{{}, set.none()} : set;
        };
        switch (c) {
            case 's':
            case 'S':
                return one_of(spaces);
            case 'w':
            case 'W':
                return one_of(word_members);
            case 'h':
            case 'H':
                return one_of(hexadecimal);
            case 'd':
            case 'D':
                return one_of("\\p{Nd}");
            case 'p':
            case 'P':
                return property();
            default:
                return {};
        }
    }

    /// \p{…}: a Unicode class, a POSIX bracket class, or else a script.
    Set property() {
        bool negated = text_[at_ + 1] == 'P';
        const std::size_t end = text_.find('}', at_);
        if (end == std::string_view::npos || text_.substr(at_ + 2, 1) != "{") {  // PCRE2 will report the error
            const std::string whole(text_.substr(at_, 2));
            at_ += 2;
            return {whole, {}};
        }
        std::string name(text_.substr(at_ + 3, end - at_ - 3));
        at_ = end + 1;
        if (name.starts_with('^')) negated = !negated, name.erase(0, 1);
        std::string lower;
        for (const char c : name)
            if (c != ' ' && c != '_' && c != '-')
                lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const std::string named = members_of_bracket(lower);
        if (!named.empty()) return negated ? Set{{}, Set{named, {}}.none()} : Set{named, {}};
        return {std::string(negated ? "\\P{" : "\\p{") + (is_script(lower) ? "sc:" : "") +
                    general_category(lower, name) + "}",
                {}};
    }

    /// For a bare script name PCRE2 also matches script extensions, which Oniguruma does not.
    static bool is_script(const std::string& lower) {
        static const std::set<std::string> properties{
            "any",  "alphabetic", "uppercase", "lowercase",     "whitespace",           "ideographic", "emoji",
            "math", "dash",       "hexdigit",  "asciihexdigit", "extendedpictographic", "diacritic"};
        return lower.size() > 2 && general_category(lower, "").empty() && !properties.contains(lower);
    }

    /// The short name of a class given by its long name; `otherwise` if there is none.
    static std::string general_category(const std::string& lower, const std::string& otherwise) {
        struct Named {
            std::string_view name, shorter;
        };
        constexpr std::array all{Named{"letter", "L"},
                                 Named{"mark", "M"},
                                 Named{"number", "N"},
                                 Named{"punctuation", "P"},
                                 Named{"symbol", "S"},
                                 Named{"separator", "Z"},
                                 Named{"other", "C"},
                                 Named{"uppercaseletter", "Lu"},
                                 Named{"lowercaseletter", "Ll"},
                                 Named{"titlecaseletter", "Lt"},
                                 Named{"modifierletter", "Lm"},
                                 Named{"otherletter", "Lo"},
                                 Named{"nonspacingmark", "Mn"},
                                 Named{"spacingmark", "Mc"},
                                 Named{"enclosingmark", "Me"},
                                 Named{"decimalnumber", "Nd"},
                                 Named{"letternumber", "Nl"},
                                 Named{"othernumber", "No"},
                                 Named{"spaceseparator", "Zs"},
                                 Named{"lineseparator", "Zl"},
                                 Named{"paragraphseparator", "Zp"},
                                 Named{"control", "Cc"},
                                 Named{"format", "Cf"}};
        for (const Named& each : all)
            if (each.name == lower) return std::string(each.shorter);
        return otherwise;
    }

    /// A class and its content; at_ is on its "[".
    std::string bracket() {
        if (const std::optional<Set> set = read_class()) return set->one();
        throw Error("{1}: the expression {2} has a class that is not closed", where_, in_quotes(std::string(text_)));
    }

    /// None if it is not closed.
    std::optional<Set> read_class() {
        constexpr int deepest = 16;
        if (++depth_ > deepest) fail(filled_with(N_("classes nested more than {1} deep"), deepest));
        const std::optional<Set> set = read_members();
        --depth_;
        return set;
    }
    std::optional<Set> read_members() {
        ++at_;
        const bool negated = sees("^");
        if (negated) ++at_;
        std::vector<Set> both;  // the operands of &&
        Set left, part;
        std::vector<std::string> others;  // what members cannot express, for this part
        bool first = true;
        const auto finish_part = [&] {
            if (!others.empty()) {
                part.expression = "(?:";
                if (!part.members.empty()) part.expression += "[" + part.members + "]|";
                for (std::size_t i = 0; i < others.size(); ++i) part.expression += (i ? "|" : "") + others[i];
                part.expression += ")";
            }
            both.push_back(part);
            part = {}, others.clear();
        };
        for (; at_ < text_.size(); first = false) {
            if (sees("]") && !(first && text_.find(']', at_ + 1) != std::string_view::npos)) {
                ++at_;
                finish_part();
                return joined(both, negated);
            }
            if (sees("&&")) {
                at_ += 2;
                finish_part();
            } else if (const std::optional<Set> inner = nested()) {
                if (inner->expression.empty())
                    part.members += inner->members;
                else
                    others.push_back(inner->expression);
            } else if (sees("[")) {
                return {};
            } else {
                part.members += single();
            }
        }
        return {};
    }

    static Set joined(const std::vector<Set>& both, bool negated) {
        Set all = both[0];
        if (both.size() > 1) {
            all.expression = "(?:";
            for (std::size_t i = 0; i + 1 < both.size(); ++i) all.expression += "(?=" + both[i].one() + ")";
            all.expression += both.back().one() + ")";
        }
        return negated ? Set{{}, all.none()} : all;
    }

    /// A nested class, a POSIX bracket class, or an escape for several characters.
    std::optional<Set> nested() {
        if (sees("[:")) {
            const std::size_t end = text_.find(":]", at_ + 2);
            if (end != std::string_view::npos) {
                const bool negated = text_[at_ + 2] == '^';
                const std::size_t begin = at_ + 2 + (negated ? 1 : 0);
                const std::string name(text_.substr(begin, end - begin)), members = members_of_bracket(name);
                if (members.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos)
                    fail(filled_with(N_("the class [:{1}:]"), name));
                if (!members.empty()) {
                    at_ = end + 2;
                    return negated ? Set{{}, Set{members, {}}.none()} : Set{members, {}};
                }
            }
        }
        if (sees("[")) return read_class();
        return sees("\\") && at_ + 1 < text_.size() ? class_escape(word) : std::nullopt;
    }

    /// One character or a range.
    std::string single() {
        std::string from = end_of_range();
        if (!sees("-") || at_ + 1 >= text_.size() || text_[at_ + 1] == ']' || text_[at_ + 1] == '[') return from;
        if (text_.substr(at_ + 1).starts_with("&&")) return from;
        ++at_;
        return from + "-" + end_of_range();
    }
    std::string end_of_range() {
        const char c = text_[at_++];
        if (c != '\\' || at_ >= text_.size()) {
            const bool special = c == '[' || c == ']' || c == '-' || c == '^' || c == '\\';
            return special ? std::string("\\") + c : character(c);
        }
        const char next = text_[at_++];
        if (next == 'u') return hexadecimal_character();
        if (next == 'v') return "\\x{B}";
        if (next == 'R' || next == 'X') return std::string(1, next);
        std::string escaped = "\\" + character(next);
        if (next == 'x' && sees("{"))
            while (at_ < text_.size() && escaped.back() != '}') escaped += text_[at_++];
        else if (next == 'x')
            for (int i = 0; i < 2 && at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])); ++i)
                escaped += text_[at_++];
        else if (next >= '0' && next <= '7')
            for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i)
                escaped += text_[at_++];
        return escaped;
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t at_ = 0;
    std::string out_;
    int depth_ = 0;                    // nesting depth of classes
    std::size_t atom_ = 0;             // where the atom before a quantifier begins
    std::vector<std::size_t> groups_;  // where the open groups begin
};

}  // namespace

std::string oniguruma_in_pcre2(std::string_view expression, const std::string& where) {
    return Translator(expression, where).run();
}

}  // namespace glassformer
