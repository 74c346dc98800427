#include "core/train/dropout_mask.h"

#include <doctest/doctest.h>

#include "core/backend/cpu/cpu_backend.h"
#include "core/ops/ops.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("dropout_mask marks exactly the numbers that the dropout op sets to 0 in that step") {
    TransformerConfig config = small_config();
    CHECK(dropout_places(config).empty());
    config.dropout = 0.3f;
    const std::vector<DropoutPlace> places = dropout_places(config);
    REQUIRE(places.size() == 5);  // the embedding, and attention and MLP of two blocks
    CHECK(places[0].name == "hook_embed_dropout");
    CHECK(places[3].name == "blocks.1.hook_attn_out_dropout");
    constexpr int words = 6;
    for (const DropoutPlace& place : places) {
        CHECK(place.rate == 0.3f);
        CHECK(place.width == config.d_model);
        const auto graph = std::make_shared<Graph>();
        const Node x = graph->input("x", {2, words, place.width}), state = graph->input("state", {3});
        const Node dropped = graph->apply(ops::dropout(place.rate, place.stream), {x, state});
        CpuBackend backend(1);
        const auto run = backend.prepare(graph, {{dropped.id}, -1});
        run->set_input(x.id, std::vector<float>(static_cast<std::size_t>(x.shape().elements()), 1.0f));
        run->set_input(state.id, std::vector<float>{1.0f, 17.0f, 5.0f});
        run->forward({});
        const std::vector<float> kept = dropout_mask(place, 5, 17, words);
        const std::span<const float> values = run->view(dropped.id);
        for (std::size_t cell = 0; cell < kept.size(); ++cell) CHECK((values[cell] != 0.0f) == (kept[cell] == 1.0f));
        CHECK(kept != dropout_mask(place, 5, 18, words));
    }
}
