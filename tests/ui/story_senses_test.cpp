// The senses of bat, bank … in a published BERT: measured on request, and of which model.
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <thread>

#include "app/panels/meaning/measured_senses.h"
#include "core/analysis/what_if_tracer.h"
#include "core/base/error.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char* grammar = GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar";

MeasuredSensesPanel& panel(Story& story) { return story.state().own<MeasuredSensesPanel>(); }

void open_bert(Story& story, const TemporaryFolder& folder) {
    story.send(command::OpenModel{bert_of_words(folder).string()});
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.play("frames 2") == "");
}

void finish(Story& story) {
    while (panel(story).running) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        story.frames(1);
    }
    story.frames(2);
}

SenseMeasurement asked_of(const Checkpoint& model) {
    return {.config = model.config,
            .parameters = model.parameters,
            .tokenizer = model.tokenizer,
            .grammar = grammar,
            .threads = 1};
}

using Vectors = std::vector<std::vector<double>>;

/// The mean residual stream over a homonym's tokens, one per sentence, each from a trace of its own.
Vectors streams(WhatIfTracer& tracer, const Checkpoint& model, const std::vector<SenseSentence>& sentences,
                std::span<const WhatIf> changes, int layer) {
    const std::size_t d = model.config.d_model;
    Vectors all;
    for (const SenseSentence& s : sentences) {
        const auto trace = tracer.trace(WhatIfRun{{s.ids}, 0, std::nullopt}, model.parameters, changes);
        const std::span<const float> stream = trace->values(stream_name(layer));
        std::vector<double> mean(d);
        for (int piece = 0; piece < s.homonym.count; ++piece)
            for (std::size_t j = 0; j < d; ++j)
                mean[j] += static_cast<double>(stream[static_cast<std::size_t>(s.homonym.first + piece) * d + j]) /
                           s.homonym.count;
        all.push_back(std::move(mean));
    }
    return all;
}

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t j = 0; j < a.size(); ++j) ab += a[j] * b[j], aa += a[j] * a[j], bb += b[j] * b[j];
    return ab / std::sqrt(aa * bb);
}

/// The accuracy by layer, computed here in double precision from the same sentences.
std::vector<double> true_accuracy(const Checkpoint& model, std::span<const WhatIf> changes) {
    const SenseMeasurement asked = asked_of(model);
    const World world = World::load(grammar);
    const auto learned = sentences_of(asked, world, Split::train), tested = sentences_of(asked, world, Split::held_out);
    CpuBackend backend(1);
    WhatIfTracer tracer(backend, model.config);
    std::vector<double> accuracy;
    for (int layer = 0; layer <= model.config.n_layers; ++layer) {
        const Vectors from = streams(tracer, model, learned, changes, layer);
        const Vectors to = streams(tracer, model, tested, changes, layer);
        std::map<int, std::vector<double>> centroids;
        for (std::size_t i = 0; i < from.size(); ++i) {
            auto& sum = centroids.try_emplace(learned[i].sense, from[i].size(), 0.0).first->second;
            const double length = std::sqrt(std::inner_product(from[i].begin(), from[i].end(), from[i].begin(), 0.0));
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += from[i][j] / length;
        }
        double right = 0;
        for (std::size_t i = 0; i < to.size(); ++i) {
            const double own = cosine(to[i], centroids.at(tested[i].sense)),
                         other = cosine(to[i], centroids.at(tested[i].sense ^ 1));
            right += own > other ? 1 : own == other ? 0.5 : 0;
        }
        accuracy.push_back(right / static_cast<double>(to.size()));
    }
    return accuracy;
}

/// Checks the bars. In float, a test sentence halfway between the centroids may go to either.
void check_bars(const Story& story, const std::vector<double>& truth, double most_apart) {
    for (std::size_t layer = 0; layer < truth.size(); ++layer) {
        CAPTURE(layer);
        CHECK(std::abs(story.value("accuracy " + std::to_string(layer)) - truth[layer]) <= most_apart);
    }
}

}  // namespace

