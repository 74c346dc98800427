// The gradient of an answer beside every explained number: the paths that it comes by, and what it belongs to.
#include <functional>

#include "app/common/answer_gradient.h"
#include "core/analysis/interventions.h"
#include "tests/ui/word_parts_story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: the answer's gradient is shown with every explained number until it is switched off") {
    Story story;
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    CHECK_FALSE(story.snapshot().word_parts[0]->gradients);
    CHECK_FALSE(story.shows("explain/gradient"));
    show_gradients(story);
    const Trace& trace = story.shown_trace(0);
    const auto of = [&](const char* name) {
        return story.snapshot().word_parts[0]->gradients->of(trace.graph(), trace.graph().at(name));
    };
    const std::span<const float> e = trace.values("hook_embed"), gradient = of("hook_embed");
    double sum = 0;
    for (std::size_t j = 0; j < 64; ++j) sum += static_cast<double>(e[64 + j]) * static_cast<double>(gradient[64 + j]);
    CHECK(story.value("A/part gradient 1") == doctest::Approx(sum).epsilon(1e-4).scale(0.01));

    REQUIRE(story.play("click \"view/Q K V\"\nframes 3") == "");
    REQUIRE(story.snapshot().word_parts[0]);  // still requested
    const int q = trace.graph().at("blocks.0.attn.hook_q");
    explain_cell(story, {q, 70});
    CHECK(story.value("explain/gradient") == static_cast<double>(of("blocks.0.attn.hook_q")[70]));
    CHECK(contains(story.text("explain/gradient"), "blocks.0.attn.hook_q_grad"));
    story.send(command::SetWhatIf{{what_if::MlpOff{1}}});  // the gradient is of what is on screen
    wait_for_parts(story);
    REQUIRE(story.snapshot().word_parts[0]->gradients);
    CHECK(story.value("explain/gradient") ==
          static_cast<double>(story.snapshot().word_parts[0]->gradients->of(trace.graph(), q)[70]));
    REQUIRE(story.play("click \"view/Logit attribution\"\nframes 2\nclick \"A/part everywhere\"\nframes 3") == "");
    CHECK_FALSE(story.shows("explain/gradient"));
}

TEST_CASE("story: the paths of a gradient are never those of an earlier one that had the same memory") {
    Story story;
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    show_gradients(story);
    const Cell cell{story.shown_trace(0).graph().at("blocks.0.attn.hook_v"), 5};
    const auto first = *story.snapshot().word_parts[0]->gradients;
    story.send(command::SetWhatIf{{what_if::HeadOff{1, 2}}});
    wait_for_parts(story);
    const auto second = *story.snapshot().word_parts[0]->gradients;
    // As during a training, where each snapshot frees the gradients of one before it.
    NodeGradients memory;
    const auto ways_of = [&](const NodeGradients& gradients) {
        memory = gradients;
        Snapshot snapshot = story.snapshot();
        auto parts = std::make_shared<WordPartsShown>(*snapshot.word_parts[0]);
        parts->gradients = std::shared_ptr<const NodeGradients>(&memory, [](const NodeGradients*) {});
        snapshot.word_parts[0] = parts;
        const std::function<void(Command)> nothing = [](const Command&) {};
        const Frame frame{story.host.ui(), snapshot, story.state(), nothing};
        const std::optional<AnswerGradient> found = answer_gradient_ways(frame, 0, cell);
        double sum = 0;
        for (const NodeGradients::Way& way : found->ways) sum += way.part;
        return sum;
    };
    const double before = ways_of(first), now = ways_of(second);
    CHECK(before != now);
    const auto& graph = story.shown_trace(0).graph();
    CHECK(now == doctest::Approx(second.of(graph, cell.node)[5]).epsilon(1e-4).scale(1e-3));
}

TEST_CASE("story: gradients shown everywhere are of the sentence with its painted row") {
    Story story;
    std::vector<float> weights(story.shown_trace(0).tokens().size());
    weights[0] = 1.0f;
    story.send(command::SetWhatIf{{what_if::AttentionRow{0, 0, 0, 2, weights}}});
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    show_gradients(story);
    const Trace& trace = story.shown_trace(0);
    REQUIRE(trace.intervened());
    const int stream = trace.graph().at("blocks.0.hook_resid_pre");
    explain_cell(story, {stream, 5});  // of the word that gets the painted weight
    const double gradient = story.value("explain/gradient");
    double sum = 0;
    for (int way = 0; story.shows("explain/gradient way " + std::to_string(way)); ++way)
        sum += story.value("explain/gradient way " + std::to_string(way));
    CHECK(sum == doctest::Approx(gradient).epsilon(1e-4).scale(1e-3));
    // The slope of the answer as this one number grows, in the painted run.
    const AskedWordParts& asked = story.snapshot().word_parts[0]->asked;
    CpuBackend backend(1);
    Tracer tracer(backend, story.snapshot().model->config);
    const auto answer = [&](float change) {
        const auto run = tracer.trace(trace.tokens(), trace.parameters(),
                                      {set_attention_row(trace.model(), 0, 0, 2, weights),
                                       {stream, {{5, 1}}, {trace.values(stream)[5] + change}}});
        const SliceView said = run->part(run->model().logits, {asked.position, 1});
        const double logit = static_cast<double>(said.values()[static_cast<std::size_t>(asked.word)]);
        return asked.less_mean ? logit - mean_of(said.values()) : logit;
    };
    CHECK(gradient == doctest::Approx((answer(0.05f) - answer(-0.05f)) / 0.1).epsilon(5e-2).scale(1e-2));
}

TEST_CASE("story: gradients that are shown everywhere belong to the sentence and the model on screen") {
    Story story;
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    REQUIRE(story.play("click \"A/part everywhere\"\nframes 2\nclick view/Attention\nframes 2") == "");
    const auto check_answer = [&] {
        wait_for_parts(story, 0, [](const AskedWordParts& asked) { return asked.gradients; });
        const AskedWordParts& asked = story.snapshot().word_parts[0]->asked;
        const Trace& trace = story.shown_trace(0);
        CHECK(asked.position == story.state().token[0]);
        CHECK(asked.word == largest(trace.part(trace.model().logits, {asked.position, 1}).values()));
    };
    check_answer();
    const auto weight = [&] { return "A/weight " + std::to_string(story.snapshot().sentences[0].tokens.size() - 2); };
    story.send(command::Watch{0, "she sat on the grassy bank and fed the ducks ."});
    story.frames(3);
    check_answer();
    REQUIRE(story.play("hover \"" + weight() + "\"\nframes 3") == "");
    CHECK(contains(story.text("tooltip"), "at “bank”"));
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/next_word"});
    story.frames(3);
    check_answer();
}
