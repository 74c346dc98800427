#include "app/session/measuring.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

/// During training, slow measurements may take this share of the time, but they are repeated at least every
/// `at_least_every` seconds, however long they take.
constexpr double share_of_time = 0.025, at_least_every = 1.0;

Measurement accuracy_by_layer(const SenseProbeResult& probe) {
    Measurement found;
    found.value = static_cast<double>(probe.accuracy.back());
    for (std::size_t layer = 0; layer < probe.accuracy.size(); ++layer)
        found.details.emplace_back(layer == 0 ? "embedding" : "block " + std::to_string(layer - 1),
                                   static_cast<double>(probe.accuracy[layer]));
    return found;
}

}  // namespace

bool Measuring::Turn::due() const { return seconds_since(ended) >= std::min(at_least_every, took / share_of_time); }

void Measuring::Turn::end(Clock::time_point start) {
    ended = Clock::now();
    took = seconds_since(start);
}

void Measuring::forget() {
    plain_ = altered_ = {};
    seen_.clear();
    changes_.clear();
    behind_ = false;
    told_ = nullptr;
    homonym_.clear();
}

void Measuring::choose_from(const WatchedRuns::Both& sentences) {
    for (const WatchedSentence& sentence : sentences)
        if (homonym_.empty() && sentence.homonym_pos >= 0) homonym_ = sentence.tokens[sentence.homonym_pos].text;
}

void Measuring::turn_to(const Parameters& parameters) {
    std::erase_if(seen_, [](const Seen& s) { return s.parameters.expired(); });
    const auto again = std::ranges::find_if(seen_, [&](const Seen& s) { return s.parameters.lock() == parameters; });
    std::optional<Found> found;
    if (again != seen_.end()) {
        found = std::move(again->found);
        found->parameters = found->mapped = parameters;
        found->metric_turn = plain_.metric_turn;
        found->map_turn = plain_.map_turn;
        seen_.erase(again);
    }
    if (plain_.parameters) {
        Seen& aside = seen_.emplace_back(Seen{plain_.parameters, plain_});
        if (plain_.mapped != plain_.parameters) aside.found.meaning = nullptr, aside.found.homonym.clear();
        aside.found.parameters = aside.found.mapped = nullptr;
        if (seen_.size() > most_seen) seen_.pop_front();
    }
    if (found) plain_ = std::move(*found);
}

bool Measuring::map_behind(const Found& found, const Parameters& parameters, bool training) const {
    if (homonym_ != found.homonym) return true;
    return parameters != found.mapped && !(training && found.meaning && !found.map_turn.due());
}

void Measuring::make_map(Found& found, SenseStudy& senses, const Parameters& parameters, const Parameters& own,
                         MeasuredOf of) const {
    const Clock::time_point start = Clock::now();
    if (std::shared_ptr<MeaningMap> map = senses.maps.make(homonym_, *own)) {
        map->of = std::move(of);
        found.meaning = std::move(map);
    } else {
        found.meaning = nullptr;
    }
    found.mapped = parameters;
    found.homonym = homonym_;
    found.map_turn.end(start);
}

void Measuring::measure(Found& found, Instruments& instruments, const Parameters& parameters, const Parameters& own,
                        MeasuredOf of) {
    if (instruments.senses) {
        found.probe = std::make_shared<SenseProbeResult>(instruments.senses->probe.measure(*own));
        found.measured = std::make_shared<Measured>(Measured{accuracy_by_layer(*found.probe), std::move(of)});
    } else if (instruments.metric) {
        found.measured = std::make_shared<Measured>(Measured{instruments.metric->measure(*own), std::move(of)});
    }
    found.parameters = parameters;
}

// Adds the newest step's results to the run's curves, with those that take too long for every snapshot.
void Measuring::tell_run(ActiveModel& model, TrainingRun& run, const Parameters& parameters, std::int64_t step) {
    told_ = parameters;
    const double value = plain_.measured->found.value;
    if (step != run.steps()) return run.note(step, value, model.held_out_loss(*parameters));
    run.measured(value, model.held_out_loss(*parameters), model.head_scores(*parameters));
}

void Measuring::look(ActiveModel& model, TrainingRun* run, const Parameters& parameters, std::int64_t step,
                     bool training) {
    const MeasuredOf of{model.info, step, {}};
    const bool due = parameters != plain_.parameters && !(training && plain_.measured && !plain_.metric_turn.due());
    if (due) turn_to(parameters);
    if (model.instruments.senses && map_behind(plain_, parameters, training))
        make_map(plain_, *model.instruments.senses, parameters, parameters, of);
    if (due && parameters != plain_.parameters) {
        const Clock::time_point start = Clock::now();
        measure(plain_, model.instruments, parameters, parameters, of);
        plain_.metric_turn.end(start);
    }
    if (run && plain_.measured && !training && told_ != parameters) tell_run(model, *run, parameters, step);
}

void Measuring::look_at_run(ActiveModel& model, TrainingRun& run) {
    const Clock::time_point start = Clock::now();
    const Parameters parameters = run.parameters();
    measure(plain_, model.instruments, parameters, parameters, {model.info, run.steps(), {}});
    if (plain_.measured) tell_run(model, run, parameters, run.steps());
    plain_.metric_turn.end(start);
}

bool Measuring::behind(const Subject& of) const {
    if (changes_.empty() || !plain_.measured) return false;
    if (of.model.instruments.senses && map_behind(altered_, of.parameters, of.training)) return true;
    return of.parameters != altered_.parameters && !(of.training && !altered_.metric_turn.due());
}

void Measuring::work(const Subject& s) {
    const Clock::time_point start = Clock::now();
    const bool map = map_behind(altered_, s.parameters, s.training);
    behind_ = false;
    altered_.mapped = altered_.parameters = s.parameters;  // counts as measured, whatever comes of it
    altered_.homonym = homonym_;
    altered_.metric_turn.end(start);
    try {
        MeasuredAltered& altered = s.model.altered(changes_);
        const Parameters& own = altered.backend.parameters(s.parameters);
        const MeasuredOf of{s.model.info, s.step, changes_};
        if (altered.instruments.senses && map) make_map(altered_, *altered.instruments.senses, s.parameters, own, of);
        measure(altered_, altered.instruments, s.parameters, own, of);
    } catch (const Error& e) {
        throw Error("The altered model cannot be measured: {1}", e.what());
    }
    altered_.metric_turn.end(start);
}

void Measuring::show(Snapshot& snapshot, const Subject& of) {
    choose_from(snapshot.sentences);
    look(of.model, of.run, of.parameters, of.step, of.training);
    if (std::vector<WhatIf> changes = changes_of_model(snapshot.what_if); changes != changes_) {
        changes_ = std::move(changes);
        altered_ = {};
    }
    behind_ = behind(of);
    snapshot.shown = {of.model.info, of.step, changes_};
    const bool altered = !changes_.empty() && altered_.measured;
    const Found& found = altered ? altered_ : plain_;
    snapshot.measured = found.measured;
    snapshot.probe = found.probe;
    snapshot.meaning = found.meaning;
    if (altered) snapshot.unaltered = plain_.measured;
}

}  // namespace glassformer::app
