#include <cmath>
#include <functional>
#include <numeric>

#include "core/analysis/altered_backend.h"
#include "core/analysis/interventions.h"
#include "core/analysis/rollout.h"
#include "core/analysis/what_if_tracer.h"
#include "core/text/special_tokens.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"
#include "tests/ui/word_parts_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::vector<double> row(const Story& story, const std::string& card, const std::string& method, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(story.value(card + "/part " + method + " " + std::to_string(i)));
    return values;
}

/// logit − mean of a word at a position, from a run of these tokens with these changes.
double above_mean(Story& story, std::vector<int> tokens, int position, int word, std::span<const WhatIf> changes,
                  const Parameters& parameters) {
    CpuBackend backend(1);
    WhatIfTracer tracer(backend, story.snapshot().model->config);
    const WhatIfRun run{{std::move(tokens)}, 0, {}};
    const auto trace = tracer.trace(run, parameters, changes);
    const SliceView said = trace->part(trace->model().logits, {position, 1});
    return static_cast<double>(said.values()[static_cast<std::size_t>(word)]) - mean_of(said.values());
}

/// Σ e · ∂f/∂e of each word's embedding e: the slope of logit − mean as the embedding grows, from separate runs.
std::vector<double> slopes(Story& story, const std::vector<int>& tokens, int position, int word,
                           std::span<const WhatIf> changes, const Parameters& parameters) {
    constexpr double h = 0.01;
    CpuBackend backend(1);
    Tracer tracer(backend, story.snapshot().model->config);
    const TransformerGraph model = tracer.model({tokens});
    const auto plain = tracer.trace(tokens, parameters);
    const std::span<const float> embedding = plain->values("hook_embed");
    const std::size_t width = embedding.size() / tokens.size();
    std::vector<double> found;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto at = [&](double by) {
            std::vector<float> e(embedding.begin(), embedding.end());
            for (std::size_t j = i * width; j < (i + 1) * width; ++j) e[j] *= static_cast<float>(1 + by);
            std::vector<Intervention> set{set_cells(model, {"hook_embed"}, e)};
            for (const WhatIf& change : changes) set.push_back(*cells_of(model, change));
            const auto trace = tracer.trace(tokens, parameters, set);
            const SliceView said = trace->part(trace->model().logits, {position, 1});
            return static_cast<double>(said.values()[static_cast<std::size_t>(word)]) - mean_of(said.values());
        };
        found.push_back((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    }
    return found;
}

/// Checks every number on card A's page against separate runs of the model.
void check_parts(Story& story, std::span<const WhatIf> changes) {
    const auto& shown = *story.snapshot().word_parts[0];
    const std::vector<int> tokens = story.shown_trace(0).tokens();
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    const Parameters parameters = (sentence.original ? sentence.original : sentence.trace)->parameters();
    const int at = shown.asked.position, word = shown.asked.word;
    REQUIRE(shown.asked.less_mean);
    const double whole = above_mean(story, tokens, at, word, changes, parameters);
    CHECK(story.value("A/part answer") == doctest::Approx(whole).epsilon(1e-4));
    for (int i = 0; i < static_cast<int>(tokens.size()); ++i) {
        std::vector<int> rest = tokens, hidden = tokens;
        rest.erase(rest.begin() + i);
        hidden[static_cast<std::size_t>(i)] = *mask_id(*story.snapshot().model->tokenizer);
        const std::string n = std::to_string(i);
        if (i == at)
            CHECK(std::isnan(story.value("A/part removed " + n)));
        else
            CHECK(story.value("A/part removed " + n) ==
                  doctest::Approx(whole - above_mean(story, rest, at - (i < at ? 1 : 0), word, changes, parameters))
                      .epsilon(1e-3)
                      .scale(1.0));
        CHECK(
            story.value("A/part hidden " + n) ==
            doctest::Approx(whole - above_mean(story, hidden, at, word, changes, parameters)).epsilon(1e-3).scale(1.0));
    }
    const std::vector<double> gradient = slopes(story, tokens, at, word, changes, parameters);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        CHECK(story.value("A/part gradient " + std::to_string(i)) ==
              doctest::Approx(gradient[i]).epsilon(1e-2).scale(1.0));
    const std::vector<double> integrated = row(story, "A", "integrated", tokens.size());
    CHECK(std::accumulate(integrated.begin(), integrated.end(), 0.0) ==
          doctest::Approx(shown.found.answer - shown.found.baseline).epsilon(2e-3).scale(0.02));
    const std::vector<double> all = attention_rollout(story.shown_trace(0));
    for (std::size_t i = 0; i < tokens.size(); ++i)
        CHECK(story.value("A/part rollout " + std::to_string(i)) ==
              doctest::Approx(all[static_cast<std::size_t>(at) * tokens.size() + i]));
}

}  // namespace

