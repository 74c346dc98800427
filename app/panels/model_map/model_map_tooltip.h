#pragma once

#include <string>

#include "app/common/model_map_elements.h"
#include "core/nn/config.h"

namespace glassformer::app {

/// Of which model a map is: what its parts do depends on what it reads and says.
struct MappedModel {
    const TransformerConfig& config;
    std::string token, tokens;  ///< what people call one of its tokens, and several: "letter", "letters"
};

/// What the tooltip of an element says: its title, its sizes, what it learned and one sentence of plain English.
std::string map_tooltip(const MapElement& element, const MappedModel& model);

}  // namespace glassformer::app
