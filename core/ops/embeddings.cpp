#include <cmath>
#include <cstring>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class Embed final : public Op {
public:
    std::string_view name() const override { return "embed"; }
    OpTraits traits() const override { return {.role = OpRole::token_embedding, .title = N_("a row of W_E")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 2 || in[1].rank() != 2)
            shape_error(*this, "expected tokens [B, P] and W_E [V, D]", in);
        return Shape{in[0][0], in[0][1], in[1][1]};
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.output.shape.back();
        const float *tokens = a.inputs[0].data, *table = a.inputs[1].data;
        for_each_in(a.pool, a.inputs[0].shape.elements(), row_grain(width), [&](std::int64_t t) {
            const auto token = static_cast<std::int64_t>(tokens[t]);
            if (const TypedMatrix* stored = a.inputs[1].stored)
                widen_row(*stored, token, {a.output.data + t * width, static_cast<std::size_t>(width)});
            else
                std::memcpy(a.output.data + t * width, table + token * width, sizeof(float) * width);
        });
    }

    // dW_E[token] += dy. Tokens repeat, so each piece of work owns some columns of the table and visits all tokens.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot slot = a.input_gradients[1];
        if (!slot.data) return;
        const std::int64_t width = a.inputs[1].shape.back(), count = a.inputs[0].shape.elements(),
                           rows = a.inputs[1].shape[0];
        const float *tokens = a.inputs[0].data, *dy = a.output_gradient.data;
        for_ranges(a.pool, width, 16, [&](std::int64_t begin, std::int64_t end) {
            if (!slot.accumulate)
                for (std::int64_t r = 0; r < rows; ++r)
                    std::fill(slot.data + r * width + begin, slot.data + r * width + end, 0.0f);
            for (std::int64_t t = 0; t < count; ++t) {
                float* row = slot.data + static_cast<std::int64_t>(tokens[t]) * width;
                for (std::int64_t j = begin; j < end; ++j) row[j] += dy[t * width + j];
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.output_shape.back(), position = a.offset / width, feature = a.offset % width;
        const auto token = static_cast<std::int64_t>(a.inputs[0].data[position]);
        const double value = a.inputs[1].data[token * width + feature];
        return {"W_E[token, feature]",
                filled_with(N_("row {1}, feature {2}"), token, feature),
                N_("the word's own row"),
                {Term{{{1, token * width + feature, value}}, value}},
                value};
    }

    bool has_gradient(int input) const override { return input == 1; }
    bool backward_reads_input(int input) const override { return input == 0; }
    bool reads_stored(int input) const override { return input == 1; }
};

class PosEmbed final : public Op {
public:
    explicit PosEmbed(std::int64_t positions) : positions_(positions) {}

    std::string_view name() const override { return "pos_embed"; }
    OpTraits traits() const override { return {.role = OpRole::position_embedding, .title = N_("a row of W_pos")}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 2 || in[0][0] < positions_)
            shape_error(*this, filled_with(N_("expected W_pos [n_ctx, D] with at least {1} rows"), positions_), in);
        return Shape{positions_, in[0][1]};
    }

    void forward(const ForwardArgs& a) const override {
        std::memcpy(a.output.data, a.inputs[0].data, sizeof(float) * a.output.shape.elements());
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot slot = a.input_gradients[0];
        if (!slot.data) return;
        const std::int64_t used = a.output_gradient.shape.elements(), all = a.inputs[0].shape.elements();
        store(ArrayMap(slot.data, used), ConstArrayMap(a.output_gradient.data, used), slot.accumulate);
        if (!slot.accumulate) std::fill(slot.data + used, slot.data + all, 0.0f);
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const double value = a.inputs[0].data[a.offset];
        const std::int64_t width = a.output_shape.back();
        return {"W_pos[position, feature]",
                filled_with(N_("row {1}, feature {2}"), a.offset / width, a.offset % width),
                N_("the position's own row"),
                {Term{{{0, a.offset, value}}, value}},
                value};
    }

    bool backward_reads_input(int) const override { return false; }

private:
    std::int64_t positions_;
};