TEST_CASE("story: the words' attributions match separate runs, at every step and with what-ifs") {
    Story story;
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    check_parts(story, {});
    CHECK(contains(story.text("A/part agreement"), "need not agree"));
    wait_for_parts(story, 1);
    CHECK(story.value("B/part gradient 0") == story.snapshot().word_parts[1]->found.gradient[0]);
    CHECK(story.value("B/part answer") != story.value("A/part answer"));

    const std::vector<WhatIf> changes{what_if::HeadOff{0, 1}};
    const double before = story.value("A/part answer");
    story.send(command::SetWhatIf{changes});
    wait_for_parts(story);
    CHECK(story.value("A/part answer") != before);
    check_parts(story, changes);
    story.send(command::SetWhatIf{});
    story.settle();
    story.send(command::LookAt{0});
    wait_for_parts(story);
    CHECK(story.value("A/part answer") != before);
    check_parts(story, {});
    story.send(command::FollowLive{});

    // The view's controls request another answer; leaving the page ends the request.
    REQUIRE(story.play("click \"A/argued against/logit\"\nframes 2") == "");
    wait_for_parts(story, 0, [](const AskedWordParts& asked) { return !asked.less_mean; });
    REQUIRE(story.play("click \"A/argued page/parts of the model\"\nframes 2") == "");
    REQUIRE(story.until([&] { return !story.snapshot().word_parts[0] && !story.snapshot().word_parts[1]; }));
}

TEST_CASE("story: the words can be attributed to a homonym's sense") {
    Story story;
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    const int at = sentence.homonym_pos;
    REQUIRE(at >= 0);
    REQUIRE(story.play(std::string(open_page) + "click \"A/token " + std::to_string(at) +
                       "\"\nframes 2\nclick \"A/argued against/sense\"\nframes 2") == "");
    wait_for_parts(story, 0, [](const AskedWordParts& asked) { return asked.sense >= 0; });
    const auto& shown = *story.snapshot().word_parts[0];
    REQUIRE(shown.asked.sense >= 0);
    // The answer is the probe's criterion: which centroid the stream is nearer to.
    const Trace& trace = story.shown_trace(0);
    const std::span<const float> stream = trace.values("blocks.1.hook_resid_post");
    const auto cosine = [&](int sense) {
        const std::vector<float>& c = story.snapshot().probe->centroids.back()[static_cast<std::size_t>(sense)];
        double xc = 0, xx = 0, cc = 0;
        for (std::size_t j = 0; j < c.size(); ++j) {
            const auto x = static_cast<double>(stream[static_cast<std::size_t>(at) * c.size() + j]);
            const auto y = static_cast<double>(c[j]);
            xc += x * y, xx += x * x, cc += y * y;
        }
        return xc / std::sqrt(xx * cc);
    };
    const int sense = shown.asked.sense;
    CHECK(story.value("A/part answer") == doctest::Approx(cosine(sense) - cosine(sense ^ 1)).epsilon(1e-4));
    CHECK(story.value("A/part answer") > 0);
    CHECK(contains(story.text("A/part answer"), story.snapshot().model->senses[static_cast<std::size_t>(sense)].name));
}

