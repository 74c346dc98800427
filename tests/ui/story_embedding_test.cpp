#include <algorithm>
#include <cmath>
#include <set>

#include "app/session/embedding_study.h"
#include "app/session/startup.h"
#include "app/ui/input.h"
#include "app/views/embedding/embedding_view.h"
#include "core/analysis/embedding_map.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::embedding;

namespace {

/// The embedding matrix of the shipped model, read without the app.
std::span<const float> shipped_table() {
    static const auto trace = reference().trace(first_sentence);
    return trace->values("embed.W_E");
}

std::size_t width() { return static_cast<std::size_t>(reference().shipped().config.d_model); }

std::string open_map(Story& story) {
    const std::string message = story.play("key a\nclick view/Embedding");
    story.settle(2);
    return message;
}

/// A small model with random weights and as many words as GPT-2.
TransformerConfig many_words() {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = 50'257, c.n_ctx = 8, c.d_model = 288, c.n_heads = 4, c.n_layers = 1, c.d_mlp = 32;
    return c;
}

const Parameters& many_parameters() {
    static const Parameters made = fresh_parameters(many_words(), 3);
    return made;
}

int id_of(const std::string& word) { return reference().shipped().words()->encode(word).at(0).id; }

}  // namespace

TEST_CASE("story: the embedding map shows core's principal components, word by word") {
    Story story;
    REQUIRE(open_map(story) == "");
    const EmbeddingMap map = map_embedding(shipped_table(), width());
    Differences differences;
    for (const char* letter : {"A", "B"})
        for (std::size_t word = 0; word < map.points.size(); ++word)
            differences.expect(story, std::string(letter) + "/embed " + std::to_string(word),
                               static_cast<double>(map.points[word][0]));
    for (int k = 0; k < 2; ++k)
        differences.expect(story, "A/embedding share " + std::to_string(k), static_cast<double>(map.pca.share[k]));
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 600);
    CHECK_FALSE(story.shows("A/embedding share 2"));
    // On screen, each word is at its two coordinates, both on the same scale.
    const int bat = id_of("bat"), cave = id_of("cave"), hit = id_of("hit");
    const auto at = [&](int word) { return story.find("A/embed " + std::to_string(word))->centre(); };
    const auto point = [&](int word) { return map.points[word]; };
    const float scale = (at(cave).x - at(bat).x) / (point(cave)[0] - point(bat)[0]);
    CHECK(scale > 0);
    CHECK((at(hit).y - at(bat).y) / (point(bat)[1] - point(hit)[1]) == doctest::Approx(scale).epsilon(0.02));
}

TEST_CASE("story: the nearest words have the largest cosines, for the chosen word or a clicked one") {
    Story story;
    REQUIRE(open_map(story) == "");
    const auto check_list = [&](const std::string& word) {
        CHECK(story.text("A/embedding/nearest") == word);
        const auto near = nearest_embeddings(shipped_table(), width(), id_of(word), 16);
        REQUIRE(story.shows("A/embed near 4"));
        for (std::size_t i = 0; story.shows("A/embed near " + std::to_string(i)); ++i) {
            REQUIRE(i < near.size());
            const std::string row = "A/embed near " + std::to_string(i);
            CHECK(story.value(row) == static_cast<double>(near[i].cosine));
            CHECK(story.text(row) == story.snapshot().model->token_text(near[i].id));
        }
    };
    const auto settle = [&] { story.settle(2); };
    check_list("bat");
    const std::string second = story.text("A/embed near 1");
    CHECK(story.play("click \"A/embed near 1\"") == "");
    settle();
    check_list(second);
    CHECK(story.play("click A/embedding/follow") == "");
    settle();
    check_list("bat");
    CHECK(story.play("click \"A/embed " + std::to_string(id_of("cave")) + "\"") == "");
    settle();
    check_list("cave");
    CHECK(story.play("click \"A/token 1\"") == "");  // another word of the sentence: shows its neighbours
    settle();
    check_list("swung");
    // Hovering a word shows its name and highlights it in the other card too.
    CHECK(story.play("hover \"A/embed " + std::to_string(id_of("dusk")) + "\"") == "");
    CHECK(story.text("tooltip").find("dusk\ncosine with “swung”") == 0);
    CHECK(story.state().own<EmbeddingLook>().pointed[0] == id_of("dusk"));
}

