#include <algorithm>

#include "app/session/masks.h"
#include "core/analysis/patching.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: every place is patched from the other sentence, and a click keeps a patch") {
    Story story;
    constexpr const char* a = "he swung the bat and hit a foul .";
    constexpr const char* b = "she hung the bat and hit a seal .";
    story.session.send(command::Watch{0, a});
    story.send(command::Watch{1, b});
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"A/token 7\"") == "");
    for (const char* kind : {"stream", "attention", "MLP"}) {
        CAPTURE(kind);
        CHECK(story.play("click \"A/patch kind/" + std::string(kind) + "\"\nclick \"A/patch try\"") == "");
        story.settle();
        story.frames(2);
        const PatchStudy& study = *story.snapshot().patch_study;
        CHECK(study.position == 7);
        const PatchGrid truth = patch_grid(reference().backend, *reference().trace(a), *reference().trace(b),
                                           study.node, {study.position, study.word, study.minus});
        Differences differences;
        for (int block = 0; block < truth.rows; ++block)
            for (int position = 0; position < truth.columns; ++position)
                differences.expect(story, "A/patch " + std::to_string(block) + " " + std::to_string(position),
                                   static_cast<float>(truth.at(block, position) - truth.a));
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

TEST_CASE("story: sentences of unequal length are patched by the same words, and by the chosen ones") {
    Story story({.size = {1600, 1400}});
    REQUIRE(show(story, "What if") == "");
    REQUIRE(story.snapshot().sentences[0].tokens.size() != story.snapshot().sentences[1].tokens.size());
    const auto text = [&](int slot, int at) { return story.snapshot().sentences[slot].tokens[at].text; };
    // "foul" of A against "cave" of B: a person says that these two belong together.
    REQUIRE(text(0, 7) == "foul");
    REQUIRE(text(1, 6) == "cave");
    CHECK(story.play("click \"B/token 6\"\nclick \"A/token 7\"\nframes 2") == "");
    CHECK(story.shows("A/patch by words"));
    CHECK(story.play("click \"A/patch try\"") == "");
    story.settle();
    story.frames(2);
    const PatchStudy& study = *story.snapshot().patch_study;
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
                   study.node, {study.position, study.word, study.minus}, {}, {}, study.partners);
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
    // A place without a partner takes nothing.
    const auto alone = std::ranges::find(study.partners, -1) - study.partners.begin();
    CHECK(click(story, "A/patch 1 " + std::to_string(alone)) == "");
    CHECK(changes_of(story).empty());
}

TEST_CASE("story: a patch says that the word is in sight, and hides it in both sentences on demand") {
    Story story;
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"B/token 8\"\nclick \"A/token 7\"\nframes 2\nexpect_item \"A/patch in sight\"") == "");
    CHECK(story.play("click \"A/patch hide\"") == "");
    story.settle();
    story.frames(4);
    CHECK(story.snapshot().sentences[0].text == "He swung the bat and hit a ▢.");
    CHECK(is_mask(*story.snapshot().model, story.snapshot().sentences[1].tokens[8].id));
    CHECK(story.state().token[0] == 7);
    CHECK_FALSE(story.shows("A/patch in sight"));
    // Such a pair is among the samples.
    const auto& samples = story.snapshot().model->samples;
    CHECK(std::ranges::count_if(samples, [](const Sample& s) { return s.text.find("▢") != std::string::npos; }) == 2);
}

TEST_CASE("story: a map of patches is of the step on screen, and says that it is of the unaltered model") {
    Story story({.size = {1600, 1400}});
    story.session.send(command::Watch{0, "he swung the bat and hit a foul ."});
    story.send(command::Watch{1, "she hung the bat and hit a seal ."});
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"A/token 7\"\nclick \"A/patch try\"") == "");
    story.settle();
    story.frames(2);
    REQUIRE(story.shows("A/patch 1 3"));
    const double before = story.value("A/patch 1 3");
    CHECK_FALSE(story.shows("A/patch unaltered"));
    const auto caption = [&] { return story.app.export_caption(story.host); };
    CHECK(caption().find("map of patches") == std::string::npos);
    // Beside an altered model it is the same map, and says so, in a caption, too.
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 2}}});
    story.frames(2);
    CHECK(story.value("A/patch 1 3") == before);
    CHECK(story.shows("A/patch unaltered"));
    CHECK(caption().find("map of patches: unaltered") != std::string::npos);
    story.send(command::SetWhatIf{});
    // After a step it is another model's: it has to be asked for again.
    story.make_steps(1);
    CHECK_FALSE(story.shows("A/patch 1 3"));
    CHECK(story.play("click \"A/patch try\"") == "");
    story.settle();
    story.frames(2);
    REQUIRE(story.shows("A/patch 1 3"));
    CHECK(story.value("A/patch 1 3") != before);
    // So it is in another run, at the same step.
    story.send(
        command::Branch{story.snapshot().step, story.snapshot().current_run()->setup, {{"blocks.0.attn", 0}}, ""});
    story.frames(3);
    CHECK_FALSE(story.shows("A/patch 1 3"));
}

TEST_CASE("story: what is patched in says its sentence where that has no card of its own") {
    Story story({.size = {1600, 1400}});
    REQUIRE(show(story, "What if") == "");
    CHECK_FALSE(story.shows("A/patch other"));
    REQUIRE(story.play("click compare/off\nframes 3\nkey a\nframes 3") == "");
    CHECK(story.text("A/patch other") == second_sentence);
    REQUIRE(story.play("key b\nframes 3") == "");
    CHECK(story.text("B/patch other") == first_sentence);
}