/// 10000^(2i/D): the period of features 2i and 2i + 1 is 2π times as many positions.
double slowness(std::int64_t feature, std::int64_t width) {
    const std::int64_t even = feature / 2 * 2;
    return std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width));
}

/// The values never change, so they are computed once. Every forward copies them, because the plan reuses the buffer's
/// memory in between.
class SinusoidalPositions final : public OpWithoutGradient {
public:
    SinusoidalPositions(std::int64_t positions, std::int64_t width)
        : shape_{positions, width}, table_(static_cast<std::size_t>(shape_.elements())) {
        for (std::int64_t j = 0; j < width; ++j) {
            const double slow = slowness(j, width);
            for (std::int64_t p = 0; p < positions; ++p) {
                const double angle = static_cast<double>(p) / slow;
                table_[p * width + j] = static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
            }
        }
    }

    std::string_view name() const override { return "sinusoidal_positions"; }
    OpTraits traits() const override {
        return {.role = OpRole::position_embedding, .title = N_("sine or cosine of the position")};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (!in.empty()) shape_error(*this, "expected no input", in);
        return shape_;
    }

    void forward(const ForwardArgs& a) const override {
        std::memcpy(a.output.data, table_.data(), sizeof(float) * table_.size());
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = shape_[1], p = a.offset / width, j = a.offset % width;
        const bool sine = j % 2 == 0;
        const double angle = static_cast<double>(p) / slowness(j, width);
        const std::string wave = sine ? "sin" : "cos";
        OpExplanation e{wave + "(p / 10000^(2i/D))",
                        wave + "(" + std::to_string(p) + " / 10000^(" + std::to_string(j / 2 * 2) + "/" +
                            std::to_string(width) + ")) = " + wave + "(" + format_number(angle) + ")",
                        N_("depends on the position alone"),
                        {},
                        sine ? std::sin(angle) : std::cos(angle)};
        e.terms.push_back({{}, e.value});
        return e;
    }

private:
    Shape shape_;
    std::vector<float> table_;
};

class PositionIndex final : public OpWithoutGradient {
public:
    PositionIndex(std::int64_t positions, bool over_length) : shape_{positions, 1}, over_length_(over_length) {}

    std::string_view name() const override { return "position_index"; }
    OpTraits traits() const override { return {.role = OpRole::position_embedding, .title = N_("the position")}; }
    std::vector<OpAttribute> attributes() const override { return {{"over_length", over_length_ ? 1.0 : 0.0}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (!in.empty()) shape_error(*this, "expected no input", in);
        return shape_;
    }

    void forward(const ForwardArgs& a) const override {
        const auto divisor = static_cast<float>(over_length_ ? shape_[0] : 1);
        for_each_in(a.pool, shape_[0], element_grain,
                    [&](std::int64_t p) { a.output.data[p] = static_cast<float>(p) / divisor; });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::string p = std::to_string(a.offset);
        const auto index = static_cast<double>(a.offset), length = static_cast<double>(shape_[0]);
        OpExplanation e{over_length_ ? "p / P" : "p",
                        over_length_ ? p + " / " + std::to_string(shape_[0]) : p,
                        N_("depends on the position alone"),
                        {},
                        over_length_ ? index / length : index};
        e.terms.push_back({{}, e.value});
        return e;
    }

private:
    Shape shape_;
    bool over_length_;
};

}  // namespace

OpPtr embed() { return std::make_shared<Embed>(); }
OpPtr pos_embed(std::int64_t positions) { return std::make_shared<PosEmbed>(positions); }
OpPtr sinusoidal_positions(std::int64_t positions, std::int64_t width) {
    return std::make_shared<SinusoidalPositions>(positions, width);
}
OpPtr position_index(std::int64_t positions, bool over_length) {
    return std::make_shared<PositionIndex>(positions, over_length);
}

}  // namespace glassformer::ops
