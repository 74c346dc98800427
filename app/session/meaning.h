#pragma once

#include <map>
#include <memory>

#include "app/session/snapshot.h"
#include "core/tasks/sense_probe.h"

namespace glassformer::app {

/// Maps every occurrence of a homonym. Caches one planned run per homonym and the last directions, so that during
/// training the picture turns smoothly instead of flipping.
class MeaningMaps {
public:
    MeaningMaps(Backend& backend, const WorldTraining& training) : backend_(backend), training_(training) {}

    /// Returns null if the world has no such homonym.
    std::shared_ptr<MeaningMap> make(const std::string& homonym, std::span<const float> parameters);

private:
    static constexpr std::size_t sentences_per_sense = 100;

    struct Planned {
        std::unique_ptr<ContextualVectors> vectors;
        std::vector<int> positions;
        MeaningMap last;
    };
    Planned& planned(int homonym_index);

    Backend& backend_;
    const WorldTraining& training_;
    std::map<int, Planned> by_homonym_;
};

}  // namespace glassformer::app
