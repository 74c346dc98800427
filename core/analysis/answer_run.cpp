#include "core/analysis/answer_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/output_head.h"
#include "core/analysis/surprise.h"
#include "core/base/error.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

double norm_of(const std::vector<float>& v) {
    double sum = 0.0;
    for (const float x : v) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

void require_word(int word, int words) {
    if (word < 0 || word >= words) throw Error("there is no word {1}; ids go from 0 to {2}", word, words - 1);
}

}  // namespace

AnswerReading::AnswerReading(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer)
    : loss(answer.layer < 0 ? answer.loss : AnswerLoss::none), word(answer.word) {
    of_sentence = answer.layer < 0 && (model.config.output == OutputKind::classes || loss == AnswerLoss::of_next_words);
    if (answer.layer >= 0)
        read_sense(model, answer);
    else if (loss == AnswerLoss::none)
        read_logit(model, parameters, answer);
    else
        read_loss(model);
}

void AnswerReading::read_loss(const TransformerGraph& model) {
    node = model.logits;
    const TransformerConfig& config = model.config;
    if (loss == AnswerLoss::of_word)
        require_word(word, static_cast<int>((*model.graph)[node].shape.back()));
    else if (config.output != OutputKind::words || !(config.causal() || config.recurrent()))
        throw Error("this model does not predict the next word, so a sentence has no loss");
}

void AnswerReading::read_sense(const TransformerGraph& model, const Answer& answer) {
    const std::size_t d = model.config.d_model;
    if (answer.layer > model.config.n_layers || answer.sense.size() != d || answer.other.size() != d)
        throw Error("the senses are not of this model");
    node = model.graph->at(stream_name(answer.layer));
    unit = true;
    // cos(x, c) = (x / rms(x)) · c / (|c| √d)
    const double root = std::sqrt(static_cast<double>(d));
    const double here = norm_of(answer.sense) * root + 1e-30, there = norm_of(answer.other) * root + 1e-30;
    for (std::size_t j = 0; j < d; ++j)
        direction.push_back(static_cast<float>(static_cast<double>(answer.sense[j]) / here -
                                               static_cast<double>(answer.other[j]) / there));
}

/// The logits are x·W + b, so their sum weighted by w is x·(W·w) + b·w, and no other logit need be computed.
void AnswerReading::read_logit(const TransformerGraph& model, const ParameterValues& parameters, const Answer& answer) {
    const Graph& graph = *model.graph;
    const std::size_t words = static_cast<std::size_t>(graph[model.logits].shape.back());
    std::vector<double> weights(words, answer.less_mean ? -1.0 / static_cast<double>(words) : 0.0);
    const auto weigh = [&](int id, double by) {
        require_word(id, static_cast<int>(words));
        weights[static_cast<std::size_t>(id)] += by;
    };
    weigh(answer.word, 1.0);
    if (answer.minus >= 0) weigh(answer.minus, -1.0);
    const Unembedding unembedding(model);
    const auto parameter_values = [&](int parameter) {
        return parameters.values(graph[parameter].offset, graph[parameter].shape.elements());
    };
    if (unembedding.bias >= 0) {
        const std::span<const float> b = parameter_values(unembedding.bias);
        for (std::size_t w = 0; w < words; ++w) constant += weights[w] * static_cast<double>(b[w]);
    }
    node = unembedding.row;
    const std::span<const float> values = parameter_values(unembedding.matrix);
    const bool by_word = unembedding.by_word;
    const std::size_t d = static_cast<std::size_t>(graph[node].shape.back());
    std::vector<double> sums(d);
    for (std::size_t w = 0; w < words; ++w)
        for (std::size_t j = 0; weights[w] != 0.0 && j < d; ++j)
            sums[j] += weights[w] * static_cast<double>(values[by_word ? w * d + j : j * words + w]);
    direction.assign(sums.begin(), sums.end());
}

AnswerRun::AnswerRun(Backend& backend, const TransformerConfig& config, const AnswerReading& reading,
                     const BatchShape& shape, Gradient gradient)
    : shape_(shape), model_(build_transformer(config, shape)), reading_(reading) {
    const std::shared_ptr<Graph> graph = model_.graph->copy();
    const bool loss = reading.loss != AnswerLoss::none;
    answer_ = loss ? model_.loss : add_reading(*graph).id;
    if (config.family == Family::encoder_decoder) embeds_.push_back(graph->at("encoder.hook_embed"));
    embeds_.push_back(graph->at("hook_embed"));
    request_.keep = {loss ? model_.logits : answer_};
    if (gradient != Gradient::none) {
        request_.keep.insert(request_.keep.end(), embeds_.begin(), embeds_.end());
        request_.loss = answer_;
        request_.gradients = embeds_;
    }
    for (int id = 0; gradient == Gradient::of_all_nodes && id < answer_; ++id)
        if ((*graph)[id].kind == NodeInfo::Kind::op && std::ranges::find(embeds_, id) == embeds_.end())
            request_.gradients.push_back(id);
    run_ = backend.prepare(graph, request_);
    if (direction_ >= 0) run_->set_input(direction_, reading.direction);
    for (const int id : {model_.loss_weights, model_.targets, model_.target_values, model_.state})
        if (id >= 0) std::ranges::fill(run_->input_values(id), 0.0f);
    for (const int id : {model_.key_mask, model_.source_key_mask})
        if (id >= 0) std::ranges::fill(run_->input_values(id), 1.0f);
    wanted_.resize(static_cast<std::size_t>(shape.batch));
}

