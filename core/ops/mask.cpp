#include <algorithm>
#include <limits>

#include "core/base/mark_text.h"
#include "core/ops/attention.h"
#include "core/ops/ops.h"

namespace glassformer::ops {

namespace {

using namespace kernel;

constexpr float hidden = -std::numeric_limits<float>::infinity();

class Mask final : public ScoreStep {
public:
    std::string_view name() const override { return "mask"; }
    OpTraits traits() const override { return {.role = OpRole::attention_step, .hides_cells = true}; }

    Shape infer_shape(std::span<const Shape> in) const override {
        if (in.size() != 2 || in[0].rank() != 4 || in[1].rank() != 2 || in[1][0] != in[0][0] || in[1][1] != in[0][3])
            shape_error(*this, "expected scores [B, H, P_q, P_k] and key_mask [B, P_k]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const Shape& shape = a.output.shape;
        for_sentences(a.pool, shape, a.inputs[1].data, [&](const Part& part) {
            const float* x = a.inputs[0].data + part.cell;
            float* y = a.output.data + part.cell;
            if (part.all_kept && x == y) return;  // in place: it is there already
            if (part.all_kept)
                std::copy_n(x, part.rows * part.keys, y);
            else
                for (std::int64_t r = 0; r < part.rows; ++r)
                    for (std::int64_t k = 0; k < part.keys; ++k)
                        y[r * part.keys + k] = part.keep[k] != 0.0f ? x[r * part.keys + k] : hidden;
        });
    }

    void change(const ScoreRows& s) const override {
        if (std::all_of(s.second, s.second + s.width, [](float keep) { return keep != 0.0f; })) return;
        for (std::int64_t r = 0; r < s.rows; ++r)
            for (std::int64_t k = 0; k < s.width; ++k)
                if (s.second[k] == 0.0f) s.row(r)[k] = hidden;
    }

    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_sentences(a.pool, a.output_gradient.shape, a.inputs[1].data, [&](const Part& part) {
            const float* dy = a.output_gradient.data + part.cell;
            float* out = dx.data + part.cell;
            if (part.all_kept && dy == out) return;
            if (part.all_kept && !dx.accumulate)
                std::copy_n(dy, part.rows * part.keys, out);
            else
                for (std::int64_t r = 0; r < part.rows; ++r)
                    for (std::int64_t k = 0; k < part.keys; ++k) {
                        const std::int64_t cell = r * part.keys + k;
                        out[cell] = (dx.accumulate ? out[cell] : 0.0f) + (part.keep[k] != 0.0f ? dy[cell] : 0.0f);
                    }
        });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t keep_offset = at[0] * a.output_shape[3] + at[3];
        const double x = a.inputs[0].data[a.offset], keep = a.inputs[1].data[keep_offset];
        // What the causal mask has hidden stays hidden: "it may be seen" would say the opposite of the number.
        const bool before = x == static_cast<double>(hidden);
        OpExplanation e{N_("the score, or −∞ where the mask hides the word"),
                        keep == 0.0 ? "the word is hidden"
                        : before    ? "the word is hidden already"
                                    : "the word may be seen",
                        N_("score and mask"),
                        {},
                        keep != 0.0 ? x : static_cast<double>(hidden),
                        {.main_term = 0}};
        e.terms.push_back({{{0, a.offset, x}, {1, keep_offset, keep}}, e.value});
        return e;
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool backward_reads_input(int input) const override { return input == 1; }
    bool in_place(int input) const override { return input == 0; }

private:
    /// Some rows of scores of one sentence, which share a mask.
    struct Part {
        std::int64_t cell, rows, keys;  // the first cell; how many rows of how many keys
        const float* keep;
        bool all_kept;
    };

    // Most sentences of a batch hide nothing; those are copied whole.
    template <class Body>
    static void for_sentences(ThreadPool& pool, const Shape& shape, const float* keep, const Body& body) {
        const std::int64_t keys = shape[3], rows = shape[1] * shape[2];
        const Pieces parts(rows, row_grain(keys));
        const std::int64_t together =
            std::max<std::int64_t>(1, row_grain(keys) / rows);  // short sentences in one piece
        for_ranges(pool, shape[0] * parts.count, parts.count > 1 ? 1 : together,
                   [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           const std::int64_t sentence = i / parts.count;
                           const auto [first, count] = parts[i % parts.count];
                           const float* mine = keep + sentence * keys;
                           body({(sentence * rows + first) * keys, count, keys, mine,
                                 std::all_of(mine, mine + keys, [](float k) { return k != 0.0f; })});
                       }
                   });
    }
};

}  // namespace

OpPtr mask() { return std::make_shared<Mask>(); }

}  // namespace glassformer::ops
