#include <cstring>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

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
        OpExplanation e{"W_pos[position, feature]",
                        filled_with(N_("row {1}, feature {2}"), a.offset / width, a.offset % width),
                        N_("the position's own row"),
                        {},
                        value};
        e.terms.push_back({{{0, a.offset, value}}, value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

private:
    std::int64_t positions_;
};

}  // namespace

OpPtr pos_embed(std::int64_t positions) { return std::make_shared<PosEmbed>(positions); }

}  // namespace glassformer::ops
