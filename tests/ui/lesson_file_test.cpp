#include "app/lessons/lesson_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/lessons/lesson_values.h"
#include "app/session/session.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const std::string head = "lesson: Try\n\n";

/// The parser's error message, or "".
std::string error_of(const std::string& source) {
    return glassformer::error_of([&] { parse_lesson(source, "try"); });
}

bool starts(const std::string& text, const std::string& with) {
    CAPTURE(text);
    return text.rfind(with, 0) == 0;
}

Session::Options homonyms() {
    Session::Options o;
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    o.checkpoint = o.assets / "models/homonyms";
    o.sentences = {"He swung the bat and hit a foul.", "A bat flew out of the cave at dusk."};
    return o;
}

}  // namespace

TEST_CASE("lesson file: invisible characters and invalid UTF-8 are reported with their line; a BOM is ignored") {
    CHECK(error_of("\xEF\xBB\xBF" + head + "== One\n\nText.\n").empty());
    CHECK(starts(error_of(head + "== One\n\nThe \u202etab.\n"), "try:5: text: the character U+202E"));
    CHECK(starts(error_of(head + "== One\n\nThe" + std::string(1, '\0') + ".\n"), "try:5: text: the character U+0000"));
    CHECK(starts(error_of(head + "== Caf\xE9\n\nText.\n"), "try:3: text: the byte ⟨E9⟩ is not UTF-8"));
    CHECK(error_of(head + "== One\r\n\r\n\tText.\r\n").empty());
}

TEST_CASE("lesson file: it may name its model at the top, and a step may open another") {
    CHECK(parse_lesson(head + "model: homonyms\n== One\n\nText.\n", "try").model() == "homonyms");
    CHECK(parse_lesson(head + "== One\n\nText.\n", "try").model().empty());
    CHECK(parse_lesson(head + "== One\n\nText.\n== Two\nmodel: fresh order\n\nText.\n", "try").steps[1].scene.fresh);
}

TEST_CASE("lesson file: a step inherits the fields of the previous step, except its lights") {
    const Lesson lesson = parse_lesson(head +
                                           "== One\nA: a b\nlayer: 1\nlight: map\n\nText {length}\nof **one**.\n\n"
                                           "More.\n== Two\nB: c\nchoice: x\nchoice: y when {length} > 2\n\nAsk?\n"
                                           "---\nlayer: 0\n\nSo.\n== Three\n\nLast.\n",
                                       "try");
    REQUIRE(lesson.steps.size() == 3);
    CHECK(lesson.title == "Try");
    CHECK(lesson.steps[0].line == 3);
    CHECK(lesson.steps[0].scene.lights.size() == 1);
    REQUIRE(lesson.steps[0].text.size() == 2);
    REQUIRE(lesson.steps[0].text[0].text.pieces.size() == 3);
    CHECK(lesson.steps[0].text[0].text.pieces[2].text == " of **one**.");
    CHECK(lesson.steps[1].scene.sentences[0] == "a b");
    CHECK(lesson.steps[1].scene.sentences[1] == "c");
    CHECK(lesson.steps[1].scene.lights.empty());
    REQUIRE(lesson.steps[1].question);
    CHECK(lesson.steps[1].scene.layer == 1);
    CHECK(lesson.steps[1].question->scene.layer == 0);
    CHECK(lesson.steps[1].question->choices[1].text.pieces[0].text == "y");
    CHECK(lesson.steps[1].question->choices[1].when);
    CHECK(lesson.steps[2].scene.layer == 0);
}

TEST_CASE("lesson file: a part of a head is patched at one word or at every word") {
    const Lesson lesson =
        parse_lesson(head +
                         "== One\nwhat if: block 1 head 2 v at \"from\"#2 from A\n"
                         "what if: this head pattern at every word from mean of A\n"
                         "what if: block 0 head 1 v to source at \"dog\" from B\n"
                         "what if: block 0 head 1 z at every word from mean of the world of B\n\nText",
                     "try");
    const std::vector<SceneChange>& changes = lesson.steps[0].scene.what_if;
    REQUIRE(changes.size() == 4);
    CHECK(changes[2].change == WhatIf(what_if::HeadPatch{.head = 1, .part = HeadPart::v, .to = AttentionTo::source}));
    CHECK(changes[2].word == "\"dog\"");
    CHECK(changes[3].change ==
          WhatIf(what_if::HeadPatch{.slot = 1, .head = 1, .part = HeadPart::z, .source = PatchSource::world}));
    CHECK(changes[0].change == WhatIf(what_if::HeadPatch{.slot = 1, .block = 1, .head = 2, .part = HeadPart::v}));
    CHECK(changes[0].word == "\"from\"#2");
    CHECK_FALSE(changes[0].this_head);
    CHECK(changes[1].change == WhatIf(what_if::HeadPatch{.part = HeadPart::pattern, .source = PatchSource::mean}));
    CHECK(changes[1].word == "");
    CHECK(changes[1].this_head);
}

