#include "core/analysis/word_circuit.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/analysis/contributions.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

using Kind = WordCircuitOf::Kind;
using Matrix = Eigen::MatrixXd;

WordCircuit finished(const Trace& trace, const WordCircuitOf& of) {
    WordCircuit circuit(trace, of);
    for (int steps = 0; !circuit.done(); ++steps) {
        REQUIRE(steps < 100'000);
        circuit.step();
    }
    CHECK(circuit.progress() == doctest::Approx(1));
    return circuit;
}

/// Returns a parameter in float64.
Matrix weights(const Trace& trace, const std::string& name) {
    const int node = trace.graph().at(name);
    const Shape& shape = trace.graph()[node].shape;
    Matrix found(shape[0], shape.rank() > 1 ? shape[1] : 1);
    for (std::int64_t i = 0; i < found.size(); ++i)
        found(i / found.cols(), i % found.cols()) =
            static_cast<double>(trace.values(node)[static_cast<std::size_t>(i)]);
    return found;
}

/// Applies the rotation of rotary positions for `distance`, from its definition.
Matrix turned(Matrix rows, const TransformerConfig& c, int distance) {
    const int dims = c.rotary_dims();
    for (int pair = 0; pair < dims / 2; ++pair) {
        const double angle = distance * std::pow(static_cast<double>(c.rotary.base), -2.0 * pair / dims);
        const int a = c.rotary.halves ? pair : 2 * pair, b = c.rotary.halves ? pair + dims / 2 : 2 * pair + 1;
        const Eigen::VectorXd even = rows.col(a), odd = rows.col(b);
        rows.col(a) = even * std::cos(angle) - odd * std::sin(angle);
        rows.col(b) = even * std::sin(angle) + odd * std::cos(angle);
    }
    return rows;
}

/// Returns the whole of M from the matrices alone, in float64.
Matrix plain(const Trace& trace, const TransformerConfig& c, const WordCircuitOf& of) {
    const int group = of.head / (c.n_heads / c.n_key_value_heads()), dk = c.d_head(), dv = c.d_value();
    const Matrix e = weights(trace, "embed.W_E") * static_cast<double>(c.embedding_scale);
    const auto w = [&](const char* name) { return weights(trace, of.prefix + name); };
    if (of.kind == Kind::query_key) {
        Matrix q = e * w("W_Q").middleCols(of.head * dk, dk);
        if (c.positions == Positions::rotary) q = turned(q, c, of.distance);
        const Matrix k = e * w("W_K").middleCols(group * dk, dk);
        return q * k.transpose() / (c.attention.scale ? std::sqrt(static_cast<double>(dk)) : 1.0);
    }
    const Matrix u = c.tied ? Matrix(weights(trace, "embed.W_E").transpose()) : weights(trace, "unembed.W_U");
    return e * w("W_V").middleCols(group * dv, dv) * w("W_O").middleRows(of.head * dv, dv) * u;
}

std::vector<std::unique_ptr<SmallModel>> models_of_words() {
    auto models = small_models();
    models.push_back(small_model("grouped, scaled embedding", [](TransformerConfig& c) {
        c.n_heads = 4, c.attention.n_key_value_heads = 2, c.embedding_scale = 3.0f, c.family = Family::decoder;
        c.positions = Positions::rotary, c.attention.d_head = 6, c.rotary.halves = true, c.rotary_pct = 0.7f;
    }));
    return models;
}

}  // namespace

