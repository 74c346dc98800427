#include <cmath>

#include "app/session/startup.h"
#include "app/views/registry.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int bat_in_b = 1;
const std::string sentences[2] = {first_sentence, second_sentence};

std::string label(const char* slot, const char* what, int a) {
    return std::string(slot) + "/" + what + " " + std::to_string(a);
}

std::string label(const char* slot, const char* what, int a, int b) {
    return label(slot, what, a) + " " + std::to_string(b);
}

/// Checks the largest weight in B's worksheet, and which word has it.
void check_largest_weight(const Story& story, int layer, int head) {
    CAPTURE(layer);
    CAPTURE(head);
    const auto trace = reference().trace(sentences[1]);
    const std::span<const float> row = pattern_row(*trace, layer, head, bat_in_b);
    int read = -1;
    double most = -1;
    for (int key = 0; key < trace->positions(); ++key)
        if (const double weight = story.value(label("B", "weight", key)); weight > most) most = weight, read = key;
    CHECK(read == largest(row));
    CHECK(most == static_cast<double>(row[largest(row)]));
    CHECK(story.text(label("B", "word", read)) == reference().shipped().words()->word(trace->tokens()[read]));
    CHECK(story.text("stage/headline") == "Block " + std::to_string(layer) + " · head " + std::to_string(head));
}

/// Compares every number of a card's worksheet, pattern and LayerNorm rows, for the head on screen.
void compare_card(Differences& differences, const Story& story, const Trace& trace, int slot, int layer, int head,
                  int query) {
    const char* letter = slot_letter(slot);
    const auto vector = [&](const std::string& what, const char* node, int position) {
        const std::span<const float> truth = head_vector(trace, block(layer, node), position, head);
        for (std::size_t i = 0; i < truth.size(); ++i)
            differences.expect(story, what + " " + std::to_string(i), static_cast<double>(truth[i]));
    };
    vector(std::string(letter) + "/q", "attn.hook_q", query);
    vector(std::string(letter) + "/z", "attn.hook_z", query);
    const int n = trace.positions();
    const std::span<const float> scores = trace.values(block(layer, "attn.hook_attn_scores"));
    for (int key = 0; key < n; ++key) {
        vector(label(letter, "k", key), "attn.hook_k", key);
        vector(label(letter, "v", key), "attn.hook_v", key);
        const std::size_t at = (head * n + query) * n + key;
        differences.expect(story, label(letter, "score", key), static_cast<double>(scores[at]));
        differences.expect(story, label(letter, "weight", key),
                           static_cast<double>(pattern_row(trace, layer, head, query)[key]));
    }
    for (int from = 0; from < n; ++from)
        for (int to = 0; to < n; ++to)
            differences.expect(story, label(letter, "pattern", from, to),
                               static_cast<double>(pattern_row(trace, layer, head, from)[to]));
}

void compare_layer_norm(Differences& differences, const Story& story, const Trace& trace, int slot, int layer,
                        const std::string& which) {
    const std::span<const float> mean = trace.values(block(layer, which + ".hook_mean")),
                                 scale = trace.values(block(layer, which + ".hook_scale"));
    for (int i = 0; i < trace.positions(); ++i) {
        differences.expect(story, label(slot_letter(slot), (which + " mean").c_str(), i), static_cast<double>(mean[i]));
        differences.expect(story, label(slot_letter(slot), (which + " scale").c_str(), i),
                           static_cast<double>(scale[i]));
    }
}

/// The keys whose worksheet row has the strongest tint, read from the rendered pixels.
std::vector<int> highlighted_rows(Story& story, const char* letter, int count) {
    const ImU32 tint = theme(ThemeKind::light).attention_tint;
    const std::uint32_t wanted = (tint & 0xff) << 16 | (tint & 0xff00) | (tint >> 16 & 0xff);
    std::vector<int> rows;
    const Image image = story.picture();
    for (int key = 0; key < count; ++key) {
        const Item* word = story.find(label(letter, "word", key));
        REQUIRE(word);
        if (pixel(image, word->min.x - 3, word->centre().y) == wanted) rows.push_back(key);
    }
    return rows;
}

}  // namespace

TEST_CASE("story: by mouse, the largest weight of bat in B can be read in every head") {
    Story story;
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 4; ++head) {
            CHECK(story.play("click \"map/head " + std::to_string(layer) + " " + std::to_string(head) +
                             "\"\nclick \"B/token 1\"") == "");
            check_largest_weight(story, layer, head);
        }
}