TEST_CASE("lesson file: errors are reported with line and field") {
    CHECK(starts(error_of("== One\n\nText"), "try:1: lesson: "));
    CHECK(starts(error_of(head), "try:3: steps: "));
    CHECK(starts(error_of(head + "== One\nligth: map\n\nText"), "try:4: ligth: there is no such field"));
    CHECK(starts(error_of(head + "== One\nlayer: two\n\nText"), "try:4: layer: \"two\" is not a whole number"));
    CHECK(starts(error_of(head + "== One\nview: Nothing\n\nText"), "try:4: view: there is no view"));
    CHECK(starts(error_of(head + "== One\npanel: Door\n\nText"), "try:4: panel: "));
    CHECK(starts(error_of(head + "== One\nlayer:\n\nText"), "try:4: layer: has no value"));
    CHECK(starts(error_of(head + "== One\nabout: x\n\nText"), "try:4: about: "));
    CHECK(starts(error_of("lesson: x\nA: y\n== One\n\nText"), "try:2: A: "));
    CHECK(starts(error_of(head + "== One\n\n"), "try:3: text: "));
    CHECK(starts(error_of(head + "== One\n\nText\n\nand {patern \"a\"}"),
                 "try:7: text: there is no number called \"patern\""));
    CHECK(starts(error_of(head + "== One\n\nText {length"), "try:5: text: a { is not closed"));
    CHECK(starts(error_of(head + "== One\nchoice: x\n\nText\n---\n\nSo"), "try:3: choice: "));
    CHECK(starts(error_of(head + "== One\nchoice: x\nchoice: y\n\nText\n---\n\nSo"), "try:3: answer: is missing"));
    CHECK(starts(error_of(head + "== One\nchoice: x when {length}\n\nText"), "try:4: choice: "));
    CHECK(starts(error_of(head + "== One\n\nText\n---\n\nSo"), "try:6: ---: "));
    CHECK(starts(error_of(head + "== One\nwhat if: norm of\n\nText"), "try:4: what if: \"norm of\" is not a change"));
    CHECK(starts(error_of(head + "== One\nwhat if: block 0 head 1 w at @3 from B\n\nText"),
                 "try:4: what if: \"block 0 head 1 w at @3 from B\" is not a change"));
    CHECK(starts(error_of(head + "== One\nwhat if: this head v at @3 from C\n\nText"),
                 "try:4: what if: \"C\" is not one of: B, A, mean of A, mean of B"));
    CHECK(starts(error_of(head + "== One\nbeside: step x\n\nText"), "try:4: beside: \"x\" is not a whole number"));
    CHECK(starts(error_of(head + "== One\ntemperature: 3\n\nText"), "try:4: temperature: "));
    CHECK(starts(error_of(head + "== One\nlook at: me\n\nText"), "try:4: look at: "));
    CHECK(starts(error_of(head + "== One\nclaim: {length}\n\nText"), "try:4: claim: "));
    CHECK(starts(error_of(head + "== One\nchoices: {length}\n\nText\n---\n\nSo"), "try:4: choices: must say how many"));
    CHECK(starts(error_of(head + "== One\nbecause: x\n\nText"), "try:4: because: belongs below the choice"));
    CHECK(starts(error_of(head + "== One\nchoice: x\nbecause: x\nbecause: y\n\nText"),
                 "try:6: because: is allowed only"));
    CHECK(starts(error_of(head + "== One\nthen: {length} > 1\n\nText"), "try:4: then: follows a line try:"));
    CHECK(starts(error_of(head + "== One\n\nText\n\notherwise: so"), "try:7: text: otherwise"));
    CHECK(starts(error_of(head + "== One\n\nwhen {length} > 2 it is long"), "try:5: text: a paragraph that begins"));
    CHECK(starts(error_of(head + "== One\n\nwhen {length}: it is long"), "try:5: text: "));
}