TEST_CASE("story: a published model and a classifier have attributions of words; a model of numbers says why not") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_of_words(folder).string()});
    story.settle();
    story.send(command::Watch{0, "the bat flew out"});
    story.settle();
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    REQUIRE(story.snapshot().word_parts[0]->failure == "");
    CHECK(story.snapshot().word_parts[0]->found.gradient.size() == 6);  // with [CLS] and [SEP]
    check_parts(story, {});
    story.send(command::Watch{0, "bat"});
    wait_for_parts(story);

    Story order({.model = "order"});
    REQUIRE(order.play(open_page) == "");
    wait_for_parts(order);
    const auto& classes = *order.snapshot().word_parts[0];
    REQUIRE(classes.failure == "");
    const std::span<const float> logits = order.shown_trace(0).values(order.shown_trace(0).model().logits);
    CHECK(order.value("A/part answer") ==
          doctest::Approx(static_cast<double>(logits[static_cast<std::size_t>(classes.asked.word)]) - mean_of(logits))
              .epsilon(1e-4));
    CHECK(std::isfinite(order.value("A/part removed 0")));

    Story numbers({.model = "regression"});
    REQUIRE(numbers.play(open_page) == "");
    CHECK(numbers.text("A/part why not") == "No word contributions here: this model reads numbers.");
    CHECK_FALSE(numbers.snapshot().word_parts[0]);
}

TEST_CASE("story: in a translation the words of both sentences have attributions, in columns of their own") {
    Story story({.model = "translation"});
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    const auto& shown = *story.snapshot().word_parts[0];
    REQUIRE(shown.failure == "");
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    const std::size_t source = sentence.source.size(), count = source + sentence.tokens.size();
    REQUIRE(source > 2);
    REQUIRE(sentence.tokens.size() > 1);
    CpuBackend backend(1);
    Tracer tracer(backend, story.snapshot().model->config);
    const Trace& trace = *sentence.trace;
    const int at = shown.asked.position;
    const auto answer = [&](const TraceInput& input, int position) {
        const auto run = tracer.trace(input, trace.parameters());
        const SliceView said = run->part(run->model().logits, {position, 1});
        return static_cast<double>(said.values()[static_cast<std::size_t>(shown.asked.word)]) - mean_of(said.values());
    };
    const TraceInput whole{trace.tokens(), trace.source_tokens()};
    const double f = answer(whole, at);
    CHECK(story.value("A/part answer") == doctest::Approx(f).epsilon(1e-4));
    for (std::size_t i = 0; i < count; ++i) {
        TraceInput rest = whole;
        std::vector<int>& words = i < source ? rest.source_tokens : rest.tokens;
        const auto place = static_cast<std::ptrdiff_t>(i < source ? i : i - source);
        words.erase(words.begin() + place);
        const double part = story.value("A/part removed " + std::to_string(i));
        if (i >= source && place == at)
            CHECK(std::isnan(part));
        else
            CHECK(part ==
                  doctest::Approx(f - answer(rest, at - (i >= source && place < at ? 1 : 0))).epsilon(1e-3).scale(1.0));
    }
    const std::vector<double> integrated = row(story, "A", "integrated", count);
    CHECK(std::accumulate(integrated.begin(), integrated.end(), 0.0) ==
          doctest::Approx(shown.found.answer - shown.found.baseline).epsilon(2e-3).scale(0.02));
    CHECK(shown.no_rollout != "");  // and the row says why
    CHECK(story.find("A/part removed 0")->max.x < story.find("A/part removed " + std::to_string(source))->min.x);
}

