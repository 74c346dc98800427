// Regular expressions in Oniguruma's syntax, as tokenizers publish them, against what Oniguruma 6.9.8 itself finds.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/text/regular_expression.h"
#include "tests/core/error_of.h"

using namespace glassformer;

TEST_CASE("a tokenizer's expression matches what Oniguruma matches, even where PCRE2 differs") {
    struct Case {
        std::string expression, text;
        std::vector<std::string> found;
    };
    const Case cases[] = {
        {R"( ?[^(\s|[.,!?…。，、।۔،])]+)",
         "Hello world, (a|b) नमस्ते। 中文。",
         {"Hello", " world", "a", "b", " नमस्ते", " 中文"}},
        {R"([\p{L}&&[^\p{Han}]]+)", "abc中文def", {"abc", "def"}},
        {R"([^a-z&&[^b]])", "abcB1", {"b", "B", "1"}},
        {R"(\h+)", "xyz abc 12", {"abc", "12"}},
        {R"([\h,]+)", "0,f g", {"0,f"}},
        {R"([[:space:]]+)", "a \u00a0b\u180ec\xC2\x85", {" \u00a0", "\xC2\x85"}},
        {R"([[:alpha:]][[:^space:]]*)", "1a-b कि", {"a-b", "कि"}},
        {R"([^\S\r\n]+)", "a \t\n b", {" \t", " "}},
        {R"(\w+|[^\w\s]+)", "हिन्दी में, x\u00b2!", {"हिन्दी", "में", ",", "x\u00b2", "!"}},
        {R"([\w]+)", "x\u00b2y", {"x", "y"}},
        {R"(\bа\w)", "а привет ах", {"ах"}},
        {R"(\p{N}{1,3}+)", "1234567", {"1234567"}},
        {R"(a{2}?b)", "aab b", {"aab", "b"}},
        {R"(a{,2}b)", "aaab b", {"aab", "b"}},
        {R"(^.)", "a\nb", {"a", "b"}},
        {R"(.$)", "ab\ncd", {"b", "d"}},
        {R"((?m:a.b))", "a\nb", {"a\nb"}},
        {R"(\v)", "a\vb\nc", {"\v"}},
        {R"(\p{Han})", "々中〇、", {"々", "中", "〇"}},
        {R"(\p{Letter}+)", "abc1\u00e9", {"abc", "\u00e9"}},
        {R"([]a]+)", "b]a", {"]a"}},
        {R"([\u4e2d\x41-\x43]+)", "xAB中", {"AB中"}},
        {R"([[a-c][^a-y]]+)", "abcdz", {"abc", "z"}},
    };
    for (const Case& each : cases) {
        CAPTURE(each.expression);
        std::vector<std::string> found;
        for (const ByteRange range : RegularExpression(each.expression, "x.json").matches(each.text))
            found.push_back(each.text.substr(range.begin, range.end - range.begin));
        CHECK(found == each.found);
    }
}

TEST_CASE("a tokenizer's expression that PCRE2 cannot express is refused") {
    const auto refusal = [](const std::string& expression) {
        return error_of([&] { RegularExpression(expression, "x.json"); });
    };
    for (const std::string expression : {"\\ya", "[[:graph:]]", "(?y{g}:a)", "[a", "[[a]", "a)", "\\p{Nothing}"}) {
        CAPTURE(expression);
        CHECK(refusal(expression).starts_with("x.json: the expression "));
    }
    CHECK(contains(refusal(std::string(1'000'000, '[') + std::string(1'000'000, ']')), "nested more than 16 deep"));
}