TEST_CASE("story: the mouse and the arrow keys rotate the map in 3-D, and nothing else does") {
    Story story;
    REQUIRE(open_map(story) == "");
    const std::string bat = "A/embed " + std::to_string(id_of("bat"));
    const ImVec2 flat = story.find(bat)->centre();
    CHECK(story.play("click \"A/embedding/dimensions/3-D\"") == "");
    CHECK(story.shows("A/embedding share 2"));
    CHECK(story.find(bat)->centre().x == doctest::Approx(flat.x));  // as before it was turned
    story.frames(30);
    CHECK(story.find(bat)->centre().x == doctest::Approx(flat.x));
    CHECK(story.play("drag A/embedding 60 20") == "");
    CHECK(story.state().own<EmbeddingLook>().yaw != 0);
    CHECK(std::abs(story.find(bat)->centre().x - flat.x) > 1);
    CHECK(story.play("double_click A/embedding") == "");
    CHECK(story.find(bat)->centre().x == doctest::Approx(flat.x));
    const int head = story.state().head;
    for (int i = 0; i < 200 && story.state().own<EmbeddingLook>().yaw == 0; ++i)
        CHECK(story.play("key F6\nkey Right") == "");
    CHECK(story.state().own<EmbeddingLook>().yaw != 0);
    CHECK(story.state().head == head);
    CHECK(story.play("key Home") == "");
    CHECK(story.state().own<EmbeddingLook>().yaw == 0);
}

TEST_CASE("story: when steps are compared each card has its own map; other views compute none") {
    Story story;
    REQUIRE(open_map(story) == "");
    CHECK(story.snapshot().embeddings[0]->map == story.snapshot().embeddings[1]->map);  // one model, one map
    story.send(command::CompareWith{{Comparing::What::steps, {}, 0}});
    story.frames(3);
    REQUIRE(story.snapshot().embeddings[1]);
    const Trace& first_step = story.shown_trace(1);
    const EmbeddingMap map = map_embedding(first_step.values("embed.W_E"), width());
    // The sign of a principal direction is arbitrary.
    for (std::size_t word = 0; word < map.points.size(); word += 17)
        CHECK(std::abs(story.value("B/embed " + std::to_string(word))) ==
              doctest::Approx(std::abs(static_cast<double>(map.points[word][0]))).epsilon(1e-4));
    CHECK(story.play("click view/Attention") == "");
    story.settle(2);
    CHECK_FALSE(story.snapshot().embeddings[0]);
}

