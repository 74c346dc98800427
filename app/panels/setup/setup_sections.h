#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/common/frame.h"
#include "app/panels/setup/setup_words.h"

/// The pieces of the set-up window; setup_view.cpp lays them out.
namespace glassformer::app {

/// What − and + of a number field step through.
struct NumberSteps {
    std::span<const double> usual = {};  // ascending; empty: by one
    double least = 0.0;
};

/// Fields below each other: a name with its control, and under them a line of plain words. Lives for one call.
class FieldColumn {
public:
    /// `prefix` begins every item's label: "setup" makes "setup/layers".
    FieldColumn(const Frame& frame, const Box& box, std::string_view prefix);

    void heading(std::string_view text, std::string_view term = {});
    /// A number that is typed or stepped; true when it changed. The item's value is the number.
    template <class Number>
    bool number(std::string_view name, Number& value, const NumberSteps& steps, std::string_view line,
                std::string_view term = {}) {
        auto shown = static_cast<double>(value);
        if (!number_field(name, shown, steps, std::is_integral_v<Number>, line, term)) return false;
        value = static_cast<Number>(std::is_same_v<Number, int> ? std::min(shown, 1e6) : shown);
        return true;
    }
    /// One of several; returns the new index, or −1.
    int choice(std::string_view name, std::span<const std::string_view> names, int selected, std::string_view line,
               std::string_view term = {});
    /// One of the values of a switch; true when it changed.
    template <class Enum>
    bool choice(std::string_view name, Enum& value, std::string_view term = {}) {
        const int chosen = choice(name, setup_choices(value), static_cast<int>(value), term);
        if (chosen >= 0) value = static_cast<Enum>(chosen);
        return chosen >= 0;
    }
    /// On or off; true when it changed.
    bool toggle(std::string_view name, bool& on, std::string_view line);
    void line(std::string_view text);
    void space(float pixels) { box_.cut_top(frame_.ui.px(pixels)); }

    float y() const { return box_.min.y; }

private:
    bool number_field(std::string_view name, double& value, const NumberSteps& steps, bool whole, std::string_view line,
                      std::string_view term);
    int choice(std::string_view name, std::span<const SetupChoice> choices, int selected, std::string_view term);
    /// The control's box of a row whose name is drawn.
    Box row(std::string_view name, std::string_view term);
    void finish(std::string_view line);
    std::string_view label(std::string_view name) const;

    const Frame& frame_;
    Box box_;  // what is left of it
    std::string prefix_;
};

/// Asks the worker how a world proposes to be learned; `then` is chosen in its place once that is known.
void propose_world(const Frame& frame, const std::string& world, const std::optional<std::string>& unit,
                   std::optional<TrainingSetup> then = std::nullopt);  // setup_asking.cpp
/// Takes the worker's answers, and asks for a preview of what has changed: at most one at a time, and one in 150 ms.
void keep_asking(const Frame& frame);
/// What the worker says of exactly the set-up that is chosen; null while it is being found out.
const SetupPreview* answer_for(const Frame& frame);

/// Ways to fill the switches at once.
struct SetupPreset {
    std::string_view name, meaning;
    void (*change)(TrainingSetup& setup);  // the world's own proposal
};
std::span<const SetupPreset> setup_presets();  // setup_presets.cpp
/// Also the last used set-up, behind the others, where there is one: index setup_presets().size().
void choose_preset(const Frame& frame, int index);

/// Each draws from box.min down and returns where it ends.
float draw_setup_world(const Frame& frame, const Box& box);  // setup_world.cpp
float draw_setup_model(const Frame& frame, const Box& box);  // setup_model.cpp: in two columns where they fit
/// The numbers of the training; items begin with `prefix`. `whole` also asks for batch and seed.
float draw_training_fields(const Frame& frame, const Box& box, std::string_view prefix, TrainingSetup& setup,
                           bool whole);  // setup_training.cpp
/// Presets, what it will cost, and the buttons that begin it.
void draw_setup_foot(const Frame& frame, const Box& box);  // setup_foot.cpp
float setup_foot_height(const Frame& frame, float width);

}  // namespace glassformer::app
