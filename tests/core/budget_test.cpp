#include "core/analysis/budget.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/nn/transformer.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

double parameters_of(const Budget& b, BudgetPart part) { return b.line(part) ? sum_of(b.line(part)->parameters) : 0; }
double multiplications_of(const Budget& b, BudgetPart part) {
    return b.line(part) ? sum_of(b.line(part)->multiplications) : 0;
}

const PublishedShape& shape_of(std::string_view name) {
    for (const PublishedShape& shape : published_shapes())
        if (shape.name == name) return shape;
    throw Error("no such shape");
}

}  // namespace

TEST_CASE("budget: published shapes have the published numbers of parameters") {
    double before = 0;
    for (const PublishedShape& shape : published_shapes()) {
        CAPTURE(shape.name);
        const Budget budget = budget_of(shape.config, 16);
        CHECK(std::abs(budget.parameters - shape.parameters) <= shape.known_to);
        CHECK(budget.parameters > before);
        CHECK_FALSE(shape.source.empty());
        before = budget.parameters;
    }
}

TEST_CASE("budget: GPT-2 small, by hand") {
    constexpr double d = 768, layers = 12, heads = 12, T = 1024, words = 50257;
    const Budget b = budget_of(shape_of("GPT-2 small").config, 1024);
    CHECK(parameters_of(b, BudgetPart::embedding) == words * d);
    CHECK(parameters_of(b, BudgetPart::positions) == T * d);
    for (const BudgetPart part : {BudgetPart::query, BudgetPart::key, BudgetPart::value, BudgetPart::output}) {
        CHECK(parameters_of(b, part) == layers * (d * d + d));
        CHECK(multiplications_of(b, part) == layers * T * d * d);
    }
    CHECK(parameters_of(b, BudgetPart::mlp) == layers * (8 * d * d + 5 * d));
    CHECK(parameters_of(b, BudgetPart::norms) == 2 * d * (2 * layers + 1));
    CHECK(parameters_of(b, BudgetPart::unembedding) == 0);  // tied
    CHECK(multiplications_of(b, BudgetPart::embedding) == 0);
    CHECK(multiplications_of(b, BudgetPart::scores) == 2 * layers * heads * T * T * 64);
    CHECK(multiplications_of(b, BudgetPart::mlp) == layers * 8 * T * d * d);
    CHECK(multiplications_of(b, BudgetPart::unembedding) == T * d * words);
    CHECK(b.kept.value() == 2 * layers * T * d);
    CHECK(b.weights.value() == heads * T * T);
    CHECK(b.per_token() == b.multiplications / 1024);
    // One pass must hold the logits or one block's attention weights; training holds every block's at once.
    CHECK(b.forward >= T * words);
    CHECK(training_pass(shape_of("GPT-2 small").config, 1024) >= layers * heads * T * T);
}

TEST_CASE("budget: the KV cache holds shared keys and values once, and no more than a window") {
    TransformerConfig c = shape_of("Llama 3 8B").config;
    CHECK(budget_of(c, 8192).kept.value() == 2.0 * 32 * 8192 * 8 * 128);
    c.attention.window = 4096, c.attention.window_layers = "w-";
    CHECK(budget_of(c, 8192).kept.value() == 2.0 * 16 * (4096 + 8192) * 8 * 128);
    CHECK(budget_of(shape_of("BERT-base").config, 100).kept.value() == 0);
}

TEST_CASE("budget: the parts of every kind of model add up to its parameter count") {
    for (const auto& model : small_models()) {
        CAPTURE(model->name);
        const TransformerConfig& config = model->config;
        const int source = config.family == Family::encoder_decoder ? 1 : 0;
        const Budget b = budget_of(config, 5);
        double sum = 0;
        for (const BudgetLine& line : b.lines) sum += sum_of(line.parameters);
        CHECK(sum == b.parameters);
        CHECK(b.parameters == static_cast<double>(build_transformer(config, {1, 1, source}).graph->parameter_count()));
        CHECK(b.forward > 0);
        CHECK(training_pass(config, 5) >= b.forward);
    }
}

TEST_CASE("budget: a training pass of a translation holds the attention of the source sentence, too") {
    TransformerConfig c = small_config();
    c.family = Family::encoder_decoder, c.d_source_vocab = 19, c.n_encoder_layers = 2;
    constexpr double tokens = 64, attentions = 6;  // each decoder block has two
    CHECK(training_pass(c, 64) >= attentions * c.n_heads * tokens * tokens);
}

TEST_CASE("budget: a text longer than the context is budgeted as if it fit; an empty text is an error") {
    TransformerConfig c = shape_of("GPT-2 small").config;
    const Budget once = budget_of(c, 1024), twice = budget_of(c, 2048);
    CHECK(once.parameters == twice.parameters);
    CHECK(multiplications_of(twice, BudgetPart::scores) == 4 * multiplications_of(once, BudgetPart::scores));
    CHECK(multiplications_of(twice, BudgetPart::mlp) == 2 * multiplications_of(once, BudgetPart::mlp));
    CHECK_THROWS_AS(budget_of(c, 0), Error);
}