TEST_CASE("word circuit: without norms it is the product of the matrices in double, and its lists match") {
    for (const auto& model : models_of_words())
        for (const Kind kind : {Kind::query_key, Kind::value_output})
            for (const int distance : {0, 3, -2}) {
                INFO(model->name);
                const auto trace = model->trace({4, 7, 11});
                const WordCircuitOf of{kind, "blocks.1.attn.", 2, false, distance};
                const WordCircuit found = finished(*trace, of);
                const Matrix truth = plain(*trace, model->config, of);
                REQUIRE(found.rows() == 19);
                REQUIRE(found.columns() == 19);
                std::vector<WordPair> all;
                OwnWords own;
                for (int r = 0; r < 19; ++r) {
                    const std::vector<float> row = found.row(r);
                    for (int c = 0; c < 19; ++c) {
                        CHECK(std::abs(static_cast<double>(row[static_cast<std::size_t>(c)]) - truth(r, c)) <= 1e-5);
                        all.push_back({r, c, row[static_cast<std::size_t>(c)]});
                    }
                    own.raised += truth(r, r) > 0;
                    own.most += truth(r, r) == truth.row(r).maxCoeff();
                }
                std::ranges::sort(all, std::greater<>(), &WordPair::value);
                REQUIRE(found.largest().size() == WordCircuit::most_pairs);
                for (std::size_t i = 0; i < WordCircuit::most_pairs; ++i) {
                    CHECK(found.largest()[i].value == doctest::Approx(all[i].value).epsilon(1e-5));
                    CHECK(found.smallest()[i].value == doctest::Approx(all[all.size() - 1 - i].value).epsilon(1e-5));
                }
                REQUIRE(found.own());
                CHECK(found.own()->words == 19);
                CHECK(found.own()->raised == own.raised);
                CHECK(found.own()->most == own.most);
                // From the whole matrix, most of whose eigenvalues are 0.
                const Eigen::VectorXcd values = Eigen::EigenSolver<Matrix>(truth, false).eigenvalues();
                const double score = values.real().sum() / values.cwiseAbs().sum();
                REQUIRE(found.own()->eigenvalues);
                CHECK(std::abs(*found.own()->eigenvalues - score) <= 1e-4);
            }
}

TEST_CASE("word circuit: rows that are made in several steps are those of the product, too") {
    const auto model = small_model("wide", [](TransformerConfig& c) {
        c.d_vocab = 60, c.d_model = 1024, c.n_heads = c.n_layers = 1, c.d_mlp = 4, c.init_std = 0.02f;
    });
    const auto trace = model->trace({4, 7, 11});
    for (const Kind kind : {Kind::query_key, Kind::value_output}) {
        const WordCircuitOf of{kind, "blocks.0.attn.", 0, false, 0};
        const WordCircuit found = finished(*trace, of);
        const Matrix truth = plain(*trace, model->config, of);
        const double most = truth.cwiseAbs().maxCoeff();
        for (int r = 0; r < 60; ++r) {
            const std::vector<float> row = found.row(r);
            for (int c = 0; c < 60; ++c)
                CHECK(std::abs(static_cast<double>(row[static_cast<std::size_t>(c)]) - truth(r, c)) <= 1e-4 * most);
        }
    }
}

