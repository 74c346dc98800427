#pragma once

#include <map>
#include <memory>

#include "app/session/snapshot.h"
#include "core/tasks/sense_probe.h"

namespace glassformer::app {

/// Makes the map of every occurrence of a homonym. Keeps one planned run per homonym, and the last directions, so that
/// the picture of a running training turns smoothly instead of flipping.
class MeaningMaps {
public:
    MeaningMaps(Backend& backend, const WorldTraining& training) : backend_(backend), training_(training) {}

    /// Null when the world has no such homonym.
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