/// Adds the ops from the node that is read to the answer.
Node AnswerRun::add_reading(Graph& graph) {
    Node row{&graph, reading_.node};
    if (!reading_.of_sentence) {
        if (reading_.unit) {
            const Node scale = graph.apply(ops::rms_norm_scale(1e-12f), {row});
            row = graph.apply(ops::rms_norm_normalize(), {row, scale});
        }
        const Node place = graph.input("answer_position", {shape_.batch, shape_.positions});
        place_ = place.id;
        row = graph.apply(ops::mean_pool(), {row, place});
    }
    const Node direction = graph.input("answer_direction", {static_cast<std::int64_t>(reading_.direction.size()), 1});
    direction_ = direction.id;
    return graph.apply(ops::linear(), {row, direction}).named("answer");
}

void AnswerRun::feed(int row, const AskedInput& asked) {
    const auto set = [&](int id, const auto& values) {
        if (id < 0) return;
        const std::span<float> all = run_->input_values(id);
        const std::size_t each = all.size() / static_cast<std::size_t>(shape_.batch);
        std::ranges::transform(values, all.subspan(static_cast<std::size_t>(row) * each, each).begin(),
                               [](auto v) { return static_cast<float>(v); });
    };
    const TraceInput& input = asked.input;
    set(model_.tokens, input.tokens);
    set(model_.token_types, input.token_types);
    set(model_.source_tokens, input.source_tokens);
    if (place_ >= 0) {
        std::vector<int> place(input.tokens.size());
        place[static_cast<std::size_t>(asked.position)] = 1;
        set(place_, place);
    }
    if (reading_.loss == AnswerLoss::none) return;
    std::vector<int>& wanted = wanted_[static_cast<std::size_t>(row)];
    wanted.assign(model_.config.output == OutputKind::classes ? 1 : input.tokens.size(), -1);
    if (reading_.loss == AnswerLoss::of_next_words) {
        const std::vector<int>& truth = asked.truth.empty() ? input.tokens : asked.truth;
        std::copy(truth.begin() + 1, truth.end(), wanted.begin());
    } else {
        wanted[wanted.size() == 1 ? 0 : static_cast<std::size_t>(asked.position)] = reading_.word;
    }
    std::vector<int> targets, weights;
    for (const int word : wanted) targets.push_back(std::max(word, 0)), weights.push_back(word >= 0);
    set(model_.targets, targets);
    set(model_.loss_weights, weights);
}

void AnswerRun::overwrite(std::vector<Intervention> cells) {
    const std::vector<int> read = readers(run_->graph(), request_);
    std::erase_if(cells, [&](const Intervention& i) { return read[static_cast<std::size_t>(i.node)] == 0; });
    run_->intervene(std::move(cells));
}

std::vector<double> AnswerRun::answers(const ParameterValues& parameters) {
    run_->forward(parameters);
    if (reading_.loss != AnswerLoss::none) return losses();
    std::vector<double> answers;
    for (const float value : run_->view(answer_)) answers.push_back(static_cast<double>(value) + reading_.constant);
    return answers;
}

/// In double, and separately for each sentence.
std::vector<double> AnswerRun::losses() const {
    const std::span<const float> logits = run_->view(model_.logits);
    const std::size_t width = static_cast<std::size_t>((*model_.graph)[model_.logits].shape.back());
    std::vector<double> losses;
    std::size_t at = 0;
    for (const std::vector<int>& wanted : wanted_) {
        std::vector<TokenSurprise> words;
        for (const int word : wanted)
            if (const std::span<const float> row = logits.subspan(width * at++, width); word >= 0)
                words.push_back(surprise_of_logits(row, word));
        const TextSurprise all = sum_of(words);
        losses.push_back(all.tokens > 0 ? all.per_token() * std::log(2.0) : std::numeric_limits<double>::quiet_NaN());
    }
    return losses;
}

std::vector<float> AnswerRun::embedding() const {
    std::vector<float> all;
    for (const int node : embeds_) {
        const std::span<const float> e = run_->view(node);
        all.insert(all.end(), e.begin(), e.end());
    }
    return all;
}

void AnswerRun::set_embedding(std::span<const float> e) {
    std::vector<Intervention> set;
    for (const int node : embeds_) {
        const std::int64_t count = (*model_.graph)[node].shape.elements();
        const std::span<const float> part = e.first(static_cast<std::size_t>(count));
        set.push_back({node, {{0, count}}, {part.begin(), part.end()}});
        e = e.subspan(part.size());
    }
    run_->intervene(std::move(set));
}

std::vector<double> AnswerRun::gradient_times(std::span<const float> e) {
    run_->backward({});
    std::vector<double> sums(static_cast<std::size_t>(shape_.positions + shape_.source_positions));
    const std::size_t d = e.size() / sums.size();
    std::size_t i = 0;
    for (const int node : embeds_) {
        const std::span<const float> gradient = run_->gradient(node);  // empty: it does not affect the answer
        for (std::size_t j = 0; j < gradient.size(); ++j)
            sums[(i + j) / d] += static_cast<double>(e[i + j]) * static_cast<double>(gradient[j]);
        i += static_cast<std::size_t>((*model_.graph)[node].shape.elements());
    }
    return sums;
}

}  // namespace glassformer
