#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glassformer {

enum class EventKind { metric, head, spike, divergence, plateau, overfitting };

/// "metric", "head", "spike" …: as files and messages name it.
std::string_view name_of(EventKind kind);

/// Something that happened in a training and is worth a marker on its timeline.
struct TrainingEvent {
    std::int64_t step = 0;  // when it happened; it may have been certain only later
    EventKind kind = EventKind::metric;
    std::string text;           // in plain words: "held-out accuracy passed 90 %: 93.4 %"
    int block = -1, head = -1;  // of kind head

    bool operator==(const TrainingEvent&) const = default;
};

}  // namespace glassformer
