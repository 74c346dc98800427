#include <algorithm>
#include <cmath>

#include "app/common/what_if_changes.h"
#include "app/session/masks.h"
#include "core/analysis/patching.h"
#include "core/io/checkpoint.h"
#include "core/nn/transformer.h"
#include "core/tasks/tasks.h"
#include "core/trace/tracer.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/random_model.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Plays a script, then requests the map of patches on card A.
const PatchStudy& try_patches(Story& story, const std::string& script = "") {
    REQUIRE(story.play(script + "click \"A/patch try\"") == "");
    story.settle(2);
    return *story.snapshot().patch_study;
}

/// Compares the map on card A with this one.
Differences differences_to(const PatchGrid& truth, const Story& story) {
    Differences differences;
    for (int row = 0; row < truth.rows; ++row)
        for (int column = 0; column < truth.columns; ++column)
            if (!std::isnan(truth.at(row, column)))
                differences.expect(story, "A/patch " + std::to_string(row) + " " + std::to_string(column),
                                   static_cast<float>(truth.at(row, column) - truth.a));
    return differences;
}

}  // namespace

TEST_CASE("story: every position is patched from the other sentence, and a click keeps a patch") {
    Story story;
    constexpr const char* a = "he swung the bat and hit a foul .";
    constexpr const char* b = "she hung the bat and hit a seal .";
    story.session.send(command::Watch{0, a});
    story.send(command::Watch{1, b});
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"A/token 7\"") == "");
    for (const char* kind : {"stream", "attention", "MLP"}) {
        CAPTURE(kind);
        const PatchStudy& study = try_patches(story, "click \"A/patch kind/" + std::string(kind) + "\"\n");
        CHECK(study.position == 7);
        const PatchGrid truth = patch_grid(reference().backend, *reference().trace(a), *reference().trace(b),
                                           study.places, {study.position, study.word, study.minus});
        const Differences differences = differences_to(truth, story);
        CHECK(differences.report() == "");
        CHECK(differences.compared() == 18);
    }
    CHECK(click(story, "A/patch 1 7") == "");
    const HookPoint site{"blocks.1.hook_mlp_out", 7, -1};
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::Patch{0, site, site}});
    const auto patched = story.shown_trace(0).values(site.node), other = story.shown_trace(1).values(site.node);
    const std::size_t width = patched.size() / 9;
    CHECK(std::ranges::equal(patched.subspan(7 * width, width), other.subspan(7 * width, width)));
    CHECK(click(story, "A/patch 1 7") == "");
    CHECK(changes_of(story).empty());
}

TEST_CASE("story: sentences of unequal length are patched at matching words, and at the chosen ones") {
    Story story({.size = {1600, 1400}});
    REQUIRE(show(story, "What if") == "");
    REQUIRE(story.snapshot().sentences[0].tokens.size() != story.snapshot().sentences[1].tokens.size());
    const auto text = [&](int slot, int at) { return story.snapshot().sentences[slot].tokens[at].text; };
    // "foul" of A and "cave" of B: the user pairs them.
    REQUIRE(text(0, 7) == "foul");
    REQUIRE(text(1, 6) == "cave");
    CHECK(story.play("click \"B/token 6\"\nclick \"A/token 7\"\nframes 2") == "");
    CHECK(story.shows("A/patch by words"));
    const PatchStudy& study = try_patches(story);
    REQUIRE(study.refusal == "");
    for (std::size_t at = 0; at < study.partners.size(); ++at) {
        const int partner = study.partners[at];
        if (static_cast<int>(at) == 7)
            CHECK(partner == 6);
        else if (partner >= 0)
            CHECK(text(0, static_cast<int>(at)) == text(1, partner));
    }
    CHECK(study.partners[3] == 1);  // "bat"
    const PatchGrid truth =
        patch_grid(reference().backend, *reference().trace(first_sentence), *reference().trace(second_sentence),
                   study.places, {study.position, study.word, study.minus}, {study.partners});
    Differences differences;
    for (int block = 0; block < truth.rows; ++block)
        for (int position = 0; position < truth.columns; ++position)
            if (study.partners[position] >= 0)
                differences.expect(story, "A/patch " + std::to_string(block) + " " + std::to_string(position),
                                   static_cast<float>(truth.at(block, position) - truth.a));
    CHECK(differences.report() == "");
    CHECK(differences.compared() >= 6);
    CHECK(click(story, "A/patch 1 7") == "");
    const std::string node = "blocks.1.hook_resid_pre";
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::Patch{0, {node, 6, -1}, {node, 7, -1}}});
    CHECK(click(story, "A/patch 1 7") == "");
    // A position without a partner cannot be patched.
    const auto alone = std::ranges::find(study.partners, -1) - study.partners.begin();
    CHECK(click(story, "A/patch 1 " + std::to_string(alone)) == "");
    CHECK(changes_of(story).empty());
}

