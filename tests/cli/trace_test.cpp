#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

#include "core/io/checkpoint.h"
#include "core/io/model_files.h"
#include "core/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/core/model_folder.h"
#include "tests/ui/published_folder.h"

using namespace glassformer;

namespace {

constexpr std::int64_t n = 9, d_model = 64, heads = 4, d_head = 16, d_mlp = 256, d_vocab = 342;

/// Every hook of two blocks with its shape, by its standard name, without a batch axis.
std::map<std::string, Shape> all_hooks() {
    std::map<std::string, Shape> hooks;
    const Shape stream = {n, d_model}, one = {n}, vectors = {n, heads, d_head}, pairs = {heads, n, n};
    const auto norm = [&](const std::string& name) {
        hooks[name + ".hook_mean"] = one;
        hooks[name + ".hook_scale"] = one;
        hooks[name + ".hook_normalized"] = stream;
    };
    hooks["hook_embed"] = hooks["hook_pos_embed"] = stream;
    for (const std::string& block : {std::string("blocks.0."), std::string("blocks.1.")}) {
        for (const char* name :
             {"hook_resid_pre", "hook_attn_out", "hook_resid_mid", "hook_mlp_out", "hook_resid_post"})
            hooks[block + name] = stream;
        norm(block + "ln1");
        norm(block + "ln2");
        for (const char* name : {"hook_q", "hook_k", "hook_v", "hook_z"}) hooks[block + "attn." + name] = vectors;
        for (const char* name : {"hook_attn_scores_raw", "hook_attn_scores", "hook_pattern"})
            hooks[block + "attn." + name] = pairs;
        hooks[block + "attn.hook_result"] = {n, heads, d_model};
        hooks[block + "mlp.hook_pre"] = hooks[block + "mlp.hook_post"] = {n, d_mlp};
    }
    norm("ln_final");
    hooks["logits"] = {n, d_vocab};
    return hooks;
}

std::vector<std::string> trace(const std::filesystem::path& model, const std::filesystem::path& out,
                               const std::string& text = "He swung the bat and hit a foul.") {
    return {"trace", "--model", model.string(), "--text", text, "--out", out.string()};
}

void check_failed(const std::vector<std::string>& arguments, const std::string& part) {
    const Ran ran = run(arguments);
    CAPTURE(part);
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says(part));
}

}  // namespace

