#include <cmath>

#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions tall{{1600, 1800}, 1, true};

/// The cosine of two rows of a table, in double.
double cosine(std::span<const float> table, std::size_t width, std::size_t a, std::size_t b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const double x = static_cast<double>(table[a * width + i]), y = static_cast<double>(table[b * width + i]);
        ab += x * y, aa += x * x, bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
}

std::string pair(const std::string& item, std::size_t a, std::size_t b) {
    return item + " " + std::to_string(a) + " " + std::to_string(b);
}

void check_similarity(const Story& story, const std::string& item, std::span<const float> table, std::size_t width) {
    const std::size_t n = table.size() / width;
    Differences differences;
    for (std::size_t a = 0; a < n; ++a) {
        CHECK(story.value(pair(item, a, a)) == 1);
        for (std::size_t b = 0; b < n; ++b) {
            if (story.value(pair(item, a, b)) != story.value(pair(item, b, a))) differences.add("not symmetric");
            if (!(std::abs(story.value(pair(item, a, b)) - cosine(table, width, a, b)) < 1e-5))
                differences.add(pair(item, a, b));
        }
    }
    CHECK(differences.report() == "");
    for (std::size_t d = 0; d < n; ++d) {
        double sum = 0;
        for (std::size_t a = 0; a + d < n; ++a) sum += cosine(table, width, a, a + d);
        CHECK(story.value(item + " distance " + std::to_string(d)) ==
              doctest::Approx(sum / static_cast<double>(n - d)).epsilon(1e-4).scale(1));
    }
}

}  // namespace

TEST_CASE("story: learned positions and their cosine similarities are shown") {
    Story story(tall);
    const auto trace = reference().trace(first_sentence);
    const TransformerConfig& config = trace->model().config;
    const auto width = static_cast<std::size_t>(config.d_model), n = static_cast<std::size_t>(config.n_ctx);
    const std::span<const float> table = trace->values("pos_embed.W_pos");
    REQUIRE(table.size() == n * width);
    REQUIRE(story.play("click view/Positions\nframes 2\nexpect_text \"A/positions kind\" \"Learned positions\"") == "");
    Differences differences;
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t i = 0; i < width; ++i)
            differences.expect(story, pair("A/positions", p, i), static_cast<double>(table[p * width + i]));
    CHECK(differences.report() == "");
    CHECK(differences.compared() == config.n_ctx * config.d_model);
    check_similarity(story, "A/cosine", table, width);
    check_similarity(story, "B/cosine", table, width);
}

TEST_CASE("story: learned positions are shown beside sinusoidal ones") {
    Story story(tall);
    const TransformerConfig& config = reference().world().config;
    const auto width = static_cast<std::size_t>(config.d_model), n = static_cast<std::size_t>(config.n_ctx);
    REQUIRE(story.play("click view/Positions\nframes 2\nexpect_no_item \"A/cosine sinusoidal\"\nclick "
                       "\"A/beside sinusoidal\"\nframes 2\nexpect_item \"B/cosine sinusoidal\"") == "");
    std::vector<float> table;
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t j = 0; j < width; ++j) {
            const double angle =
                static_cast<double>(p) / std::pow(10000.0, static_cast<double>(j / 2 * 2) / static_cast<double>(width));
            table.push_back(static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle)));
        }
    Differences differences;
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t j = 0; j < width; ++j)
            if (!(std::abs(story.value(pair("A/positions sinusoidal", p, j)) -
                           static_cast<double>(table[p * width + j])) < 1e-6))
                differences.add(pair("A/positions sinusoidal", p, j));
    CHECK(differences.report() == "");
    check_similarity(story, "A/cosine sinusoidal", table, width);
}

TEST_CASE("story: a position's number opens its explanation, in the sentence and beyond it") {
    Story story(tall);
    const auto trace = reference().trace(first_sentence);
    REQUIRE(story.play("click view/Positions\nframes 2") == "");
    for (const int position : {2, trace->model().config.n_ctx - 1}) {
        const std::string cell = pair("A/positions", static_cast<std::size_t>(position), 7);
        REQUIRE(story.play("click \"" + cell + "\"\nframes 2") == "");
        CHECK(story.value("explain/value") == story.value(cell));
        const std::string& node = trace->graph()[story.state().trail.back().cell.node].name;
        CHECK(node == (position < trace->positions() ? "hook_pos_embed" : "pos_embed.W_pos"));
    }
}

TEST_CASE("story: hovering the pictures of positions highlights the same cell in both cards") {
    Story story(tall);
    CHECK(story.play("click view/Positions") == "");
    CHECK(story.play("hover \"A/cosine distance 4\"\nframes 2") == "");
    for (const char* card : {"A", "B"}) {
        const std::string item = std::string(card) + "/cosine distance";
        CHECK(story.value(item + " lit") == story.value(item + " 4"));
    }
    CHECK(story.play("hover \"B/cosine 2 7\"\nframes 2") == "");
    for (const char* card : {"A", "B"}) {
        const std::string item = std::string(card) + "/cosine";
        CHECK(story.value(item + " lit") == story.value(item + " 2 7"));
    }
    CHECK_FALSE(story.shows("A/cosine distance lit"));
    CHECK(story.play("hover \"A/token 0\"\nframes 2") == "");
    CHECK_FALSE(story.shows("A/cosine lit"));
    CHECK_FALSE(story.shows("B/cosine distance lit"));
}

TEST_CASE("story: rotary positions are drawn as rotated pairs whose products add up to q · k") {
    Story story({.size = {1600, 1800}, .model = "induction"});
    REQUIRE(story.play("key a\nclick view/Positions\nframes 3") == "");
    const Trace& trace = story.shown_trace(0);
    const int query = story.state().token[0], head = story.state().head, n = trace.positions();
    const std::span<const float> row = pattern_row(trace, story.state().layer, head, query);
    const int key = largest(row);
    const auto q = head_vector(trace, block(story.state().layer, "attn.hook_rot_q"), query, head),
               k = head_vector(trace, block(story.state().layer, "attn.hook_rot_k"), key, head);
    const bool halves = trace.model().config.rotary.halves;
    const std::size_t pairs = q.size() / 2;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const std::size_t a = halves ? pair : 2 * pair, b = halves ? pair + pairs : 2 * pair + 1;
        CHECK(story.value("A/turn " + std::to_string(pair)) ==
              doctest::Approx(static_cast<double>(q[a]) * static_cast<double>(k[a]) +
                              static_cast<double>(q[b]) * static_cast<double>(k[b])));
    }
    const auto raw = trace.values(block(story.state().layer, "attn.hook_attn_scores_raw"));
    CHECK(story.value("A/turns sum") ==
          doctest::Approx(static_cast<double>(raw[static_cast<std::size_t>((head * n + query) * n + key)]))
              .epsilon(1e-4));
}
