#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "app/session/session.h"
#include "app/session/startup.h"
#include "core/analysis/interventions.h"
#include "core/analysis/patching.h"
#include "core/analysis/what_if_tracer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "tests/contains.h"
#include "tests/same_bytes.h"
#include "tests/ui/opening_sentences.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::what_if;

namespace {

constexpr const char* five_words = "A bat flew at dusk.";

Session::Options options(const std::string& model = "homonyms") {
    Session::Options o;
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    o.checkpoint = o.assets / "models" / model;
    if (model == "homonyms") o.sentences = {first_sentence, second_sentence};
    return o;
}

std::shared_ptr<const Snapshot> settled(Session& session) {
    while (!session.settled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return session.snapshot();
}

std::shared_ptr<const Snapshot> with(Session& session, std::vector<WhatIf> changes) {
    session.send(command::SetWhatIf{std::move(changes)});
    return settled(session);
}

std::shared_ptr<const Snapshot> wait_for(Session& session, const std::function<bool(const Snapshot&)>& ready) {
    for (int i = 0; i < 600000; ++i) {
        const auto snapshot = session.snapshot();
        if (ready(*snapshot)) return snapshot;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the session did not get there within ten minutes");
    return session.snapshot();
}

bool same_run(const Trace& a, const Trace& b) {
    if (a.graph().nodes().size() != b.graph().nodes().size()) return false;
    for (std::size_t id = 0; id < a.graph().nodes().size(); ++id)
        if (!same_bytes(a.values(static_cast<int>(id)), b.values(static_cast<int>(id)))) return false;
    return true;
}

/// Core alone: traces the same sentence again with these interventions.
std::shared_ptr<const Trace> again(const Trace& trace, const std::vector<Intervention>& interventions = {}) {
    static CpuBackend backend(1);
    return Tracer(backend, trace.model().config).trace(trace.tokens(), trace.parameters(), interventions);
}

std::vector<float> row_of(std::size_t keys) {
    std::vector<float> row(keys, 0.0f);
    row[1] = 1.0f;
    return row;
}

}  // namespace

TEST_CASE("what-ifs show the altered run beside the original, and removing them restores the original bytes") {
    Session session(options());
    const auto before = session.snapshot();
    CHECK_FALSE(before->sentences[0].original);
    CHECK(before->sentences[0].original_masked_probabilities.empty());
    const std::vector<WhatIf> changes{HeadOff{1, 2}, MlpOff{0}, AttentionRow{0, 0, 3, 2, row_of(9)}};
    const auto after = with(session, changes);
    CHECK(after->error.empty());
    CHECK(after->what_if == changes);
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const WatchedSentence &was = before->sentences[slot], &now = after->sentences[slot];
        REQUIRE(now.original);
        CHECK(same_run(*now.original, *was.trace));
        const TransformerGraph& graph = now.original->model();
        std::vector<Intervention> direct{ablate_head(graph, 1, 2), ablate_mlp(graph, 0)};
        if (slot == 0) direct.push_back(set_attention_row(graph, 0, 3, 2, row_of(9)));
        CHECK(same_run(*now.trace, *again(*was.trace, direct)));
        CHECK_FALSE(same_bytes(now.trace->values("logits"), was.trace->values("logits")));
        CHECK(now.original_masked_probabilities == was.masked_probabilities);
        CHECK(now.masked_probabilities != was.masked_probabilities);
    }
    const auto restored = with(session, {});
    CHECK(restored->what_if.empty());
    for (std::size_t slot = 0; slot < 2; ++slot) {
        CHECK_FALSE(restored->sentences[slot].original);
        CHECK(same_run(*restored->sentences[slot].trace, *before->sentences[slot].trace));
        CHECK(restored->sentences[slot].masked_probabilities == before->sentences[slot].masked_probabilities);
        CHECK(restored->sentences[slot].original_masked_probabilities.empty());
    }
}

TEST_CASE("masked words are predicted by the altered model") {
    Session session(options());
    const auto after = with(session, {NormOff{}, HardAttention{0, 1}});
    const WatchedSentence& a = after->sentences[0];
    const std::size_t v = after->model->config.d_vocab;
    TraceInput masked{a.original->tokens()};
    masked.tokens[3] = WordTokenizer::mask;
    CpuBackend backend(1);
    WhatIfTracer tracer(backend, after->model->config);
    const auto guess = tracer.trace({masked, 0, {}}, a.original->parameters(), after->what_if);
    CHECK(same_bytes(std::span(a.masked_probabilities).subspan(3 * v, v),
                     guess->values("probabilities").subspan(3 * v, v)));
    CHECK_FALSE(a.trace->graph().find("ln_final.hook_out"));
    CHECK(a.original->graph().find("ln_final.hook_out"));
}

TEST_CASE("a change that does not fit is refused by name, and the previous changes stay") {
    Session session(options());
    const auto before = with(session, {HeadOff{0, 0}});
    const auto check_refused = [&](const WhatIf& change, const char* why) {
        const auto after = with(session, {HeadOff{0, 1}, change});
        CHECK(contains(after->error, describe(change).c_str()));
        CHECK(contains(after->error, why));
        CHECK(after->what_if == std::vector<WhatIf>{HeadOff{0, 0}});
        CHECK(after->sentences[0].trace == before->sentences[0].trace);  // nothing was computed again
    };
    check_refused(HeadOff{0, 4}, "no head 4");
    check_refused(MaskOff{}, "no causal mask");
    check_refused(AttentionRow{0, 0, 0, 9, row_of(9)}, "no position 9");
    check_refused(AttentionRow{1, 0, 0, 0, row_of(4)}, "4 weights");
    check_refused(AttentionRow{5, 0, 0, 0, row_of(9)}, "no sentence 5");
    check_refused(Patch{0, {"blocks.7.hook_resid_pre"}, {"logits"}}, "blocks.7.hook_resid_pre");
    check_refused(Patch{0, {"logits", 0}, {"logits"}}, "the same number in both");
}

TEST_CASE("patches copy from the other sentence's own run") {
    Session session(options());
    const HookPoint site{"blocks.1.hook_resid_pre", 2};
    const auto after = with(session, {HeadOff{1, 0}, Patch{0, site, site}});
    const Trace &a = *after->sentences[0].original, &b = *after->sentences[1].original;
    CHECK(same_run(*after->sentences[0].trace,
                   *again(a, {ablate_head(a.model(), 1, 0), patch(b, site, a.model(), site)})));
    CHECK(same_run(*after->sentences[1].trace, *again(b, {ablate_head(b.model(), 1, 0)})));
}

TEST_CASE("changes of a sentence are dropped with it, and reported; the others stay") {
    Session session(options());
    const HookPoint late{"blocks.1.hook_resid_pre", 8};
    const WhatIf row = AttentionRow{0, 0, 0, 8, row_of(9)}, patched = Patch{1, late, late}, head = HeadOff{0, 0};
    CHECK(with(session, {row, head, patched})->what_if.size() == 3);
    session.send(command::Watch{0, "He hit a ball with the bat again."});
    const auto same_length = settled(session);
    REQUIRE(same_length->sentences[0].trace->positions() == 9);
    CHECK(same_length->what_if.size() == 3);
    session.send(command::Watch{0, five_words});
    const auto shorter = settled(session);
    CHECK(shorter->what_if == std::vector{head});
    CHECK(contains(shorter->error, describe(row).c_str()));
    CHECK(contains(shorter->error, describe(patched).c_str()));
    CHECK(shorter->error_number == same_length->error_number + 1);
    CHECK(same_run(*shorter->sentences[1].trace, *again(*shorter->sentences[1].original,
                                                        {ablate_head(shorter->sentences[1].original->model(), 0, 0)})));
    // An unreadable sentence drops its own changes; the model's changes are back with the next one.
    CHECK(with(session, {head, AttentionRow{1, 0, 0, 0, row_of(10)}})->what_if.size() == 2);
    session.send(command::Watch{1, ""});
    const auto empty = settled(session);
    CHECK(empty->what_if == std::vector{head});
    CHECK_FALSE(empty->sentences[1].trace);
    CHECK_FALSE(empty->sentences[1].original);
    CHECK(with(session, {head, Patch{0, {"logits", 0}, {"logits", 0}}})->what_if == std::vector{head});
    session.send(command::Watch{1, five_words});
    CHECK(settled(session)->sentences[1].original);
}

TEST_CASE("another model starts without changes") {
    Session session(options());
    CHECK(with(session, {HeadOff{0, 0}, NormOff{}})->what_if.size() == 2);
    session.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/induction"});
    const auto opened = settled(session);
    CHECK(opened->what_if.empty());
    CHECK_FALSE(opened->sentences[0].original);
    const auto open = with(session, {MaskOff{}});
    CHECK(open->error.empty());
    const WatchedSentence& a = open->sentences[0];
    CHECK(a.original->values("blocks.0.attn.hook_pattern")[1] == 0.0f);
    CHECK(a.trace->values("blocks.0.attn.hook_pattern")[1] > 0.0f);
}

TEST_CASE("models of numbers, pairs and translations can be altered too") {
    for (const char* name : {"regression", "order", "translation", "coreference"}) {
        INFO(name);
        Session session(options(name));
        const auto before = session.snapshot();
        REQUIRE(before->sentences[0].trace);
        const auto after = with(session, {HeadOff{0, 0}, ResidualOff{}});
        if (before->model->config.residual) {
            CHECK(after->error.empty());
            CHECK_FALSE(
                same_bytes(after->sentences[0].trace->values("logits"), before->sentences[0].trace->values("logits")));
        } else {
            CHECK(contains(after->error, "no residual"));
        }
        CHECK(same_run(*with(session, {})->sentences[0].trace, *before->sentences[0].trace));
    }
}

TEST_CASE("during training every snapshot is altered, at its own step") {
    Session::Options o = options();
    o.checkpoint.clear();
    o.world = "homonyms";
    Session session(o);
    session.send(command::SetWhatIf{{PositionsOff{}, HeadOff{0, 1}}});
    session.send(command::Train{});
    const auto early = wait_for(session, [](const Snapshot& s) { return s.step >= 3; });
    const auto late = wait_for(session, [&](const Snapshot& s) { return s.step > early->step; });
    session.send(command::Pause{});
    for (const auto& s : {early, late, settled(session)}) {
        const WatchedSentence& a = s->sentences[0];
        REQUIRE(a.original);
        const AlteredModel model = alter(s->model->config, a.original->parameters(), s->what_if);
        CHECK(model.config == a.trace->model().config);
        CHECK(same_bytes(*model.parameters, *a.trace->parameters()));
        CHECK(same_run(*a.trace, *again(*a.trace, {ablate_head(a.trace->model(), 0, 1)})));
        CHECK(s->state == (s == early || s == late ? RunState::training : RunState::paused));
    }
    CHECK_FALSE(same_bytes(early->sentences[0].trace->values("logits"), late->sentences[0].trace->values("logits")));
}

TEST_CASE("traces that nothing has changed are not computed again") {
    Session session(options());
    const auto before = with(session, {HeadOff{0, 0}});
    session.send(command::SetSeed{9});
    const auto after = settled(session);
    CHECK(after->number > before->number);
    CHECK(after->sentences[0].trace == before->sentences[0].trace);
    CHECK(after->sentences[1].original == before->sentences[1].original);
    session.send(command::Watch{0, five_words});
    CHECK(settled(session)->sentences[1].original == before->sentences[1].original);
}

TEST_CASE("a patch grid is computed by the session as by core") {
    Session session(options());
    session.send(command::Watch{0, "He swung the bat at dusk."});
    session.send(command::Watch{1, "The bat flew at dusk again."});
    session.send(command::SetWhatIf{{HeadOff{0, 0}}});  // the grid is of the unaltered model
    const auto before = settled(session);
    CHECK_FALSE(before->patch_study);
    const Trace &a = *before->sentences[0].original, &b = *before->sentences[1].original;
    REQUIRE(a.positions() == b.positions());
    CpuBackend backend(1);
    for (const int slot : {0, 1})
        for (const PatchedNode node : {PatchedNode::resid_pre, PatchedNode::mlp_out}) {
            session.send(command::AskPatchGrid{node, slot, 3, 20, 31});
            const auto s = settled(session);
            const auto study = s->patch_study;
            REQUIRE(study);
            CHECK(study->refusal.empty());
            CHECK(study->places == PatchedPlaces(node));
            CHECK(study->slot == slot);
            CHECK(study->position == 3);
            CHECK(study->word == 20);
            CHECK(study->minus == 31);
            CHECK(study->step == s->step);
            CHECK(study->texts == std::array{s->sentences[0].text, s->sentences[1].text});
            CHECK(study->done == 2 * a.positions());
            CHECK(study->total == study->done);
            CHECK(study->grid.complete);
            const PatchGrid direct = patch_grid(backend, slot == 0 ? a : b, slot == 0 ? b : a, node, {3, 20, 31});
            CHECK(study->grid.difference == direct.difference);
            CHECK(study->grid.a == direct.a);
            CHECK(study->grid.b == direct.b);
            CHECK(s->sentences[0].trace == before->sentences[0].trace);
        }
    session.send(command::Watch{1, "The bat flew at dusk again."});
    CHECK(settled(session)->patch_study);  // the same text again
    session.send(command::Watch{1, five_words});
    CHECK_FALSE(settled(session)->patch_study);
}

TEST_CASE("a patch grid that cannot be computed says why, and is dropped with its model") {
    Session session(options());
    const auto refused = [&](const command::AskPatchGrid& asked, const char* why) {
        session.send(asked);
        const auto s = settled(session);
        REQUIRE(s->patch_study);
        CHECK(contains(s->patch_study->refusal, why));
        CHECK(s->patch_study->total == 0);
        CHECK(s->error.empty());
    };
    refused({PatchedNode::resid_pre, 0, 3, 20, 31}, "9 and 10 tokens");
    session.send(command::Watch{1, first_sentence});
    refused({PatchedNode::resid_pre, 0, 9, 20, 31}, "no position 9");
    refused({PatchedNode::resid_pre, 1, 3, 20, 100000}, "no word 100000");
    refused({PatchedNode::resid_pre, 2, 3, 20, 31}, "no sentence 2");
    session.send(command::AskPatchGrid{PatchedNode::attn_out, 0, 3, 20, 31});
    CHECK(settled(session)->patch_study->grid.complete);
    session.send(command::Watch{0, ""});
    refused({PatchedNode::resid_pre, 0, 3, 20, 31}, "two sentences");
    session.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/induction"});
    CHECK_FALSE(settled(session)->patch_study);
}

TEST_CASE("a patch grid is computed during training, with the parameters that it started with") {
    Session::Options o = options();
    o.checkpoint.clear();
    o.world = "homonyms";
    o.sentences = {first_sentence, "He hit a ball with the bat again."};
    Session session(o);
    session.send(command::Train{});
    wait_for(session, [](const Snapshot& s) { return s.step >= 2; });
    session.send(command::AskPatchGrid{PatchedNode::resid_pre, 0, 3, 20, 31});
    const auto s = wait_for(session, [](const Snapshot& now) {
        return now.patch_study && !now.patch_study->under_way() && now.step > now.patch_study->step;
    });
    CHECK(s->state == RunState::training);
    CHECK(s->patch_study->refusal.empty());
    CHECK(s->patch_study->grid.complete);
    CHECK(s->patch_study->grid.a != s->patch_study->grid.b);
    session.send(command::Pause{});
    CHECK(settled(session)->patch_study->step == s->patch_study->step);
}
