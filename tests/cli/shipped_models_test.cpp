// The shipped models on the command line, as a user would try them.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/io/safetensors.h"
#include "tests/cli/program.h"

using namespace glassformer;

namespace {

const std::filesystem::path models = own_sources / "assets/models";

/// Runs `trace` on a shipped model and reads the file.
struct Traced {
    Traced(const std::string& model, std::vector<std::string> input) {
        const TemporaryFolder folder;
        const std::string out = (folder / "trace").string();
        input.insert(input.begin(), {"trace", "--model", (models / model).string(), "--out", out});
        ran = run(input);
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        file = read_safetensors(out);
    }

    std::vector<float> logits(std::int64_t position = 0) const {
        const Tensor* tensor = file.find("logits");
        REQUIRE(tensor);
        const std::int64_t width = tensor->shape().back();
        const std::span<const float> row = tensor->values().subspan(position * width);
        return {row.begin(), row.begin() + width};
    }

    Ran ran;
    Safetensors file;
};

/// Line `id` of the model's vocabulary.
std::string word(const std::string& model, std::ptrdiff_t id) {
    std::istringstream lines(contents(models / model / "vocab.txt"));
    std::string line;
    for (std::ptrdiff_t i = 0; i <= id; ++i) std::getline(lines, line);
    return line;
}

std::ptrdiff_t largest(const std::vector<float>& row) { return std::ranges::max_element(row) - row.begin(); }

std::string generated(const std::string& model, const std::string& text, int count) {
    const Ran ran = run({"generate", "--model", (models / model).string(), "--text", text, "--count",
                         std::to_string(count), "--temperature", "0"});
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    CHECK(ran.err == "");
    return ran.out;
}

}  // namespace

TEST_CASE("coreference: one adjective decides what \"it\" means") {
    const auto meant = [](const std::string& adjective) {
        const Traced t("coreference", {"--text", "The chicken did not cross the road because it was too " + adjective +
                                                     ". It means the ▢."});
        return word("coreference", largest(t.logits(16)));
    };
    CHECK(meant("tired") == "chicken");
    CHECK(meant("wide") == "road");
}

TEST_CASE("order: the same words in another order praise or blame") {
    const auto praises = [](const std::string& sentence) {
        const std::vector<float> classes = Traced("order", {"--text", sentence}).logits();
        REQUIRE(classes.size() == 2);
        return classes[1] > classes[0];
    };
    CHECK_FALSE(praises("The food was bad, not good at all."));
    CHECK(praises("The food was good, not bad at all."));
}

TEST_CASE("translation: without --text the model writes the translation; with it, that text is read") {
    const std::string english = "The cat sees the red car.";
    const Traced own("translation", {"--source-text", english});
    CHECK(own.ran.out.starts_with("le chat voit la voiture rouge.\n"));
    CHECK(own.file.metadata.at("text") == "le chat voit la voiture rouge.");
    const Traced given("translation", {"--source-text", english, "--text", "Le chat voit la voiture rouge."});
    CHECK(contains(given.ran.out, "8 tokens"));  // <bos> is prepended automatically
    for (const char* name : {"logits", "blocks.0.cross_attn.hook_pattern"}) {
        REQUIRE(own.file.find(name));
        REQUIRE(given.file.find(name));
        CHECK((std::ranges::equal(own.file.find(name)->values(), given.file.find(name)->values())));
    }
    const Ran ran = run({"generate", "--model", (models / "translation").string(), "--text", "le chat"});
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("--source-text"));
}

TEST_CASE("translation_zh: the translation is written and read without spaces") {
    const std::string english = "I have arrived at Beijing from Xiamen.", chinese = "我从厦门来到了北京。";
    const Traced own("translation_zh", {"--source-text", english});
    CHECK(own.ran.out.starts_with(chinese + "\n"));
    const Traced given("translation_zh", {"--source-text", english, "--text", chinese});
    CHECK(contains(given.ran.out, "8 tokens"));  // <bos>, and 7 words
    REQUIRE(own.file.find("logits"));
    CHECK((std::ranges::equal(own.file.find("logits")->values(), given.file.find("logits")->values())));
    CHECK(Traced("translation_zh", {"--source-text", "The black cat sees a big white chair in the garden."})
              .ran.out.starts_with("这只黑色的猫在这个花园里看见一把白色的大椅子。\n"));
}

TEST_CASE("regression: predicts the next value of a function that it has never seen") {
    // Alternating (x, 0) and (0 …, f(x)), with f(x) = x₁ − x₂ / 2.
    const Traced t("regression",
                   {"--values=1,0,0,0,0,1,0,1,0,0,0,-0.5,-1,1,0,0,0,-1.5,0.5,-1,0,0,0,1,1,1,0,0,0,0.5,-1,-1,0"});
    CHECK(contains(t.ran.out, "11 vectors"));
    CHECK(t.logits(10).front() == doctest::Approx(-0.5).epsilon(0.2));
    const Ran ran = run({"trace", "--model", (models / "regression").string(), "--text", "a line", "--out", "o"});
    CHECK(ran.code == 1);
    CHECK(ran.says("--values"));
}

TEST_CASE("copying, sorting, induction and text are continued correctly") {
    CHECK(generated("copying", "q b q x :", 4) == "q b q x: q b q x\n");
    CHECK(generated("sorting", "q b g x :", 4) == "q b g x: b g q x\n");
    CHECK(generated("induction", "ka mo fe da bi ko ka mo", 4) == "ka mo fe da bi ko ka mo fe da bi ko\n");
    CHECK(generated("sample", "What do you", 23) == "What do you have there?\" asked the\n");
}

TEST_CASE("generate reports words that are not in the vocabulary") {
    const Ran ran = run({"generate", "--model", (models / "induction").string(), "--text", "ka xyz", "--count", "1"});
    CHECK(ran.code == 0);
    CHECK(ran.says("\"xyz\" is not in the vocabulary"));
}

TEST_CASE("a model that reads words refuses numbers") {
    const Ran ran = run({"trace", "--model", (models / "order").string(), "--values", "1,2", "--out", "o"});
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says("reads words"));
}

TEST_CASE("next_word: the verb agrees with its subject, not with the nearest noun") {
    const auto verb = [](const std::string& text) {
        std::istringstream words(generated("next_word", text, 1));
        std::string last;
        for (std::string word; words >> word;) last = word;
        return last;
    };
    const std::vector<std::string> of_several{"are", "were", "look", "seem", "stay"};
    const std::vector<std::string> of_one{"is", "was", "looks", "seems", "stays"};
    const std::string keys = verb("the keys near the door"), key = verb("the key near the doors");
    CAPTURE(keys);
    CAPTURE(key);
    CHECK(std::ranges::find(of_several, keys) != of_several.end());
    CHECK(std::ranges::find(of_one, key) != of_one.end());
    CHECK(verb("thanks for all the") == "fish");
}
