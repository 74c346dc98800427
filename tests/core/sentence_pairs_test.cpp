// Two sentences in one text for a BERT: the token type of each token, and that it changes what the model computes.
#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/tokenizer.h"
#include "core/trace/tracer.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// The golden BERT (13 words) with a vocabulary for this test.
Checkpoint small_bert(const TemporaryFolder& folder) {
    fs::copy(fs::path(GLASSFORMER_SOURCE_DIR) / "tests/golden/hugging_face/bert", folder / "m");
    write_text(folder / "m" / "vocab.txt",
               "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhe\nsw\n##ung\nthe\nbat\nfoul\n.\nit\n");
    return load_checkpoint(folder / "m");
}

}  // namespace

TEST_CASE("sentence pairs: tokens after [SEP] have token type 1") {
    const TemporaryFolder folder;
    const Checkpoint bert = small_bert(folder);
    CHECK(bert.config.sentence_end == 3);
    const std::vector<int> one = bert.tokenizer->ids("he swung the bat"),
                           two = bert.tokenizer->ids("the bat . [SEP] it swung");
    CHECK(one == std::vector<int>{2, 5, 6, 7, 8, 9, 3});
    CHECK(two == std::vector<int>{2, 8, 9, 11, 3, 12, 6, 7, 3});
    CHECK(token_types_of(one, bert.config) == std::vector<int>(7, 0));
    CHECK(token_types_of(two, bert.config) == std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("sentence pairs: two sentences are joined with [SEP], and refused if the tokenizer has none") {
    const TemporaryFolder folder;
    const Checkpoint bert = small_bert(folder);
    CHECK(pair_of(bert.tokenizer.get(), "the bat .", "it swung") == "the bat . [SEP] it swung");
    CHECK(split_pair("the bat . [SEP] it swung") == std::pair<std::string, std::string>("the bat .", "it swung"));
    CHECK_FALSE(split_pair("the bat .").has_value());
    const auto refusal = [](const Tokenizer* tokenizer) {
        return error_of([&] { pair_of(tokenizer, "the bat", "it swung"); });
    };
    CHECK(contains(refusal(nullptr), "reads one sentence"));
    CHECK(contains(refusal(load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms").tokenizer.get()),
                   "reads one sentence"));
    // The same for a published tokenizer without such a token.
    const TemporaryFolder letters;
    write_text(letters / "tokenizer.json",
               R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2}, "merges": []}})");
    CHECK(contains(refusal(load_tokenizer(letters.path()).get()), "reads one sentence"));
}

namespace {

/// A tokenizer with RoBERTa's stages around two letters and the blank.
std::shared_ptr<const Tokenizer> small_roberta(const std::string& post_processor, const std::string& mask) {
    const TemporaryFolder folder;
    write_text(folder / "tokenizer.json", R"({"added_tokens": [
            {"id": 0, "content": "<s>", "special": true}, {"id": 1, "content": "</s>", "special": true}, )" +
                                              mask +
                                              R"({"id": 3, "content": "<unk>", "special": true}],
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "post_processor": )" +
                                              post_processor + R"(,
            "model": {"type": "BPE", "merges": [], "vocab": {"<s>": 0, "</s>": 1, "<mask>": 2, "<unk>": 3,
                      "a": 4, "b": 5, "\u0120": 6}}})");
    return load_tokenizer(folder.path());
}

const std::string roberta_mask = R"({"id": 2, "content": "<mask>", "special": true, "lstrip": true},)";
const std::string roberta_processing = R"({"type": "RobertaProcessing", "sep": ["</s>", 1], "cls": ["<s>", 0],
                                           "add_prefix_space": false, "trim_offsets": true})";

}  // namespace

