#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <map>

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/cli/device.h"
#include "app/cli/model_text.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/model_check.h"
#include "core/analysis/word_parts.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/checkpoint.h"
#include "core/io/npz.h"
#include "core/io/output_file.h"
#include "core/io/safetensors.h"
#include "core/ops/python.h"
#include "core/tasks/tasks.h"
#include "core/text/special_tokens.h"
#include "core/text/word_tokenizer.h"
#include "core/trace/tracer.h"
#include "core/train/fixed_batch.h"

namespace glassformer::app {

namespace {

/// The decoder's input in a translation: its begin token, then the words.
std::vector<int> begun(const Checkpoint& model, std::vector<int> tokens) {
    if (const auto begin = model.words() ? model.words()->find(bos_word) : std::nullopt)
        if (tokens.empty() || tokens.front() != *begin) tokens.insert(tokens.begin(), *begin);
    return tokens;
}

/// The model's input; the tracer says what is missing or too much.
TraceInput input_for(const Checkpoint& model, const TraceArgs& args) {
    const bool reads_values = model.config.input == InputKind::values,
               translates = model.config.family == Family::encoder_decoder;
    if (reads_values && args.values.empty())
        throw Error("{1} reads vectors of numbers: give rows of {2} with --values, e.g. --values 0.5,1,0", args.model,
                    model.config.d_input);
    if (!reads_values && !args.values.empty())
        throw Error("{1} reads words, not numbers: give a sentence with --text or token IDs with --tokens", args.model);
    if (translates && args.source_text.empty() && args.source_tokens.empty())
        throw Error("{1} translates: give the sentence to translate with --source-text or --source-tokens", args.model);
    const auto ids = [&](const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& text,
                         const std::vector<int>& given, const char* option) {
        return given.empty() && !text.empty() ? ids_of(tokenizer, text, args.model, option) : given;
    };
    TraceInput input;
    input.values = args.values;
    input.tokens = ids(model.tokenizer, args.text, args.tokens, "--tokens");
    if (model.tokenizer) require_embedded(*model.tokenizer, input.tokens, model.config.d_vocab);
    if (translates && args.tokens.empty()) input.tokens = begun(model, std::move(input.tokens));
    input.source_tokens = ids(model.source_tokenizer ? model.source_tokenizer : model.tokenizer, args.source_text,
                              args.source_tokens, "--source-tokens");
    return input;
}

/// Traces a sentence with the model's own translation: the most likely next word again and again, to the end of the
/// sentence or of the context.
std::shared_ptr<const Trace> translate(Tracer& tracer, const Checkpoint& model, TraceInput input) {
    const auto end = model.words() ? model.words()->find(eos_word) : std::nullopt;
    const std::size_t words = model.config.d_vocab;
    for (;;) {
        std::shared_ptr<const Trace> trace = tracer.trace(input, model.parameters);
        const int next = argmax(trace->values("logits").last(words));
        if (next == end || std::ssize(input.tokens) == model.config.n_ctx) return trace;
        input.tokens.push_back(next);
    }
}

bool is_hook(const std::string& name) {
    return name.find("hook_") != std::string::npos || name == "logits" || name == "probabilities";
}

/// Every hook and alias, with its node.
std::vector<std::pair<std::string, int>> named_nodes(const Trace& trace) {
    std::vector<std::pair<std::string, int>> all;
    for (std::size_t id = 0; id < trace.graph().nodes().size(); ++id)
        if (const NodeInfo& info = trace.graph()[static_cast<int>(id)];
            info.kind == NodeInfo::Kind::op && is_hook(info.name))
            all.emplace_back(info.name, static_cast<int>(id));
    for (const auto& [name, node] : trace.graph().aliases()) all.emplace_back(name, node);
    return all;
}

/// True if a value is NaN or infinite. The score of a hidden word may be −∞.
bool any_wild(const std::string& name, std::span<const float> cells) {
    const bool scores = name.find("hook_attn_scores") != std::string::npos;
    const float least = scores ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::lowest();
    bool wild = false;  // no branch on a value, so that it vectorizes
    for (const float value : cells) wild |= !(value >= least && value <= std::numeric_limits<float>::max());
    return wild;
}

/// The classes of a model with their numbers: "0 (blame), 1 (praise)"; without names if its world is not known.
std::string classes_of(const Checkpoint& model) {
    std::vector<std::string> names;
    try {
        names = (model.source ? make_task(*model.source, nullptr) : make_task(model.world, assets_folder() / "worlds"))
                    ->classes;
    } catch (const Error&) {
    }
    std::vector<std::string> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model.config.d_output); ++i)
        all.push_back(std::to_string(i) + (i < names.size() ? " (" + names[i] + ")" : ""));
    return listed(all);
}

