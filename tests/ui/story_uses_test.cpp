#include <cmath>

#include "app/panels/meaning/nearest_uses_view.h"
#include "app/session/nearest_uses.h"
#include "core/analysis/what_if_tracer.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void open_uses(Story& story) {
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"memorised\"\nframes 2\nkey Enter\nframes 2") == "");
    REQUIRE(story.until([&] { return story.shows("uses/seen") || story.shows("uses/none"); }));
}

bool complete(const Story& story) {
    const auto& found = story.snapshot().nearest_uses;
    return found && found->left == 0;
}

/// True if the whole item is visible in the window.
bool in_window(const Story& story, const std::string& label) {
    const Item* item = story.find(label);
    return item && item->in_sight && item->min.y >= 0 && item->max.y <= 720;
}

/// A row of the residual stream, in double precision.
std::vector<double> stream_at(const Trace& trace, int layer, int position) {
    const std::span<const float> all = trace.values(stream_name(layer));
    const std::size_t width = trace.model().config.d_model, first = static_cast<std::size_t>(position) * width;
    return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + width)};
}

struct TruePlace {
    std::vector<int> ids;
    int position;
    std::vector<double> stream;
};

/// Traces each of the compared sentences separately.
std::vector<TruePlace> all_uses(const std::string& word, int layer, std::span<const WhatIf> changes) {
    Reference& ref = reference();
    const World& world = ref.world().world;
    WhatIfTracer tracer(ref.backend, ref.shipped().config);
    std::vector<TruePlace> all;
    for (const Split split : {Split::train, Split::held_out}) {
        std::vector<std::vector<int>> sentences;
        std::vector<int> places;
        for (const Sentence& s : world.corpus(split, 300, split == Split::train ? 1 : 11))
            if (s.words[s.homonym_pos] == word)
                sentences.push_back(ref.world().encode(s)), places.push_back(s.homonym_pos);
        const std::size_t most =
            split == Split::train ? NearestUseStudy::most_training : NearestUseStudy::most_held_out;
        const std::size_t count = std::min(most, sentences.size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t s = sentences.size() <= most ? i : i * sentences.size() / most;
            const auto trace = tracer.trace({{sentences[s]}, 0, {}}, ref.shipped().parameters, changes);
            all.push_back({sentences[s], places[s], stream_at(*trace, layer, places[s])});
        }
    }
    return all;
}

/// The largest cosine, each after subtracting the mean at its position.
double nearest(const std::vector<TruePlace>& uses, int position, const std::vector<double>& here) {
    const auto centred = [&](int at, std::vector<double> x) {
        const auto count = std::ranges::count(uses, at, &TruePlace::position);
        for (std::size_t i = 0; i < x.size(); ++i) {
            double sum = 0;
            for (const TruePlace& use : uses)
                if (count < 5 || use.position == at) sum += use.stream[i];
            x[i] -= sum / static_cast<double>(count < 5 ? std::ssize(uses) : count);
        }
        return x;
    };
    const std::vector<double> a = centred(position, here);
    double best = -2;
    for (const TruePlace& use : uses) {
        const std::vector<double> b = centred(use.position, use.stream);
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
        best = std::max(best, ab / std::sqrt(aa * bb));
    }
    return best;
}

void check_nearest(Story& story, std::span<const WhatIf> changes) {
    REQUIRE(story.until([&] { return complete(story) && story.shows("uses/0"); }));
    story.frames(2);
    const int position = story.state().token[0], layer = story.state().layer + 1;
    const std::vector<TruePlace> uses = all_uses("bat", layer, changes);
    const double truth = nearest(uses, position, stream_at(story.shown_trace(0), layer, position));
    CHECK(story.value("uses/0") == doctest::Approx(truth).epsilon(1e-5));
    CHECK(story.snapshot().nearest_uses->training + story.snapshot().nearest_uses->held_out == std::ssize(uses));
}

}  // namespace

TEST_CASE("story: the nearest uses of a word are found in its world's sentences, also during a what-if") {
    Story story;
    REQUIRE(story.snapshot().sentences[0].homonym_pos == story.state().token[0]);
    open_uses(story);
    check_nearest(story, {});
    const double before = story.value("uses/0");
    const std::vector<NearestUses::Use> list = story.snapshot().nearest_uses->nearest;
    for (std::size_t i = 1; i < list.size(); ++i) CHECK(list[i].cosine <= list[i - 1].cosine);
    // The baseball bat is nearest to other baseball bats.
    for (std::size_t i = 0; i < 5; ++i) CHECK(list[i].sense == story.snapshot().sentences[0].sense);
    const std::vector<WhatIf> changes{what_if::HeadOff{1, 2}};
    story.send(command::SetWhatIf{changes});
    story.settle();
    check_nearest(story, changes);
    CHECK(story.value("uses/0") != before);
}

TEST_CASE("story: the uses say whether the sentence was trained on, and a click on a use shows it") {
    Story story;
    open_uses(story);
    REQUIRE(story.until([&] { return complete(story); }));
    CHECK(story.snapshot().nearest_uses->seen != NearestUses::Seen::sentence);  // a sample is in no corpus
    story.frames(2);
    const std::vector<NearestUses::Use> list = story.snapshot().nearest_uses->nearest;
    int learned = 0;
    while (list[learned].held_out) ++learned;
    story.send(command::Watch{0, list[learned].text});
    story.settle();
    REQUIRE(story.until([&] { return complete(story); }));
    story.frames(2);
    CHECK(story.snapshot().nearest_uses->seen == NearestUses::Seen::sentence);
    CHECK(story.value("uses/0") == doctest::Approx(1).epsilon(1e-5));  // itself
    const std::string second = story.text("uses/1");
    REQUIRE(story.play("click uses/1\nframes 2") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == second);
    // Back to the words: the uses are no longer computed.
    REQUIRE(story.play("click meaning/uses\nframes 2") == "");
    story.settle();
    CHECK_FALSE(story.snapshot().nearest_uses);
}

