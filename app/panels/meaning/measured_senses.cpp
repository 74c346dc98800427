#include "app/panels/meaning/measured_senses.h"

#include <algorithm>

#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

const char* const world_file = "homonyms.grammar";

/// Takes over the result of a measurement that has ended.
void collect(MeasuredSensesPanel& panel) {
    if (!panel.running) return;
    const RunningSenses::State state = panel.running->state();
    if (state.running) return;
    panel.error = state.error;
    if (state.found) {
        const MeasuredOf& of = panel.running->of();
        (of.changes.empty() ? panel.plain : panel.altered) = MeasuredSensesPanel::Found{state.found, of};
    }
    panel.running = nullptr;
}

/// Returns the map of the word that the user chose, otherwise that of the first word that a sentence contains.
const MeaningMap* chosen_map(const Frame& frame, const MeasuredSenses& senses) {
    if (senses.maps.empty()) return nullptr;
    const int word = frame.own<MeasuredSensesPanel>().word;
    if (word >= 0) return &senses.maps[std::min(static_cast<std::size_t>(word), senses.maps.size() - 1)];
    for (int slot = 0; slot < 2; ++slot)
        for (const MeaningMap& map : senses.maps)
            if (find_word(frame.sentence(slot).text, map.homonym)) return &map;
    return &senses.maps.front();
}

}  // namespace

RunningSenses::RunningSenses(SenseMeasurement asked, MeasuredOf of) : of_(std::move(of)) {
    thread_ = Background(
        "senses",
        [this, asked = std::move(asked)](const std::stop_token& stop) {
            run(asked, stop);
            return Turn::done;
        },
        [this](const std::string& why) { end(nullptr, why); });
}

void RunningSenses::run(const SenseMeasurement& asked, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    std::optional<MeasuredSenses> measured = measure_senses(asked, [&](std::size_t done, std::size_t all) {
        const double rest = static_cast<double>(all - done) / static_cast<double>(done);
        const std::lock_guard lock(mutex_);
        state_.done = done, state_.all = all;
        state_.seconds_left = seconds_since(start) * rest;
        return !stop.stop_requested();
    });
    end(measured ? std::make_shared<const MeasuredSenses>(std::move(*measured)) : nullptr, {});
}

void RunningSenses::end(std::shared_ptr<const MeasuredSenses> found, const std::string& error) {
    const std::lock_guard lock(mutex_);
    state_.running = false;
    state_.found = std::move(found);
    state_.error = error;
}

RunningSenses::State RunningSenses::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

bool offers_senses(const Frame& frame) {
    const auto& catalog = frame.snapshot.catalog;
    return catalog && !catalog->worlds_folder.empty() && can_measure_senses(*frame.snapshot.model);
}

const MeasuredSensesPanel::Found* measured_senses(const Frame& frame) {
    MeasuredSensesPanel& panel = frame.own<MeasuredSensesPanel>();
    collect(panel);
    for (auto* found : {&panel.altered, &panel.plain})
        if (*found && frame.snapshot.of_shown((*found)->of)) return &**found;
    return panel.plain ? &*panel.plain : panel.altered ? &*panel.altered : nullptr;
}

bool has_senses(const Frame& frame) {
    return !frame.snapshot.model->senses.empty() || (offers_senses(frame) && measured_senses(frame));
}

float wanted_for_senses(const Frame& frame) {
    return frame.ui.px(frame.snapshot.model->senses.empty() && offers_senses(frame) ? 176 : 128);
}

void start_measuring_senses(const Frame& frame) {
    const Trace* trace = frame.sentence(0).unaltered().get();
    if (!trace || !offers_senses(frame)) return;
    const ModelInfo& model = *frame.snapshot.model;
    SenseMeasurement asked{.config = model.config,
                           .parameters = trace->parameters(),
                           .changes = frame.snapshot.shown.changes,
                           .tokenizer = model.tokenizer,
                           .grammar = frame.snapshot.catalog->worlds_folder / world_file};
    MeasuredSensesPanel& panel = frame.own<MeasuredSensesPanel>();
    panel.error.clear();
    panel.running = std::make_shared<RunningSenses>(std::move(asked), frame.snapshot.shown);
}

const MeaningMap* shown_map(const Frame& frame) {
    if (!offers_senses(frame)) return frame.snapshot.meaning.get();
    const MeasuredSensesPanel::Found* found = measured_senses(frame);
    return found ? chosen_map(frame, *found->senses) : nullptr;
}

std::span<const Sense> shown_map_senses(const Frame& frame) {
    if (!offers_senses(frame)) return frame.snapshot.model->senses;
    const MeasuredSensesPanel::Found* found = measured_senses(frame);
    return found ? std::span<const Sense>(found->senses->senses) : std::span<const Sense>();
}

const MeasuredOf* shown_map_of(const Frame& frame) {
    if (!offers_senses(frame)) return frame.snapshot.meaning ? &frame.snapshot.meaning->of : nullptr;
    const MeasuredSensesPanel::Found* found = measured_senses(frame);
    return found ? &found->of : nullptr;
}

std::optional<TokenStretch> place_on_map(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const MeaningMap* map = shown_map(frame);
    if (!map) return std::nullopt;
    if (!offers_senses(frame)) {
        const int position = sentence.homonym_pos;
        const bool here = position >= 0 && sentence.tokens[position].text == map->homonym;
        return here ? std::optional(TokenStretch{position, 1}) : std::nullopt;
    }
    // Tokenizing the text in every frame would be too slow.
    auto& places = frame.own<MeasuredSensesPanel>().places;
    const auto [known, fresh] = places.try_emplace({sentence.text, map->homonym});
    if (fresh)
        if (const std::optional<ByteRange> word = find_word(sentence.text, map->homonym))
            known->second = tokens_of_word(*frame.snapshot.model->tokenizer, sentence.text, *word);
    return known->second;
}

}  // namespace glassformer::app
