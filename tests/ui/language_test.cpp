// In the pseudo-language en_XA (tests/core/english_left.h), which is 40 % longer than English, a clipped text has too
// little room even for narrow letters.
#ifdef GLASSFORMER_LOCALE

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "app/language/catalogue.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_values.h"
#include "app/session/experiment_plan.h"
#include "app/ui/input.h"
#include "app/views/registry.h"
#include "tests/core/english_left.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/in_language.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

namespace fs = std::filesystem;
/// Words on screen that are data: of sentences and vocabularies, names of nodes and fields, and the world's file.
Words data_of(const Story& story) {
    Words data;
    for (const char* name : {"Glassformer", "hook", "fn", "tanh", "exp", "sin", "cos", "max", "min", "mean", "cosine"})
        data.insert(name);
    const Snapshot& s = story.snapshot();
    for (const ModelCatalog::Model& model : s.catalog->models) add_words(data, model.name + " " + model.title);
    for (const ListedWorld& world : s.catalog->worlds) add_words(data, world.name);
    for (int slot = 0; slot < 2; ++slot) {
        const ModelInfo& model = s.model_of(slot);
        if (model.tokenizer)
            for (int id = 0; id < model.tokenizer->size(); ++id) add_words(data, model.tokenizer->token_text(id));
        if (model.source_tokenizer)
            for (int id = 0; id < model.source_tokenizer->size(); ++id)
                add_words(data, model.source_tokenizer->token_text(id));
        for (const Sample& sample : model.samples) add_words(data, sample.text);
        add_words(data, model.world);
        for (const Sense& sense : model.senses) add_words(data, sense.homonym + " " + sense.name);
        if (!s.sentences[slot].trace) continue;
        const Trace& trace = *s.sentences[slot].trace;
        for (const NodeInfo& node : trace.graph().nodes()) add_words(data, node.name);
    }
    return data;
}

/// Words that are the same in every language, and those known to be still in English, so that a new one is noticed.
Words left_in_english() {
    Words left;
    for (const char* text :
         {"CPU AVX AVX2 SSE SSE2 NEON GPU OpenGL Mesa llvmpipe GELU LayerNorm tanh threads id pos d_head d_vocab "
          "resid_pre resid_mid resid_post resid_mid_cross "
          "mlp_out",
          "rot_q rot_k pre post result logit score scaled raw query key pattern softmax head cross token sentences "
          "off PCA Toeplitz AdamW Adam BERT GPT d_model d_value dropout top"})
        add_words(left, text);
    return left;
}

struct Found {
    std::string plain, cut;
    int texts = 0;
};

/// True if the text is in the pseudo-language.
bool is_accented(std::string_view text) {
    return std::ranges::any_of(std::array{"áä", "éë", "íï", "óö", "úü"},
                               [&](const char* accents) { return contains(text, accents); });
}

/// True if the text is translated, and not data, which may be clipped where it is long.
bool is_translated(std::string_view text, const Words& data) {
    if (language() == "en_XA") return is_accented(text);
    return std::ranges::any_of(words_of(text), [&](const std::string& word) {
        return std::ranges::any_of(word, [](char c) { return !std::isdigit(static_cast<unsigned char>(c)); }) &&
               !data.contains(word);
    });
}

void look(const std::vector<Items::DrawnText>& texts, const Words& data, Found& found) {
    for (const Items::DrawnText& drawn : texts) {
        ++found.texts;
        const std::string plain = english_in(drawn.text, data);
        const bool translated = is_translated(drawn.text, data);
        const std::string text(drawn.text);
        if (!plain.empty() && !contains(found.plain, "[" + plain + "]"))
            found.plain += "[" + plain + "] in: " + text + "\n";
        if (drawn.cut && translated && !contains(found.cut, text)) found.cut += text + "\n";
    }
}

/// Draws a frame with the mouse on each item, so that tooltips are checked too.
void hover_everything(Story& story, const Words& data, Found& found) {
    std::vector<ImVec2> places;
    for (const Item& item : story.host.items().all()) places.push_back(item.centre());
    for (const ImVec2 place : places) {
        story.frames_at(place, 2);
        look(story.host.items().texts(), data, found);
    }
}

