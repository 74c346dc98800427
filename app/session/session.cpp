#include "app/session/session.h"

#include <algorithm>
#include <chrono>

#include "app/session/worker.h"
#include "core/base/error.h"
#include "core/base/guarded.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

// During training, a new snapshot every 0.09 s (11 a second), or less often if nobody has read the last one. The cost
// of a snapshot (traces, probe, map) is taken from the training time, but a minimum remains.
constexpr double snapshot_every = 0.09, snapshot_unseen_every = 0.5, least_training = 0.02;
constexpr double least_turn = 0.001;  // seconds of training

}  // namespace

Session::Session(Options options) : options_(std::move(options)), contexts_(options_.compute.context) {
    if (options_.compute.preference != BackendPreference::cpu) contexts_.prepare();
    worker_ = std::make_unique<Worker>(options_, contexts_, unwanted_, [this] { thread_.wake(); });
    newest_ = worker_->snapshot();
    handed_on_ = worker_->handed_on();
    thread_ = Background("session", [this](const std::stop_token& stop) { return turn(stop); });
    if (!thread_.joinable()) throw Error("the system does not allow more threads; close other programs");
}

Session::~Session() {
    thread_.request_stop();
    ++unwanted_.opening;
    unwanted_.all = true;
    if (thread_.joinable()) thread_.join();
}

void Session::send(Command command) {
    const auto* choice = std::get_if<command::ChooseBackend>(&command);
    if (choice && choice->preference != BackendPreference::cpu) contexts_.prepare();
    if (std::holds_alternative<command::GiveUpOpening>(command)) ++unwanted_.opening;
    ask(std::move(command));
}

void Session::hand_on(const std::filesystem::path& file, LessonBundle with) { ask(HandOn{file, std::move(with)}); }

void Session::leave_off(const std::filesystem::path& file, LessonBundle with) {
    ask(HandOn{file, std::move(with), true});
}

void Session::ask(Asked asked) {
    {
        const std::lock_guard lock(mutex_);
        commands_.push_back(std::move(asked));
        ++sent_;
        asked_ = true;
    }
    thread_.wake();
}

std::shared_ptr<const Snapshot> Session::snapshot() const {
    const std::lock_guard lock(mutex_);
    seen_ = true;
    return newest_;
}

std::shared_ptr<const LessonBundle> Session::handed_on(const ModelInfo& model) const {
    const std::lock_guard lock(mutex_);
    return newest_->model.get() == &model ? handed_on_ : nullptr;
}

bool Session::settled() const {
    const std::lock_guard lock(mutex_);
    return shown_ == sent_ && !newest_->computing.testing && !newest_->studying;
}

bool Session::caught_up() const {
    const std::lock_guard lock(mutex_);
    return shown_ == sent_;
}

std::deque<Session::Asked> Session::take() {
    const std::lock_guard lock(mutex_);
    std::deque<Asked> taken;
    taken.swap(commands_);
    asked_ = false;
    taken_ += taken.size();
    return taken;
}

Turn Session::turn(const std::stop_token& stop) {
    if (stop.stop_requested()) {
        guarded([&] { worker_->leave(); });
        return Turn::done;
    }
    // Report failures and go on with the next command: ending the session would lose what was trained.
    Turn next = Turn::more;
    if (const std::string why = guarded([&] { next = work(); }); !why.empty() && !stop.stop_requested())
        publish_failure(why);
    return next;
}

Turn Session::work() {
    const std::deque<Asked> commands = take();
    if (commands.empty() && !worker_->busy()) return Turn::wait;
    fault_point("session turn");
    for (const Asked& asked : commands) std::visit([this](const auto& what) { worker_->handle(what); }, asked);
    if (worker_->choosing()) {
        publish();  // shows that a choice is being made
        worker_->choose_backend();
    }
    // After a command, show its effect soon; an earlier step is shown before training goes on.
    const double every = seen_ ? snapshot_every : snapshot_unseen_every;
    const double pause = commands.empty() ? std::max(least_training, every - publishing_) : least_training;
    const bool looks_back = !commands.empty() && !worker_->live();
    if (!commands.empty()) trained_ = 0.0;
    if (worker_->training() && !looks_back) {
        const auto start = std::chrono::steady_clock::now();
        // Wake up in time to see whether the last snapshot was read.
        const double longest = std::min(pause, snapshot_every);
        worker_->train_for(std::max(turn_seconds(longest - trained_), least_turn), asked_);
        trained_ += seconds_since(start);
        if (asked_ && commands.empty()) return Turn::more;
        if (worker_->training() && trained_ < pause) return Turn::more;  // a turn between two frames is shorter
    }
    trained_ = 0.0;
    if (commands.empty()) worker_->study();  // first show what was asked for
    const auto start = std::chrono::steady_clock::now();
    publish();
    publishing_ = seconds_since(start);
    return Turn::more;
}

void Session::publish() { show(worker_->snapshot()); }

void Session::publish_failure(const std::string& why) {
    guarded([&] { show(worker_->snapshot_after(*newest_, why)); });
}

void Session::show(std::shared_ptr<const Snapshot> fresh) {
    {
        const std::lock_guard lock(mutex_);
        newest_ = std::move(fresh);
        seen_ = false;
        handed_on_ = worker_->handed_on();
        shown_ = taken_;
    }
    if (options_.on_snapshot) options_.on_snapshot();
}

}  // namespace glassformer::app
