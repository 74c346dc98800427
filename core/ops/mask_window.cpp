#include <cstdlib>
#include <limits>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float hidden = -std::numeric_limits<float>::infinity();

class MaskWindow final : public ScoreStep {
public:
    explicit MaskWindow(std::int64_t window) : window_(window) {}

    std::string_view name() const override { return "mask_window"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("near words only"), .step = "window", .hides_cells = true};
    }
    std::vector<OpAttribute> attributes() const override { return {{"window", static_cast<double>(window_)}}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 1 || in[0].rank() != 4) shape_error(*this, "expected scores [B, H, P_q, P_k]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        for_rows(
            a.pool, a.output.shape, [&](std::int64_t row, std::int64_t keys, std::int64_t first, std::int64_t end) {
                float* y = a.output.data + row * keys;
                if (y != a.inputs[0].data + row * keys)
                    std::copy(a.inputs[0].data + row * keys + first, a.inputs[0].data + row * keys + end, y + first);
                std::fill(y, y + first, hidden);
                std::fill(y + end, y + keys, hidden);
            });
    }

    void change(const ScoreRows& s) const override {
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const auto [first, end] = near(s.first + r, s.queries, s.keys);
            std::fill(s.row(r), s.row(r) + std::min(first, s.width), hidden);
            std::fill(s.row(r) + std::min(end, s.width), s.row(r) + s.width, hidden);
        }
    }
    std::int64_t visible_keys(std::int64_t query, std::int64_t queries, std::int64_t keys) const override {
        return near(query, queries, keys).end;
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_rows(a.pool, a.output_gradient.shape,
                 [&](std::int64_t row, std::int64_t keys, std::int64_t first, std::int64_t end) {
                     float* out = dx.data + row * keys;
                     store(ArrayMap(out + first, end - first),
                           ConstArrayMap(a.output_gradient.data + row * keys + first, end - first), dx.accumulate);
                     if (dx.accumulate) return;
                     std::fill(out, out + first, 0.0f);
                     std::fill(out + end, out + keys, 0.0f);
                 });
    }

    bool in_place(int input) const override { return input == 0; }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int /*input*/) const override { return Reads::slice; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t own = at[2] + a.output_shape[3] - a.output_shape[2], distance = std::abs(at[3] - own);
        const bool seen = distance < window_;
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e{"the score, or −∞ where the key is " + std::to_string(window_) + " or more words away",
                        "the key is " + std::to_string(distance) + " away" +
                            (!seen                              ? ": it is hidden"
                             : x == static_cast<double>(hidden) ? ": it is hidden already"  // by the causal mask
                                                                : ": it may be seen"),
                        N_("the score"),
                        {},
                        seen ? x : static_cast<double>(hidden),
                        {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

    bool backward_reads_input(int) const override { return false; }

private:
    struct Keys {
        std::int64_t first, end;
    };
    /// The keys first … end − 1 that a query may see.
    Keys near(std::int64_t query, std::int64_t queries, std::int64_t keys) const {
        const std::int64_t own = query + keys - queries, first = std::clamp<std::int64_t>(own - window_ + 1, 0, keys);
        return {first, std::clamp<std::int64_t>(own + window_, first, keys)};
    }

    /// Calls body(row, keys, first, end) for each row.
    template <class Body>
    void for_rows(ThreadPool& pool, const Shape& shape, const Body& body) const {
        const std::int64_t queries = shape[2], keys = shape[3];
        for_ranges(pool, shape[0] * shape[1] * queries, row_grain(keys), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                const auto [first, end_key] = near(r % queries, queries, keys);
                body(r, keys, first, end_key);
            }
        });
    }

    std::int64_t window_;
};

}  // namespace

OpPtr mask_window(std::int64_t window) {
    if (window < 1) throw Error("mask_window: the window must be at least 1 word, not " + std::to_string(window));
    return std::make_shared<MaskWindow>(window);
}

}  // namespace glassformer::ops
