#include "core/analysis/tuned_lens_training.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/ops/ops.h"

namespace glassformer {

namespace {

/// d loss / d A and d b, from d loss / d (x + x · A + b).
void map_gradient(std::span<const float> values, std::int64_t d, std::span<const float> x,
                  std::span<const float> of_out, std::span<float> gradients, ThreadPool& pool) {
    const Shape rows{static_cast<std::int64_t>(x.size()) / d, d};
    const ConstView inputs[] = {{x.data(), rows}, {values.data(), {d, d}}, {values.data() + d * d, {d}}};
    const GradientSlot slots[] = {{}, {gradients.data()}, {gradients.data() + d * d}};
    ops::linear()->backward({inputs, {}, {of_out.data(), rows}, slots, pool});
}

}  // namespace

StreamCollector::StreamCollector(Backend& backend, const TransformerConfig& config, const BatchShape& shape)
    : head_(build_transformer(config, shape)) {
    run_ = backend.prepare(head_.model.graph, {head_.streams, -1});
    block_.resize(static_cast<std::size_t>((*head_.model.graph)[head_.streams[0]].shape.elements()));
}

void StreamCollector::add(const Batch& batch, const ParameterView& parameters, std::int64_t most, StreamRows& to) {
    const TransformerGraph& model = head_.model;
    const auto d = static_cast<std::size_t>(model.config.d_model),
               all = static_cast<std::size_t>(model.batch) * static_cast<std::size_t>(model.positions);
    std::vector<std::size_t> words;
    for (std::size_t i = 0; i < all && to.rows + std::ssize(words) < most; ++i)
        if (batch.key_mask.empty() || batch.key_mask[i] > 0.0f) words.push_back(i);
    if (words.empty()) return;
    set_inputs(*run_, model, batch);
    run_->forward(parameters);
    to.layers.resize(head_.streams.size());
    for (std::size_t layer = 0; layer < head_.streams.size(); ++layer) {
        run_->read(head_.streams[layer], block_);
        for (const std::size_t word : words) {
            const auto first = block_.begin() + static_cast<std::ptrdiff_t>(word * d);
            to.layers[layer].insert(to.layers[layer].end(), first, first + static_cast<std::ptrdiff_t>(d));
        }
    }
    to.rows += std::ssize(words);
    to.sentences += static_cast<int>(words.back() / static_cast<std::size_t>(model.positions)) + 1;
}

TunedLensTraining::TunedLensTraining(OutputHead head, Parameters parameters, StreamRows learn, StreamRows held_out,
                                     ThreadPool& pool, const Options& options)
    : head_(std::move(head)),
      parameters_(std::move(parameters)),
      learn_(std::move(learn)),
      held_out_(std::move(held_out)),
      pool_(pool),
      options_(options) {
    const Graph& graph = *head_.model.graph;
    if (!head_.row_by_row())
        throw Error("a tuned lens reads one position at a time; the final norm of this model is over all of them");
    if (learn_.rows == 0 || held_out_.rows == 0) throw Error("there is no sentence to learn a tuned lens from");
    const std::int64_t d = head_.model.config.d_model;
    lens_.d_model = head_.model.config.d_model;
    lens_.maps.resize(static_cast<std::size_t>(head_.model.config.n_layers));
    map_graph_.parameter("A", {d, d}, {});
    map_graph_.parameter("b", {d}, {});
    for (const int node : head_.ops)
        for (const int input : graph[node].inputs)
            if (input != head_.streams.back() && std::ranges::find(head_.ops, input) == head_.ops.end() &&
                graph[input].kind != NodeInfo::Kind::parameter)
                throw Error(
                    "a tuned lens reads one position at a time; the final norm of this model is over all of them");
    if (!done()) begin_layer();
}

double TunedLensTraining::share() const {
    if (done()) return 1.0;
    const double steps = options_.steps;
    return (layer_ * steps + step_) / (layers() * steps);
}

HeadRun::Outside TunedLensTraining::outside() {
    return [this](int node) {
        const NodeInfo& info = (*head_.model.graph)[node];
        return parameters_->values(info.offset, info.shape.elements()).data();
    };
}

std::span<const float> TunedLensTraining::rows(const AlignedFloats& stream, std::int64_t first,
                                               std::int64_t count) const {
    const auto d = static_cast<std::size_t>(lens_.d_model);
    return std::span(stream).subspan(static_cast<std::size_t>(first) * d, static_cast<std::size_t>(count) * d);
}

void TunedLensTraining::begin_layer() {
    const std::size_t d = static_cast<std::size_t>(lens_.d_model);
    now_.assign(d * d + d, 0.0f);
    gradients_.assign(now_.size(), 0.0f);
    optimizer_ = make_optimizer(map_graph_, {.kind = OptimizerKind::adam, .weight_decay = 0.0f});
    step_ = 0;
    TunedLens::Map& map = lens_.maps[layer_];
    map.values = now_;
    map.plain = map.tuned = held_out_kl();
}

void TunedLensTraining::work() {
    learn();
    ++step_;
    const bool last = step_ == options_.steps;
    if (last || step_ % options_.check_every == 0) check();
    if (last && ++layer_ < layers()) begin_layer();
}

// d KL / d logits = q − p, for each row.
void TunedLensTraining::learn() {
    const std::size_t d = static_cast<std::size_t>(lens_.d_model);
    const std::int64_t count = std::min<std::int64_t>(options_.rows, learn_.rows);
    Rng rng(options_.seed, static_cast<std::uint64_t>(layer_ * options_.steps + step_));
    AlignedFloats x, last, mapped(static_cast<std::size_t>(count) * d);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto row = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(learn_.rows)));
        const std::span<const float> here = rows(learn_.layers[layer_], row, 1),
                                     end = rows(learn_.layers.back(), row, 1);
        x.insert(x.end(), here.begin(), here.end());
        last.insert(last.end(), end.begin(), end.end());
    }
    HeadRun model(head_, {0, count}, outside(), pool_), lens(head_, {0, count}, outside(), pool_);
    model.forward(last.data());
    apply_map(now_, lens_.d_model, x, mapped, pool_);
    lens.forward(mapped.data());
    const std::span<const float> p = model.probabilities(), q = lens.probabilities();
    AlignedFloats of_logits(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) of_logits[i] = (q[i] - p[i]) / static_cast<float>(count);
    map_gradient(now_, lens_.d_model, x, lens.backward(of_logits), gradients_, pool_);
    const float left = 1.0f - static_cast<float>(step_) / static_cast<float>(options_.steps);
    optimizer_->step(now_, gradients_, 1.0f, options_.learning_rate * left, pool_);
}

double TunedLensTraining::held_out_kl() {
    const std::size_t words = static_cast<std::size_t>(head_.model.config.d_vocab);
    double sum = 0.0;
    for (std::int64_t first = 0; first < held_out_.rows; first += options_.rows) {
        const std::int64_t count = std::min<std::int64_t>(options_.rows, held_out_.rows - first);
        const std::span<const float> x = rows(held_out_.layers[layer_], first, count);
        AlignedFloats mapped(x.size());
        apply_map(now_, lens_.d_model, x, mapped, pool_);
        HeadRun model(head_, {0, count}, outside(), pool_), lens(head_, {0, count}, outside(), pool_);
        model.forward(rows(held_out_.layers.back(), first, count).data());
        lens.forward(mapped.data());
        sum += static_cast<double>(count) *
               mean_kl(model.logits(), model.probabilities(), lens.logits(), lens.probabilities(), words);
    }
    return sum / static_cast<double>(held_out_.rows);
}

void TunedLensTraining::check() {
    TunedLens::Map& map = lens_.maps[layer_];
    const double kl = held_out_kl();
    if (!(kl < map.tuned)) return;
    map.tuned = kl;
    map.step = step_;
    map.values = now_;
}

}  // namespace glassformer
