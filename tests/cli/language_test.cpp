// The command line in the pseudo-language en_XA: everything in --help and in error messages is translated, except
// names, numbers and what the user typed.
#include <doctest/doctest.h>

#ifdef GLASSFORMER_PSEUDO_LANGUAGE

#include <regex>

#include "tests/cli/program.h"
#include "tests/core/english_left.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const Start in_pseudo_language{.variables = {{"LANGUAGE", "en_XA"}, {"LC_ALL", "de_DE.UTF-8"}}};

/// Names that are the same in every language.
Words names() {
    Words all;
    add_words(all,
              "Glassformer glassformer OpenGL GPT BERT RoBERTa Hugging Face NumPy JSON CSV PNG HTML ID IDs d_head");
    return all;
}

/// Removes the folders of this build, whose names are never translated.
std::string without_folders(std::string text) {
    for (const fs::path& folder : {fs::path(GLASSFORMER_PROGRAM).make_preferred().parent_path(), own_sources})
        for (std::size_t at = 0; (at = text.find(folder.string(), at)) != std::string::npos;)
            text.erase(at, folder.string().size());
    return text;
}

struct Mistake {
    std::vector<std::string> arguments;
    const char* data = "";  ///< named in the message, but not typed
};

/// Runs a wrong command line or a wrong file; the message must be translated except for what was typed.
void check_translated(const Mistake& mistake) {
    const Ran ran = run(mistake.arguments, in_pseudo_language);
    std::string line;
    Words data = names();
    for (const std::string& argument : mistake.arguments) {
        line += argument + " ";
        add_words(data, argument);
    }
    add_words(data, mistake.data);
    CAPTURE(line);
    CAPTURE(ran.out);
    CHECK(ran.code != 0);
    CHECK(ran.code <= 2);
    CHECK_MESSAGE(english_in(without_folders(ran.err), data) == "", ran.err);
    CHECK_MESSAGE(english_in(ran.err, {}) != ran.err, ran.err);
    CHECK(ran.err.starts_with("glassformer: "));
}

/// Removes from a help text what is not translated: options, choices, defaults, and the names of commands.
std::string without_names(std::string help) {
    for (const char* name : {"\\{[^}]*\\}", "=[^ \n]*", " \\[[-.0-9a-z]*\\]",  // CLI11 2.4 writes a default in brackets
                             "--?[A-Za-z][-A-Za-z]*", "\\*?\\.[a-z]+", "[A-Za-z]/[a-z]+", "\n  [a-z]+ "})
        help = std::regex_replace(help, std::regex(name), " ");
    return help;
}

}  // namespace

TEST_CASE("language: --help of the program and of every command is in the chosen language") {
    Words commands = names();
    for (const char* command : {"train", "trace", "generate", "tokenize", "check", "export", "pack", "grade", "metrics",
                                "shot", "gallery", "film", "lesson"})
        commands.insert(command);
    std::vector<std::vector<std::string>> all{{"--help"}};
    for (const std::string& command : commands) {
        if (names().contains(command)) continue;
        all.push_back({command, "--help"});
    }
    Words data = commands;
    add_words(data,
              "homonyms next_word order translation induction copying sorting regression coreference file from "
              "out glass folder action pattern window auto cpu gl ffmpeg safetensors npz gif mp4 id");
    add_words(data, "homonyms_zh translation_zh sorting by_hand linear");
    REQUIRE(all.size() == 14);
    for (const std::vector<std::string>& arguments : all) {
        const Ran ran = run(arguments, in_pseudo_language);
        CAPTURE(arguments.front());
        CHECK(ran.code == 0);
        CHECK(ran.err == "");
        CHECK(contains(ran.out, " [ÓÖPTÍÏÓÖNS]"));  // CLI11 2.6 leaves "Usage:" out
        CHECK_MESSAGE(english_in(without_names(ran.out), data) == "", ran.out);
        const Ran chosen = run({"--language", "en_XA", arguments.front(), arguments.back()});
        CHECK(chosen.out == run({"--language=en_XA", arguments.front(), arguments.back()}).out);
        CHECK(chosen.out == ran.out);
    }
    CHECK(run({"--language", "en", "--help"}, in_pseudo_language).out == run({"--help"}).out);
}