TEST_CASE("lesson file: an expression must have the arguments that its name takes") {
    const auto why = [](const std::string& expression) { return error_of(head + "== One\n\n{" + expression + "}"); };
    CHECK(why("A: pattern[0][3] \"bat\" → \"foul\"") == "");
    CHECK(why("B: pattern \"bat\" -> top") == "");
    CHECK(why("accuracy[embedding]") == "");
    CHECK(why("pattern[embedding] \"a\" → \"b\"") != "");
    CHECK(why("pattern \"a\"") != "");
    CHECK(why("accuracy \"a\"") != "");
    CHECK(why("nearest[0] \"a\"") != "");
    CHECK(why("nearest[0] \"a\" 0") != "");
    CHECK(why("embed \"a\" 0") == "");
    CHECK(why("embed[1] \"a\" 0") != "");
    CHECK(why("length 3") != "");
    CHECK(why("pattern[0 \"a\" → \"b\"") != "");
    CHECK(why("pattern \"a → b") != "");
    CHECK(why("A: unaltered cross pattern[0][1] \"la\"#2 → @3 .3") == "");
    CHECK(why("q \"a\" 0 .4") == "");
    CHECK(why("metric \"model, pair 1\"") == "");
    CHECK(why("cross embed \"a\" 0") != "");
    CHECK(why("top \"a\"#0") != "");
    CHECK(why("step .9") != "");
}

TEST_CASE("a comparison reads a number as a lesson prints it and refuses what is none") {
    CHECK(printed_number("95 %") == doctest::Approx(0.95));
    CHECK(printed_number("95%") == doctest::Approx(0.95));
    CHECK(printed_number("−0.5") == -0.5);
    CHECK(printed_number("-0.5") == -0.5);
    CHECK(printed_number("122,816") == 122'816);
    CHECK(printed_number("−1,000,000") == -1e6);
    for (const char* none : {"", "%", "foul", "0,5", "0,500", "1,5", "12,3456", "1.5,000", "95 % of", "0.5 and"}) {
        CAPTURE(none);
        CHECK(!printed_number(none));
    }
    const auto why = [](const std::string& claim) { return error_of(head + "== One\nclaim: " + claim + "\n\nText"); };
    CHECK(starts(why("{accuracy[last]} > 0,5"), "try:4: claim: \"0,5\" is not a number, so > cannot compare it"));
    CHECK(starts(why("foul < {length}"), "try:4: claim: \"foul\" is not a number"));
    CHECK(why("{A: top \"bat\"} = foul") == "");
    CHECK(why("{accuracy[last]} > 90 % and {parameters} > 100,000") == "");
    const Session session(homonyms());
    const auto s = session.snapshot();
    const auto so = [&](const std::string& condition) { return holds(parse_condition(condition, 1), {*s}); };
    CHECK(so("{parameters} > 100,000") == true);
    CHECK(so("{A: pattern[1][0] \"bat\" → \"foul\"} < 5 %") == false);
    const std::string shown = evaluate(parse_expression("A: logit \"bat\" \"bat\"", 1), {*s}).shown;
    CHECK(so("{A: logit \"bat\" \"bat\"} = " + shown) == true);  // as printed
}

TEST_CASE("a masked score is −∞ in a lesson") {
    Session::Options o;
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    o.checkpoint = o.assets / "models/next_word";
    const Session session(o);
    const auto s = session.snapshot();
    const auto& tokens = s->sentences[0].tokens;
    REQUIRE(tokens.size() > 1);
    const std::string pair = "score[0][0] \"" + tokens[0].text + "\" → \"" + tokens[1].text + "\"";
    CHECK(evaluate(parse_expression(pair, 1), {*s}).shown == "−∞");
}

TEST_CASE("lesson file: paragraphs and choices depend on what the model on screen does") {
    const Session session(homonyms());
    const auto s = session.snapshot();
    const Lesson lesson =
        parse_lesson(head +
                         "== One\nchoices: {A: top[1][2] \"bat\"} of 3\n\nwhen {length} > 20: Long.\n\n"
                         "when {length} < 20 and {B: length} = 10: Short.\n\notherwise: Else.\n\nEnd.\n"
                         "---\n\nSo.\n",
                     "try");
    const LivePlace place{*s};
    const ShownText shown = shown_text(lesson.steps[0].text, place);
    REQUIRE(shown.text.pieces.size() == 3);
    CHECK(shown.text.pieces[0].text == "Short.");
    CHECK(shown.text.pieces[2].text == "End.");
    const Question& q = *lesson.steps[0].question;
    AskedQuestion asked{{}, choices_of(q, place), {}};
    REQUIRE(asked.choices.size() == 3);
    asked.right = right_ones(q, asked.choices, place);
    CHECK(std::ranges::count(asked.right, true) == 1);
    CHECK(asked.choices[std::ranges::find(asked.right, true) - asked.right.begin()] == "foul");
    CHECK(why_not_one(q, asked, place) == "");
    asked.right.assign(3, false);
    CHECK(why_not_one(q, asked, place) == "no choice is right; the answer is \"foul\"");
    const LessonSecrets secrets = secrets_of(lesson.steps[0], place);
    REQUIRE(secrets.rows.size() == 1);
    CHECK(secrets.row(0, {1, 2}, false) == 3);
    CHECK(secrets.row(0, {0, 0}, false) == -1);
}