std::string model_of(const fs::path& script) {
    std::ifstream file(script);
    constexpr std::string_view mark = "# model: ";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(mark)) return line.substr(mark.size());
    return {};
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<fs::path> gallery() {
    std::vector<fs::path> scripts;
    for (const fs::directory_entry& entry : fs::directory_iterator(GLASSFORMER_SOURCE_DIR "/assets/gallery"))
        if (entry.path().extension() == ".script") scripts.push_back(entry.path());
    std::ranges::sort(scripts);
    REQUIRE(scripts.size() > 10);
    return scripts;
}

/// Includes the words, in every language, of the lessons that a script opens.
Words data_of(const Story& story, const fs::path& script) {
    Words data = data_of(story);
    for (const fs::directory_entry& lesson : fs::directory_iterator(GLASSFORMER_SOURCE_DIR "/assets/lessons")) {
        const std::string file = lesson.path().filename().string(), name = file.substr(0, file.find('.'));
        if (contains(text_of(script), "lesson " + name)) add_words(data, text_of(lesson.path()));
    }
    return data;
}

}  // namespace

TEST_CASE("language: texts and plural forms are translated; items keep their labels") {
    CHECK(std::string(tr("Train")) == "Train");
    CHECK(tr_sentence("copy of 6 to 8 syllables back") == "copy of 6 to 8 syllables back");
    {
        const InPseudoLanguage pseudo;
        CHECK(std::string(tr("Train")) == "Tráäíïn");
        CHECK(tr(std::string("Train")) == "Tráäíïn");
        CHECK(tr(std::string_view("Train the").substr(0, 5)) == "Tráäíïn");
        CHECK(std::string(tr("%d layer", "%d layers", 1)) == "%d láäyéër");
        CHECK(std::string(tr("%d layer", "%d layers", 2)) == "%d láäyéërs");
        CHECK(std::string(tr("no text of the program")) == "no text of the program");
        CHECK(std::string(tr("")) == "");
        CHECK(tr_sentence("held-out sense accuracy passed 90 %: 95.2 %") ==
              "héëld-óöúüt séënséë áäccúüráäcy páässéëd 90 %: 95.2 %");
        CHECK(tr_sentence("copy of 6 to 8 syllables back") == "cóöpy óöf 6 tóö 8 sylláäbléës báäck");
        CHECK(tr_sentence("not a text with a pattern") == "not a text with a pattern");
        Story story;
        CHECK(story.text("train") == "Tráäíïn");
        CHECK(story.play("click view\nframes 3\nclick view/Flow\nframes 3\nexpect view == 2") == "");
    }
    CHECK(std::string(tr("Train")) == "Train");
    CHECK_FALSE(use_language("xx", GLASSFORMER_LOCALE));
    CHECK(std::string(tr("Train")) == "Train");
}

TEST_CASE("language: lists use the language's separator, and an experiment's run translated knob names") {
    const std::vector<std::string> three{"a", "b", "c"};
    CHECK(listed(three) == "a, b, c");
    CHECK(listed({}) == "");
    CHECK(tr_run_name("heads 4 · learning rate 0.01") == "heads 4 · learning rate 0.01");
    const InLanguage chinese("zh_CN");
    CHECK(listed(three) == "a、b、c");
    CHECK(tr_run_name("heads 4 · learning rate 0.01") == "注意力头 4 · 学习率 0.01");
    CHECK(tr_run_name("seed 3") == "种子 3");
}

TEST_CASE("language: durations have a readable unit, and rough ones few digits") {
    CHECK(duration(0) == "0 s");
    CHECK(duration(0.00085) == "850 µs");
    CHECK(duration(0.01234) == "12.3 ms");
    CHECK(duration(1.454) == "1.45 s");
    CHECK(duration(44.6) == "45 s");
    CHECK(duration(1800) == "30 min");
    CHECK(duration(9000) == "2.5 h");
    CHECK(rough_duration(44.6) == "50 s");
    CHECK(rough_duration(130) == "3 minutes");
}

