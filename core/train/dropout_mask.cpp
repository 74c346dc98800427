#include "core/train/dropout_mask.h"

#include "core/nn/transformer.h"
#include "core/ops/dropout_hash.h"

namespace glassformer {

std::vector<DropoutPlace> dropout_places(const TransformerConfig& config) {
    std::vector<DropoutPlace> places;
    if (!(config.dropout > 0.0f)) return places;
    const std::shared_ptr<const Graph> graph = parameter_graph(config);
    for (const NodeInfo& node : graph->nodes()) {
        if (!node.op || !node.op->traits().training_only) continue;
        DropoutPlace place{node.name, 0.0f, 0, static_cast<int>(node.shape.back())};
        for (const OpAttribute& attribute : node.op->attributes()) {
            if (attribute.name == "rate") place.rate = static_cast<float>(attribute.value);
            if (attribute.name == "stream") place.stream = static_cast<std::uint32_t>(attribute.value);
        }
        places.push_back(std::move(place));
    }
    return places;
}

std::vector<float> dropout_mask(const DropoutPlace& place, std::uint64_t seed, std::int64_t step, int words) {
    std::vector<float> kept(static_cast<std::size_t>(words) * static_cast<std::size_t>(place.width));
    const std::uint32_t threshold = kernel::dropout_threshold(place.rate);
    for (std::size_t cell = 0; cell < kept.size(); ++cell)
        kept[cell] = kernel::dropout_hash(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(step),
                                          place.stream, static_cast<std::uint32_t>(cell)) >= threshold
                         ? 1.0f
                         : 0.0f;
    return kept;
}

}  // namespace glassformer
