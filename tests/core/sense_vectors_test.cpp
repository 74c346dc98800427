// The homonyms of our world in the sentences of a foreign model: their tokens, and their streams.
#include "core/analysis/sense_vectors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/analysis/pca.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/tasks/sense_probe.h"
#include "core/text/hf_tokenizer.h"
#include "core/trace/tracer.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/gpt2_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

World homonyms() { return World::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar"); }

/// Returns the stream at a sentence's homonym, averaged over its pieces, from the sentence's own trace, in double.
std::vector<double> stream_at(Tracer& tracer, const Parameters& parameters, const SenseSentence& sentence, int layer) {
    const auto trace = tracer.trace(sentence.ids, parameters);
    const std::size_t d = trace->model().config.d_model;
    const std::span<const float> stream = trace->values(stream_name(layer));
    std::vector<double> mean(d);
    for (int piece = 0; piece < sentence.homonym.count; ++piece)
        for (std::size_t j = 0; j < d; ++j)
            mean[j] += static_cast<double>(stream[static_cast<std::size_t>(sentence.homonym.first + piece) * d + j]) /
                       sentence.homonym.count;
    return mean;
}

}  // namespace

TEST_CASE("senses: a BERT's tokenizer splits the world's sentences, and every homonym that it knows is found") {
    const TemporaryFolder folder;
    const World world = homonyms();
    const Checkpoint model = load_checkpoint(bert_of_words(folder));
    const auto sentences = sense_sentences(world, Split::train, 4, 1, *model.tokenizer, model.config.n_ctx);
    // Both senses of "bark" are left out: the model's tokenizer gives [UNK].
    CHECK(sentences.size() == 4 * (world.senses().size() - 2));
    std::set<std::string> seen;
    for (const SenseSentence& s : sentences) {
        CAPTURE(s.text);
        const std::string& word = world.senses()[s.sense].homonym;
        seen.insert(word);
        CHECK(s.ids.front() == 2);  // [CLS]
        CHECK(s.ids.back() == 3);   // [SEP]
        CHECK(s.homonym.count == (word == "spring" ? 2 : 1));
        const auto ids = std::span(s.ids).subspan(s.homonym.first, s.homonym.count);
        CHECK(model.tokenizer->decode(ids) == word);
    }
    CHECK(seen.size() == world.homonyms().size() - 1);
    CHECK_FALSE(seen.contains("bark"));
    CHECK(sense_sentences(world, Split::train, 4, 1, *model.tokenizer, 5).empty());  // no sentence is that short
}

TEST_CASE("senses: the streams at the homonyms equal those of each sentence's own trace") {
    const TemporaryFolder folder;
    const World world = homonyms();
    const Checkpoint model = load_checkpoint(bert_of_words(folder));
    auto sentences = sense_sentences(world, Split::train, 3, 1, *model.tokenizer, model.config.n_ctx);
    CpuBackend backend(1);
    std::vector<std::size_t> told;
    const auto vectors = sense_vectors(backend, model.config, *model.parameters, sentences, [&](std::size_t done) {
        told.push_back(done);
        return true;
    });
    REQUIRE(vectors);
    CHECK(told.back() == sentences.size());
    CHECK(std::ranges::is_sorted(told));
    REQUIRE(vectors->layers.size() == 3);
    Tracer tracer(backend, model.config);
    double worst = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        for (int layer = 0; layer < 3; ++layer) {
            const std::vector<double> truth = stream_at(tracer, model.parameters, sentences[i], layer);
            const std::span<const float> found = vectors->at(static_cast<std::size_t>(layer), i);
            for (std::size_t j = 0; j < truth.size(); ++j)
                worst = std::max(worst, std::abs(truth[j] - static_cast<double>(found[j])));
        }
    CHECK(worst < 1e-5);

    std::size_t calls = 0;
    CHECK_FALSE(
        sense_vectors(backend, model.config, *model.parameters, sentences, [&](std::size_t) { return ++calls < 2; }));
    CHECK(calls == 2);
}

