#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "app/common/frame.h"
#include "app/session/sense_measurement.h"
#include "core/base/background.h"

namespace glassformer::app {

/// Measures a model's senses on its own thread. Its destructor, like stop(), ends it after the current sentences.
class RunningSenses {
public:
    RunningSenses(SenseMeasurement asked, MeasuredOf of);

    struct State {
        std::size_t done = 0, all = 0;  // sentences
        double seconds_left = 0;        // an estimate from the finished sentences; 0 before the first ones are done
        bool running = true;
        std::string error;                            // why the model could not be measured
        std::shared_ptr<const MeasuredSenses> found;  // at the end; null if it was stopped
    };
    State state() const;
    /// Returns which model is measured, with which changes.
    const MeasuredOf& of() const { return of_; }
    void stop() { thread_.request_stop(); }

private:
    void run(const SenseMeasurement& asked, const std::stop_token& stop);
    void end(std::shared_ptr<const MeasuredSenses> found, const std::string& error);

    MeasuredOf of_;
    mutable std::mutex mutex_;
    State state_;
    Background thread_;  // the last member: the thread ends before the others are destroyed
};

/// What was measured, at the user's request, of a model from elsewhere.
struct MeasuredSensesPanel {
    struct Found {
        std::shared_ptr<const MeasuredSenses> senses;
        MeasuredOf of;
    };
    std::shared_ptr<RunningSenses> running;  // null: nothing is being measured
    std::optional<Found> plain, altered;     // the model as it is; with the changes measured last
    std::string error;                       // of the last measurement
    int word = -1;  // index into Found::senses->maps, chosen by the user; −1 follows the sentences
    /// Where a sentence contains a word, keyed by (sentence, word).
    std::map<std::pair<std::string, std::string>, std::optional<TokenStretch>> places;

    void on_model_changed() { *this = {}; }
};

/// Returns true if the panels can measure words with two meanings on this model, whose own world has none.
bool offers_senses(const Frame& frame);
/// Returns the measurement to show: of the model exactly as the sentences show it, otherwise of the model without
/// changes or with other ones. Null before the first measurement.
const MeasuredSensesPanel::Found* measured_senses(const Frame& frame);
/// Returns the height of the accuracy card.
float wanted_for_senses(const Frame& frame);
/// Returns true if there are meanings to map: those of the model's own world, or measured ones.
bool has_senses(const Frame& frame);
void start_measuring_senses(const Frame& frame);

/// Draws the inside of the card "Can a layer tell two meanings apart?": first why and at what cost it can be measured,
/// then the progress, then the bars. Items: "senses/measure", "senses/progress", "senses/cancel", "senses/of", and
/// those of the bars.
void draw_measured_senses(const Frame& frame, const Box& box);

/// Returns the map to show: the world's, or a measured one. Null if there is none.
const MeaningMap* shown_map(const Frame& frame);
/// Returns which model the map is of; null if there is no map.
const MeasuredOf* shown_map_of(const Frame& frame);
/// Returns the senses that the map distinguishes.
std::span<const Sense> shown_map_senses(const Frame& frame);
/// Returns the tokens of a card's sentence that form the map's word.
std::optional<TokenStretch> place_on_map(const Frame& frame, int slot);
/// Draws a list of the measured words, if there are several, at the right of the box. Returns its left edge.
float draw_map_words(const Frame& frame, const Box& box);

}  // namespace glassformer::app
