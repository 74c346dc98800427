#pragma once

#include <memory>
#include <string_view>

#include "core/base/background.h"

namespace glassformer {

/// A task without a thread; take_turns() runs its turns. The destructor stops it with a last turn.
class Background::BetweenFrames {
public:
    BetweenFrames(std::string_view name, Body body, Failed failed);
    ~BetweenFrames();
    BetweenFrames(const BetweenFrames&) = delete;
    BetweenFrames& operator=(const BetweenFrames&) = delete;

    void wake();
    void request_stop();
    /// Runs its turns until it ends or waits. A task that waits only for a stop would never end, as on a thread.
    void finish();

    struct Task;

private:
    std::shared_ptr<Task> task_;
};

}  // namespace glassformer