/// The word of "logit:WORD": a token of the model, or the number of a token or a class.
int asked_word(const Checkpoint& model, const std::string& word) {
    const bool classifies = model.config.output == OutputKind::classes;
    if (model.tokenizer && model.config.output == OutputKind::words)
        if (const std::optional<int> token = only_token(*model.tokenizer, word)) return *token;
    const int id = whole_in_text<int>(word).value_or(-1);
    const bool number = id >= 0;
    if (classifies && (!number || id >= model.config.d_output))
        throw Error("there is no class \"{1}\"; give the number of one: {2}", word, classes_of(model));
    if (!number) throw Error("--gradients needs one token of the model, or its number; \"{1}\" is neither", word);
    return id;
}

/// The answer of --gradients: for a word, at the masked position, else at the end.
glassformer::Answer asked_answer(const Checkpoint& model, const Trace& trace, const std::string& asked) {
    const bool predicts_next =
        model.config.output == OutputKind::words && (model.config.causal() || model.config.recurrent());
    if (asked == "loss" && !predicts_next)
        throw Error(
            "this model does not predict the next word: give the word whose loss is meant, --gradients loss:WORD");
    if (asked == "loss") return {.loss = AnswerLoss::of_next_words};
    const std::size_t colon = asked.find(':');
    const std::string kind = asked.substr(0, colon);
    if (colon == std::string::npos || (kind != "loss" && kind != "logit"))
        throw Error("--gradients needs loss, loss:WORD or logit:WORD; \"{1}\" is none of them", asked);
    glassformer::Answer answer{.position = trace.positions() - 1, .word = asked_word(model, asked.substr(colon + 1))};
    if (kind == "loss") answer.loss = AnswerLoss::of_word;
    const std::optional<int> mask = model.tokenizer ? mask_id(*model.tokenizer) : std::nullopt;
    const auto hidden = mask ? std::ranges::find(trace.tokens(), *mask) : trace.tokens().end();
    if (hidden != trace.tokens().end()) answer.position = static_cast<int>(hidden - trace.tokens().begin());
    return answer;
}

std::shared_ptr<const NodeGradients> gradients_of(Backend& cpu, const Checkpoint& model, const Trace& trace,
                                                  const std::string& asked) {
    if (asked.empty()) return nullptr;
    if (const std::string why = WordPartsRun::refusal(model.config); !why.empty()) throw Error(why);
    TraceInput input{trace.tokens(), trace.source_tokens()};
    WordPartsRun run(cpu, model.config, model.parameters, std::move(input), asked_answer(model, trace, asked),
                     {.gradients = true});
    run.step();
    if (!run.gradients()) throw Error("the gradients of so large a model are too many; try a shorter sentence");
    return run.gradients();
}

/// Writes a trace a few slices at a time: for a large model it has not kept most values, and must not hold them all.
/// wild() names the first tensor with a NaN or infinite value; empty if there is none.
class TraceFile {
public:
    TraceFile(const Trace& trace, const std::shared_ptr<const NodeGradients>& gradients)
        : trace_(trace), gradients_(gradients) {
        for (const auto& [name, node] : named_nodes(trace)) {
            tensors_.push_back({name, trace.shape(node), [this, name, node](const auto& write) {
                                    each_piece(node, [&](std::span<const float> cells) {
                                        look_at(name, cells);
                                        write(cells);
                                    });
                                }});
            if (const auto cells = gradients ? gradients->of(trace.graph(), node) : std::span<const float>();
                !cells.empty())
                tensors_.push_back({name + "_grad", trace.shape(node), [cells](const auto& write) { write(cells); }});
        }
    }
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    std::size_t size() const { return tensors_.size(); }
    const std::string& wild() const { return wild_; }