TEST_CASE("story: sentences of equal length are patched at the word chosen in both") {
    Story story({.size = {1600, 1400}});
    constexpr const char* a = "he swung the bat and hit a foul .";
    constexpr const char* b = "he noticed the furry bat after the sunset .";
    story.session.send(command::Watch{0, a});
    story.send(command::Watch{1, b});
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"B/token 4\"\nclick \"A/token 3\"\nframes 2") == "");
    CHECK(contains(story.text("A/patch by words"), "“bat” and “bat” form a pair"));
    try_patches(story);
    CHECK(click(story, "A/patch 1 3") == "");
    const std::string node = "blocks.1.hook_resid_pre";
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::Patch{0, {node, 4, -1}, {node, 3, -1}}});
    CHECK(click(story, "A/patch 1 3") == "");
    // With another word chosen in B, the sentences are patched position by position.
    CHECK(story.play("click \"B/token 2\"\nclick \"A/token 3\"\nframes 2\nexpect_no_item \"A/patch by words\"") == "");
}

TEST_CASE("story: patching warns that the word is visible, and can mask it in both sentences") {
    Story story;
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"B/token 8\"\nclick \"A/token 7\"\nframes 2\nexpect_item \"A/patch in sight\"") == "");
    CHECK(story.play("click \"A/patch hide\"") == "");
    story.settle(4);
    CHECK(story.snapshot().sentences[0].text == "He swung the bat and hit a ▢.");
    CHECK(is_mask(*story.snapshot().model, story.snapshot().sentences[1].tokens[8].id));
    CHECK(story.state().token[0] == 7);
    CHECK_FALSE(story.shows("A/patch in sight"));
    // Such a pair is among the samples.
    const auto& samples = story.snapshot().model->samples;
    CHECK(std::ranges::count_if(samples, [](const Sample& s) { return contains(s.text, "▢"); }) == 2);
}

TEST_CASE("story: the patch grid belongs to the step on screen and to the unaltered model, and says so") {
    Story story({.size = {1600, 1400}});
    story.session.send(command::Watch{0, "he swung the bat and hit a foul ."});
    story.send(command::Watch{1, "she hung the bat and hit a seal ."});
    REQUIRE(show(story, "What if") == "");
    try_patches(story, "click \"A/token 7\"\n");
    REQUIRE(story.shows("A/patch 1 3"));
    const double before = story.value("A/patch 1 3");
    CHECK_FALSE(story.shows("A/patch unaltered"));
    const auto caption = [&] { return story.app.export_caption(story.host); };
    CHECK(!contains(caption(), "map of patches"));
    // The map stays that of the unaltered model and says so, in a caption too.
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 2}}});
    story.frames(2);
    CHECK(story.value("A/patch 1 3") == before);
    CHECK(story.shows("A/patch unaltered"));
    CHECK(contains(caption(), "map of patches: unaltered"));
    story.send(command::SetWhatIf{});
    // After a training step it is another model: the map must be requested again.
    story.make_steps(1);
    CHECK_FALSE(story.shows("A/patch 1 3"));
    try_patches(story);
    REQUIRE(story.shows("A/patch 1 3"));
    CHECK(story.value("A/patch 1 3") != before);
    // The same applies to another run at the same step.
    story.send(
        command::Branch{story.snapshot().step, story.snapshot().current_run()->setup, {{"blocks.0.attn", 0}}, ""});
    story.frames(3);
    CHECK_FALSE(story.shows("A/patch 1 3"));
}

TEST_CASE("story: with one card, patching names the sentence that it patches from") {
    Story story({.size = {1600, 1400}});
    REQUIRE(show(story, "What if") == "");
    CHECK_FALSE(story.shows("A/patch other"));
    REQUIRE(story.play("click compare/off\nframes 3\nkey a\nframes 3") == "");
    CHECK(story.text("A/patch other") == second_sentence);
    REQUIRE(story.play("key b\nframes 3") == "");
    CHECK(story.text("B/patch other") == first_sentence);
}

