#include <cmath>
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

/// Hides padding keys.
class Mask final : public ScoreStep {
public:
    std::string_view name() const override { return "mask"; }
    OpTraits traits() const override { return {.role = OpRole::attention_step, .is_mask = true}; }

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
            if (part.all_kept && x == y) return;  // in place: already there
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
        // What the causal mask has hidden stays hidden: the text "not masked" would contradict the number.
        const bool before = x == static_cast<double>(hidden);
        OpExplanation e{N_("the score, or −∞ where the word is masked"),
                        keep == 0.0 ? N_("the word is masked")
                        : before    ? N_("the word is already masked")
                                    : N_("the score (not masked)"),
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
    /// Some rows of one sentence's scores, which share a mask.
    struct Part {
        std::int64_t cell, rows, keys;  // the first cell; number of rows, and of keys per row
        const float* keep;
        bool all_kept;
    };

    // Most sentences of a batch hide nothing; they are copied whole.
    template <class Body>
    static void for_sentences(ThreadPool& pool, const Shape& shape, const float* keep, const Body& body) {
        const std::int64_t keys = shape[3], rows = shape[1] * shape[2];
        const Pieces parts(rows, row_grain(keys));
        const std::int64_t together =
            std::max<std::int64_t>(1, row_grain(keys) / rows);  // several short sentences per piece
        for_each_in(pool, shape[0] * parts.count, parts.count > 1 ? 1 : together, [&](std::int64_t i) {
            const std::int64_t sentence = i / parts.count;
            const auto [first, count] = parts[i % parts.count];
            const float* mine = keep + sentence * keys;
            body({(sentence * rows + first) * keys, count, keys, mine,
                  std::all_of(mine, mine + keys, [](float k) { return k != 0.0f; })});
        });
    }
};

/// Hides keys by position alone: each query sees a contiguous range of keys.
class RangeMask : public ScoreStep {
public:
    Shape infer_shape(std::span<const Shape> in) const final {
        if (in.size() != 1 || in[0].rank() != 4) shape_error(*this, "expected scores [B, H, P_q, P_k]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const final {
        for_rows(a.pool, a.output.shape, [&](std::int64_t row, std::int64_t keys, const Keys& seen) {
            const float* x = a.inputs[0].data + row * keys;
            float* y = a.output.data + row * keys;
            if (y != x) std::copy(x + seen.first, x + seen.end, y + seen.first);
            std::fill(y, y + seen.first, hidden);
            std::fill(y + seen.end, y + keys, hidden);
        });
    }

    void change(const ScoreRows& s) const final {
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const auto [first, end] = visible(s.first + r, s.queries, s.keys);
            std::fill(s.row(r), s.row(r) + std::min(first, s.width), hidden);
            std::fill(s.row(r) + std::min(end, s.width), s.row(r) + s.width, hidden);
        }
    }
    std::int64_t visible_keys(std::int64_t query, std::int64_t queries, std::int64_t keys) const final {
        return visible(query, queries, keys).end;
    }

    void backward(const BackwardArgs& a) const final {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_rows(a.pool, a.output_gradient.shape, [&](std::int64_t row, std::int64_t keys, const Keys& seen) {
            const float* dy = a.output_gradient.data + row * keys;
            float* out = dx.data + row * keys;
            store(ArrayMap(out + seen.first, seen.end - seen.first),
                  ConstArrayMap(dy + seen.first, seen.end - seen.first), dx.accumulate);
            if (dx.accumulate) return;
            std::fill(out, out + seen.first, 0.0f);
            std::fill(out + seen.end, out + keys, 0.0f);
        });
    }

    bool in_place(int input) const final { return input == 0; }
    bool by_slices(const Shape& output) const final { return output.rank() >= 3; }
    Reads reads(int /*input*/) const final { return Reads::slice; }
    bool backward_reads_input(int) const final { return false; }

