#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "app/common/frame.h"
#include "app/panels/setup/setup_words.h"

/// The parts of the setup window; setup_view.cpp lays them out.
namespace glassformer::app {

/// The values that − and + of a number field step through.
struct NumberSteps {
    std::span<const double> usual = {};  // ascending; empty: steps of one
    double least = 0.0;
};

/// Stacks fields vertically: a name with its control, and a line of plain words below. Must not outlive the call that
/// created it.
class FieldColumn {
public:
    /// `prefix` starts the label of every item: "setup" gives "setup/layers".
    FieldColumn(const Frame& frame, const Box& box, std::string_view prefix);

    void heading(std::string_view text, std::string_view term = {});
    /// A number to type or step; returns true if it changed. The item's value is the number.
    template <class Number>
    bool number(std::string_view name, Number& value, const NumberSteps& steps, std::string_view line,
                std::string_view term = {}) {
        auto shown = static_cast<double>(value);
        if (!number_field(name, shown, steps, std::is_integral_v<Number>, line, term)) return false;
        value = static_cast<Number>(std::is_same_v<Number, int> ? std::min(shown, 1e6) : shown);
        return true;
    }
    /// A choice among several; returns the new index, or −1.
    int choice(std::string_view name, std::span<const std::string_view> names, int selected, std::string_view line,
               std::string_view term = {});
    /// A choice of an enum value; returns true if it changed.
    template <class Enum>
    bool choice(std::string_view name, Enum& value, std::string_view term = {}) {
        const int chosen = choice(name, setup_choices(value), static_cast<int>(value), term);
        if (chosen >= 0) value = static_cast<Enum>(chosen);
        return chosen >= 0;
    }
    /// An on/off switch; returns true if it changed.
    bool toggle(std::string_view name, bool& on, std::string_view line);
    void line(std::string_view text);
    void space(float pixels) { box_.cut_top(frame_.ui.px(pixels)); }

    float y() const { return box_.min.y; }

private:
    bool number_field(std::string_view name, double& value, const NumberSteps& steps, bool whole, std::string_view line,
                      std::string_view term);
    int choice(std::string_view name, std::span<const SetupChoice> choices, int selected, std::string_view term);
    /// Returns the control's box in a row whose name is already drawn.
    Box row(std::string_view name, std::string_view term);
    void finish(std::string_view line);
    std::string_view label(std::string_view name) const;

    const Frame& frame_;
    Box box_;  // what is left of the box
    std::string prefix_;
};

/// Asks the worker how a world proposes to be learned; once that is known, chooses `then` instead if it is set.
void propose_world(const Frame& frame, const std::string& world, const std::optional<std::string>& unit,
                   std::optional<TrainingSetup> then = std::nullopt);  // setup_asking.cpp
/// Takes the worker's answers, and asks for a preview of what has changed: at most one at a time, and at most one in
/// 150 ms.
void keep_asking(const Frame& frame);
/// Returns the worker's answer for exactly the chosen setup; null while it is pending.
const SetupPreview* answer_for(const Frame& frame);

/// A way to set all switches at once.
struct SetupPreset {
    std::string_view name, meaning;
    void (*change)(TrainingSetup& setup);  // changes the world's own proposal
};
std::span<const SetupPreset> setup_presets();  // setup_presets.cpp
/// An index of setup_presets().size() chooses the setup used last, if there is one.
void choose_preset(const Frame& frame, int index);

/// Each function draws downwards from box.min and returns the y below.
float draw_setup_world(const Frame& frame, const Box& box);  // setup_world.cpp
float draw_setup_model(const Frame& frame, const Box& box);  // setup_model.cpp: in two columns if they fit
/// Draws the training's numbers; the items start with `prefix`. `whole` adds batch and seed.
float draw_training_fields(const Frame& frame, const Box& box, std::string_view prefix, TrainingSetup& setup,
                           bool whole);  // setup_training.cpp
/// Draws the presets, the expected cost, and the start buttons.
void draw_setup_foot(const Frame& frame, const Box& box);  // setup_foot.cpp
float setup_foot_height(const Frame& frame, float width);

}  // namespace glassformer::app
