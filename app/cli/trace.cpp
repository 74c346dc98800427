#include "core/trace/tracer.h"

#include <cstdio>

#include "app/cli/cli.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"

namespace glassformer::app {

namespace {

std::vector<int> encode(const Checkpoint& model, const std::string& text) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : model.tokenizer.encode(text)) {
        ids.push_back(token.id);
        if (token.id != WordTokenizer::unknown) continue;
        std::string near;
        for (const std::string& word : model.tokenizer.nearest(token.text, 3))
            near += (near.empty() ? "" : ", ") + word;
        std::fprintf(stderr,
                     "glassformer: \"%s\" is not in the vocabulary and becomes <unk>; the nearest known words are %s\n",
                     token.text.c_str(), near.c_str());
    }
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
    const std::vector<int> tokens = args.tokens.empty() ? encode(model, args.text) : args.tokens;
    CpuBackend backend;
    Tracer tracer(backend, model.config);
    const std::shared_ptr<const Trace> trace = tracer.trace(tokens, model.parameters);
    Safetensors file;
    for (std::size_t id = 0; id < trace->graph().nodes().size(); ++id)
        if (const NodeInfo& info = trace->graph()[static_cast<int>(id)];
            info.kind == NodeInfo::Kind::op && is_hook(info.name))
            add(file, *trace, info.name, static_cast<int>(id));
    for (const auto& [name, node] : trace->graph().aliases()) add(file, *trace, name, node);
    file.metadata["text"] = args.tokens.empty() ? args.text : model.tokenizer.decode(tokens);
    write_safetensors(args.out, file);
    std::printf("%zu tensors for %zu tokens written to %s\n", file.tensors.size(), tokens.size(), args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
