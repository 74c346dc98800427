#include <limits>

#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float hidden = -std::numeric_limits<float>::infinity();

class MaskCausal final : public ScoreStep {
public:
    std::string_view name() const override { return "mask_causal"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("causal mask"), .step = "mask", .hides_cells = true};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 4) shape_error(*this, "expected scores [B, H, P_q, P_k]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        for_rows(a.pool, a.output.shape, [&](std::int64_t row, std::int64_t keys, std::int64_t visible) {
            float* y = a.output.data + row * keys;
            if (y != a.inputs[0].data + row * keys) std::copy_n(a.inputs[0].data + row * keys, visible, y);
            std::fill(y + visible, y + keys, hidden);
        });
    }

    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const std::int64_t visible = visible_keys(s.first + r, s.queries, s.keys);
            std::fill(s.row(r) + visible, s.row(r) + std::max(visible, s.width), hidden);
        }
    }
    /// Those up to itself. Where there are more keys than queries, the last key is the last query's own.
    std::int64_t visible_keys(std::int64_t query, std::int64_t queries, std::int64_t keys) const override {
        return std::clamp<std::int64_t>(query + keys - queries + 1, 0, keys);
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_rows(a.pool, a.output_gradient.shape, [&](std::int64_t row, std::int64_t keys, std::int64_t visible) {
            float* out = dx.data + row * keys;
            store(ArrayMap(out, visible), ConstArrayMap(a.output_gradient.data + row * keys, visible), dx.accumulate);
            if (!dx.accumulate) std::fill(out + visible, out + keys, 0.0f);
        });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t queries = a.output_shape[2], keys = a.output_shape[3];
        const bool seen = at[3] < visible_keys(at[2], queries, keys);
        const double x = a.inputs[0].data[a.offset];
        const std::string key = "key " + std::to_string(at[3] - (keys - queries)),
                          query = "query " + std::to_string(at[2]);
        OpExplanation e{N_("the score, or −∞ where the key comes after the query"),
                        key + (seen ? " does not come after " : " comes after ") + query +
                            (seen ? ": it may be seen" : ": it is hidden"),
                        N_("the score"),
                        {},
                        seen ? x : static_cast<double>(hidden),
                        {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

private:
    template <class Body>
    void for_rows(ThreadPool& pool, const Shape& shape, const Body& body) const {
        const std::int64_t queries = shape[2], keys = shape[3];
        for_ranges(pool, shape[0] * shape[1] * queries, row_grain(keys), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) body(r, keys, visible_keys(r % queries, queries, keys));
        });
    }
};

}  // namespace

OpPtr mask_causal() { return std::make_shared<MaskCausal>(); }

}  // namespace glassformer::ops
