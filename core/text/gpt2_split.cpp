#include "core/text/gpt2_split.h"

#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/text/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace glassformer {
namespace {

using Pattern = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using Match = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

// White space spelled out as Unicode's White_Space: PCRE2's own \s also takes U+180E, the Mongolian vowel separator,
// which the published expression does not.
#define SPACES R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"
constexpr std::string_view expression = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^)" SPACES
                                        R"(\p{L}\p{N}]+|[)" SPACES R"(]+(?![^)" SPACES R"(])|[)" SPACES R"(]+)";
#undef SPACES

std::string split_reason(int code) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(code, message, sizeof message);
    return reinterpret_cast<const char*>(message);
}

Pattern compiled() {
    int code = 0;
    PCRE2_SIZE offset = 0;
    Pattern pattern(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                                  PCRE2_UTF | PCRE2_UCP, &code, &offset, nullptr),
                    &pcre2_code_free);
    if (!pattern) throw Error("PCRE2 refuses the pattern that splits words: " + split_reason(code));
    return pattern;
}

}  // namespace

std::vector<std::string_view> split_gpt2(std::string_view utf8) {
    check_utf8(utf8);
    // Once compiled a pattern never changes; each call has its own match data, so threads may share it.
    static const Pattern pattern = compiled();
    const Match match(pcre2_match_data_create_from_pattern(pattern.get(), nullptr), &pcre2_match_data_free);
    if (!match) throw Error("there is no memory left to split the text into words");
    std::vector<std::string_view> pieces;
    for (std::size_t begin = 0; begin < utf8.size();) {
        // Checked above once: PCRE2 would look at the whole text again for every piece.
        const int found = pcre2_match(pattern.get(), reinterpret_cast<PCRE2_SPTR>(utf8.data()), utf8.size(), begin,
                                      PCRE2_NO_UTF_CHECK | PCRE2_ANCHORED, match.get(), nullptr);
        if (found < 0) {
            throw Error("the text cannot be split into words at byte " + std::to_string(begin) + ": " +
                        split_reason(found));
        }
        const std::size_t end = pcre2_get_ovector_pointer(match.get())[1];
        pieces.push_back(utf8.substr(begin, end - begin));
        begin = end;
    }
    return pieces;
}

}  // namespace glassformer