TEST_CASE("language: every pattern of core's texts is translated when its places are filled") {
    const InPseudoLanguage pseudo;
    const std::vector<std::string_view>& patterns = chosen_catalogue()->patterns();
    REQUIRE(patterns.size() > 100);
    for (const std::string_view pattern : patterns) {
        CAPTURE(pattern);
        const auto with_places = [](std::string_view text) {
            return filled(text, {"‹1›", "‹2›", "‹3›", "‹4›", "‹5›", "‹6›", "‹7›", "‹8›", "‹9›"});
        };
        CHECK(tr_sentence(with_places(pattern)) == with_places(tr(pattern)));
    }
}

/// True for Chinese and the pseudo-language, where Latin letters on screen can only be names.
bool shows_what_is_left(const std::string& code) { return code == "en_XA" || code.starts_with("zh"); }

/// The texts that are on screen now.
std::multiset<std::string> texts_of(Story& story) {
    story.settle(3);
    std::multiset<std::string> shown;
    for (const Items::DrawnText& drawn : story.host.items().texts()) shown.emplace(drawn.text);
    return shown;
}

TEST_CASE("language: the gallery follows every language at once, with nothing in English or clipped, and back") {
    const Words left = left_in_english();
    const std::vector<Language> languages = languages_in(GLASSFORMER_LOCALE);
    const char* only = std::getenv("GLASSFORMER_LANGUAGE");  // scripts/language.sh
    CHECK((!only || std::ranges::find(languages, std::string(only), &Language::code) != languages.end()));
    const std::vector<fs::path> scripts = gallery();
    for (const fs::path& script : scripts) {
        CAPTURE(script.filename().string());
        StoryOptions options;
        options.model = model_of(script);
        Story story(options);
        // If there is no room for the zoom buttons, the scene stays at the whole model.
        const std::string trouble = story.play(text_of(script));
        CHECK((trouble.empty() || contains(trouble, "whole/zoom")));
        story.host.ui().items->keep_texts(true);
        const std::multiset<std::string> before = texts_of(story);
        const int step = story.app.lessons().at();
        Words data = data_of(story, script);
        data.insert(left.begin(), left.end());
        for (const Language& other : languages) {
            if (other.code == "en" || (only && other.code != only)) continue;
            CAPTURE(other.code);
            const InLanguage in(other.code);
            CHECK(language() == other.code);
            CHECK(other.name != "English");
            CHECK(texts_of(story).size() > 50);
            for (const Item& item : story.host.items().all())  // scripts and lessons use these labels in every language
                CHECK_MESSAGE((other.code != "en_XA" || !is_accented(item.label)), item.label);
            CHECK(story.app.lessons().at() == step);
            Found found;
            look(story.host.items().texts(), data, found);
            if (script == scripts.front() && other.code == "en_XA")
                hover_everything(story, data, found);  // takes a second per hundred items
            if (shows_what_is_left(other.code)) CHECK(found.plain == "");
            CHECK(found.cut == "");
        }
        CHECK(texts_of(story) == before);
    }
}

TEST_CASE("language: a lesson continues in another language, with its answer and its what-ifs") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 6\nkey 2\nframes 6\nkey x\nframes 6") == "");
    story.settle();
    const LessonRunner& lessons = story.app.lessons();
    const std::string asked = plain_text(lessons.text()), answered = plain_text(lessons.after());
    const int at = lessons.at(), guess = lessons.guess();
    REQUIRE(guess >= 0);
    REQUIRE(story.snapshot().what_if.size() == 1);
    {
        const InLanguage german("de");
        story.frames(3);
        CHECK(plain_text(lessons.text()) != asked);
        CHECK(plain_text(lessons.after()) != answered);
        CHECK(lessons.at() == at);
        CHECK(lessons.guess() == guess);
        CHECK(story.snapshot().what_if.size() == 1);
    }
    story.frames(3);
    CHECK(plain_text(lessons.text()) == asked);
    CHECK(plain_text(lessons.after()) == answered);
    CHECK(lessons.guess() == guess);
    CHECK(story.snapshot().what_if.size() == 1);
}