TEST_CASE("story: each part of the chosen head is patched from the other sentence and from the mean") {
    Story story({.size = {1600, 1400}});
    constexpr const char* a = "he swung the bat and hit a foul .";
    constexpr const char* b = "she hung the bat and hit a seal .";
    story.session.send(command::Watch{0, a});
    story.send(command::Watch{1, b});
    choose_head(story.state(), story.snapshot(), 1, 2);
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"A/token 7\"\nclick \"A/patch kind/one head\"") == "");
    CHECK(story.text("A/patch head") != "");
    CHECK_FALSE(story.shows("A/patch shared"));
    for (const PatchSource source : {PatchSource::mean, PatchSource::other}) {
        const std::string name = source == PatchSource::mean ? "mean" : "other";
        CAPTURE(name);
        const PatchStudy& study = try_patches(story, "click \"A/patch source/" + name + "\"\nframes 2\n");
        CHECK(study.places == PatchedPlaces(PatchedHead{1, 2, source}));
        const PatchGrid truth = patch_grid(reference().backend, *reference().trace(a), *reference().trace(b),
                                           PatchedHead{1, 2, source}, {study.position, study.word, study.minus});
        const Differences differences = differences_to(truth, story);
        CHECK(differences.report() == "");
        CHECK(differences.compared() == 50);
        CHECK(story.shows("A/patch marks"));
    }
    // In the last block, z at another word does not reach this one: exactly 0, and the list says so.
    CHECK(story.value("A/patch 4 2") == 0.0);
    CHECK(story.play("hover \"A/patch 4 2\"\nwait tooltip ~ \"no effect\"") == "");
    CHECK(click(story, "A/patch 4 2") == "");
    CHECK(story.shows("A/what if/no effect"));
    CHECK(click(story, "A/patch 4 2") == "");
    // A click keeps the patch, and the trace then has B's values there.
    CHECK(click(story, "A/patch 2 3") == "");
    const what_if::HeadPatch kept{.block = 1, .head = 2, .part = HeadPart::v, .position = 3};
    CHECK(changes_of(story) == std::vector<WhatIf>{kept});
    const HookPoint v{"blocks.1.attn.hook_v", 3, 2};
    CHECK(values_of(story.shown_trace(0), v) == values_of(story.shown_trace(1), v));
    CHECK_FALSE(story.shows("A/what if/no effect"));
    CHECK(story.play("hover altered\nwait tooltip ~ \"v of block 1 · head 2 at “bat” of A patched from B\"") == "");
    story.frames(40);  // longer than changes are merged
    CHECK(press(story, "Ctrl+Z") == "");
    CHECK(changes_of(story).empty());
    CHECK(press(story, "Ctrl+Shift+Z") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{kept});
    // The last column patches every word.
    CHECK(click(story, "A/patch 3 9") == "");
    CHECK(changes_of(story).size() == 2);
    CHECK(values_of(story.shown_trace(0), {"blocks.1.attn.hook_pattern", -1, 2}) ==
          values_of(story.shown_trace(1), {"blocks.1.attn.hook_pattern", -1, 2}));
}

TEST_CASE("story: parts of a cross-attention head are patched, keys and values at the source's words") {
    Story story({.size = {1600, 1400}, .model = "translation"});
    const auto two = [&](int slot) { return story.snapshot().sentences[slot]; };
    REQUIRE(two(0).source.size() > 1);
    choose_head(story.state(), story.snapshot(), 0, 1);
    story.state().cross_attention = true;
    REQUIRE(show(story, "What if") == "");
    const PatchStudy& study = try_patches(story, "click \"A/patch kind/one head\"\nframes 2\n");
    REQUIRE(study.refusal == "");
    CHECK(study.places == PatchedPlaces(PatchedHead{0, 1, PatchSource::other, AttentionTo::source}));
    CpuBackend backend(1);
    const PatchGrid truth =
        patch_grid(backend, *two(0).trace, *two(1).trace, study.places, {study.position, study.word, study.minus},
                   {study.partners, study.source_partners});
    REQUIRE(truth.source == static_cast<int>(two(0).source.size()));
    const Differences differences = differences_to(truth, story);
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 10);
    REQUIRE(click(story, "A/patch 2 1") == "");  // a value vector, at the second source word
    const std::vector<WhatIf> changes = changes_of(story);
    REQUIRE(changes.size() == 1);
    const auto& kept = std::get<what_if::HeadPatch>(changes[0]);
    CHECK(kept.to == AttentionTo::source);
    CHECK(kept.position == 1);
    const int from = study.source_partners.empty() ? 1 : study.source_partners[1];
    CHECK(values_of(story.shown_trace(0), {"blocks.0.cross_attn.hook_v", 1, 1}) ==
          values_of(story.shown_trace(1), {"blocks.0.cross_attn.hook_v", from, 1}));
    CHECK(story.play("hover altered\nwait tooltip ~ \"“" + two(0).source[1].text + "”\"") == "");
}