TEST_CASE("language: usage errors are in the chosen language") {
    const std::string model = shipped_model.string();
    for (const Mistake& mistake : std::vector<Mistake>{
             {{"--frobnicate"}},
             {{"frobnicate"}, "glass"},
             {{"check", "--model", "homonyms", "trace"}},
             {{"--language", "xx"}, "language locale"},
             {{"trace", "--text", "bat", "--out", "x"}, "model"},
             {{"trace", "--model"}, "TEXT"},
             {{"train"}, "world resume"},
             {{"train", "--world", "homonyms", "--steps", "abc"}},
             {{"train", "--world", "homonyms", "--batch", "0"}},
             {{"train", "--world", "homonyms", "--seconds", "nan"}},
             {{"train", "--world", "homonyms", "--seed", "-1"}},
             {{"train", "--world", "homonyms", "--tied=perhaps"}},
             {{"train", "--world", "homonyms", "--steps", "1", "--seconds", "1"}},
             {{"shot", "x.png", "--theme", "pink"}, "light dark"},
             {{"shot", "x.png", "--size", "large"}},
             {{"shot", ""}, "out"},
             {{"--model", "order", "shot", "x.png"}},
             {{"trace", "--model", model, "--out", "x"}, "text tokens values"},
             {{"trace", "--model", model, "--out", "x", "--tokens", "a,b"}},
             {{"trace", "--model", model, "--out", "x", "--values=1,x"}},
             {{"generate", "--model", "x"}, "text tokens"},
             {{"generate", "--model", "x", "--tokens", "1,,2"}},
             {{"tokenize", "--model", model}, "text file"},
             {{"lesson", "check", "x", "--seeds", "5..1"}},
         })
        check_translated(mistake);
}

TEST_CASE("language: errors about files, models, lessons and scripts are in the chosen language") {
    const TemporaryFolder folder;
    const auto file = [&](const char* name, const std::string& text) {
        write(folder / name, text);
        return (folder / name).string();
    };
    fs::create_directory(folder / "empty");
    const std::string model = shipped_model.string(), empty = (folder / "empty").string(),
                      models = (own_sources / "assets" / "models" / "").string();
    const std::string places = folder.path().string();
    const std::string field =
        "wrong colour lesson about next minutes goes wrong exercise model what if light hide "
        "choice choices because answer in sight task typing hint notes A B layer head word "
        "sentence compare view panel meaning map step train wait beside look at temperature "
        "claim try then explain paint generate";
    for (const Mistake& mistake : std::vector<Mistake>{
             {{"export", empty, "x"}, "run config json"},
             {{"metrics", empty, "--csv", "-"}, "run config json"},
             {{"export", model, model}},
             {{"pack", model, "x.zip"}, "glass"},
             {{"grade", (folder / "none").string(), "--csv", "-"}},
             {{"grade", empty, "--csv", "-"}},
             {{"generate", "--model", models + "translation", "--text", "a"}, "trace source text"},
             {{"trace", "--model", models + "translation", "--out", "x", "--values", "1"}, "text tokens"},
             {{"trace", "--model", models + "regression", "--out", "x", "--text", "bat"}, "values"},
             {{"lesson", "check", "no_lesson"}, "assets lessons"},
             {{"lesson", "sheet", "1_two_kinds_of_bat"}, "out FILE"},
             {{"lesson", "check", file("wrong.lesson", "lesson: A\ncolour: red\n")}, field.c_str()},
             {{"lesson", "check", file("steps.lesson", "lesson: A\n")}, "steps"},
             {{"lesson", "check", file("view.lesson", "lesson: A\n\n== B\nview: C\n\nText.\n")},
              "view All heads Attention Flow Queries keys values Positions Embedding Layer norm MLP Logit lens "
              "attribution Generate Training What if Whole model Difference LayerNorm Embeddings QKV"},
             {{"lesson", "check", file("live.lesson", "lesson: A\n\n== B\n\n{length + 1}.\n")}, "text length"},
             {{"gallery", "x.png", "--scenes", empty}, "script"},
             {{"shot", "x.pdf"}, "panel png"},
             {{"shot", "x.png", "--script", file("bad.script", "jump high\n")}, "jump"},
             {{"shot", "x.png", "--script", file("gone.script", "click nothing_there\n")}, "click nothing_there"},
             {{"train", "--world", "homonyms", "--steps", "1", "--out", "no_folder/model"}, places.c_str()},
             {{"train", "--world", "homonyms", "--steps", "1", "--log", file("notes.txt", "mine")}},
         })
        check_translated(mistake);
}

TEST_CASE("language: core's errors about files are in the chosen language") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "broken");
    write(folder / "broken" / "config.json", "{\"d_model\": 3");
    const std::string model = shipped_model.string(), broken = (folder / "broken").string(), endless = [] {
        std::string text;
        for (int i = 0; i < 1000; ++i) text += "bat ";
        return text;
    }();
    for (const Mistake& mistake : std::vector<Mistake>{
             {{"train", "--world", "klingon"},
              "sample homonyms homonyms_zh next_word order translation translation_zh induction copying sorting "
              "regression "
              "coreference"},
             {{"tokenize", "--model", broken, "--text", "bat"}, "config json"},
             {{"trace", "--model", (folder / "none").string(), "--text", "bat", "--out", "x"}},
             {{"trace", "--model", model, "--out", "x", "--tokens", "99999"}},
             {{"trace", "--model", model, "--out", "x", "--text", endless}},
             {{"check", "--model", broken}, "config json"},
             {{"train", "--resume", broken}, "run json FOLDER"},
             {{"train", "--world", "homonyms", "--steps", "1", "--heads", "3", "--d-model", "32"}, "d_model n_heads"},
         })
        check_translated(mistake);
}

#endif
