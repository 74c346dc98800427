#include "core/trace/tracer.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"

namespace glassformer {

namespace {

// Idle executions: the worker makes a trace while the window still holds the last one.
constexpr std::size_t most_idle = 2, most_lengths = 24;
constexpr std::int64_t most_idle_bytes = std::int64_t{16} << 20;  // each; of larger ones only one is kept in all

void require_ids(const std::vector<int>& tokens, int d_vocab) {
    for (const int token : tokens)
        if (token < 0 || token >= d_vocab)
            throw Error("token {1} is not in the vocabulary; ids go from 0 to {2}", token, d_vocab - 1);
}

void require_source(const std::vector<int>& tokens, const TransformerConfig& config) {
    if (tokens.empty()) throw Error("this model translates: it needs a source sentence too");
    if (static_cast<int>(tokens.size()) > config.n_ctx)
        throw Error("the source sentence has {1} tokens; this model reads at most {2}, so shorten it", tokens.size(),
                    config.n_ctx);
    require_ids(tokens, config.d_source_vocab > 0 ? config.d_source_vocab : config.d_vocab);
}

void require_types(const TraceInput& input, const TransformerConfig& config) {
    if (input.token_types.empty()) return;
    if (config.d_token_types == 0) throw Error("this model has no token types");
    if (input.token_types.size() != input.tokens.size())
        throw Error("there are {1} tokens and {2} token types; each token has one", input.tokens.size(),
                    input.token_types.size());
    for (const int type : input.token_types)
        if (type < 0 || type >= config.d_token_types)
            throw Error("token type {1} is not one of the model's; they go from 0 to {2}", type,
                        config.d_token_types - 1);
}

/// The lengths of the input; throws Error if it is not what the model reads.
BatchShape shape_of(const TraceInput& input, const TransformerConfig& config) {
    const bool translates = config.family == Family::encoder_decoder;
    if (!translates && !input.source_tokens.empty()) throw Error("this model reads one sentence and has no source");
    if (config.input == InputKind::values) {
        if (!input.tokens.empty()) throw Error("this model reads values, not words");
        const std::size_t width = config.d_input;
        if (input.values.empty() || input.values.size() % width != 0)
            throw Error("this model reads rows of {1} values; {2} values were given", width, input.values.size());
        return {1, static_cast<int>(input.values.size() / width), 0};
    }
    require_tokens(input.tokens, config);
    require_types(input, config);
    if (translates) require_source(input.source_tokens, config);
    return {1, static_cast<int>(input.tokens.size()), static_cast<int>(input.source_tokens.size())};
}

// Inputs that are not fed stay zero: nothing to predict, not in training.
void feed(Execution& run, const TransformerGraph& model, const TraceInput& input) {
    const auto set = [&](int id, const auto& values) {
        if (id >= 0)
            std::ranges::transform(values, run.input_values(id).begin(), [](auto v) { return static_cast<float>(v); });
    };
    const auto fill = [&](int id, float value) {
        if (id >= 0) std::ranges::fill(run.input_values(id), value);
    };
    set(model.tokens, input.tokens);
    set(model.values, input.values);
    set(model.source_tokens, input.source_tokens);
    set(model.token_types, input.token_types.empty() ? token_types_of(input.tokens, model.config) : input.token_types);
    fill(model.key_mask, 1.0f);
    fill(model.source_key_mask, 1.0f);
    fill(model.targets, 0.0f);
    if (model.config.output == OutputKind::words) set(model.targets, input.tokens);
    for (const int id : {model.target_values, model.loss_weights, model.state}) fill(id, 0.0f);
}

/// Every op that the model's answer depends on.
std::vector<int> leading_to(const Graph& graph, int answer) {
    std::vector<bool> wanted(graph.nodes().size());
    wanted[answer] = true;
    std::vector<int> ops;
    for (int id = answer; id >= 0; --id) {
        if (!wanted[id] || graph[id].kind != NodeInfo::Kind::op) continue;
        ops.push_back(id);
        for (const int input : graph[id].inputs) wanted[input] = true;
    }
    return ops;
}

}  // namespace

std::vector<int> token_types_of(const std::vector<int>& tokens, const TransformerConfig& config) {
    std::vector<int> types(tokens.size());
    const auto end = std::ranges::find(tokens, config.sentence_end);
    if (config.d_token_types > 1 && end != tokens.end())
        std::fill(types.begin() + (end - tokens.begin()) + 1, types.end(), 1);
    return types;
}

void require_tokens(const std::vector<int>& tokens, const TransformerConfig& config) {
    if (tokens.empty()) throw Error("the sentence is empty; type at least one word");
    if (static_cast<int>(tokens.size()) > config.n_ctx)
        throw Error("the sentence has {1} tokens; this model reads at most {2}, so shorten it", tokens.size(),
                    config.n_ctx);
    for (const int token : tokens)
        if (token < 0 || token >= config.d_vocab)
            throw Error("token {1} is not in the vocabulary; ids go from 0 to {2}", token, config.d_vocab - 1);
}

std::shared_ptr<const Trace> Tracer::trace(const std::vector<int>& tokens, const Parameters& parameters,
                                           const std::vector<Intervention>& interventions) {
    return trace(TraceInput{tokens}, parameters, interventions);
}

std::shared_ptr<const Trace> Tracer::trace(TraceInput input, const Parameters& parameters,
                                           const std::vector<Intervention>& interventions) {
    Planned& p = planned(shape_of(input, config_));
    std::shared_ptr<Execution> run = borrow(p);
    feed(*run, p.model, input);
    const OverwrittenCells possible(*p.model.graph, interventions);
    run->intervene(of_the_run(p, interventions));
    run->forward(*parameters);
    return std::make_shared<Trace>(p.model, parameters, std::move(input), std::move(run), interventions, memory_.parts);
}

std::vector<Intervention> Tracer::of_the_run(const Planned& planned, const std::vector<Intervention>& interventions) {
    std::vector<Intervention> run;
    for (const Intervention& i : interventions)
        if (std::ranges::find(planned.recomputed, i.node) == planned.recomputed.end())
            run.push_back(i);
        else
            require_cells(*planned.model.graph, i);
    return run;
}

TransformerGraph Tracer::model(const TraceInput& input) { return planned(shape_of(input, config_)).model; }

std::shared_ptr<Execution> Tracer::borrow(const Planned& planned) {
    std::unique_ptr<Execution> run;
    {
        const std::lock_guard lock(planned.idle->mutex);
        if (!planned.idle->runs.empty()) {
            run = std::move(planned.idle->runs.back());
            planned.idle->runs.pop_back();
        }
    }
    if (!run) {
        const std::lock_guard lock(large_->mutex);
        if (large_->of.lock() == planned.idle) run = std::move(large_->run);
    }
    if (!run) run = backend_.prepare(planned.model.graph, planned.request);
    const auto give_back = [idle = std::weak_ptr<Idle>(planned.idle),
                            large = std::weak_ptr<Large>(large_)](Execution* done) {
        std::unique_ptr<Execution> owned(done);
        const std::shared_ptr<Idle> home = idle.lock();
        if (!home) return;
        if (owned->arena_bytes() > most_idle_bytes) {
            const std::shared_ptr<Large> place = large.lock();
            if (!place) return;
            const std::lock_guard lock(place->mutex);
            place->run.swap(owned);  // drops the one that was idle before
            place->of = idle;
            return;
        }
        const std::lock_guard lock(home->mutex);
        if (home->runs.size() < most_idle) home->runs.push_back(std::move(owned));
    };
    return {run.release(), give_back};
}

Tracer::Planned& Tracer::planned(const BatchShape& shape) {
    const std::pair key(shape.positions, shape.source_positions);
    const auto found = by_length_.find(key);
    if (found != by_length_.end()) return found->second;
    if (by_length_.size() >= most_lengths) by_length_.clear();
    Planned fresh{build_transformer(config_, shape), {}, {}, std::make_shared<Idle>()};
    const int answer = fresh.model.probabilities >= 0 ? fresh.model.probabilities : fresh.model.logits;
    fresh.recomputed = leading_to(*fresh.model.graph, answer);
    fresh.request.keep = select_saved_activations(*fresh.model.graph, fresh.recomputed, memory_.kept);
    const Plan plan(*fresh.model.graph, fresh.request);
    const std::set<int> run(plan.forward().begin(), plan.forward().end());
    std::erase_if(fresh.recomputed, [&](int op) { return run.contains(op); });
    return by_length_.emplace(key, std::move(fresh)).first->second;
}

}  // namespace glassformer