    OpExplanation explain(const ExplainArgs& a) const final {
        const Index at = index_of(a.output_shape, a.offset);
        const Keys keys = visible(at[2], a.output_shape[2], a.output_shape[3]);
        const bool seen = at[3] >= keys.first && at[3] < keys.end;
        const double x = a.inputs[0].data[a.offset];
        OpExplanation e = explain_place(at[2], at[3] - (a.output_shape[3] - a.output_shape[2]), seen, x);
        e.terms_title = N_("the score");
        e.value = seen ? x : static_cast<double>(hidden);
        e.reading.main_term = 0;
        e.terms.push_back({{{0, a.offset, x}}, e.value});
        return e;
    }

protected:
    struct Keys {
        std::int64_t first, end;
    };
    /// The keys first … end − 1 that a query may see. If there are more keys than queries, the last key belongs to the
    /// last query.
    virtual Keys visible(std::int64_t query, std::int64_t queries, std::int64_t keys) const = 0;
    /// Formula and numbers for a query and a key, both numbered like the queries.
    virtual OpExplanation explain_place(std::int64_t query, std::int64_t key, bool seen, double x) const = 0;

private:
    /// Calls body(row, keys, visible) for each row.
    template <class Body>
    void for_rows(ThreadPool& pool, const Shape& shape, const Body& body) const {
        const std::int64_t queries = shape[2], keys = shape[3];
        for_each_in(pool, shape[0] * shape[1] * queries, row_grain(keys),
                    [&](std::int64_t r) { body(r, keys, visible(r % queries, queries, keys)); });
    }
};

class MaskCausal final : public RangeMask {
public:
    std::string_view name() const override { return "mask_causal"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("causal mask"), .step = "mask", .is_mask = true};
    }

protected:
    /// All keys up to its own.
    Keys visible(std::int64_t query, std::int64_t queries, std::int64_t keys) const override {
        return {0, std::clamp<std::int64_t>(query + keys - queries + 1, 0, keys)};
    }
    OpExplanation explain_place(std::int64_t query, std::int64_t key, bool seen, double /*x*/) const override {
        return {N_("the score, or −∞ where the key comes after the query"),
                filled_with(seen ? N_("key {1} does not come after query {2}: it is visible")
                                 : N_("key {1} comes after query {2}: it is masked"),
                            key, query),
                {},
                {}};
    }
};

class MaskWindow final : public RangeMask {
public:
    explicit MaskWindow(std::int64_t window) : window_(window) {}

    std::string_view name() const override { return "mask_window"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("sliding window"), .step = "window", .is_mask = true};
    }
    std::vector<OpAttribute> attributes() const override { return {{"window", static_cast<double>(window_)}}; }

protected:
    Keys visible(std::int64_t query, std::int64_t queries, std::int64_t keys) const override {
        const std::int64_t own = query + keys - queries, first = std::clamp<std::int64_t>(own - window_ + 1, 0, keys);
        return {first, std::clamp<std::int64_t>(own + window_, first, keys)};
    }
    OpExplanation explain_place(std::int64_t query, std::int64_t key, bool seen, double x) const override {
        return {filled_with(N_("the score, or −∞ where the key is {1} or more words away"), window_),
                // Already masked: by the causal mask.
                filled_with(!seen                              ? N_("the key is {1} away: it is masked")
                            : x == static_cast<double>(hidden) ? N_("the key is {1} away: it is already masked")
                                                               : N_("the key is {1} away: it is visible"),
                            std::abs(key - query)),
                {},
                {}};
    }

private:
    std::int64_t window_;
};

double slope(std::int64_t head, std::int64_t heads) {
    return std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
}

class Alibi final : public ScoreStep {
public:
    /// For scores whose first head is head `first` of `heads`; 0: the scores contain all heads.
    explicit Alibi(std::int64_t first = 0, std::int64_t heads = 0) : first_(first), heads_(heads) {}

    std::string_view name() const override { return "alibi"; }
    OpTraits traits() const override {
        return {.role = OpRole::attention_step, .title = N_("distance penalty"), .step = "distance"};
    }

