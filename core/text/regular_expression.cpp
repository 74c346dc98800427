#include "core/text/regular_expression.h"

#include "core/base/error.h"
#include "core/text/shown_bytes.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace glassformer {

namespace {

/// The number of steps after which a match is abandoned: an expression may need exponentially many.
constexpr std::uint32_t most_steps = 5'000'000;

std::string reason(int code) {
    PCRE2_UCHAR message[256] = {};
    pcre2_get_error_message(code, message, sizeof message);
    return reinterpret_cast<const char*>(message);
}

}  // namespace

struct RegularExpression::Compiled {
    std::string expression;
    pcre2_code* code = nullptr;
    pcre2_match_context* limits = nullptr;

    Compiled() = default;
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled() {
        pcre2_code_free(code);
        pcre2_match_context_free(limits);
    }
};

RegularExpression::RegularExpression(const std::string& expression, const std::string& where) {
    const auto made = std::make_shared<Compiled>();
    made->expression = expression;
    const std::string translated = oniguruma_in_pcre2(expression, where);
    int code = 0;
    PCRE2_SIZE offset = 0;
    made->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                               PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &code, &offset, nullptr);
    if (!made->code) throw Error("{1}: the expression {2} is broken: {3}", where, in_quotes(expression), reason(code));
    made->limits = pcre2_match_context_create(nullptr);
    if (!made->limits) throw Error("there is not enough memory for the tokenizer's expressions");
    pcre2_set_match_limit(made->limits, most_steps);
    compiled_ = made;
}

std::vector<ByteRange> RegularExpression::matches(std::string_view utf8) const {
    const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> match(
        pcre2_match_data_create_from_pattern(compiled_->code, nullptr), &pcre2_match_data_free);
    if (!match) throw Error("there is not enough memory for the tokenizer's expressions");
    std::vector<ByteRange> found;
    for (std::size_t at = 0; at < utf8.size();) {
        const int code = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(utf8.data()), utf8.size(), at,
                                     PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, match.get(), compiled_->limits);
        if (code == PCRE2_ERROR_NOMATCH) break;
        if (code < 0)
            throw Error("the tokenizer's expression {1} fails on this text: {2}", in_quotes(compiled_->expression),
                        reason(code));
        const PCRE2_SIZE* place = pcre2_get_ovector_pointer(match.get());
        if (place[1] <= place[0] || place[0] < at) break;  // \K may make it end before it begins
        found.push_back({place[0], place[1]});
        at = place[1];
    }
    return found;
}

}  // namespace glassformer
