#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/lesson_secrets.h"
#include "app/common/view_state.h"

/// The {…} of a lesson: numbers and words read from the model on screen, never written down.
///
///     {A: pattern[0][3] "bat" → "foul"}     {accuracy[embedding]}     {B: nearest[last] "bat" 1}
///
/// In order: a sentence (A or B), a name, [block] and [head], words of the sentence in double quotes, a count, how to
/// print it. What is left out is taken from the step: its block, its head, sentence A. The table of names is in
/// live_names.cpp; docs/lessons.md lists it for authors.
namespace glassformer::app {

/// Blocks are counted from 0; these two have names.
inline constexpr int embedding_layer = -1, last_layer = 1 << 20;

/// A word of an expression: the n-th with this text, or the word at a position.
struct WordName {
    std::string text;
    int nth = 1;     ///< "la"#2
    int place = -1;  ///< @3; last_place for @last
};
inline constexpr int last_place = 1 << 20;

/// One {…}, parsed but not yet evaluated.
struct Expression {
    std::string source;  ///< without the braces
    int line = 0;        ///< in the file, from 1
    std::size_t name = 0;
    int slot = 0;
    bool unaltered = false;  ///< read from the model without the what-ifs
    bool cross = false;      ///< read from the attention to the source sentence
    std::optional<int> layer, head;
    std::vector<WordName> words;
    bool strongest = false;  ///< "→ top": the word with the highest attention
    int count = -1;
    std::optional<int> decimals;
    bool percent = false;
};

/// The current value of an expression.
struct LiveValue {
    std::optional<double> number;    ///< none for a word
    std::string shown = "–";         ///< as printed; a dash if the sentences on screen have no such thing
    std::optional<TracedCell> cell;  ///< its place in a trace, so that it can be explained
    bool known = false;
};

/// Supplies what an expression leaves out.
struct LivePlace {
    const Snapshot& snapshot;
    int layer = 0, head = 0;
    std::optional<HeadChoice> head_of_b = {};  ///< if two heads are compared
    std::optional<int> held = {};              ///< number of experiment runs in which the claim holds; none: unknown

    HeadChoice shown_in(int slot) const { return slot == 1 && head_of_b ? *head_of_b : HeadChoice{layer, head}; }
};

/// Parses the text between the braces; throws Error with a sentence saying what is wrong (without file or line).
Expression parse_expression(std::string_view source, int line);
LiveValue evaluate(const Expression& expression, const LivePlace& place);

struct LessonPicture;

/// A text with expressions in it: every piece is plain text, one {…}, or a picture.
struct LiveText {
    struct Piece {
        std::string text;  ///< for a picture: what it shows
        std::optional<Expression> live;
        std::shared_ptr<const LessonPicture> picture = nullptr;
    };
    std::vector<Piece> pieces;
    int line = 0;
    bool empty() const { return pieces.empty(); }
};
LiveText parse_live_text(std::string_view source, int line);
/// Returns the text with every expression replaced by its value: for item labels and answers.
std::string evaluate(const LiveText& text, const LivePlace& place);

/// Returns the number of a text, in the ways that a lesson may write or print it: "0.95", "−0.5", "12,345", "95 %"
/// (0.95); none if the text is something else.
std::optional<double> printed_number(std::string_view text);

/// "{…} < {…}", "{…} >= 0.5 and {…} = foul". holds() gives true, false, or none if a side is unknown.
struct Condition {
    struct Comparison {
        LiveText left, right;
        std::string sign;  ///< < <= > >= = !=
    };
    std::vector<Comparison> all;  ///< all must hold
    std::string source;
    int line = 0;
};
Condition parse_condition(std::string_view source, int line);
std::optional<bool> holds(const Condition& condition, const LivePlace& place);
/// A comparison with the values of its sides: "0.31 > 0.25".
std::string evaluate(const Condition::Comparison& comparison, const LivePlace& place);

/// Adds what an expression reveals to the secrets of a question.
void keep_back(const Expression& expression, const LivePlace& place, LessonSecrets& secrets);

/// Returns wrong answers for the expression, most misleading first: for an attended word, the other words of the
/// sentence; for a prediction, the next most likely ones; for a number, other values printed in the same way.
std::vector<std::string> distractors(const Expression& expression, const LivePlace& place, std::size_t count);

}  // namespace glassformer::app