TEST_CASE("story: the loss can be attributed too, of a whole text or of one masked word, with its gradients") {
    Story story({.model = "next_word"});
    REQUIRE(story.play(std::string(open_page) + "click \"A/argued against/loss\"\nframes 2") == "");
    const auto of_loss = [](const AskedWordParts& asked) { return asked.loss == AnswerLoss::of_next_words; };
    wait_for_parts(story, 0, of_loss);
    const Trace& trace = story.shown_trace(0);
    const std::vector<int>& tokens = trace.tokens();
    REQUIRE(tokens.size() > 2);
    const auto loss = [&](const Trace& of) {
        double sum = 0;
        for (int p = 0; p + 1 < of.positions(); ++p) {
            const SliceView row = of.part(of.model().probabilities, {p, 1});
            const auto next = static_cast<std::size_t>(of.tokens()[static_cast<std::size_t>(p) + 1]);
            sum -= std::log(static_cast<double>(row.values()[next]));
        }
        return sum / (of.positions() - 1);
    };
    CHECK(story.value("A/part answer") == doctest::Approx(loss(trace)).epsilon(1e-4));
    CHECK(contains(story.text("A/part answer"), "loss"));
    CpuBackend backend(1);
    Tracer tracer(backend, story.snapshot().model->config);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::vector<int> rest = tokens;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        CHECK(story.value("A/part removed " + std::to_string(i)) ==
              doctest::Approx(loss(trace) - loss(*tracer.trace(rest, trace.parameters()))).epsilon(1e-3).scale(1.0));
    }
    // Every number has its gradient, the name of the answer, and the paths of backpropagation.
    show_gradients(story);
    const int node = trace.graph().at("blocks.1.hook_resid_pre");
    explain_cell(story, {node, 5});
    const double gradient = story.value("explain/gradient");
    CHECK(gradient == static_cast<double>(story.snapshot().word_parts[0]->gradients->of(trace.graph(), node)[5]));
    double sum = 0;
    int ways = 0;
    for (; story.shows("explain/gradient way " + std::to_string(ways)); ++ways)
        sum += story.value("explain/gradient way " + std::to_string(ways));
    CHECK(ways >= 2);  // the stream itself, and the norm before the attention
    CHECK(sum == doctest::Approx(gradient).epsilon(1e-4).scale(1e-3));
    REQUIRE(story.play("hover \"explain/gradient\"\nwait tooltip ~ \"loss\"") == "");
    // A masked model has the loss of one word; a classifier has that of a class.
    Story masked;
    REQUIRE(masked.play(std::string(open_page) + "click \"A/argued against/loss\"\nframes 2") == "");
    wait_for_parts(masked, 0, [](const AskedWordParts& asked) { return asked.loss == AnswerLoss::of_word; });
    const auto& asked = masked.snapshot().word_parts[0]->asked;
    const SliceView said = masked.shown_trace(0).part(masked.shown_trace(0).model().probabilities, {asked.position, 1});
    CHECK(masked.value("A/part answer") ==
          doctest::Approx(-std::log(static_cast<double>(said.values()[static_cast<std::size_t>(asked.word)])))
              .epsilon(1e-3)
              .scale(1e-3));
}

TEST_CASE("story: attribution by removing words leaves painted rows out, and says so") {
    Story story;
    std::vector<float> weights(story.shown_trace(0).tokens().size());
    weights[0] = 1.0f;
    story.send(command::SetWhatIf{{what_if::AttentionRow{0, 0, 0, 2, weights}}});
    story.settle();
    REQUIRE(story.play(open_page) == "");
    wait_for_parts(story);
    CHECK(story.shows("A/part left out"));
    CHECK_FALSE(story.shows("B/part left out"));
    // Another head of the same sentence: its painted row is left out there, too.
    story.send(command::CompareWith{{Comparing::What::heads, {}, 0}});
    wait_for_parts(story, 1);
    CHECK(story.shows("B/part left out"));
}

TEST_CASE("story: dragging a word onto another swaps them, a double click edits one; both can be undone") {
    Story story;
    const std::string before = story.snapshot().sentences[0].text;
    const auto token = [&](int i) { return story.snapshot().sentences[0].tokens[static_cast<std::size_t>(i)].text; };
    const std::string first = token(1), second = token(3);
    REQUIRE(first != second);
    REQUIRE(story.play("drag \"A/token 1\" to \"A/token 3\"\nframes 3") == "");
    story.settle();
    CHECK(token(1) == second);
    CHECK(token(3) == first);
    REQUIRE(story.play("key Ctrl+Z\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == before);

    REQUIRE(
        story.play("double_click \"A/token 1\"\nframes 3\nexpect_item A/word\nkey Ctrl+A\ntype saw\nkey Enter\nframes "
                   "3") == "");
    story.settle();
    CHECK(token(1) == "saw");
    CHECK_FALSE(story.shows("A/word"));
    REQUIRE(story.play("key Ctrl+Z\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == before);
    // Escape leaves the word unchanged.
    REQUIRE(story.play("double_click \"A/token 1\"\nframes 3\ntype saw\nkey Escape\nframes 3\nexpect_no_item A/word") ==
            "");
    CHECK(story.snapshot().sentences[0].text == before);
}