TEST_CASE("a freshly trained model is traced: every hook under its name and shape") {
    const TemporaryFolder folder;
    REQUIRE(run({"train", "--world", "homonyms", "--steps", "5", "--out", (folder / "model").string()}).code == 0);
    const Ran ran = run(trace(folder / "model", folder / "trace.safetensors"));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const Safetensors file = read_safetensors(folder / "trace.safetensors");
    require_finite(file, "trace.safetensors");
    for (const auto& [name, shape] : all_hooks()) {
        CAPTURE(name);
        const Tensor* tensor = file.find(name);
        REQUIRE(tensor);
        CHECK(tensor->shape() == shape);
    }
    CHECK(file.metadata.at("text") == "He swung the bat and hit a foul.");
    // Two names of the same stream have equal values, and each row of a pattern sums to 1.
    const auto cells = [&](const char* name) { return file.find(name)->values(); };
    CHECK(std::memcmp(cells("blocks.1.hook_resid_pre").data(), cells("blocks.0.hook_resid_post").data(),
                      static_cast<std::size_t>(n * d_model) * sizeof(float)) == 0);
    double sum = 0;
    for (const float weight : cells("blocks.0.attn.hook_pattern").subspan(0, n)) sum += static_cast<double>(weight);
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("token ids give the same trace as the text, and unknown words are reported") {
    const TemporaryFolder folder;
    REQUIRE(run(trace(shipped_model, folder / "text", "the bat")).code == 0);
    std::istringstream words(contents(shipped_model / "vocab.txt"));
    std::string ids[2];
    int id = 0;
    for (std::string word; std::getline(words, word); ++id) {
        if (word == "the") ids[0] = std::to_string(id);
        if (word == "bat") ids[1] = std::to_string(id);
    }
    REQUIRE(run({"trace", "--model", shipped_model.string(), "--tokens", ids[0] + "," + ids[1], "--out",
                 (folder / "ids").string()})
                .code == 0);
    CHECK((contents(folder / "text") == contents(folder / "ids")));
    const Ran ran = run(trace(shipped_model, folder / "unknown", "the flumph"));
    CHECK(ran.code == 0);
    CHECK(ran.says("\"flumph\" is not in the vocabulary"));
}

TEST_CASE("sentences that cannot be traced are refused") {
    const TemporaryFolder folder;
    const auto out = folder / "out";
    const auto tokens = [&](const std::string& ids) -> std::vector<std::string> {
        return {"trace", "--model", shipped_model.string(), "--tokens=" + ids, "--out", out.string()};
    };
    if (!on_windows)  // where all arguments are valid text
        check_failed(trace(shipped_model, out,
                           "b\xff"
                           "at"),
                     "UTF-8");
    check_failed(trace(shipped_model, out, "  "), "no word");
    std::string endless;
    for (int i = 0; i < 1000; ++i) endless += "bat ";
    check_failed(trace(shipped_model, out, endless), "1000 tokens");
    check_failed(tokens("1,342"), "token 342");
    check_failed(tokens("-1"), "token -1");
    check_failed(tokens("3,4,5,6,7,8,9,10,11,12,13,14,15,16"), "14 tokens");
    CHECK_FALSE(std::filesystem::exists(out));
    check_failed(trace(shipped_model, folder / "missing" / "out"), (folder / "missing" / "out").string());
    check_failed(trace(shipped_model, folder.path()), folder.path().string());
}

TEST_CASE("a Hugging Face folder without a tokenizer is traced by token ids") {
    const TemporaryFolder folder;
    write_gpt2(folder / "gpt2");
    check_failed(trace(folder / "gpt2", folder / "out", "the bat"), "has no tokenizer");
    const auto tokens = [&](const std::string& ids) -> std::vector<std::string> {
        return {"trace", "--model", (folder / "gpt2").string(), "--tokens", ids, "--out", (folder / "out").string()};
    };
    check_failed(tokens("1,7"), "token 7");
    const Ran ran = run(tokens("1,6,3"));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const Safetensors file = read_safetensors(folder / "out");
    require_finite("logits", *file.find("logits"), "out");  // masked scores are −∞
    CHECK(file.find("logits")->shape() == Shape{3, gpt2_vocab});
    CHECK(file.find("blocks.1.attn.hook_pattern")->shape() == Shape{2, 3, 3});
    CHECK(file.metadata.at("text") == "1,6,3");
}

TEST_CASE("models that do not read a single text are refused") {
    const TemporaryFolder folder;
    const auto refused = [&](const Checkpoint& model, const std::string& part) {
        save_checkpoint(folder / "model", model);
        check_failed(
            {"trace", "--model", (folder / "model").string(), "--tokens", "1", "--out", (folder / "o").string()}, part);
    };
    Checkpoint model;
    model.config.d_vocab = 5;
    model.config.n_ctx = 4;
    const auto with_parameters = [&] {
        model.parameters = std::make_shared<ParameterValues>(initial_parameters(*parameter_graph(model.config), 1));
        return model;
    };
    model.config.family = Family::encoder_decoder;
    refused(with_parameters(), "translates: give the sentence");
    model.config.family = Family::decoder;
    model.config.input = InputKind::values;
    model.config.output = OutputKind::values;
    model.config.d_input = model.config.d_output = 2;
    model.config.tied = false;
    refused(with_parameters(), "reads vectors of numbers");
    CHECK_FALSE(std::filesystem::exists(folder / "o"));
}

TEST_CASE("a trace records all that the model read") {
    const TemporaryFolder folder;
    const auto about = [&](const std::string& model, std::vector<std::string> more) {
        std::vector<std::string> line{"trace", "--model", (own_sources / "assets/models" / model).string(), "--out",
                                      (folder / "trace.safetensors").string()};
        line.insert(line.end(), more.begin(), more.end());
        const Ran ran = run(line);
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        return read_safetensors(folder / "trace.safetensors").metadata;
    };
    const auto translated = about("translation", {"--source-text", "the black cat"});
    CHECK(translated.at("text_source") == "the black cat");
    CHECK(translated.at("text").starts_with("le chat noir"));
    const auto again = about("translation", {"--source-tokens", "4,5", "--text", "le chat"});  // replaces the first
    CHECK_FALSE(again.at("text_source").empty());
    CHECK(about("regression", {"--values", "0.5,1,0,-1,0.1,2"}).at("text") == "0.5 1 0; -1 0.1 2");
}

TEST_CASE("checkpoints that cannot be read are refused, and the error names the file") {
    const TemporaryFolder folder;
    const auto out = folder / "out";
    check_failed(trace(folder / "none", out), (folder / "none").string());
    check_failed(trace("homonym", out), "the included ones are by_hand, by_hand_search, by_hand_wide, copying");
    int count = 0;
    /// A copy of the shipped model with one file changed.
    const auto broken = [&](const char* file, const std::function<void(std::string&)>& change) {
        const auto copy = folder / ("model" + std::to_string(count++));
        std::filesystem::copy(shipped_model, copy, std::filesystem::copy_options::recursive);
        std::string bytes = contents(copy / file);
        change(bytes);
        write(copy / file, bytes);
        return copy;
    };
    const auto check = [&](const char* file, const std::string& part, const std::function<void(std::string&)>& change) {
        const auto copy = broken(file, change);
        check_failed(trace(copy, out), (copy / file).string());
        check_failed(trace(copy, out), part);
    };
    check("model.safetensors", "", [](std::string& b) { b.resize(b.size() / 2); });
    check("model.safetensors", "", [](std::string& b) { b.resize(5); });
    check("model.safetensors", "", [](std::string& b) { b.clear(); });
    check("model.safetensors", "header", [](std::string& b) { b.replace(0, 8, std::string(7, '\xff') + "\x7f"); });
    check("model.safetensors", "header", [](std::string& b) { b[2] = '\x70'; });  // 7 MB, more than the file
    const std::string nan("\x00\x00\xc0\x7f", 4);
    check("model.safetensors", "NaN", [&](std::string& b) { b.replace(b.size() - 4, 4, nan); });
    check("config.json", "", [](std::string& b) { b.resize(b.size() / 2); });
    check("config.json", "n_head", [](std::string& b) { b.replace(b.find("\"n_head\": 4"), 11, "\"n_head\": 0"); });
    check("config.json", "n_layer",
          [](std::string& b) { b.replace(b.find("\"n_layer\": 2"), 12, "\"n_layer\": 9999999"); });
    check("vocab.txt", "", [](std::string& b) { b += b; });
    CHECK_FALSE(std::filesystem::exists(out));
    std::filesystem::remove(folder / "model0" / "vocab.txt");
    write(folder / "model0" / "model.safetensors", contents(shipped_model / "model.safetensors"));
    check_failed(trace(folder / "model0", out), "vocab.txt");
}

TEST_CASE("unknown characters are reported, each of them once") {
    const Ran ran = run(
        {"generate", "--model", (shipped_model.parent_path() / "sample").string(), "--text", "ΞΞ the", "--count", "2"});
    CHECK(ran.code == 0);
    CHECK(ran.says("\"Ξ\" is not among the characters that the model knows"));
    CHECK(ran.err.find("Ξ") == ran.err.rfind("Ξ"));
}

TEST_CASE("unknown words are reported, each of them once") {
    const TemporaryFolder folder;
    const Ran ran = run(trace(shipped_model, folder / "unknown", "the flumph saw a flumph"));
    CHECK(ran.code == 0);
    const std::size_t first = ran.err.find("\"flumph\" is not in the vocabulary");
    CHECK(first != std::string::npos);
    CHECK(first == ran.err.rfind("\"flumph\" is not in the vocabulary"));
}

TEST_CASE("a trace with infinite or NaN values is written, with a warning") {
    const TemporaryFolder folder;
    const auto traced = [&](const std::string& values) {
        return run({"trace", "--model", "regression", "--values", values, "--out", (folder / "trace").string()});
    };
    const Ran large = traced("3e38,3e38,3e38"), plain = traced("0.5,1,0");
    CHECK(large.code == 0);
    CHECK(large.says("warning: blocks.0.ln1.hook_mean contains infinite or NaN values"));
    CHECK(std::filesystem::exists(folder / "trace"));
    CHECK(plain.code == 0);
    CHECK(plain.err == "");
    // A masked word has the score −∞, which is not worth a warning.
    const Ran hidden = run({"trace", "--model", "copying", "--text", "a b :", "--out", (folder / "trace").string()});
    CHECK(hidden.code == 0);
    CHECK(hidden.err == "");
}

TEST_CASE("trace --gradients writes gradients beside the values; those of a loss at the logits are softmax − one-hot") {
    const TemporaryFolder folder;
    const auto gradients = [&](const std::string& of, const std::string& model, const std::string& text) {
        std::vector<std::string> line =
            trace((own_sources / "assets/models" / model).string(), folder / "trace.safetensors", text);
        line.insert(line.end(), {"--gradients", of});
        const Ran ran = run(line);
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        return read_safetensors(folder / "trace.safetensors");
    };
    const Safetensors loss = gradients("loss", "next_word", "the keys near the door are old");
    CHECK(loss.metadata.at("with_gradients_of") == "loss");
    // d loss / d logits = (softmax − one-hot(next word)) / predicted words: each row sums to 0, and the last is 0.
    const Tensor &probabilities = *loss.find("probabilities"), &slopes = *loss.find("logits_grad");
    REQUIRE(slopes.shape() == probabilities.shape());
    const std::size_t rows = static_cast<std::size_t>(slopes.shape()[0]),
                      words = static_cast<std::size_t>(slopes.shape()[1]);
    double worst = 0.0;
    for (std::size_t p = 0; p + 1 < rows; ++p) {
        const std::span<const float> row = slopes.values().subspan(p * words, words);
        const auto next = static_cast<std::size_t>(std::ranges::min_element(row) - row.begin());
        CHECK(row[next] < 0.0f);
        for (std::size_t w = 0; w < words; ++w) {
            const auto share = static_cast<double>(probabilities.values()[p * words + w]);
            const double truth = (share - (w == next ? 1.0 : 0.0)) / static_cast<double>(rows - 1);
            worst = std::max(worst, std::abs(static_cast<double>(row[w]) - truth));
        }
    }
    CHECK(worst < 1e-6);
    for (const float slope : slopes.values().last(words)) CHECK(slope == 0.0f);
    for (const char* name :
         {"hook_embed", "blocks.0.attn.hook_q", "blocks.1.attn.hook_pattern", "blocks.1.hook_resid_post"}) {
        const Tensor *values = loss.find(name), *of = loss.find(std::string(name) + "_grad");
        REQUIRE(values);
        REQUIRE(of);
        CHECK(values->shape() == of->shape());
    }
    CHECK_FALSE(loss.find("probabilities_grad"));  // the loss is computed from the logits
    const Safetensors logit = gradients("logit:bat", "homonyms", "He swung the bat and hit a foul.");
    CHECK(logit.find("blocks.0.attn.hook_v_grad"));
    CHECK_FALSE(logit.find("logits_grad"));  // f is read upstream of the logits
    CHECK(gradients("loss:1", "order", "the food was good, not bad").find("logits_grad"));
    const auto refused = [&](const std::string& of, const std::string& part) {
        std::vector<std::string> line = trace(shipped_model.string(), folder / "refused.safetensors", "the bat");
        line.insert(line.end(), {"--gradients", of});
        check_failed(line, part);
    };
    refused("loss", "loss:WORD");
    refused("logit:flumph", "flumph");
    refused("loss:9999", "9999");
    refused("slope", "slope");
    std::vector<std::string> line = trace("order", folder / "refused.safetensors", "the food was good");
    line.insert(line.end(), {"--gradients", "logit:2"});
    check_failed(line, "there is no class \"2\"; give the number of one: 0 (blame), 1 (praise)");
}

TEST_CASE("trace --gradients takes a word of a model whose tokenizer adds tokens around it") {
    const TemporaryFolder folder;
    const std::string bert = bert_folder(folder).string();
    const auto line = [&](const std::string& of) {
        std::vector<std::string> all = trace(bert, folder / "trace.safetensors", "he hit the ▢");
        all.insert(all.end(), {"--gradients", of});
        return all;
    };
    const Ran ran = run(line("logit:bat"));
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    CHECK(read_safetensors(folder / "trace.safetensors").find("hook_embed_grad"));
    check_failed(line("logit:zork"), "\"zork\" is neither");
}
