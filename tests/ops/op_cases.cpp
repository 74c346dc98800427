#include "tests/ops/op_cases.h"

#include <cmath>

namespace glassformer::testing {

namespace {

constexpr std::int64_t odd_sizes[] = {1, 2, 3, 17, 63, 64, 65};

class Table {
public:
    void add(OpPtr op, std::vector<Tensor> tensors, std::vector<int> reads = {}) {
        const std::string name(op->name());
        all.push_back({name, {std::move(op), std::move(tensors), 0.1, std::move(reads)}});
    }

    std::vector<NamedCase> all;
};

Tensor positive(const Shape& shape, std::uint64_t seed) {
    Tensor t = normal(shape, seed);
    for (float& v : t.values()) v = 0.5f + std::abs(v);
    return t;
}

Tensor state(float training) { return Tensor({3}, {training, 3.0f, 4.0f}); }

void products(Table& t) {
    for (const std::int64_t rows : odd_sizes)
        for (const std::int64_t depth : odd_sizes)
            for (const std::int64_t columns : {1, 3, 17, 64, 65}) {
                if ((rows + depth + columns) % 2 == 0 && rows > 3) continue;  // half of them
                t.add(ops::linear(), {normal({rows, depth}, 1), normal({depth, columns}, 2), normal({columns}, 3)});
                t.add(ops::matmul_transposed(), {normal({rows, depth}, 1), normal({columns, depth}, 2)});
            }
    t.add(ops::linear(), {normal({3, 5, 20}, 1), normal({20, 8}, 2)});
    t.add(ops::linear(), {normal({5}, 1), normal({5, 3}, 2)});
    t.add(ops::linear(), {normal({1000, 33}, 1), normal({33, 70}, 2), normal({70}, 3)});
    t.add(ops::linear(), {normal({64, 128}, 1), normal({128, 256}, 2), normal({256}, 3)});
    for (const std::int64_t heads : {1, 3})
        for (const std::int64_t queries : {1, 2, 17, 65})
            for (const std::int64_t keys : {1, 3, 17, 64})
                for (const std::int64_t width : {1, 5, 16}) {
                    t.add(ops::attention_scores(),
                          {normal({2, queries, heads, width}, 1), normal({2, keys, heads, width}, 2)});
                    t.add(ops::attention_values(),
                          {normal({2, heads, queries, keys}, 1), normal({2, keys, heads, width}, 2)});
                }
    t.add(ops::attention_scores(), {normal({2, 7, 2, 8}, 1)}, {0, 0});
    for (const std::int64_t heads : {1, 4})
        for (const std::int64_t width : {1, 3, 16})
            t.add(ops::head_result(), {normal({2, 5, heads, width}, 1), normal({heads * width, 17}, 2)});
}

void cells(Table& t) {
    for (const std::int64_t n : odd_sizes) {
        t.add(ops::add(), {normal({3, n}, 1), normal({n}, 2)});
        t.add(ops::add(), {normal({n, 5}, 1), normal({n, 5}, 2)});
        t.add(ops::multiply(), {normal({n, 3}, 1), normal({n, 3}, 2)});
        t.add(ops::scale(-0.37f), {normal({n}, 1)});
        for (const OpPtr& op : {ops::gelu(), ops::gelu_tanh(), ops::relu(), ops::silu(), ops::tanh()})
            t.add(op, {normal({n, 7}, 1, 3.0)});
        for (const float training : {0.0f, 1.0f}) t.add(ops::dropout(0.3f, 5), {normal({n, 7}, 1), state(training)});
    }
    t.add(ops::add(), {normal({3, 1000, 5}, 1), normal({1000, 5}, 2)});
    t.add(ops::add(), {normal({200, 33}, 1), normal({33}, 2)});
    t.add(ops::add(), {normal({9}, 1)}, {0, 0});
    t.add(ops::multiply(), {normal({9}, 1)}, {0, 0});
    t.add(ops::gelu(), {normal({70000}, 1)});
}

void lookups(Table& t) {
    for (const std::int64_t width : odd_sizes) {
        t.add(ops::embed(), {whole({3, 5}, 1, 7), normal({7, width}, 2)});
        t.add(ops::pos_embed(3), {normal({9, width}, 1)});
    }
    t.add(ops::embed(), {whole({7, 65}, 1, 150), normal({150, 64}, 2)});
    t.add(ops::cache_row(), {normal({1, 5, 2, 3}, 1), normal({1, 1, 2, 3}, 2), Tensor({1}, {3})});
    t.add(ops::cache_row(), {normal({1, 5, 2, 3}, 1), normal({1, 1, 2, 3}, 2), Tensor({1}, {5})});
    for (const std::int64_t width : {1, 3, 17, 65})
        t.add(ops::mean_pool(), {normal({3, 7, width}, 1), keep_most({3, 7}, 2)});
    t.add(ops::mean_pool(), {normal({2, 3, 5}, 1), Tensor({2, 3}, {0, 0, 0, 1, 0, 1})});
    for (const bool last : {false, true}) {
        for (const std::int64_t width : {1, 3, 17, 65})
            t.add(ops::token_pool(last), {normal({3, 7, width}, 1), keep_most({3, 7}, 2)});
        t.add(ops::token_pool(last), {normal({2, 3, 5}, 1), Tensor({2, 3}, {0, 0, 0, 1, 0, 1})});
    }
}

void attention(Table& t) {
    for (const std::int64_t keys : odd_sizes)
        for (const std::int64_t queries : {1, 3, 17}) {
            t.add(ops::mask(), {normal({2, 3, queries, keys}, 1), keep_most({2, keys}, 2)});
            t.add(ops::mask_causal(), {normal({2, 3, queries, keys}, 1)});
            t.add(ops::alibi(), {normal({2, 3, queries, keys}, 1)});
            t.add(ops::softmax(), {normal({2, queries, keys}, 1, 3.0)});
            t.add(ops::hardmax(), {normal({2, queries, keys}, 1)});
        }
    t.add(ops::softmax(), {normal({3, 1000}, 1, 2.0)});
    Tensor hidden = normal({3, 5}, 1);
    for (std::size_t i : {1u, 5u, 6u, 7u, 8u, 9u}) hidden.values()[i] = -INFINITY;
    t.add(ops::softmax(), {hidden});
    t.add(ops::hardmax(), {hidden});
    for (const bool halves : {false, true}) {
        const RotaryOptions plain{.halves = halves};
        for (const std::int64_t width : {2, 6, 16, 64}) t.add(ops::rotary(plain), {normal({2, 17, 3, width}, 1)});
        for (const std::int64_t width : {2, 5, 64}) t.add(ops::rotary(plain, 2), {normal({2, 17, 3, width}, 1)});
        t.add(ops::rotary(plain, 16), {normal({2, 17, 3, 65}, 1)});
        t.add(ops::rotary(plain, 0, 40), {normal({1, 1, 3, 16}, 1), Tensor({1}, {39})});
    }
    t.add(ops::rotary({.halves = true, .scaling = RotaryScaling::linear, .factor = 4}), {normal({2, 17, 3, 16}, 1)});
    t.add(ops::rotary({.scaling = RotaryScaling::llama3, .factor = 8, .original_length = 64}),
          {normal({2, 17, 3, 64}, 1)});
    t.add(ops::alibi(), {normal({1, 3, 1, 17}, 1), Tensor({1}, {11})});
    for (const std::int64_t times : {1, 2, 5}) t.add(ops::repeat_heads(times), {normal({2, 7, 3, 5}, 1)});
    for (const std::int64_t window : {1, 3, 100})
        for (const std::int64_t keys : {1, 17, 64}) t.add(ops::mask_window(window), {normal({2, 3, 17, keys}, 1)});
}

void norms(Table& t) {
    for (const std::int64_t width : odd_sizes)
        for (const std::int64_t rows : {1, 3, 65}) {
            t.add(ops::layer_norm_mean(), {normal({rows, width}, 1)});
            t.add(ops::layer_norm_scale(1e-5f), {normal({rows, width}, 1), normal({rows}, 2)});
            t.add(ops::layer_norm_normalize(), {normal({rows, width}, 1), normal({rows}, 2), positive({rows}, 3)});
            t.add(ops::norm_affine(), {normal({rows, width}, 1), normal({width}, 2), normal({width}, 3)});
            t.add(ops::norm_affine(), {normal({rows, width}, 1), normal({1}, 2), normal({1}, 3)});
            t.add(ops::norm_affine(), {normal({rows, width}, 1), normal({width}, 2)});
            t.add(ops::rms_norm_scale(1e-5f), {normal({rows, width}, 1)});
            t.add(ops::rms_norm_normalize(), {normal({rows, width}, 1), positive({rows}, 2)});
            const Tensor x = normal({2, rows, width}, 1), keep = keep_most({2, rows}, 2);
            t.add(ops::batch_norm_mean(), {x, keep});
            t.add(ops::batch_norm_variance(), {x, keep, normal({width}, 3)});
            for (const float training : {0.0f, 1.0f}) {
                t.add(ops::batch_norm_choose(), {normal({width}, 1), normal({width}, 2), state(training)});
                t.add(ops::batch_norm_normalize(1e-5f),
                      {x, keep, normal({width}, 3), positive({width}, 4), state(training)});
            }
        }
    t.add(ops::layer_norm_mean(), {normal({3, 1000}, 1)});
    t.add(ops::norm_affine(), {normal({1000, 65}, 1), normal({65}, 2), normal({65}, 3)});
}

void recurrent(Table& t) {
    for (const std::int64_t width : {1, 3, 17, 33})
        for (const std::int64_t positions : {1, 2, 7})
            for (const std::int64_t batch : {1, 5}) {
                t.add(ops::recurrent_tanh(),
                      {normal({batch, positions, width}, 1), normal({width, width}, 2, 0.3), normal({width}, 3)});
                t.add(ops::recurrent_gru(), {normal({batch, positions, 3 * width}, 1),
                                             normal({width, 3 * width}, 2, 0.3), normal({3 * width}, 3)});
                t.add(ops::gru_gates(), {normal({batch, positions, 3 * width}, 1), normal({batch, positions, width}, 4),
                                         normal({width, 3 * width}, 2, 0.3), normal({3 * width}, 3)});
            }
}

void losses(Table& t) {
    for (const std::int64_t width : odd_sizes)
        for (const std::int64_t rows : {1, 3, 65}) {
            t.add(ops::cross_entropy(), {normal({rows, width}, 1, 2.0),
                                         whole({rows}, 2, static_cast<std::uint64_t>(width)), positive({rows}, 3)});
            t.add(ops::squared_error(), {normal({rows, width}, 1), normal({rows, width}, 2), positive({rows}, 3)});
        }
    t.add(ops::cross_entropy(), {normal({5, 3}, 1), whole({5}, 2, 3), Tensor(Shape{5})});
    t.add(ops::cross_entropy(), {normal({832, 150}, 1), whole({832}, 2, 150), keep_most({832}, 3)});
    t.add(ops::squared_error(), {normal({5, 3}, 1), normal({5, 3}, 2), Tensor(Shape{5})});
}

}  // namespace

const std::vector<NamedCase>& op_cases() {
    static const std::vector<NamedCase> all = [] {
        Table t;
        products(t);
        cells(t);
        lookups(t);
        attention(t);
        norms(t);
        recurrent(t);
        losses(t);
        return std::move(t.all);
    }();
    return all;
}

}  // namespace glassformer::testing
