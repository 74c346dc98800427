#include "core/analysis/head_scores.h"
#include "core/tasks/tasks.h"
#include "core/train/training_events.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const std::filesystem::path assets = GLASSFORMER_SOURCE_DIR "/assets";

std::vector<TrainingEvent> heads_of(const Snapshot& snapshot) {
    std::vector<TrainingEvent> heads;
    for (const TrainingEvent& event : *snapshot.current_run()->events)
        if (event.kind == EventKind::head) heads.push_back(event);
    return heads;
}

struct Formed {
    std::int64_t step;
    int block, head;
    bool operator==(const Formed&) const = default;
};

/// The first kept step where a score reaches the level after being below it, and holds it at the next two kept steps.
std::vector<Formed> formed(const Checkpoint& model, const Task& task, float HeadScore::*score, float level) {
    CpuBackend backend(1);
    const auto probe = HeadScoreProbe::make(backend, model.config, 3, telling_sentences(task));
    std::vector<std::pair<std::int64_t, std::vector<HeadScore>>> at;
    for (const auto& kept : model.keyframes) at.emplace_back(kept.step, probe->measure(*kept.parameters));
    if (at.back().first < model.step) at.emplace_back(model.step, probe->measure(*model.parameters));
    std::vector<Formed> all;
    for (std::size_t h = 0; h < at[0].second.size(); ++h)
        for (std::size_t i = 1; i + 2 < at.size(); ++i) {
            const auto is_there = [&](std::size_t k) { return at[k].second[h].*score >= level; };
            if (is_there(i - 1) || !is_there(i) || !is_there(i + 1) || !is_there(i + 2)) continue;
            all.push_back({at[i].first, at[i].second[h].block, at[i].second[h].head});
            break;
        }
    return all;
}

std::vector<Formed> told(const Snapshot& snapshot, HeadAbility ability) {
    std::vector<Formed> all;
    for (const TrainingEvent& e : heads_of(snapshot))
        if (e.ability == ability) all.push_back({e.step, e.block, e.head});
    return all;
}

void sort(std::vector<Formed>& all) {
    std::ranges::sort(all, {}, [](const Formed& f) { return std::tuple(f.step, f.block, f.head); });
}

void check_formed(const std::string& world, float HeadScore::*score, HeadAbility ability, bool some) {
    Story story({.model = world});
    story.settle();
    REQUIRE(story.until([&] { return !heads_of(story.snapshot()).empty() || !some; }));
    const auto task = make_task(world, assets / "worlds");
    std::vector<Formed> truth = formed(load_checkpoint(assets / "models" / world), *task, score,
                                       ability == HeadAbility::telling_word ? 0.2f : 0.4f),
                        found = told(story.snapshot(), ability);
    sort(truth), sort(found);
    CHECK(found == truth);
    if (some) CHECK_FALSE(truth.empty());
}

}  // namespace

TEST_CASE("story: a shipped run records the kept step at which each induction head formed") {
    check_formed("induction", &HeadScore::induction, HeadAbility::induction, true);
    check_formed("induction", &HeadScore::previous_word, HeadAbility::previous_word, false);
}

TEST_CASE("story: a shipped run records the kept step at which each head began to attend to the telling word") {
    check_formed("homonyms", &HeadScore::telling_word, HeadAbility::telling_word, true);
}

TEST_CASE("story: a click on a head's event shows that head at that step") {
    Story story({.model = "induction"});
    REQUIRE(story.until([&] { return !heads_of(story.snapshot()).empty(); }));
    REQUIRE(story.play("click runs\nframes 2") == "");
    const std::vector<TrainingEvent> events = *story.snapshot().current_run()->events;
    int last = -1;
    for (int i = 0; i < static_cast<int>(events.size()); ++i)
        if (events[i].ability == HeadAbility::induction) last = i;
    REQUIRE(last >= 0);
    choose_head(story.state(), story.snapshot(), 0, 0);
    REQUIRE(story.play("click happened/" + std::to_string(last)) == "");
    story.settle();
    CHECK(story.snapshot().step == events[last].step);
    CHECK(story.state().layer == events[last].block);
    CHECK(story.state().head == events[last].head);
}