TEST_CASE("story: the uses of a training on a share of the sentences are those of this share") {
    Story story;
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.data_share = 0.1f;
    setup.options.longest = 9;
    story.send(command::NewRun{setup, "few"});
    const auto all = reference().world().masked_words();
    const auto part = std::dynamic_pointer_cast<const MaskedWords>(all->part(static_cast<double>(0.1f)));
    const auto is_used = [&](const std::vector<int>& ids) {
        return ids.size() <= 9 && std::ranges::find(part->corpus(), ids) != part->corpus().end();
    };
    const int bat = story.snapshot().sentences[0].tokens[static_cast<std::size_t>(story.state().token[0])].id;
    std::ptrdiff_t uses = 0;
    const std::vector<int>* left_out = nullptr;
    for (const std::vector<int>& ids : part->corpus())
        if (is_used(ids)) uses += std::ranges::count(ids, bat);
    for (const std::vector<int>& ids : all->corpus())
        if (std::ranges::count(ids, bat) == 1 && !is_used(ids)) left_out = &ids;
    open_uses(story);
    REQUIRE(story.until([&] { return complete(story); }));
    CHECK(story.snapshot().nearest_uses->training == uses);
    CHECK(story.snapshot().nearest_uses->all_compared);
    REQUIRE(left_out);
    const std::string text = story.snapshot().model->tokenizer->decode(*left_out);
    story.send(command::Watch{0, text});
    REQUIRE(story.until([&] { return complete(story) && story.snapshot().nearest_uses->sentence == text; }));
    CHECK(story.snapshot().nearest_uses->seen == NearestUses::Seen::known_template);
    // Another learning rate draws the same: nothing is looked for again.
    const std::shared_ptr<const NearestUses> found = story.snapshot().nearest_uses;
    story.send(command::SetLearningRate{0.002f});
    story.settle();
    CHECK(story.snapshot().nearest_uses == found);
    // The first run draws all of them.
    story.send(command::ChooseRun{story.snapshot().runs.front()->id});
    REQUIRE(story.until([&] { return complete(story) && story.snapshot().current_run()->name != "few"; }));
    CHECK(story.snapshot().nearest_uses->seen == NearestUses::Seen::sentence);
}

TEST_CASE("story: other worlds have nearest uses too; a published model says why it has none") {
    for (const std::string world : {"next_word", "coreference", "induction", "order"}) {
        CAPTURE(world);
        Story story({.model = world});
        story.state().own<UsesLook>().on = true;
        story.state().side_panel = Panel::words;
        story.state().slot = 0, story.state().token[0] = 1;  // no ▢
        story.frames(2);
        REQUIRE(story.until([&] { return complete(story); }));
        story.frames(2);
        const NearestUses& found = *story.snapshot().nearest_uses;
        CHECK(found.why_not == "");
        CHECK(found.training > 0);
        CHECK(story.shows("uses/0"));
    }
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_of_words(folder).string()});
    story.settle();
    open_uses(story);
    CHECK(contains(story.text("uses/none"), "training sentences of this model are not known"));
}

TEST_CASE("story: nearest uses are not offered where a model reads no single sentence of words") {
    Story story;
    open_uses(story);
    REQUIRE(story.shows("meaning/uses"));
    for (const char* world : {"regression", "translation"}) {
        CAPTURE(world);
        story.send(command::OpenModel{std::string(GLASSFORMER_SOURCE_DIR "/assets/models/") + world});
        story.settle();
        story.frames(4);
        CHECK_FALSE(story.shows("meaning/uses"));
        CHECK_FALSE(story.shows("uses/none"));
        CHECK(story.shows(world == std::string("regression") ? "A/said 0" : "A/guess 0"));
    }
}

TEST_CASE("story: in a small window, nearest uses and the lens's curves are scrolled into view") {
    Story story({.size = {1280, 720}});
    open_uses(story);
    REQUIRE(story.until([&] { return complete(story); }));
    story.frames(4);
    CHECK(in_window(story, "uses/seen"));
    CHECK(in_window(story, "uses/0"));
    Story lens({.size = {1280, 720}, .model = "next_word"});
    REQUIRE(lens.play("click \"view/Logit lens\"\nframes 3\nclick \"A/lens curves\"\nframes 6") == "");
    const auto last = [&](const std::string& curve) {
        int layer = 0;
        while (lens.shows("A/" + curve + " " + std::to_string(layer + 1))) ++layer;
        return "A/" + curve + " " + std::to_string(layer);
    };
    CHECK(in_window(lens, last("entropy")));
    CHECK(in_window(lens, last("rank")));
}

TEST_CASE("story: during training, a new sentence has its own nearest uses") {
    Story story;
    open_uses(story);
    REQUIRE(story.until([&] { return complete(story); }));
    constexpr const char* other = "he saw the bank by the river .";
    story.session.send(command::Train{});
    story.session.send(command::Watch{0, other});
    CHECK(story.until([&] {
        const auto& uses = story.snapshot().nearest_uses;
        return uses && uses->sentence == other && complete(story);
    }));
    CHECK(story.snapshot().nearest_uses->word == "bank");
    CHECK(story.snapshot().state == RunState::training);
    story.send(command::Pause{});
}
