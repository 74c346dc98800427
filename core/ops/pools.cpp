#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

std::int64_t words_of(const float* keep, std::int64_t positions) {
    return positions - std::count(keep, keep + positions, 0.0f);
}

/// One row per sentence, computed from the words that its mask keeps.
class Pool : public Op {
public:
    Shape infer_shape(std::span<const Shape> in) const final {
        if (in.size() != 2 || in[0].rank() != 3 || in[1] != Shape{in[0][0], in[0][1]})
            shape_error(*this, "expected x [B, P, D] and key_mask [B, P]", in);
        return Shape{in[0][0], in[0][2]};
    }

    bool has_gradient(int input) const final { return input == 0; }
    bool backward_reads_input(int input) const final { return input == 1; }
};

class MeanPool final : public Pool {
public:
    std::string_view name() const override { return "mean_pool"; }
    OpTraits traits() const override { return {.role = OpRole::pooling, .title = N_("mean")}; }

    // y = Σ x / n over the n words of a sentence; zeros if it has none.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2];
        for_each_in(a.pool, a.inputs[0].shape[0], row_grain(positions * width), [&](std::int64_t b) {
            const float *x = a.inputs[0].data + b * positions * width, *keep = a.inputs[1].data + b * positions;
            ArrayMap y(a.output.data + b * width, width);
            y.setZero();
            for (std::int64_t p = 0; p < positions; ++p)
                if (keep[p] != 0.0f) y += ConstArrayMap(x + p * width, width);
            const std::int64_t words = words_of(keep, positions);
            if (words > 0) y *= 1.0f / static_cast<float>(words);
        });
    }

    // dx = dy / n at each word, 0 at padding
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2];
        for_each_in(a.pool, a.inputs[0].shape[0], row_grain(positions * width), [&](std::int64_t b) {
            const float* keep = a.inputs[1].data + b * positions;
            const float share = 1.0f / static_cast<float>(words_of(keep, positions));
            const ConstArrayMap dy(a.output_gradient.data + b * width, width);
            for (std::int64_t p = 0; p < positions; ++p) {
                ArrayMap out(dx.data + (b * positions + p) * width, width);
                if (keep[p] != 0.0f)
                    store(out, dy * share, dx.accumulate);
                else if (!dx.accumulate)
                    out.setZero();
            }
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2], b = a.offset / width,
                           words = words_of(a.inputs[1].data + b * positions, positions);
        OpExplanation e{N_("Σ x / n over the words"), "", N_("x / n, word by word"), {}, 0.0};
        double sum = 0.0;
        for (std::int64_t p = 0; p < positions; ++p) {
            if (a.inputs[1].data[b * positions + p] == 0.0f) continue;
            const std::int64_t cell = (b * positions + p) * width + a.offset % width;
            const double x = a.inputs[0].data[cell];
            e.terms.push_back({{{0, cell, x}}, x / static_cast<double>(words)});
            sum += x;
        }
        if (words > 0) e.value = sum / static_cast<double>(words);
        e.numbers = words > 0 ? format_number(sum) + " / " + std::to_string(words) : N_("there is no word");
        return e;
    }
};

class TokenPool final : public Pool {
public:
    explicit TokenPool(bool last) : last_(last) {}

    std::string_view name() const override { return "token_pool"; }
    OpTraits traits() const override {
        return {.role = OpRole::pooling, .title = last_ ? N_("last word") : N_("first word")};
    }
    std::vector<OpAttribute> attributes() const override { return {{"last", last_ ? 1.0 : 0.0}}; }

    // y = x of that one word; zeros if the sentence has none.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2];
        for_each_in(a.pool, a.inputs[0].shape[0], row_grain(width), [&](std::int64_t b) {
            const std::int64_t p = place(a.inputs[1].data + b * positions, positions);
            ArrayMap y(a.output.data + b * width, width);
            if (p < 0)
                y.setZero();
            else
                y = ConstArrayMap(a.inputs[0].data + (b * positions + p) * width, width);
        });
    }

    // dx = dy at that word, 0 at all others
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2];
        for_each_in(a.pool, a.inputs[0].shape[0], row_grain(positions * width), [&](std::int64_t b) {
            const std::int64_t p = place(a.inputs[1].data + b * positions, positions);
            float* const out = dx.data + b * positions * width;
            if (!dx.accumulate) ArrayMap(out, positions * width).setZero();
            if (p < 0) return;
            const ConstArrayMap dy(a.output_gradient.data + b * width, width);
            store(ArrayMap(out + p * width, width), dy, dx.accumulate);
        });
    }

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t positions = a.inputs[0].shape[1], width = a.inputs[0].shape[2], b = a.offset / width,
                           p = place(a.inputs[1].data + b * positions, positions);
        OpExplanation e{last_ ? N_("the last word's number") : N_("the first word's number"), "", "x", {}, 0.0};
        if (p < 0) {
            e.numbers = N_("there is no word");
            return e;
        }
        const std::int64_t cell = (b * positions + p) * width + a.offset % width;
        e.value = a.inputs[0].data[cell];
        e.terms.push_back({{{0, cell, e.value}}, e.value});
        e.numbers = filled_with(N_("word {1}"), p);
        return e;
    }

private:
    /// Position of the sentence's last or first word; −1 if everything is padding.
    std::int64_t place(const float* keep, std::int64_t positions) const {
        std::int64_t found = -1;
        for (std::int64_t p = 0; p < positions && (last_ || found < 0); ++p)
            if (keep[p] != 0.0f) found = p;
        return found;
    }

    bool last_;
};

}  // namespace

OpPtr mean_pool() { return std::make_shared<MeanPool>(); }
OpPtr token_pool(bool last) { return std::make_shared<TokenPool>(last); }

}  // namespace glassformer::ops