TEST_CASE("story: the senses of a BERT folder are measured on request, and match the model") {
    const TemporaryFolder folder;
    Story story;
    open_bert(story, folder);
    // Nothing runs by itself: the cost is stated, and there are no bars yet.
    CHECK(contains(story.text("senses/cost"), "480 sentences"));
    CHECK_FALSE(story.shows("accuracy 0"));
    CHECK_FALSE(panel(story).running);
    REQUIRE(story.play("click senses/measure\nframes 1") == "");
    finish(story);
    CHECK(panel(story).error == "");
    REQUIRE(panel(story).plain);
    const MeasuredSenses& found = *panel(story).plain->senses;
    CHECK(found.unknown == std::vector<std::string>{"bark"});
    CHECK(found.in_pieces == std::vector<std::string>{"spring"});

    const Checkpoint model = load_checkpoint(folder / "bert");
    const double one = 1.5 / static_cast<double>(found.tested);
    const std::vector<double> truth = true_accuracy(model, {});
    check_bars(story, truth, one);
    CHECK(story.value("accuracy 2") == static_cast<double>(found.accuracy[2]));
    CHECK_FALSE(story.shows("of the unaltered model"));

    // The map is of the word in the sentence, and places its bat as its own trace says.
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"He swung the bat and hit a foul.\"\nkey Enter\nframes 3") ==
            "");
    story.settle();
    REQUIRE(story.play("click side/Map\nframes 2") == "");
    CHECK(story.text("meaning map") == "bat");
    const auto bat = std::ranges::find(found.maps, "bat", &MeaningMap::homonym);
    REQUIRE(bat != found.maps.end());
    CHECK(story.value("meaning map") == static_cast<double>(bat->sense.size()));
    const int layer = story.state().layer + 1;
    const Trace& trace = story.shown_trace(0);
    const std::size_t d = model.config.d_model;
    const std::span<const float> stream = trace.values(stream_name(layer)).subspan(4 * d, d);  // after [CLS]
    CHECK(story.value("meaning A") == static_cast<double>(bat->layers[layer].pca.project(stream)[0]));
    // Another word, chosen by hand.
    REQUIRE(story.play("click \"meaning word\"\nframes 2\nclick \"meaning word/spring\"\nframes 2") == "");
    CHECK(story.text("meaning map") == "spring");
    CHECK_FALSE(story.shows("meaning A"));

    // With a what-if, the measurement is covered until the altered model is measured too.
    const std::vector<WhatIf> changes{what_if::AttentionOff{.block = 0}};
    story.send(command::SetWhatIf{changes});
    story.frames(2);
    CHECK(story.shows("of the unaltered model"));
    CHECK(story.text("senses/measure") == "Measure the altered model");
    REQUIRE(story.play("click senses/measure\nframes 1") == "");
    finish(story);
    const std::vector<double> altered = true_accuracy(model, changes);
    check_bars(story, altered, one);
    CHECK_FALSE(story.shows("of the unaltered model"));
    for (std::size_t l = 0; l < 3; ++l)
        CHECK(story.value("accuracy before " + std::to_string(l)) == static_cast<double>(found.accuracy[l]));
    CHECK(std::abs(altered[2] - truth[2]) > one);  // the change is visible

    // For other changes, neither measurement applies; without changes, the first numbers are back.
    story.send(command::SetWhatIf{{what_if::MlpOff{.block = 1}}});
    story.frames(2);
    CHECK(story.shows("of the unaltered model"));
    story.send(command::SetWhatIf{{}});
    story.frames(2);
    CHECK_FALSE(story.shows("of the unaltered model"));
    CHECK(story.value("accuracy 2") == static_cast<double>(found.accuracy[2]));

    // Another model has no measurement.
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/next_word"});
    story.frames(2);
    CHECK_FALSE(panel(story).plain);
}

TEST_CASE("story: measuring senses shows its progress, and Cancel ends it") {
    const TemporaryFolder folder;
    Story story;
    open_bert(story, folder);
    SenseMeasurement asked = asked_of(load_checkpoint(folder / "bert"));
    asked.per_sense = 250;
    panel(story).running = std::make_shared<RunningSenses>(asked, story.snapshot().shown);
    while (panel(story).running->state().done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(story.play("frames 1") == "");
    REQUIRE(story.shows("senses/progress"));
    CHECK(story.value("senses/progress") > 0);
    REQUIRE(story.play("click senses/cancel") == "");
    finish(story);
    CHECK_FALSE(panel(story).plain);
    CHECK(panel(story).error == "");
    CHECK(story.shows("senses/measure"));
    // Its command opens the panel.
    story.state().window.panels.number = false;
    REQUIRE(story.play("key Ctrl+k\ntype \"measure meanings\"\nkey Enter\nframes 2") == "");
    finish(story);
    CHECK(panel(story).plain);
    CHECK(story.shows("accuracy 2"));
}

TEST_CASE("senses: a model that can read no homonym is reported, and a cancelled measurement returns nothing") {
    const TemporaryFolder folder;
    SenseMeasurement asked = asked_of(load_checkpoint(bert_of_words(folder)));
    int calls = 0;
    CHECK_FALSE(measure_senses(asked, [&](std::size_t, std::size_t) { return ++calls < 3; }));
    CHECK(calls == 3);
    asked.config.n_ctx = 4;  // no sentence fits
    CHECK_THROWS_WITH_AS(measure_senses(asked, [](std::size_t, std::size_t) { return true; }),
                         doctest::Contains("none of the homonyms"), Error);
}