TEST_CASE("story: a head's part is patched from the mean over the sentences of its world") {
    Story story({.size = {1600, 1400}});
    choose_head(story.state(), story.snapshot(), 1, 2);
    story.send(command::Watch{1, story.snapshot().sentences[0].text});  // of equal length
    REQUIRE(show(story, "What if") == "");
    try_patches(story, "click \"A/patch kind/one head\"\nframes 2\nclick \"A/patch source/world\"\nframes 2\n");
    REQUIRE(story.snapshot().patch_study->refusal == "");
    CHECK(story.shows("A/patch of world"));
    const int every = story.snapshot().patch_study->grid.columns - 1;
    REQUIRE(click(story, "A/patch 4 " + std::to_string(every)) == "");
    const std::vector<WhatIf> changes = changes_of(story);
    REQUIRE(changes.size() == 1);
    CHECK(std::get<what_if::HeadPatch>(changes[0]).source == PatchSource::world);
    // The mean of z over the held-out batch, traced here with masked words filled in.
    const auto task = make_task("homonyms", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    Batch batch;
    const auto source = task->held_out();
    const int count = source->eval_batch(command::averaged_sentences, batch);
    const std::size_t width = batch.tokens.size() / static_cast<std::size_t>(count);
    std::vector<double> mean(16);
    double rows = 0;
    for (int s = 0; s < count; ++s) {
        std::vector<int> ids;
        for (std::size_t i = static_cast<std::size_t>(s) * width; i < (static_cast<std::size_t>(s) + 1) * width; ++i)
            if (batch.key_mask[i] != 0.0f)
                ids.push_back(static_cast<int>(
                    batch.tokens[i] == static_cast<float>(WordTokenizer::mask) ? batch.targets[i] : batch.tokens[i]));
        const auto trace = reference().trace(ids, reference().shipped().parameters);
        const std::vector<float> z = values_of(*trace, {"blocks.1.attn.hook_z", -1, 2});
        for (std::size_t i = 0; i < z.size(); ++i) mean[i % 16] += static_cast<double>(z[i]);
        rows += static_cast<double>(z.size() / 16);
    }
    const std::vector<float> shown = values_of(story.shown_trace(0), {"blocks.1.attn.hook_z", -1, 2});
    for (std::size_t i = 0; i < shown.size(); ++i)
        CHECK(static_cast<double>(shown[i]) == doctest::Approx(mean[i % 16] / rows).epsilon(1e-4).scale(0.01));
    CHECK(story.play("hover altered\nwait tooltip ~ \"mean over sentences of its world\"") == "");
    // At another step, the mean is that step's.
    const std::vector<float> before = shown;
    story.send(command::LookAt{0});
    story.settle();
    CHECK(values_of(story.shown_trace(0), {"blocks.1.attn.hook_z", -1, 2}) != before);
}

TEST_CASE("story: the palette patches a head's part, and takes it back") {
    Story story;
    story.session.send(command::Watch{0, "he swung the bat and hit a foul ."});
    story.send(command::Watch{1, "she hung the bat and hit a seal ."});
    choose_head(story.state(), story.snapshot(), 0, 1);
    CHECK(story.play("click \"A/token 7\"\nframes 2") == "");
    const auto choose = [&](const std::string& words) {
        CHECK(story.play("key Ctrl+K\nframes 2\ntype \"" + words + "\"\nframes 2\nkey Enter\nframes 3") == "");
        story.settle(2);
    };
    choose("Patch pattern of the chosen head at every word from B");
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::HeadPatch{.head = 1, .part = HeadPart::pattern}});
    choose("Take back: pattern of block 0");
    CHECK(changes_of(story).empty());
    choose("Patch q of the chosen head at “foul” from the mean");
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::HeadPatch{
                                   .head = 1, .part = HeadPart::q, .position = 7, .source = PatchSource::mean}});
}

