#include <cstring>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/ops/kernel.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

class CacheRow final : public Op {
public:
    std::string_view name() const override { return "cache_row"; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 3 || in[0].rank() != 4 || in[0][0] != 1 || in[1] != Shape{1, 1, in[0][2], in[0][3]} ||
            in[2] != Shape{1})
            shape_error(*this, "expected cache [1, C, H, D], row [1, 1, H, D] and position [1]", in);
        return in[0];
    }

    // A position outside the cache leaves it as it is.
    void forward(const ForwardArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape.elements(), position = position_of(a.inputs[2]);
        if (a.output.data == a.inputs[0].data) {  // the cache is there already
            if (position >= 0 && position < a.output.shape[1])
                std::memcpy(a.output.data + position * width, a.inputs[1].data, sizeof(float) * width);
            return;
        }
        for_ranges(a.pool, a.output.shape[1], row_grain(width), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t c = begin; c < end; ++c)
                std::memcpy(a.output.data + c * width, c == position ? a.inputs[1].data : a.inputs[0].data + c * width,
                            sizeof(float) * width);
        });
    }

    void backward(const BackwardArgs&) const override {}

    OpExplanation explain(const ExplainArgs& a) const override {
        const std::int64_t width = a.inputs[1].shape.elements(), position = a.offset / width;
        const bool fresh = position == position_of(a.inputs[2]);
        const OperandCell source = fresh ? OperandCell{1, a.offset % width, a.inputs[1].data[a.offset % width]}
                                         : OperandCell{0, a.offset, a.inputs[0].data[a.offset]};
        OpExplanation e{
            N_("the row at its position, the cache elsewhere"),
            filled_with(fresh ? N_("position {1} is the new row") : N_("position {1} comes from the cache"), position),
            N_("the source of this number"),
            {},
            source.value};
        e.terms.push_back({{source, {2, 0, a.inputs[2].data[0]}}, e.value});
        return e;
    }

    bool updates_first_input() const override { return true; }
    bool has_gradient(int) const override { return false; }
    bool backward_reads_input(int) const override { return false; }

private:
    static std::int64_t position_of(const ConstView& view) { return static_cast<std::int64_t>(view.data[0]); }
};

}  // namespace

OpPtr cache_row() { return std::make_shared<CacheRow>(); }

}  // namespace glassformer::ops
