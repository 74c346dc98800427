#include <doctest/doctest.h>

#include "tests/cli/program.h"

using namespace glassformer;

namespace {

/// A wrong command line: exit code 2 and one line that names the mistake, and nothing is written.
void check_refused(const std::vector<std::string>& arguments, const std::string& part) {
    const Ran ran = run(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    CAPTURE(line);
    CAPTURE(ran.err);
    CHECK(ran.code == 2);
    CHECK(ran.one_line());
    CHECK(ran.says(part));
}

}  // namespace

TEST_CASE("--version and --help print their text and exit with code 0") {
    Ran ran = run({"--version"});
    CHECK(ran.code == 0);
    CHECK(ran.out.starts_with("glassformer "));
    ran = run({"--help"});
    CHECK(ran.code == 0);
    for (const char* word : {"train", "trace", "shot", "lesson", "--model", "--version"})
        CHECK(contains(ran.out, word));
    for (const char* command : {"train", "trace", "shot", "lesson"}) {
        ran = run({command, "--help"});
        CHECK(ran.code == 0);
        CHECK(contains(ran.out, command));
        CHECK(ran.err == "");
    }
}

TEST_CASE("unknown flags and commands are refused") {
    check_refused({"--frobnicate"}, "--frobnicate");
    check_refused({"frobnicate"}, "frobnicate");
    check_refused({"train", "--world", "homonyms", "--speed", "3"}, "--speed");
    check_refused({"check", "--model", "homonyms", "trace"}, "trace");
    check_refused({"trace", "--model"}, "--model");
}

TEST_CASE("an option of the window before a command is refused, and the error says where to write it") {
    check_refused({"--model", "order", "shot", "x.png"}, "after the command: glassformer shot … --model");
    check_refused({"--backend", "cpu", "train", "--world", "homonyms", "--steps", "1"},
                  "glassformer train … --backend");
    check_refused({"--model", "order", "export", "a", "b"}, "glassformer export --help");
    check_refused({"--model", "order", "generate", "--model", "sample", "--text", "a"}, "--model");
    CHECK(run({"--language", "en", "tokenize", "--model", shipped_model.string(), "--text", "bat"}).code == 0);
}

TEST_CASE("missing and contradictory options are refused") {
    check_refused({"train"}, "--world");
    check_refused({"trace", "--text", "bat", "--out", "x"}, "--model");
    check_refused({"trace", "--model", shipped_model.string(), "--text", "bat"}, "--out");
    check_refused({"trace", "--model", shipped_model.string(), "--out", "x"}, "--text");
    check_refused({"trace", "--model", shipped_model.string(), "--out", "x", "--text", ""}, "--text");
    check_refused({"trace", "--model", shipped_model.string(), "--out", "x", "--text", "bat", "--tokens", "3"},
                  "excludes");
    check_refused({"train", "--world", "homonyms", "--steps", "1", "--seconds", "1"}, "excludes");
    check_refused({"shot"}, "out");
}

TEST_CASE("bad values are refused, naming the option and the value") {
    const auto train = [](const std::string& option, const std::string& value, const std::string& part) {
        check_refused({"train", "--world", "homonyms", option, value}, option);
        check_refused({"train", "--world", "homonyms", option, value}, part);
    };
    train("--steps", "-1", "-1");
    train("--steps", "abc", "abc");
    train("--steps", "1.5", "1.5");
    train("--steps", "99999999999999999999", "99999999999999999999");
    train("--seconds", "0", "0");
    train("--seconds", "nan", "nan");
    train("--seed", "-1", "-1");
    train("--seed", "x", "x");
    train("--batch", "0", "0");
    train("--learning-rate", "-0.1", "-0.1");
    train("--learning-rate", "nan", "nan");
    train("--threads", "-2", "-2");
    check_refused({"train", "--world", "klingon"}, "klingon");
    check_refused({"train", "--world", "klingon"}, "homonyms");  // and lists the worlds there are
    check_refused({"trace", "--model", shipped_model.string(), "--out", "x", "--tokens", "a,b"}, "--tokens");
    check_refused({"shot", "x.png", "--theme", "pink"}, "pink");
    check_refused({"shot", "x.png", "--scale", "9"}, "9");
    check_refused({"shot", "x.png", "--scale", "nan"}, "nan");
    for (const char* none : {"+nan", "-nan", "nAn", "NaN", "NAN(1)", "+inf", "1e999"}) {
        train("--seconds", none, none);
        train("--save-seconds", none, none);
        train("--learning-rate", none, none);
        check_refused({"shot", "x.png", std::string("--scale=") + none}, none);
        check_refused({"gallery", "x.png", std::string("--scale=") + none}, none);
        check_refused({"film", "x", "y", std::string("--scale=") + none}, none);
        check_refused({"generate", "--model", "x", "--tokens", "1", std::string("--temperature=") + none}, none);
        check_refused({"trace", "--model", "x", "--out", "x", std::string("--values=1,") + none}, none);
    }
    train("--seed", "18446744073709551616", "18446744073709551616");
    train("--seed", "1e3", "1e3");
    check_refused({"generate", "--model", "x", "--tokens", "1", "--seed", "18446744073709551616"}, "--seed");
    for (const char* tokens : {"", ",", "1,", "1,,2", "1,2x", "1, 2", "4294967296"}) {
        check_refused({"generate", "--model", "x", std::string("--tokens=") + tokens}, "--tokens");
        check_refused({"trace", "--model", "x", "--out", "x", std::string("--tokens=") + tokens}, "--tokens");
        check_refused({"trace", "--model", "x", "--out", "x", std::string("--source-tokens=") + tokens},
                      "--source-tokens");
    }
    for (const char* values : {"", "1,,2", "1,x"})
        check_refused({"trace", "--model", "x", "--out", "x", std::string("--values=") + values}, "--values");
    for (const char* option : {"--out", "--log", "--run"}) train(option, "", option);
    for (const char* option : {"--script", "--model"}) check_refused({"shot", "x.png", option, ""}, option);
    check_refused({"shot", ""}, "empty");
    check_refused({"train", "--resume", ""}, "--resume");
    for (const char* size : {"10x", "x10", "0x0", "-100x100", "99999x99999", "100x100x100", "large", "1600 x 1000"})
        check_refused({"shot", "x.png", "--size", size}, size);
}
