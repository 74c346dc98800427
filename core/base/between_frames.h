#pragma once

#include <memory>
#include <string_view>

#include "core/base/background.h"

namespace glassformer {

/// A task that has no thread: take_turns() gives it its turns. Stopped and ended with this, by a last turn.
class Background::BetweenFrames {
public:
    BetweenFrames(std::string_view name, Body body, Failed failed);
    ~BetweenFrames();
    BetweenFrames(const BetweenFrames&) = delete;
    BetweenFrames& operator=(const BetweenFrames&) = delete;

    void wake();
    void request_stop();
    /// Takes its turns until it ends. One that waits for nothing but a stop would never end, nor would its thread.
    void finish();

    struct Task;

private:
    std::shared_ptr<Task> task_;
};

}  // namespace glassformer
