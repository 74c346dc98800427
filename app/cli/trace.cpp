#include "core/trace/tracer.h"

#include <algorithm>
#include <cstdio>

#include "app/cli/cli.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

/// Words that the vocabulary lacks become <unk>; the person is told, with the nearest known ones.
std::vector<int> encode_words(const WordTokenizer& tokenizer, const std::string& text) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : tokenizer.encode(text)) {
        ids.push_back(token.id);
        if (token.id != WordTokenizer::unknown) continue;
        std::string near;
        for (const std::string& word : tokenizer.nearest(token.text, 3)) near += (near.empty() ? "" : ", ") + word;
        std::fprintf(stderr,
                     "glassformer: \"%s\" is not in the vocabulary and becomes <unk>; the nearest known words are %s\n",
                     token.text.c_str(), near.c_str());
    }
    return ids;
}

std::vector<int> encode(const Checkpoint& model, const TraceArgs& args) {
    if (!model.tokenizer)
        throw Error(args.model + " has no tokenizer, so its text cannot be read; give token ids with --tokens");
    if (const WordTokenizer* words = model.words()) return encode_words(*words, args.text);
    return model.tokenizer->ids(args.text);
}

/// Throws Error for a model that reads something else than one sequence of tokens.
void require_one_text(const Checkpoint& model, const std::string& folder) {
    if (model.config.input != InputKind::words)
        throw Error(folder + " reads vectors of numbers; trace reads models of tokens only");
    if (model.config.family == Family::encoder_decoder)
        throw Error(folder + " is an encoder–decoder, which reads two sentences; trace reads models of one only");
}

/// The tokens as text; as ids where there is no tokenizer, or where it has no such token or the bytes are no text.
std::string decode(const Checkpoint& model, const std::vector<int>& tokens) {
    if (model.tokenizer && std::ranges::all_of(tokens, [&](int id) { return id >= 0 && id < model.tokenizer->size(); }))
        if (std::string text = model.tokenizer->decode(tokens); is_valid_utf8(text)) return text;
    std::string ids;
    for (const int id : tokens) ids += (ids.empty() ? "" : ",") + std::to_string(id);
    return ids;
}

bool is_hook(const std::string& name) {
    return name.find("hook_") != std::string::npos || name == "logits" || name == "probabilities";
}

void add(Safetensors& file, const Trace& trace, const std::string& name, int node) {
    const std::span<const float> values = trace.values(node);
    file.tensors.push_back({name, Tensor(trace.shape(node), {values.begin(), values.end()})});
}

}  // namespace

int run_trace(const TraceArgs& args) {
    const Checkpoint model = load_checkpoint(args.model);
    require_one_text(model, args.model);
    const std::vector<int> tokens = args.tokens.empty() ? encode(model, args) : args.tokens;
    CpuBackend backend;
    Tracer tracer(backend, model.config);
    const std::shared_ptr<const Trace> trace = tracer.trace(tokens, model.parameters);
    Safetensors file;
    for (std::size_t id = 0; id < trace->graph().nodes().size(); ++id)
        if (const NodeInfo& info = trace->graph()[static_cast<int>(id)];
            info.kind == NodeInfo::Kind::op && is_hook(info.name))
            add(file, *trace, info.name, static_cast<int>(id));
    for (const auto& [name, node] : trace->graph().aliases()) add(file, *trace, name, node);
    file.metadata["text"] = args.tokens.empty() ? args.text : decode(model, tokens);
    write_safetensors(args.out, file);
    std::printf("%zu tensors for %zu tokens written to %s\n", file.tensors.size(), tokens.size(), args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
