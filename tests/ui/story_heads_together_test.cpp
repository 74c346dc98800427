#include <cmath>

#include "core/analysis/pattern_mix.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions tall{{1600, 1800}, 1, true};

void open_together(Story& story) {
    REQUIRE(story.play("key a\nclick \"view/All heads\"\nframes 2\nclick \"A/heads page/together\"\nframes 2") == "");
    REQUIRE(story.until([&] { return story.shows("A/together meaning"); }));
}

MixedPatterns truth_of(const Trace& trace, int block) {
    PatternMixer mixer(trace.positions(), 0.5);
    for (int l = 0; l < trace.model().config.n_layers; ++l) {
        const MixedPatterns one = mixer.add_block(trace.values(glassformer::app::block(l, "attn.hook_pattern")));
        if (l == block) return one;
    }
    return mixer.all();
}

void check_matrix(const Story& story, std::span<const float> truth) {
    const int n = static_cast<int>(std::lround(std::sqrt(static_cast<double>(truth.size()))));
    Differences differences;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column)
            differences.expect(story, "A/together " + std::to_string(row) + " " + std::to_string(column),
                               static_cast<double>(truth[static_cast<std::size_t>(row * n + column)]));
    CHECK(differences.report() == "");
    CHECK(differences.compared() == n * n);
}

}  // namespace

TEST_CASE("story: heads are combined by mean, maximum or rollout, in one block or in all") {
    Story story(tall);
    open_together(story);
    const auto trace = reference().trace(first_sentence);
    const auto check = [&](int block) {
        const MixedPatterns truth = truth_of(*trace, block);
        REQUIRE(story.play("click A/mix/mean\nframes 2") == "");
        check_matrix(story, truth.mean);
        REQUIRE(story.play("click A/mix/maximum\nframes 2") == "");
        check_matrix(story, truth.largest);
        REQUIRE(story.play("click A/mix/rollout\nframes 2") == "");
        check_matrix(story, truth.rollout);
    };
    check(-1);
    REQUIRE(story.play("click \"A/together block 0\"\nframes 2") == "");
    check(0);
    // Without the first column, the rest of each row is renormalised to sum to 1.
    REQUIRE(story.play("click \"A/together block -1\"\nclick A/mix/mean\nclick \"A/without first\"\nframes 2") == "");
    const int n = trace->positions();
    const std::vector<float> rest = without_first_key(truth_of(*trace, -1).mean, n);
    CHECK(story.value("A/together 1 2") == static_cast<double>(rest[static_cast<std::size_t>(n + 2)]));
    // A click chooses the row's word.
    REQUIRE(story.play("click \"A/together 5 2\"\nframes 2") == "");
    CHECK(story.state().token[0] == 5);
    // Another sentence or step: other numbers.
    REQUIRE(story.play("click \"A/without first\"\nframes 2") == "");
    story.send(command::LookAt{0});
    const auto untrained = [&] {
        return story.value("A/together 1 2") ==
               static_cast<double>(truth_of(story.shown_trace(0), -1).mean[static_cast<std::size_t>(n + 2)]);
    };
    CHECK(story.until(untrained));
}

TEST_CASE("story: heads that put most of their weight on the first token are counted") {
    Story story(tall);
    open_together(story);
    const auto trace = reference().trace(first_sentence);
    const int n = trace->positions(), heads = trace->model().config.n_heads;
    int sinks = 0;
    for (int l = 0; l < trace->model().config.n_layers; ++l) {
        const auto pattern = trace->values(block(l, "attn.hook_pattern"));
        for (int head = 0; head < heads; ++head) {
            double sum = 0;
            for (int query = 1; query < n; ++query)
                sum += static_cast<double>(pattern[static_cast<std::size_t>((head * n + query) * n)]);
            sinks += sum / (n - 1) > 0.5;
        }
    }
    CHECK(story.value("A/sink") == sinks);
}

TEST_CASE("story: a BERT's heads combined: pieces as whole words, and attention between the two sentences") {
    const TemporaryFolder in;
    Story story(tall);
    story.send(command::OpenModel{bert_folder(in).string()});
    REQUIRE(story.until([&] { return story.snapshot().model_of(0).config.d_vocab == 13; }));
    story.send(command::Watch{0, "he hit bats [SEP] the bat"});
    open_together(story);
    const Trace& trace = story.shown_trace(0);
    REQUIRE(trace.positions() == 9);  // [CLS] he hit bat ##s [SEP] the bat [SEP]
    CHECK(story.value("A/second reads first") > 0);
    const std::vector<int> groups{2, 0, 0, 0, 0, 2, 1, 1, 2};
    const MixedPatterns truth = truth_of(trace, -1);
    CHECK(story.value("A/second reads first") == doctest::Approx(*weight_between(truth.mean, groups, 1, 0)));
    CHECK(story.value("A/first reads second") == doctest::Approx(*weight_between(truth.mean, groups, 0, 1)));
    REQUIRE(story.play("click \"A/whole words\"\nframes 2") == "");
    check_matrix(story, weights_of_words(truth.mean, std::vector<int>{0, 1, 2, 3, 3, 4, 5, 6, 7}));
}

TEST_CASE("story: heads combined: nothing is shown until a guess is made; one token reads itself and has no sink") {
    Story story(tall);
    open_together(story);
    REQUIRE(story.until([&] { return story.shows("A/sink"); }));
    REQUIRE(story.shows("A/together 0 0"));
    REQUIRE(story.play("key p\nframes 2\nexpect_item \"A/together hidden\"") == "");
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("A/together ")) CHECK(item.label == "A/together hidden");
    CHECK_FALSE(story.shows("A/sink"));
    REQUIRE(story.play("key p\nframes 2\nexpect_no_item \"A/together hidden\"") == "");
    story.send(command::Watch{0, "bat"});
    REQUIRE(story.until([&] { return story.shown_trace(0).positions() == 1; }));
    story.frames(3);
    CHECK(story.value("A/together 0 0") == 1);
    CHECK_FALSE(story.shows("A/sink"));
}