TEST_CASE("story: by keyboard, the largest weight of bat in B can be read in every head") {
    Story story;
    CHECK(story.play("key b\nkey Up\nkey Up") == "");
    while (story.value("map/head 0 0") != 1) REQUIRE(story.play("key Left") == "");
    const int n = reference().trace(sentences[1])->positions();
    for (int i = 1; i <= n; ++i) {  // once around the sentence and back to "bat"
        CHECK(story.play("key Tab") == "");
        CHECK(story.value(label("B", "token", (bat_in_b + i) % n)) == 1);
    }
    CHECK(story.play("key Shift+Tab\nexpect \"B/token 0\" == 1\nkey Tab\nexpect \"B/token 1\" == 1") == "");
    for (int layer = 0; layer < 2; ++layer) {
        for (int head = 0; head < 4; ++head) {
            check_largest_weight(story, layer, head);
            CHECK(story.play("key Right") == "");
        }
        CHECK(story.value("map/head " + std::to_string(layer) + " 0") == 1);  // wraps around again
        CHECK(story.play("key Down") == "");
    }
    CHECK(story.play("key a\nkey Tab\nexpect \"A/token 4\" == 1\nexpect \"B/token 1\" == 1") == "");
}

TEST_CASE("story: every number of the worksheets, patterns and LayerNorms equals the trace's") {
    Story story;
    Differences differences;
    const auto a = reference().trace(sentences[0]), b = reference().trace(sentences[1]);
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 4; ++head) {
            const int query_a = (3 * layer + head) % a->positions(), query_b = (5 * layer + 2 * head) % b->positions();
            CHECK(story.play("click \"map/head " + std::to_string(layer) + " " + std::to_string(head) +
                             "\"\nclick \"A/token " + std::to_string(query_a) + "\"\nclick \"B/token " +
                             std::to_string(query_b) + "\"") == "");
            compare_card(differences, story, *a, 0, layer, head, query_a);
            compare_card(differences, story, *b, 1, layer, head, query_b);
            for (const char* norm : {"ln1", "ln2"}) {
                if (story.find(std::string("A/") + norm + " mean 0") == nullptr)
                    CHECK(story.play("click \"B/layer norm\"") == "");
                compare_layer_norm(differences, story, *a, 0, layer, norm);
                compare_layer_norm(differences, story, *b, 1, layer, norm);
            }
        }
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 8 * 2 * (9 * 34 + 32 + 81 + 36) - 1);
}

TEST_CASE("story: A and B have the same layout, whichever is longer") {
    for (const int height : {640, 756, 1000}) {  // at 756, only A would have room to stack its parts
        const PixelSize size{1600, height};
        CAPTURE(size.height);
        Story story({.size = size});
        story.state().view = view_index("Attention");
        story.state().window.panels = {false, false, false};
        story.frames(4);
        REQUIRE(story.shown_trace(0).positions() != story.shown_trace(1).positions());
        const auto is_below = [&](const std::string& letter) {
            const Item *pattern = story.find(letter + "/pattern"), *weight = story.find(letter + "/weight 0");
            REQUIRE(pattern);
            REQUIRE(weight);
            return pattern->min.x < weight->min.x;
        };
        CHECK(is_below("A") == is_below("B"));
    }
}

TEST_CASE("story: which word told the model that this bat is an animal? two clicks") {
    Story story;
    const int n = static_cast<int>(story.snapshot().sentences[1].tokens.size());
    CHECK(story.play("click \"B/token 1\"\nframes 2") == "");
    const std::vector<int> rows = highlighted_rows(story, "B", n);
    REQUIRE(rows.size() == 1);
    const auto trace = reference().trace(sentences[1]);
    const std::span<const float> row = pattern_row(*trace, story.state().layer, story.state().head, bat_in_b);
    CHECK(rows[0] == largest(row));
    CHECK(story.text(label("B", "word", rows[0])) == "out");
    CHECK(story.play("click \"" + label("B", "weight", rows[0]) + "\"") == "");
    const auto weight = static_cast<double>(row[rows[0]]);
    CHECK(story.value("explain/value") == weight);
    char title[64];
    std::snprintf(title, sizeof title, "Where does %.2f come from?", weight);
    CHECK(story.text("explain/value") == title);
    CHECK(story.text("explain/cell") == "pattern[bat → out]");
    CHECK(std::abs(story.value("explain/recomputed") - weight) < 1e-5);
}
