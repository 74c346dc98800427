#include "app/session/inspection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/session/training_run.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr int most_sentences = 12;

/// The cells of one parameter in a span over all parameters; empty if that span is empty.
std::span<const float> part(std::span<const float> all, const NodeInfo& parameter) {
    if (all.empty()) return {};
    return all.subspan(parameter.offset, parameter.shape.elements());
}

/// Values that are not finite are left out.
Histogram histogram_of(std::span<const float> values) {
    Histogram h;
    double sum = 0.0, squares = 0.0;
    std::int64_t finite = 0;
    h.least = std::numeric_limits<double>::infinity();
    h.most = -h.least;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        const auto x = static_cast<double>(value);
        h.least = std::min(h.least, x);
        h.most = std::max(h.most, x);
        sum += x;
        squares += x * x;
        ++finite;
    }
    if (finite == 0) return {};
    const auto n = static_cast<double>(finite);
    h.mean = sum / n;
    h.deviation = std::sqrt(std::max(0.0, squares / n - h.mean * h.mean));
    h.from = h.least;
    h.to = h.most;
    const double width = h.to - h.from;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        const double at = width > 0.0 ? (static_cast<double>(value) - h.from) / width * Histogram::bins : 0.0;
        ++h.count[std::clamp(static_cast<int>(at), 0, Histogram::bins - 1)];
    }
    return h;
}

ParameterHistograms histograms_of(const NodeInfo& parameter, std::span<const float> weights, const StepInside& inside) {
    ParameterHistograms h;
    h.name = parameter.name;
    h.shape = parameter.shape;
    h.offset = parameter.offset;
    h.weight = histogram_of(part(weights, parameter));
    const std::span<const float> gradient = part(inside.gradients, parameter), m = part(inside.m, parameter),
                                 v = part(inside.v, parameter);
    h.has_gradient = !gradient.empty();
    h.has_m = !m.empty();
    h.has_v = !v.empty();
    if (h.has_gradient) h.gradient = histogram_of(gradient);
    if (h.has_m) h.m = histogram_of(m);
    if (h.has_v) h.v = histogram_of(v);
    return h;
}

void look_at_parameters(Trainer& trainer, const StepInside& inside, Inspection& out) {
    for (const int id : trainer.graph().parameters())
        out.parameters.push_back(histograms_of(trainer.graph()[id], trainer.parameters(), inside));
}

/// The values of one of the batch's cells; none if the batch has none.
void add_numbers(const std::vector<float>& all, std::size_t cell, std::size_t cells, std::vector<float>& to) {
    const auto each = static_cast<std::ptrdiff_t>(all.size() / cells);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(cell) * each;
    to.insert(to.end(), first, first + each);
}

LearnedSentence sentence_of(const Batch& batch, std::span<const float> losses, std::size_t row, std::size_t positions,
                            std::size_t source_positions, bool of_classes) {
    LearnedSentence sentence;
    const std::size_t cells = of_classes ? losses.size() * positions : losses.size();
    for (std::size_t p = 0; p < positions; ++p) {
        const std::size_t cell = row * positions + p, said = of_classes ? row : cell;
        if (!batch.key_mask.empty() && batch.key_mask[cell] == 0.0f) continue;
        LearnedSentence::Token token;
        if (!batch.tokens.empty()) token.id = static_cast<int>(batch.tokens[cell]);
        if (!batch.targets.empty()) token.target = static_cast<int>(batch.targets[said]);
        token.loss = of_classes && p > 0 ? std::numeric_limits<float>::quiet_NaN() : losses[said];
        sentence.tokens.push_back(token);
        add_numbers(batch.values, cell, cells, sentence.read);
        add_numbers(batch.target_values, cell, cells, sentence.wanted);
    }
    for (std::size_t p = 0; p < source_positions; ++p) {
        const std::size_t cell = row * source_positions + p;
        if (batch.source_key_mask.empty() || batch.source_key_mask[cell] != 0.0f)
            sentence.source.push_back(static_cast<int>(batch.source_tokens[cell]));
    }
    return sentence;
}

void look_at_batch(Trainer& trainer, const StepInside& inside, const BatchShape& shape, Inspection& out) {
    const std::span<const float> losses = trainer.loss_of_tokens();
    const std::size_t rows = std::min(shape.batch, most_sentences);
    for (std::size_t row = 0; row < rows; ++row)
        out.batch.push_back(sentence_of(*inside.batch, losses, row, static_cast<std::size_t>(shape.positions),
                                        static_cast<std::size_t>(shape.source_positions),
                                        trainer.config().output == OutputKind::classes));
    out.batch_loss = inside.report.loss;
    out.batch_size = shape.batch;
    out.config = trainer.config();
}

}  // namespace

std::shared_ptr<const Inspection> inspect(TrainingRun& run, Inspected what, std::int64_t cell) {
    auto out = std::make_shared<Inspection>();
    out->what = what;
    out->step = run.steps();
    Trainer& trainer = run.trainer();
    try {
        const StepInside inside = trainer.inside();
        if (what == Inspected::histograms) look_at_parameters(trainer, inside, *out);
        if (what == Inspected::weight) out->weight = explain_update(trainer, cell);
        if (what == Inspected::batch)
            look_at_batch(trainer, inside, trainer.batches().shape(trainer.options().batch), *out);
    } catch (const Error& e) {
        out->missing = e.what();
        if (what == Inspected::histograms) {  // the weights exist before any update
            for (const int id : trainer.graph().parameters())
                out->parameters.push_back(histograms_of(trainer.graph()[id], trainer.parameters(), {}));
        }
    }
    return out;
}

}  // namespace glassformer::app