TEST_CASE("word circuit: with norms it gives block 0's scores, if the stream is only the embedding") {
    std::vector<std::unique_ptr<SmallModel>> models;
    const auto add = [&](const std::string& name, const auto& change) { models.push_back(small_model(name, change)); };
    using Config = TransformerConfig;
    add("no positions", [](Config& c) { c.positions = Positions::none; });
    add("rotary, RMSNorm", [](Config& c) { c.positions = Positions::rotary, c.norm = NormKind::rms_norm; });
    add("rotary, q/k norm, grouped", [](Config& c) {
        c.positions = Positions::rotary, c.attention.qk_norm = true, c.attention.n_key_value_heads = 1;
        c.rotary.halves = true, c.embedding_scale = 2.0f;
    });
    add("an embedding norm, post-norm", [](Config& c) {
        c.positions = Positions::none, c.norm_placement = NormPlacement::post, c.embedding_norm = true;
    });
    add("batch norm", [](Config& c) { c.positions = Positions::none, c.norm = NormKind::batch_norm; });
    add("shared projections, one γ", [](Config& c) {
        c.positions = Positions::none, c.attention.projections = Projections::shared, c.norm_scalar = true;
    });
    add("no scale", [](Config& c) { c.positions = Positions::none, c.attention.scale = false; });
    for (const auto& model : models) {
        if (model->config.norm == NormKind::batch_norm) {
            // Running variances must be positive.
            std::vector<float> values = *model->parameters;
            const auto graph = build_transformer(model->config, {1, 1, 0}).graph;
            const NodeInfo& info = (*graph)[graph->at("blocks.0.ln1.running_var")];
            for (std::int64_t i = 0; i < info.shape.elements(); ++i)
                values[static_cast<std::size_t>(info.offset + i)] = 0.5f + 0.1f * static_cast<float>(i);
            model->parameters = std::make_shared<ParameterValues>(std::move(values));
        }
        INFO(model->name);
        const std::vector<int> sentence{4, 7, 11, 7};
        const auto trace = model->trace(sentence);
        const auto scores = trace->values("blocks.0.attn.hook_attn_scores_scaled");
        for (int head = 0; head < 3; ++head)
            for (int query = 0; query < 4; ++query)
                for (int key = 0; key < 4; ++key) {
                    const WordCircuitOf of{Kind::query_key, "blocks.0.attn.", head, true, query - key};
                    WordCircuit found(*trace, of);
                    while (!found.made()) found.step();
                    const float here = found.row(sentence[static_cast<std::size_t>(query)])[static_cast<std::size_t>(
                        sentence[static_cast<std::size_t>(key)])];
                    CHECK(std::abs(here - scores[static_cast<std::size_t>((head * 4 + query) * 4 + key)]) <= 2e-5f);
                }
    }
}

TEST_CASE("word circuit: a word's row, divided by the final norm's scale, is its head's contribution to the logits") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        // The circuit ignores position vectors, so it reads the word alone only in models without them.
        if (model->config.positions != Positions::rotary && model->config.positions != Positions::none &&
            model->config.positions != Positions::alibi)
            continue;
        for (const int word : {4, 11}) {
            const auto trace = model->trace({word});  // one word: all attention is on it
            for (int head = 0; head < 3; ++head) {
                const WordCircuit found = finished(*trace, {Kind::value_output, "blocks.0.attn.", head, true, 0});
                const std::vector<float> row = found.row(word);
                const auto node = trace->graph().find("ln_final.hook_scale");
                const double scale = node ? static_cast<double>(trace->values(*node)[0]) : 1.0;
                for (int said = 0; said < 19; ++said) {
                    double truth = 0;
                    for (const Contribution& term : logit_contributions(*trace, 0, said).terms)
                        if (term.kind == Contribution::Kind::head && term.block == 0 && term.head == head)
                            truth = term.value;
                    CHECK(std::abs(static_cast<double>(row[static_cast<std::size_t>(said)]) / scale - truth) <= 1e-5);
                }
            }
        }
    }
}

TEST_CASE("word circuit: for a vocabulary of many tiles, the largest and smallest numbers are those of all rows") {
    const auto model = small_model(
        "many words", [](TransformerConfig& c) { c.d_vocab = 2500, c.family = Family::decoder, c.tied = false; });
    const auto trace = model->trace({1, 2});
    for (const Kind kind : {Kind::query_key, Kind::value_output}) {
        const WordCircuit found = finished(*trace, {kind, "blocks.0.attn.", 1, true, 0});
        std::vector<float> all;
        OwnWords own;
        for (int word = 0; word < found.rows(); ++word) {
            const std::vector<float> row = found.row(word);
            const float itself = row[static_cast<std::size_t>(word)];
            own.raised += itself > 0;
            own.most += itself == *std::ranges::max_element(row);
            all.insert(all.end(), row.begin(), row.end());
        }
        std::ranges::sort(all);
        for (std::size_t i = 0; i < WordCircuit::most_pairs; ++i) {
            CHECK(found.smallest()[i].value == doctest::Approx(all[i]).epsilon(1e-5));
            CHECK(found.largest()[i].value == doctest::Approx(all[all.size() - 1 - i]).epsilon(1e-5));
        }
        CHECK(found.own()->raised == own.raised);
        CHECK(found.own()->most == own.most);
    }
}