    Shape infer_shape(std::span<const Shape> in) const override {
        const bool at_position = in.size() == 2 && in[0].rank() == 4 && in[0][2] == 1 && in[1] == Shape{1};
        if (!at_position && (in.size() != 1 || in[0].rank() != 4))
            shape_error(*this, "expected scores [B, H, P_q, P_k], or scores [B, H, 1, P_k] and position [1]", in);
        return in[0];
    }

    void forward(const ForwardArgs& a) const override {
        const std::int64_t heads = a.output.shape[1], queries = a.output.shape[2], keys = a.output.shape[3];
        for_each_in(a.pool, a.output.shape[0] * heads * queries, row_grain(2 * keys), [&](std::int64_t r) {
            subtract(a.inputs[0].data + r * keys, a.output.data + r * keys, keys, slope_of(r / queries % heads, heads),
                     own_key_of(a.inputs, r % queries, queries, keys));
        });
    }

    void change(const ScoreRows& s) const override {
        const double m = slope_of(s.head, s.heads);
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const std::int64_t own_key =
                s.second ? static_cast<std::int64_t>(s.second[0]) : s.first + r + s.keys - s.queries;
            subtract(s.row(r), s.row(r), s.width, m, own_key);
        }
    }

    // The subtracted term does not depend on the scores.
    void backward(const BackwardArgs& a) const override {
        const GradientSlot dx = a.input_gradients[0];
        if (!dx.data) return;
        for_ranges(a.pool, a.output_gradient.shape.elements(), element_grain,
                   [&](std::int64_t begin, std::int64_t end) {
                       store(ArrayMap(dx.data + begin, end - begin),
                             ConstArrayMap(a.output_gradient.data + begin, end - begin), dx.accumulate);
                   });
    }

    bool by_slices(const Shape& output) const override { return output.rank() >= 3; }
    Reads reads(int input) const override { return input == 0 ? Reads::slice : Reads::all; }
    OpPtr for_slice(std::int64_t first, const Shape& output) const override {
        return std::make_shared<Alibi>(first, output[1]);
    }

    bool has_gradient(int input) const override { return input == 0; }
    bool propagates_nonfinite(int input) const override { return input == 0; }

    OpExplanation explain(const ExplainArgs& a) const override {
        const Index at = index_of(a.output_shape, a.offset);
        const std::int64_t distance =
            std::abs(at[3] - own_key_of(a.inputs, at[2], a.output_shape[2], a.output_shape[3]));
        const double x = a.inputs[0].data[a.offset], m = slope_of(at[1], a.output_shape[1]),
                     penalty = m * static_cast<double>(distance);
        return {N_("score − slope · |key − query|"),
                format_number(x) + " − " + format_number(m) + " · " + std::to_string(distance),
                N_("the score; then the distance penalty"),
                {Term{{{0, a.offset, x}}, x}, Term{{}, -penalty}},
                x - penalty,
                {.main_term = 0}};
    }

    bool backward_reads_input(int) const override { return false; }

private:
    static void subtract(const float* x, float* y, std::int64_t keys, double slope, std::int64_t own_key) {
        const auto m = static_cast<float>(slope);
        for (std::int64_t k = 0; k < keys; ++k) y[k] = x[k] - m * static_cast<float>(std::abs(k - own_key));
    }

    /// The key of the query's own word.
    static std::int64_t own_key_of(std::span<const ConstView> inputs, std::int64_t query, std::int64_t queries,
                                   std::int64_t keys) {
        return inputs.size() > 1 ? static_cast<std::int64_t>(inputs[1].data[0]) : query + keys - queries;
    }

    double slope_of(std::int64_t head, std::int64_t heads) const {
        return slope(first_ + head, heads_ > 0 ? heads_ : heads);
    }

    std::int64_t first_, heads_;
};

}  // namespace

OpPtr mask() { return std::make_shared<Mask>(); }
OpPtr mask_causal() { return std::make_shared<MaskCausal>(); }
OpPtr mask_window(std::int64_t window) {
    if (window < 1) throw Error("mask_window: the window must be at least 1 word, not {1}", window);
    return std::make_shared<MaskWindow>(window);
}
OpPtr alibi() { return std::make_shared<Alibi>(); }

}  // namespace glassformer::ops
