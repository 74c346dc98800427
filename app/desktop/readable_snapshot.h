#pragma once

#include <memory>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// Weights may lie in a file that someone writes into or cuts. What is read from it then is not the model any more, so
/// that nothing of it may be shown: the sentences lose their numbers and say why.
class ReadableSnapshot {
public:
    /// The snapshot, or the same one without the numbers that cannot be read any more.
    std::shared_ptr<const Snapshot> of(std::shared_ptr<const Snapshot> newest);

private:
    std::shared_ptr<const Snapshot> newest_, without_;
};

}  // namespace glassformer::app
