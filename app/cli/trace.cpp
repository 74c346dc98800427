#include <cmath>
#include <cstdio>

#include "app/assets/open_model.h"
#include "app/cli/checks.h"
#include "app/cli/cli.h"
#include "app/cli/device.h"
#include "app/cli/model_text.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/text/sentence_pair.h"
#include "core/text/word_tokenizer.h"
#include "core/trace/tracer.h"
#include "core/train/fixed_batch.h"

namespace glassformer::app {

namespace {

/// What the decoder of a translation reads: its beginning, then the words.
std::vector<int> begun(const Checkpoint& model, std::vector<int> tokens) {
    if (const auto begin = model.words() ? model.words()->find(bos_word) : std::nullopt)
        if (tokens.empty() || tokens.front() != *begin) tokens.insert(tokens.begin(), *begin);
    return tokens;
}

/// What the model is to read; the tracer says what is missing or too much.
TraceInput input_for(const Checkpoint& model, const TraceArgs& args) {
    const bool reads_values = model.config.input == InputKind::values,
               translates = model.config.family == Family::encoder_decoder;
    if (reads_values && args.values.empty())
        throw Error(args.model + " reads vectors of numbers: give rows of " + std::to_string(model.config.d_input) +
                    " with --values, e.g. --values 0.5,1,0");
    if (!reads_values && !args.values.empty())
        throw Error(args.model + " reads words, not numbers: give a sentence with --text or token ids with --tokens");
    if (translates && args.source_text.empty() && args.source_tokens.empty())
        throw Error(args.model + " translates: give the sentence to translate with --source-text or --source-tokens");
    const auto ids = [&](const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                         const std::vector<int>& given, const char* option) {
        return given.empty() && !text.empty() ? ids_of(tokenizer, text, args.model, option) : given;
    };
    TraceInput input;
    input.values = args.values;
    input.tokens = ids(model.tokenizer, args.text, args.tokens, "--tokens");
    if (translates && args.tokens.empty()) input.tokens = begun(model, std::move(input.tokens));
    input.source_tokens = ids(model.source_tokenizer ? model.source_tokenizer : model.tokenizer, args.source_text,
                              args.source_tokens, "--source-tokens");
    return input;
}

/// The trace of a sentence with the model's own translation: the likeliest next word again and again, to the end of
/// the sentence or of the room.
std::shared_ptr<const Trace> translate(Tracer& tracer, const Checkpoint& model, TraceInput input) {
    const auto end = model.words() ? model.words()->find(eos_word) : std::nullopt;
    const auto words = static_cast<std::size_t>(model.config.d_vocab);
    for (;;) {
        std::shared_ptr<const Trace> trace = tracer.trace(input, model.parameters);
        const int next = largest(trace->values("logits").last(words));
        if (next == end || std::ssize(input.tokens) == model.config.n_ctx) return trace;
        input.tokens.push_back(next);
    }
}

bool is_hook(const std::string& name) {
    return name.find("hook_") != std::string::npos || name == "logits" || name == "probabilities";
}

void add(Safetensors& file, const Trace& trace, const std::string& name, int node) {
    const std::span<const float> values = trace.values(node);
    file.tensors.push_back({name, Tensor(trace.shape(node), {values.begin(), values.end()})});
}

/// Every value of the field's names.
Safetensors values_of(const Trace& trace) {
    Safetensors file;
    for (std::size_t id = 0; id < trace.graph().nodes().size(); ++id)
        if (const NodeInfo& info = trace.graph()[static_cast<int>(id)];
            info.kind == NodeInfo::Kind::op && is_hook(info.name))
            add(file, trace, info.name, static_cast<int>(id));
    for (const auto& [name, node] : trace.graph().aliases()) add(file, trace, name, node);
    return file;
}

/// The first tensor with a value that is no number or infinite; empty where all are finite. The score of a word that is
/// hidden is −∞ by itself.
std::string not_finite(const Safetensors& file) {
    for (const NamedTensor& named : file.tensors) {
        const bool scores = named.name.find("hook_attn_scores") != std::string::npos;
        for (const float value : named.tensor.values())
            if (!std::isfinite(value) && !(scores && value < 0.0f)) return named.name;
    }
    return {};
}

std::shared_ptr<const Trace> traced(Tracer& tracer, const Checkpoint& model, const TraceArgs& args, bool writes) {
    TraceInput input = input_for(model, args);
    return writes ? translate(tracer, model, std::move(input)) : tracer.trace(std::move(input), model.parameters);
}

}  // namespace

int run_trace(const TraceArgs& asked) {
    require_writable_file(asked.out);
    const Checkpoint model = open_model(asked.model);
    TraceArgs args = asked;
    if (args.pair) args.text = pair_of(model.tokenizer.get(), args.text, *args.pair);
    CpuBackend cpu;
    Device device(args.backend, cpu);
    const bool writes = model.config.family == Family::encoder_decoder && args.text.empty() && args.tokens.empty();
    Tracer tracer(device.backend(), model.config), on_processor(cpu, model.config);
    std::shared_ptr<const Trace> trace;
    try {
        trace = traced(tracer, model, args, writes);
    } catch (const Error& e) {
        if (!device.gl()) throw;
        trace = traced(on_processor, model, args, writes);  // what is wrong with the sentence is wrong there too
        device.give_up(std::string(e.what()) + "; continuing on the processor");
    }
    std::vector<int> tokens = trace->tokens();
    if (writes) tokens.erase(tokens.begin());  // what begins a translation is not of it
    Safetensors file = values_of(*trace);
    file.metadata["text"] = args.text.empty() ? text_of(model.tokenizer, tokens) : args.text;
    if (std::filesystem::path(args.out).extension() == ".npz")
        write_npz(args.out, file.tensors);
    else
        write_safetensors(args.out, file);
    if (const std::string name = not_finite(file); !name.empty())
        tell("warning: " + name +
             " holds values that are infinite or no numbers: the model's numbers became too large");
    if (writes) std::printf("%s\n", file.metadata["text"].c_str());
    std::printf("%zu tensors for %d %s%s written to %s\n", file.tensors.size(), trace->positions(),
                model.config.input == InputKind::values ? "vector" : "token", trace->positions() == 1 ? "" : "s",
                args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
