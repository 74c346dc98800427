
#include "app/session/worker.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

// How the worker chooses the backend for its trainings.
namespace glassformer::app {

namespace {

std::optional<Trial> trial_of(TrainingRun* run) {
    if (!run || !run->attached_trainer() || !run->model()->task) return std::nullopt;
    return Trial{run->setup().config, run->model()->task->batches, run->attached_trainer()->options()};
}

}  // namespace

void Session::Worker::perform(const command::ChooseBackend& c) { compute_.ask(c.preference); }

void Session::Worker::choose_backend() {
    TrainingRun* current = runs_.current();
    std::string trouble;
    try {
        residents_.clear();
        if (current) current->use(nullptr);
        look_for_device_trouble();
        const std::optional<Trial> trial = trial_of(current);
        trouble = compute_.choose(trial ? &*trial : nullptr);
    } catch (const std::exception& e) {
        trouble = filled_with(N_("{1}; continuing on the CPU"), e.what());
        compute_.give_up(e.what(), false);
    }
    if (!trouble.empty()) tell(trouble);
    equip();
}

void Session::Worker::equip() {
    TrainingRun* current = runs_.current();
    if (!current || compute_.testing()) return;
    if (const std::optional<Trial> trial = trial_of(current)) compute_.ask_again_for(*trial);
    if (compute_.testing() || current->attached_trainer()->device()) return;
    try {
        std::unique_ptr<TrainingDevice> device = compute_.device();
        if (!device) return;
        current->use(std::move(device));
        compute_.in_use();
    } catch (const Error& e) {
        compute_.give_up(e.what(), true);
        tell(filled_with(N_("{1}; this model is trained on the CPU"), e.what()));
    }
}

void Session::Worker::look_for_device_trouble() {
    TrainingRun* current = runs_.current();
    const std::string why = current ? current->take_device_trouble() : "";
    if (why.empty()) return;
    tell(why);
    residents_.clear();
    compute_.give_up(why, false);
}

/// If OpenGL trains, the sentences' pictures come from its buffers.
void Session::Worker::make_resident(Snapshot& snapshot) {
    try {
        residents_.look(snapshot.sentences, compute_.drawn_from());
    } catch (const Error& e) {
        residents_.clear();
        for (WatchedSentence& sentence : snapshot.sentences) sentence.resident = nullptr;
        if (runs_.current()) runs_.current()->use(nullptr);
        compute_.give_up(e.what(), false);
        tell(filled_with(N_("{1}; continuing on the CPU"), e.what()));
    }
}

void Session::Worker::leave() {
    experiment_ = nullptr;  // its threads wake the thread that this is called on
    experiment_aside_.reset();
    residents_.clear();
    runs_.clear();
    compute_.close();
}

}  // namespace glassformer::app
