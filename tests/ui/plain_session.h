#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "app/session/session.h"
#include "tests/ui/opening_sentences.h"

/// A session without a window, for tests.
namespace glassformer::app {

inline Session::Options options(bool trained = true) {
    Session::Options o;
    o.world = GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar";
    if (trained) o.checkpoint = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
    o.sentences = {first_sentence, second_sentence};
    return o;
}

inline std::shared_ptr<const Snapshot> settled(Session& session) {
    while (!session.settled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return session.snapshot();
}

#ifdef __SANITIZE_THREAD__
inline constexpr int longest_wait = 60;  // minutes; the thread sanitizer makes everything fifteen times slower
#else
inline constexpr int longest_wait = 10;
#endif

inline std::shared_ptr<const Snapshot> wait_for(Session& session, const std::function<bool(const Snapshot&)>& ready) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(longest_wait);
    while (std::chrono::steady_clock::now() < end) {
        const auto snapshot = session.snapshot();
        if (ready(*snapshot)) return snapshot;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the session did not get there within " << longest_wait << " minutes");
    return session.snapshot();
}

/// Waits until training has reached this step and is paused there.
inline std::shared_ptr<const Snapshot> paused_at(Session& session, std::int64_t step) {
    return wait_for(session, [&](const Snapshot& s) { return s.live_step == step && s.state == RunState::paused; });
}

}  // namespace glassformer::app