TEST_CASE("language: a lesson edited by its author reloads, also after a change of language") {
    const TemporaryFolder folder;
    const auto write = [&](const char* view) {
        std::ofstream(folder / "mine.lesson")
            << "lesson: Mine\n\n== One\nA: a bat flew .\nview: " << view << "\n\nText\n";
    };
    write("Flow");
    Story story({.lessons = folder.path()});
    REQUIRE(story.play("lesson mine\nframes 6") == "");
    CHECK(story.state().view == view_index("Flow"));
    {
        const InLanguage german("de");
        story.frames(3);
    }
    story.frames(3);
    write("All heads");
    CHECK(story.until([&] { return story.state().view == view_index("All heads"); }));
}

TEST_CASE("language: the help and the palette choose it, and the window stores it") {
    Story story;
    story.state().window.languages = languages_in(GLASSFORMER_LOCALE);
    CHECK(story.state().window.languages.front().name == "English");
    REQUIRE(story.play("key F1\nframes 3\nclick language\nframes 3\nclick language/en_XA\nframes 3") == "");
    CHECK(language() == "en_XA");
    CHECK(story.state().window.language == "en_XA");
    CHECK(story.text("train") == "Tráäíïn");
    REQUIRE(story.play(
                "key Escape\nframes 3\nkey Ctrl+K\nframes 3\ntype \"Language: en\"\nframes 3\nkey Enter\nframes 3") ==
            "");
    CHECK(language() == "en");
    CHECK(story.state().window.language == "en");
    CHECK(story.text("train") == "Train");
}

TEST_CASE("language: the cards that open and the audience's screen have no text in English") {
    const InPseudoLanguage pseudo;
    for (const char* script : {"click settings\nframes 4", "click until\nframes 4", "click runs\nframes 4",
                               "key F5\nframes 4\nclick panel\nframes 4"}) {
        CAPTURE(script);
        Story story;
        REQUIRE(story.play(script) == "");
        Words data = data_of(story);
        data.merge(left_in_english());
        Found found;
        story.host.ui().items->keep_texts(true);
        story.frames(1);
        look(story.host.items().texts(), data, found);
        CHECK(found.texts > 20);
        CHECK(found.plain == "");
        CHECK(found.cut == "");
    }
}

TEST_CASE("language: no view has a text in English, whatever the model does") {
    const InPseudoLanguage pseudo;
    for (const char* model :
         {"translation", "regression", "next_word", "order", "coreference", "sorting", "sample", "by_hand_search"}) {
        CAPTURE(model);
        Story story({.model = model});
        Words data = data_of(story);
        data.merge(left_in_english());
        add_words(data, GLASSFORMER_SOURCE_DIR "/assets/models");  // of a model without a world
        story.host.ui().items->keep_texts(true);
        for (int view = 0; view < static_cast<int>(all_views().size()); ++view) {
            const app::View& shown = all_views()[static_cast<std::size_t>(view)];
            CAPTURE(shown.name);
            story.state().view = view;
            for (int page = 0; page < std::max(1, static_cast<int>(shown.pages.size())); ++page) {
                if (shown.page) shown.page(story.state()) = page;
                story.frames(6);
                Found found;
                look(story.host.items().texts(), data, found);
                CHECK(found.texts > 20);
                CHECK(found.plain == "");
            }
        }
    }
}

TEST_CASE("language: no part of the whole model has a name in English") {
    const InPseudoLanguage pseudo;
    for (const char* model : {"homonyms", "translation"}) {
        CAPTURE(model);
        Story story({.model = model});
        Words data = data_of(story);
        data.merge(left_in_english());
        Found found;
        story.host.ui().items->keep_texts(true);
        story.state().compare = false;
        story.state().view = view_index("Whole model");
        for (int i = 0; i < 4; ++i) {  // the picture is cached once it is drawn
            story.frames(1);
            look(story.host.items().texts(), data, found);
        }
        CHECK(found.plain == "");
    }
}

TEST_CASE("language: a small metric with a long name stays in the timeline's column") {
    const InLanguage german("de");
    Story story({.size = {1280, 720}, .model = "regression"});
    REQUIRE(story.value("timeline accuracy") < 0.01);
    CHECK(story.find("timeline accuracy")->max.x <= story.find("branch")->max.x + 1);
}

#endif