TEST_CASE("word circuit: a head whose weights copy scores 1, and one whose weights suppress scores −1") {
    for (const double sign : {1.0, -1.0}) {
        const auto model = small_model("copies", [](TransformerConfig& c) {
            c.d_model = 6, c.n_heads = 1, c.d_vocab = 6, c.norm_placement = NormPlacement::none;
            c.positions = Positions::none, c.attention.biases = false;
        });
        std::vector<float> values = *model->parameters;
        const auto graph = build_transformer(model->config, {1, 1, 0}).graph;
        const auto unit = [&](const std::string& name, double factor) {
            const NodeInfo& info = (*graph)[graph->at(name)];
            for (int i = 0; i < 36; ++i)
                values[static_cast<std::size_t>(info.offset + i)] = i % 7 == 0 ? static_cast<float>(factor) : 0.0f;
        };
        unit("embed.W_E", 1), unit("blocks.0.attn.W_V", sign), unit("blocks.0.attn.W_O", 2);
        model->parameters = std::make_shared<ParameterValues>(std::move(values));
        const auto trace = model->trace({1, 2});
        const WordCircuit found = finished(*trace, {Kind::value_output, "blocks.0.attn.", 0, false, 0});
        CHECK(*found.own()->eigenvalues == doctest::Approx(sign));
        CHECK(found.own()->raised == (sign > 0 ? 6 : 0));
        CHECK(found.own()->most == (sign > 0 ? 6 : 0));
        CHECK(found.row(3)[3] == doctest::Approx(2 * sign));
        CHECK(top_of_row(found.row(3), 1, sign < 0).front().word == 3);
    }
}

TEST_CASE("word circuit: between two vocabularies there is no copying score, and for classes no output circuit") {
    const auto translation = small_model("translation", [](TransformerConfig& c) {
        c.family = Family::encoder_decoder, c.d_source_vocab = 15, c.n_encoder_layers = 1;
    });
    TraceInput input{{3, 4}};
    input.source_tokens = {1, 2, 5};
    const auto trace = translation->tracer.trace(input, translation->parameters);
    const WordCircuit looks = finished(*trace, {Kind::query_key, "blocks.0.cross_attn.", 0, true, 0});
    CHECK(looks.rows() == 19);
    CHECK(looks.columns() == 15);
    CHECK_FALSE(looks.own());
    const WordCircuit hands = finished(*trace, {Kind::value_output, "blocks.0.cross_attn.", 0, true, 0});
    CHECK(hands.rows() == 15);
    CHECK(hands.columns() == 19);
    CHECK_FALSE(hands.own());
    CHECK(finished(*trace, {Kind::query_key, "blocks.0.attn.", 0, true, 0}).own());
    const auto classes = small_model(
        "classes", [](TransformerConfig& c) { c.output = OutputKind::classes, c.d_output = 3, c.tied = false; });
    const auto sorted = classes->trace({1, 2});
    CHECK(has_word_circuit(sorted->model(), "blocks.0.attn.", Kind::query_key));
    CHECK_FALSE(has_word_circuit(sorted->model(), "blocks.0.attn.", Kind::value_output));
    CHECK_THROWS_AS(WordCircuit(*sorted, {Kind::value_output, "blocks.0.attn.", 0, true, 0}), Error);
    CHECK_THROWS_AS(WordCircuit(*sorted, {Kind::query_key, "blocks.0.attn.", 3, true, 0}), Error);
    CHECK_THROWS_AS(looks.row(19), Error);
}