TEST_CASE("the map of 50,257 words is computed in pieces, and the nearest words do not wait for it") {
    CpuBackend backend{1};
    WatchedSentence sentence;
    sentence.trace = Tracer(backend, many_words()).trace(std::vector<int>{7, 40'000}, many_parameters());
    EmbeddingStudy study;
    study.look_at({true, {40'000, -1}});
    const auto first = study.words({sentence, {}}, false)[0];
    REQUIRE(first);
    CHECK_FALSE(first->map);
    CHECK(first->near.size() == EmbeddingStudy::most_near);
    CHECK(study.under_way());
    int pieces = 0;
    for (; study.under_way(); ++pieces) {
        study.work();
        if (study.under_way()) CHECK_FALSE(study.words({sentence, sentence}, false)[0]->map);
    }
    CHECK(pieces > 13);
    const auto both = study.words({sentence, sentence}, false);
    REQUIRE(both[0]->map);
    CHECK(both[1]->map == both[0]->map);
    CHECK(study.words({sentence, sentence}, false)[0] == both[0]);  // nothing is computed twice
    const EmbeddingMap map = map_embedding(sentence.trace->values("embed.W_E"), 288);
    CHECK(both[0]->map->points == map.points);
    // Two models: A's map comes after B's, which was in progress when A's parameters changed.
    std::array<WatchedSentence, 2> two;
    for (WatchedSentence& one : two)
        one.trace = Tracer(backend, many_words())
                        .trace(std::vector<int>{7, 40'000}, std::make_shared<ParameterValues>(*many_parameters()));
    EmbeddingStudy turns;
    turns.look_at({true, {-1, -1}});
    turns.words({WatchedSentence{}, two[1]}, false);
    for (int maps = 0; maps < 2; ++maps) {
        REQUIRE(turns.under_way());
        while (turns.under_way()) turns.work();
        CHECK(!turns.words(two, false)[0]->map == (maps == 0));
    }
    // Nobody looks any more: the work in progress is dropped.
    EmbeddingStudy other;
    other.look_at({true, {7, -1}});
    other.words({sentence, {}}, false);
    other.look_at({});
    CHECK_FALSE(other.under_way());
}

TEST_CASE("story: each of 50,257 words has a point with a tooltip, and a click finds its nearest words") {
    const TemporaryFolder folder;
    Checkpoint checkpoint;
    checkpoint.config = many_words();
    checkpoint.parameters = many_parameters();
    save_checkpoint(folder.path(), checkpoint);
    Story story({.model = folder.path().string()});
    REQUIRE(open_map(story) == "");
    CHECK(story.value("A/embed points") == 50'257);
    CHECK_FALSE(story.shows("A/embedding/waiting"));
    const EmbeddingMap& map = *story.snapshot().embeddings[0]->map;
    const auto point = [&](int word) { return map.points[word]; };
    // The positions of two dots determine those of all points; the one at the right edge is isolated.
    const ImVec2 zero = story.find("A/embed 0")->centre(), one = story.find("A/embed 1")->centre();
    const float scale = (one.x - zero.x) / (point(1)[0] - point(0)[0]);
    int edge = 600;
    for (int word = 600; word < 50'257; ++word)
        if (point(word)[0] > point(edge)[0]) edge = word;
    const ImVec2 at{zero.x + scale * (point(edge)[0] - point(0)[0]), zero.y - scale * (point(edge)[1] - point(0)[1])};
    CHECK_FALSE(story.shows("A/embed " + std::to_string(edge)));
    story.frames_at(at, 3);
    CHECK(story.state().own<EmbeddingLook>().pointed[0] == edge);
    CHECK(story.text("tooltip").find("#" + std::to_string(edge)) == 0);
    story.frame([&] { script_mouse(at, true, false); });
    story.frames_at(at, 1);
    story.frames(2);
    story.settle();
    CHECK(story.value("A/embedding/nearest") == edge);
    CHECK(story.shows("A/embed " + std::to_string(edge)));  // its name is shown now
    const auto near = nearest_embeddings(story.shown_trace(0).values("embed.W_E"), 288, edge, 16);
    CHECK(story.value("A/embed near 0") == static_cast<double>(near[0].cosine));
    CHECK(story.value("A/embed near 5") == static_cast<double>(near[5].cosine));
}

TEST_CASE("the map of a large vocabulary labels the sentence's words, their neighbours and the first words") {
    Story story;
    REQUIRE(open_map(story) == "");
    constexpr std::size_t d = 8;
    const std::vector<float> table(50'257 * d, 0.5f);
    EmbeddedWords words;
    auto map = std::make_shared<EmbeddingMap>();
    map->points.resize(50'257);
    words.map = map;
    words.word = 40'000;
    words.near = {{31'000, 0.5f}, {50'256, 0.4f}};
    const std::function<void(Command)> nothing = [](const Command&) {};
    const Frame frame{story.host.ui(), story.snapshot(), story.state(), nothing};
    const std::vector<int> drawn = words_named({frame, 0, words, table, d, 40'000});
    CHECK(drawn.size() == 603);
    CHECK(std::ranges::is_sorted(drawn));
    const std::set<int> has(drawn.begin(), drawn.end());
    for (const int word : {0, 599, 40'000, 31'000, 50'256}) CHECK(has.contains(word));
    for (const int word : story.shown_trace(0).tokens()) CHECK(has.contains(word));
}

TEST_CASE("story: a word chosen in card B is dropped when B shows another model") {
    Story story;
    const std::string larger = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/order"});
    story.send(command::Watch{0, "the garden was"});
    story.send(command::CompareWith{{Comparing::What::models, larger, 0}});
    REQUIRE(open_map(story) == "");
    const int last = story.snapshot().model_of(1).config.d_vocab - 1, fewer = story.snapshot().model->config.d_vocab;
    REQUIRE(last >= fewer);
    story.state().own<EmbeddingLook>().word[1] = last;
    story.state().own<EmbeddingLook>().token[1] = story.state().token[1];
    story.frames(2);
    REQUIRE(story.state().own<EmbeddingLook>().asked[1] == last);
    story.send(command::CompareWith{{Comparing::What::heads, {}, 0}});
    story.frames(2);
    CHECK(story.state().own<EmbeddingLook>().word[1] == -1);
    CHECK(story.state().own<EmbeddingLook>().asked[1] < fewer);
}