TEST_CASE("sentence pairs: RoBERTa's are joined with </s></s>, as its files say") {
    const std::string in_template = R"({"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                   {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "</s>", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
                 {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                           "</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}})";
    for (const std::string& processor : {roberta_processing, in_template}) {
        CAPTURE(processor);
        const auto tokenizer = small_roberta(processor, roberta_mask);
        const std::string pair = pair_of(tokenizer.get(), "a b", "b a");
        CHECK(pair == "a b</s></s>b a");
        CHECK(tokenizer->ids(pair) == std::vector<int>{0, 4, 6, 5, 1, 1, 5, 6, 4, 1});
    }
    // Without a mask it is the tokenizer of a generating model, which knows the same tokens but reads no pairs.
    CHECK(contains(error_of([&] { pair_of(small_roberta(in_template, "").get(), "a", "b"); }), "reads one sentence"));
}

TEST_CASE("the source of an added token does not include the space that it strips") {
    const auto tokenizer = small_roberta(roberta_processing, roberta_mask);
    const auto& published = dynamic_cast<const HfTokenizer&>(*tokenizer);
    const std::vector<TokenOfText> tokens = published.encode("a <mask> b");
    REQUIRE(tokens.size() == 6);
    CHECK(tokens[2].id == 2);
    CHECK(tokens[2].source.begin == 2);
    CHECK(tokens[2].source.end == 8);
}

TEST_CASE("sentence pairs: each token gets the row of its token type, inferred or given") {
    const TemporaryFolder folder;
    const Checkpoint bert = small_bert(folder);
    CpuBackend backend(1);
    Tracer tracer(backend, bert.config);
    const std::vector<int> ids = bert.tokenizer->ids("the bat . [SEP] it swung");
    const auto table = [&](const Trace& trace, int kind, int feature) {
        return trace.values("embed.W_type")[kind * bert.config.d_model + feature];
    };
    const auto check = [&](const Trace& trace, const std::vector<int>& kinds) {
        const auto rows = trace.values("hook_token_type");
        for (std::size_t p = 0; p < kinds.size(); ++p)
            for (int f = 0; f < bert.config.d_model; ++f)
                CHECK(rows[p * static_cast<std::size_t>(bert.config.d_model) + static_cast<std::size_t>(f)] ==
                      table(trace, kinds[p], f));
    };
    const auto by_itself = tracer.trace(ids, bert.parameters);
    check(*by_itself, {0, 0, 0, 0, 0, 1, 1, 1, 1});
    TraceInput told{ids};
    told.token_types.assign(ids.size(), 0);
    const auto all_first = tracer.trace(told, bert.parameters);
    check(*all_first, std::vector<int>(ids.size(), 0));
    CHECK_FALSE(std::ranges::equal(by_itself->values("logits"), all_first->values("logits")));
    // The token types of one trace do not carry over to the next.
    check(*tracer.trace(ids, bert.parameters), {0, 0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("sentence pairs: invalid token types are refused") {
    const TemporaryFolder folder;
    const Checkpoint bert = small_bert(folder);
    CpuBackend backend(1);
    Tracer tracer(backend, bert.config);
    const auto error = [&](std::vector<int> types, const TransformerConfig& config) {
        TraceInput input{{2, 5, 3}};
        input.token_types = std::move(types);
        return error_of([&] { Tracer(backend, config).trace(input, bert.parameters); });
    };
    CHECK(contains(error({0, 1}, bert.config), "3 tokens and 2 token types"));
    CHECK(contains(error({0, 1, 2}, bert.config), "token type 2"));
    TransformerConfig none = bert.config;
    none.d_token_types = 0;
    CHECK(contains(error({0, 1, 1}, none), "no token types"));
}

TEST_CASE("sentence pairs: a saved BERT still has its token types when it is opened again") {
    const TemporaryFolder folder;
    const Checkpoint bert = small_bert(folder);
    save_checkpoint(folder / "saved", bert);
    const Checkpoint again = load_checkpoint(folder / "saved");
    CHECK(again.config == bert.config);
    CHECK(again.config.sentence_end == 3);
}