TEST_CASE("senses: GPT-2's byte pairs may give a word as several tokens, or with its space as one") {
    const TemporaryFolder folder;
    SmallGpt2 files({{"b", "a"}, {"ba", "t"}, {"Ġ", "bat"}, {"B", "a"}});
    std::filesystem::create_directories(folder / "gpt2");
    files.write_two_files(folder / "gpt2");
    const HfTokenizer tokenizer = HfTokenizer::load(folder / "gpt2");
    const std::string text = "Bats, the bat and the batter.";
    const auto word = find_word(text, "bat");
    REQUIRE(word);
    CHECK(*word == ByteRange{10, 13});
    const auto tokens = tokens_of_word(tokenizer, text, *word);
    REQUIRE(tokens);
    const std::vector<int> ids = tokenizer.ids(text);
    CHECK(tokens->count == 1);
    CHECK(tokenizer.decode(std::span(ids).subspan(tokens->first, 1)) == " bat");
    const auto in_pieces = tokens_of_word(tokenizer, "Bank", {0, 4});
    REQUIRE(in_pieces);
    CHECK(in_pieces->first == 0);
    CHECK(in_pieces->count == 3);  // Ba · n · k
    CHECK(find_word("The BAT", "bat") == ByteRange{4, 7});
    CHECK_FALSE(find_word("batter, acrobat, batś", "bat"));
}

TEST_CASE("senses: accuracy counts the nearest centroid, and a tie as half right") {
    const std::vector<float> east{1, 0}, north{0, 1}, far_east{9, 1}, between{2, 2};
    const std::vector<SensePoint> learned{{far_east, 0}, {east, 0}, {north, 1}};
    const auto centroids = sense_centroids(learned, 2);
    REQUIRE(centroids.size() == 2);
    CHECK(centroids[0][0] == doctest::Approx(1 + 9 / std::sqrt(82.0)));  // of unit vectors
    CHECK(sense_accuracy(std::vector<SensePoint>{{east, 0}, {north, 1}}, centroids) == 1.0f);
    CHECK(sense_accuracy(std::vector<SensePoint>{{east, 1}, {north, 1}}, centroids) == 0.5f);
    const std::vector<SensePoint> straight{{east, 0}, {north, 1}};
    CHECK(sense_accuracy(std::vector<SensePoint>{{between, 1}}, sense_centroids(straight, 2)) == 0.5f);
    CHECK(sense_accuracy({}, centroids) == 0.0f);
    // A diverged model is neither right nor wrong.
    const std::vector<float> broken{NAN, 1}, endless{INFINITY, 1};
    CHECK(std::isnan(sense_accuracy(std::vector<SensePoint>{{east, 0}, {broken, 1}}, centroids)));
    CHECK(std::isnan(sense_accuracy(straight, sense_centroids(std::vector<SensePoint>{{endless, 0}, {north, 1}}, 2))));
}

TEST_CASE("PCA of fewer points than dimensions equals PCA of the same points repeated") {
    Rng rng(3, 0);
    constexpr std::size_t d = 7, count = 5;
    std::vector<float> few(count * d);
    for (float& value : few) value = static_cast<float>(rng.normal());
    // Three copies of the cloud have the same PCA, but more points than dimensions.
    std::vector<float> many;
    for (int copy = 0; copy < 3; ++copy) many.insert(many.end(), few.begin(), few.end());
    const Pca truth = pca(many, d), found = pca(few, d, &truth);
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(found.share[k] == doctest::Approx(truth.share[k]).epsilon(1e-4));
        for (std::size_t j = 0; j < d; ++j)
            CHECK(found.directions[k][j] == doctest::Approx(truth.directions[k][j]).epsilon(1e-3));
    }
    for (std::size_t j = 0; j < d; ++j) CHECK(found.mean[j] == doctest::Approx(truth.mean[j]).epsilon(1e-4));
}