TEST_CASE("story: a head's part is patched at matching words in sentences of unequal length") {
    Story story({.size = {1600, 1400}});
    choose_head(story.state(), story.snapshot(), 1, 2);
    REQUIRE(show(story, "What if") == "");
    const PatchStudy& study =
        try_patches(story, "click \"B/token 6\"\nclick \"A/token 7\"\nclick \"A/patch kind/one head\"\nframes 2\n");
    REQUIRE(study.refusal == "");
    REQUIRE(study.partners[7] == 6);
    CHECK(click(story, "A/patch 2 7") == "");
    REQUIRE(changes_of(story).size() == 1);
    CHECK(values_of(story.shown_trace(0), {"blocks.1.attn.hook_v", 7, 2}) ==
          values_of(story.shown_trace(1), {"blocks.1.attn.hook_v", 6, 2}));
    // Patched at the same place from elsewhere: one of the two patches stays.
    what_if::HeadPatch mean = std::get<what_if::HeadPatch>(changes_of(story).front());
    mean.source = PatchSource::mean, mean.partners = {};
    story.frame([&] {
        toggle_change(Frame{story.host.ui(), story.snapshot(), story.state(),
                            [&](Command c) { story.session.send(std::move(c)); }},
                      mean);
    });
    story.settle();
    CHECK(changes_of(story) == std::vector<WhatIf>{mean});
    CHECK(click(story, "A/patch 2 7") == "");
    REQUIRE(changes_of(story).size() == 1);
    // The words of another sentence are others, even if there are as many.
    const std::size_t count = story.snapshot().sentences[1].tokens.size();
    story.send(command::Watch{1, "a dark cave was where the bat slept all day"});
    REQUIRE(story.snapshot().sentences[1].tokens.size() == count);
    story.frames(2);
    CHECK(changes_of(story).empty());
}

TEST_CASE("story: a patch of card B's own sentence keeps its place while B shows sentence A") {
    Story story;
    story.send(command::SetWhatIf{
        {what_if::HeadPatch{.slot = 1, .block = 1, .part = HeadPart::z, .position = 4, .source = PatchSource::mean}}});
    story.frames(2);
    const std::string word = story.snapshot().sentences[1].tokens[4].text;
    CHECK(story.play("hover altered\nwait tooltip ~ \"at “" + word + "”\"") == "");
    story.send(command::CompareWith{{Comparing::What::heads, {}, 0}});
    story.frames(2);
    CHECK(story.play("hover altered\nwait tooltip ~ \"at position 4\"") == "");
}

TEST_CASE("story: patching names the heads that share keys and values") {
    const TemporaryFolder folder;
    TransformerConfig config{.d_vocab = 12, .n_ctx = 8, .d_model = 16, .n_heads = 4, .n_layers = 2, .d_mlp = 24};
    config.family = Family::decoder;
    config.attention.n_key_value_heads = 2;
    Story story({.size = {1600, 1400}});
    open_random(story, folder / "model", config);
    story.session.send(command::Watch{0, "5 3 7"});
    story.send(command::Watch{1, "2 3 1"});
    REQUIRE(story.snapshot().error == "");
    choose_head(story.state(), story.snapshot(), 1, 3);
    REQUIRE(show(story, "What if") == "");
    try_patches(story, "click \"A/token 2\"\nclick \"A/patch kind/one head\"\nframes 2\n");
    CHECK(story.shows("A/patch shared"));
    CHECK(click(story, "A/patch 2 1") == "");
    for (const int head : {2, 3})
        CHECK(values_of(story.shown_trace(0), {"blocks.1.attn.hook_v", 1, head}) ==
              values_of(story.shown_trace(1), {"blocks.1.attn.hook_v", 1, head}));
    CHECK(values_of(story.shown_trace(0), {"blocks.1.attn.hook_v", 1, 1}) !=
          values_of(story.shown_trace(1), {"blocks.1.attn.hook_v", 1, 1}));
}