    void write(const std::filesystem::path& file, const std::map<std::string, std::string>& about) const {
        if (file.extension() == ".npz") {
            std::vector<NamedText> texts;
            for (const auto& [name, text] : about) texts.push_back({name, text});
            return write_npz(file, tensors_, texts);
        }
        write_safetensors(file, tensors_, about);
    }

private:
    template <class Body>
    void each_piece(int node, const Body& body) const {
        constexpr std::int64_t most_cells = std::int64_t{1} << 22;
        const SliceAxis axis = trace_.slices(node);
        const std::int64_t at_once = std::max<std::int64_t>(1, most_cells / std::max<std::int64_t>(axis.width, 1));
        for (std::int64_t first = 0; first < axis.count; first += at_once)
            body(trace_.part(node, {first, std::min(at_once, axis.count - first)}).values());
    }
    void look_at(const std::string& name, std::span<const float> cells) const {
        if (wild_.empty() && any_wild(name, cells)) wild_ = name;
    }

    const Trace& trace_;
    std::shared_ptr<const NodeGradients> gradients_;
    std::vector<StreamedTensor> tensors_;
    mutable std::string wild_;
};

std::shared_ptr<const Trace> traced(Tracer& tracer, const Checkpoint& model, const TraceArgs& args, bool writes) {
    TraceInput input = input_for(model, args);
    return writes ? translate(tracer, model, std::move(input)) : tracer.trace(std::move(input), model.parameters);
}

/// Rows of numbers as the window reads them: "0.5 1 0; 1 0 2".
std::string rows_text(std::span<const float> values, std::size_t width) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i == 0 ? "" : i % width == 0 ? "; " : " ") + ops::python_number(values[i]);
    return text;
}

/// What the model read, so that the file is complete without the command line.
std::string text_read(const Checkpoint& model, const TraceArgs& args, const std::vector<int>& tokens) {
    if (model.config.input == InputKind::values)
        return rows_text(args.values, static_cast<std::size_t>(model.config.d_input));
    return args.text.empty() ? text_of(model.tokenizer, tokens) : args.text;
}

}  // namespace

int run_trace(const TraceArgs& asked) {
    const std::filesystem::path ending = std::filesystem::path(asked.out).extension();
    const bool numpy = ending == ".npz";
    if (!numpy && !ending.empty() && ending != ".safetensors")
        throw Error("the name of a trace ends in .safetensors or .npz, unlike {1}", asked.out);
    require_output(asked.out, numpy ? FileKind::npz : FileKind::trace, std::array{model_folder(asked.model)});
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
        trace = traced(on_processor, model, args, writes);  // an invalid sentence fails there too
        device.give_up(filled_with(N_("{1}; continuing on the CPU"), e.what()));
    }
    std::vector<int> tokens = trace->tokens();
    if (writes) tokens.erase(tokens.begin());  // the begin token is not part of the translation
    const std::string text = text_read(model, args, tokens);
    const TraceFile file(*trace, gradients_of(cpu, model, *trace, args.gradients));
    std::map<std::string, std::string> about{{"text", text}};
    // Sorted after "text", by which a trace is known.
    if (!args.gradients.empty()) about["with_gradients_of"] = args.gradients;
    if (const std::vector<int>& source = trace->source_tokens(); !source.empty())
        about["text_source"] = args.source_text.empty()
                                   ? text_of(model.source_tokenizer ? model.source_tokenizer : model.tokenizer, source)
                                   : args.source_text;
    file.write(args.out, about);
    if (!file.wild().empty())
        tell(filled_with(N_("warning: {1} contains infinite or NaN values: the model's numbers became too large"),
                         file.wild()));
    if (writes) std::printf("%s\n", text.c_str());
    const long read = trace->positions();
    std::printf(
        model.config.input == InputKind::values
            ? tr("%zu tensors for %ld vector written to %s\n", "%zu tensors for %ld vectors written to %s\n", read)
            : tr("%zu tensors for %ld token written to %s\n", "%zu tensors for %ld tokens written to %s\n", read),
        file.size(), read, args.out.c_str());
    return 0;
}

int run_check(const CheckArgs& args) {
    const Checkpoint model = open_model(args.model);
    const ModelCheck check{model.config, model.parameters, args.words,
                           args.seed,    args.threads,     backend_preference(args.backend)};
    std::printf("%s: %s\n", args.model.c_str(), heading_of(check).c_str());
    const bool passed =
        check_model(check, {[](const CheckedPart& part) { std::printf("%s\n", line_of(part).c_str()); }});
    std::printf("%s\n", verdict_text(passed).c_str());
    return passed ? 0 : 1;
}

}  // namespace glassformer::app
