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
        std::string world;                                    // name or file; empty: the checkpoint's world
        std::filesystem::path checkpoint;                     // folder; empty: an untrained model of the world
        std::filesystem::path assets;                         // folder of the worlds and models on offer; empty: none
        std::array<std::optional<std::string>, 2> sentences;  // for the first model; samples if not given
        int threads = 0;  // 0: one per core, less one for the window from four cores on
        ComputeOptions compute;
        std::filesystem::path recovery;     // folder for unsaved runs, and for those lost before; empty: none
        std::function<void()> on_snapshot;  // called on the worker thread after each new snapshot
    };

    /// Loads and traces on the calling thread, so that a snapshot is available at once; then starts the worker. Throws
    /// Error if the world or the checkpoint cannot be read.
    explicit Session(Options options);
    /// Stops training after the current step, or cancels the making of a model, and joins. Call this on the window's
    /// thread, while the window still exists.
    ~Session();

    /// Queues a command. Call this on the window's thread.
    void send(Command command);
    /// Queues saving the model and its kept steps, together with `with`, as a .glass file.
    void hand_on(const std::filesystem::path& file, LessonBundle with);
    /// The same for the file that the next start opens. It is replaced at every end, so training does not count as
    /// saved there.
    void leave_off(const std::filesystem::path& file, LessonBundle with);
    std::shared_ptr<const Snapshot> snapshot() const;
    /// Returns what came with that model in its .glass file; null if nothing did or if another model has been opened.
    std::shared_ptr<const LessonBundle> handed_on(const ModelInfo& model) const;
    /// Returns true if the newest snapshot reflects every command sent so far, no backend is being tested, and no study
    /// that is waited for is under way (Snapshot::studying).
    bool settled() const;
    /// Returns true if the newest snapshot reflects every command sent so far, whatever is still being computed.
    bool caught_up() const;

private:
    class Worker;

    /// A model to be saved into a file.
    struct HandOn {
        std::filesystem::path file;
        LessonBundle with;
        bool left_off = false;  // see leave_off()
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
    /// Work that nobody is waiting for any more.
    struct Unwanted {
        std::atomic<int> opening{0};   // the model being made: the number of pending cancel commands
        std::atomic<bool> all{false};  // everything: the session is ending
    };
    Unwanted unwanted_;
    std::unique_ptr<Worker> worker_;

    mutable std::mutex mutex_;
    std::deque<Asked> commands_;
    std::uint64_t sent_ = 0, shown_ = 0, taken_ = 0;
    std::shared_ptr<const Snapshot> newest_;
    mutable std::atomic<bool> seen_{false};          // newest_ has been read
    std::shared_ptr<const LessonBundle> handed_on_;  // with the model of newest_
    std::atomic<bool> asked_{false};                 // a command is waiting: training yields after the current step
    double publishing_ = 0.0;                        // seconds that the last snapshot took; used by the worker only
    double trained_ = 0.0;                           // seconds trained since the last snapshot; used by the worker only

    Background thread_;  // last: it uses everything above
};

}  // namespace glassformer::app
