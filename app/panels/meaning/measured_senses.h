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

/// A measurement of a model's senses on a thread of its own. Ends with this, or when it is stopped: after the
/// sentences at hand.
class RunningSenses {
public:
    RunningSenses(SenseMeasurement asked, MeasuredOf of);

    struct State {
        std::size_t done = 0, all = 0;  // sentences
        double seconds_left = 0;        // a guess from those that are done; 0 before there are any
        bool running = true;
        std::string error;                            // why the model could not be measured
        std::shared_ptr<const MeasuredSenses> found;  // at the end; null where it was stopped
    };
    State state() const;
    /// Which model is measured, with which changes.
    const MeasuredOf& of() const { return of_; }
    void stop() { thread_.request_stop(); }

private:
    void run(const SenseMeasurement& asked, const std::stop_token& stop);
    void end(std::shared_ptr<const MeasuredSenses> found, const std::string& error);

    MeasuredOf of_;
    mutable std::mutex mutex_;
    State state_;
    Background thread_;  // the last member: it ends before the others do
};

/// What was measured of a model from elsewhere because somebody asked for it.
struct MeasuredSensesPanel {
    struct Found {
        std::shared_ptr<const MeasuredSenses> senses;
        MeasuredOf of;
    };
    std::shared_ptr<RunningSenses> running;  // null: nothing is being measured
    std::optional<Found> plain, altered;     // of the model as it is; with the changes that were measured last
    std::string error;                       // of the last measurement
    int word = -1;                           // of Found::senses->maps, chosen by hand; −1 follows the sentences
    /// Where a sentence on screen has a word, by both.
    std::map<std::pair<std::string, std::string>, std::optional<TokenStretch>> places;

    void on_model_changed() { *this = {}; }
};

/// Whether the panels ask this model about words with two meanings when somebody wants it: it has none of its own.
bool offers_senses(const Frame& frame);
/// What is on screen of it: what was measured of the model as the sentences show it, else of the model without or with
/// other changes. Null before.
const MeasuredSensesPanel::Found* measured_senses(const Frame& frame);
/// The height of the card of the accuracies.
float wanted_for_senses(const Frame& frame);
/// Whether there are meanings to be mapped: of the model's own world, or measured.
bool has_senses(const Frame& frame);
void start_measuring_senses(const Frame& frame);

/// Can a layer tell two meanings apart? In the inside of the card: why and at what cost it can be measured, how far
/// that is, then the bars. Items: "senses/measure", "senses/progress", "senses/cancel", "senses/of", and the bars'.
void draw_measured_senses(const Frame& frame, const Box& box);

/// The map on the screen: the world's, or one that was measured; null where there is none.
const MeaningMap* shown_map(const Frame& frame);
/// Which model it is of; null where there is none.
const MeasuredOf* shown_map_of(const Frame& frame);
/// The senses that it tells apart.
std::span<const Sense> shown_map_senses(const Frame& frame);
/// The tokens of a card's sentence that are the map's word.
std::optional<TokenStretch> place_on_map(const Frame& frame, int slot);
/// A list of the words that were measured, where there are several: in the box, at its right. Returns its left edge.
float draw_map_words(const Frame& frame, const Box& box);

}  // namespace glassformer::app
