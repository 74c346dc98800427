#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/lesson_secrets.h"
#include "app/common/view_state.h"

/// The {…} of a lesson: numbers and words that are read from the model on screen, never written down.
///
///     {A: pattern[0][3] "bat" → "foul"}     {accuracy[embedding]}     {B: nearest[last] "bat" 1}
///
/// A sentence (A or B), a name, [block] and [head], words of the sentence in double quotes, a count, how to print it.
/// What is left out is the step's own: its block, its head, sentence A. The table of names is in live_names.cpp;
/// docs/lessons.md lists it for authors.
namespace glassformer::app {

/// Blocks are counted from 0; these two go by name.
inline constexpr int embedding_layer = -1, last_layer = 1 << 20;

/// A word of an expression: by its text, the n-th of equal ones, or by its place.
struct WordName {
    std::string text;
    int nth = 1;     ///< "la"#2
    int place = -1;  ///< @3; last_place for @last
};
inline constexpr int last_place = 1 << 20;

/// One {…}, read but not yet looked up.
struct Expression {
    std::string source;  ///< without the braces
    int line = 0;        ///< of the file, from 1
    std::size_t name = 0;
    int slot = 0;
    bool unaltered = false;  ///< of the model without the what-ifs
    bool cross = false;      ///< of the attention to the source sentence
    std::optional<int> layer, head;
    std::vector<WordName> words;
    bool strongest = false;  ///< "→ top": the word that is looked at most
    int count = -1;
    std::optional<int> decimals;
    bool percent = false;
};

/// What it says now.
struct LiveValue {
    std::optional<double> number;    ///< none for a word
    std::string shown = "–";         ///< as printed; the dash where the sentences on screen have no such thing
    std::optional<TracedCell> cell;  ///< where it is in a trace, so that it can be explained
    bool known = false;
};

/// Where what an expression leaves out comes from.
struct LivePlace {
    const Snapshot& snapshot;
    int layer = 0, head = 0;
    std::optional<HeadChoice> head_of_b = {};  ///< where two heads are compared
    std::optional<int> held = {};  ///< in how many runs of the experiment the claim on its page holds; none: not known

    HeadChoice shown_in(int slot) const { return slot == 1 && head_of_b ? *head_of_b : HeadChoice{layer, head}; }
};

/// Reads what stands between the braces; throws Error with a sentence that names what is wrong (no file or line).
Expression parse_expression(std::string_view source, int line);
LiveValue evaluate(const Expression& expression, const LivePlace& place);

struct LessonPicture;

/// A text with expressions in it: every piece is plain, one {…}, or a picture.
struct LiveText {
    struct Piece {
        std::string text;  ///< of a picture: what it shows
        std::optional<Expression> live;
        std::shared_ptr<const LessonPicture> picture = nullptr;
    };
    std::vector<Piece> pieces;
    int line = 0;
    bool empty() const { return pieces.empty(); }
};
LiveText parse_live_text(std::string_view source, int line);
/// The text with every expression replaced by what it says now: item labels, answers.
std::string evaluate(const LiveText& text, const LivePlace& place);

/// "{…} < {…}", "{…} >= 0.5 and {…} = foul": true, false, or none where a side is not known.
struct Condition {
    struct Comparison {
        LiveText left, right;
        std::string sign;  ///< < <= > >= = !=
    };
    std::vector<Comparison> all;  ///< every one of them must hold
    std::string source;
    int line = 0;
};
Condition parse_condition(std::string_view source, int line);
std::optional<bool> holds(const Condition& condition, const LivePlace& place);

/// Adds what an expression tells to what a question keeps back.
void keep_back(const Expression& expression, const LivePlace& place, LessonSecrets& secrets);

/// Words that could be asked for in place of the expression's, the most misleading first: for a word that is looked at
/// the other words of the sentence, for a guess the next guesses. Numbers: as it would print others of its kind.
std::vector<std::string> distractors(const Expression& expression, const LivePlace& place, std::size_t count);

}  // namespace glassformer::app
