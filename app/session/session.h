#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "app/session/command.h"
#include "app/session/compute_options.h"
#include "app/session/snapshot.h"
#include "core/base/background.h"
#include "core/io/glass_file.h"

namespace glassformer::app {

/// The worker thread that owns the model, its backend and its training. The window sends commands and reads the newest
/// snapshot; neither waits for the other.
class Session {
public:
    struct Options {
        std::string world;                                    // name or file; empty: the checkpoint says which
        std::filesystem::path checkpoint;                     // folder; empty: an untrained model of the world
        std::filesystem::path assets;                         // its worlds and models can be opened; empty: none
        std::array<std::optional<std::string>, 2> sentences;  // of the first model; where none is given, samples
        int threads = 0;  // 0: one per core, but one of four or more is the window's
        ComputeOptions compute;
        std::filesystem::path recovery;  // folder for runs that are nowhere else, and of those lost before; empty: none
        std::function<void()> on_snapshot;  // called on the worker after each new snapshot
    };

    /// Loads and traces on the calling thread, so that a snapshot is there at once; then starts the worker.
    /// Throws Error when the world or the checkpoint cannot be read.
    explicit Session(Options options);
    /// Stops the training after the step it is in, or the making of a model, and joins. On the thread of the window,
    /// while that is there.
    ~Session();

    /// On the thread of the window.
    void send(Command command);
    /// Saves the model and its kept steps with this as a .glass file; otherwise a command like the others.
    void hand_on(const std::filesystem::path& file, LessonBundle with);
    std::shared_ptr<const Snapshot> snapshot() const;
    /// What came in a .glass file with that model; null where nothing did, or another model is open by now.
    std::shared_ptr<const LessonBundle> handed_on(const ModelInfo& model) const;
    /// Number of commands sent so far that the newest snapshot does not show yet is 0, no patch grid is being filled,
    /// no altered model measured, and no GPU tested (for scripts and tests).
    bool settled() const;

private:
    class Worker;

    /// A model on its way into a file.
    struct HandOn {
        std::filesystem::path file;
        LessonBundle with;
    };
    using Asked = std::variant<Command, HandOn>;

    void ask(Asked asked);
    Turn turn(const std::stop_token& stop);
    Turn work();
    std::deque<Asked> take();
    void publish();
    void publish_failure(const std::string& why);
    void show(std::shared_ptr<const Snapshot> fresh);

    Options options_;
    ContextSource contexts_;
    /// What nobody waits for any more.
    struct Unwanted {
        std::atomic<int> opening{0};   // the model that is being made: so many commands that say so still wait
        std::atomic<bool> all{false};  // anything: the session ends
    };
    Unwanted unwanted_;
    std::unique_ptr<Worker> worker_;

    mutable std::mutex mutex_;
    std::deque<Asked> commands_;
    std::uint64_t sent_ = 0, shown_ = 0, taken_ = 0;
    std::shared_ptr<const Snapshot> newest_;
    mutable std::atomic<bool> seen_{false};          // newest_ was looked at
    std::shared_ptr<const LessonBundle> handed_on_;  // with the model of newest_
    std::atomic<bool> asked_{false};                 // a command waits: training makes room after the step it is in
    double publishing_ = 0.0;                        // seconds that the last snapshot took; the worker's
    double trained_ = 0.0;                           // seconds since the last snapshot; the worker's

    Background thread_;  // last: it uses all of the above
};

}  // namespace glassformer::app
