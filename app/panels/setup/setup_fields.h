#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// What − and + of a number field step through.
struct NumberSteps {
    std::span<const double> usual = {};  // ascending; empty: by one
    double least = 0.0;
    bool whole = true;  // no fractions
};

/// Fields below each other: a name with its control, and under them a line of plain words. Lives for one call.
class FieldColumn {
public:
    /// `prefix` begins every item's label: "setup" makes "setup/layers".
    FieldColumn(const Frame& frame, const Box& box, std::string_view prefix);

    void heading(std::string_view text, std::string_view term = {});
    /// A number that is typed or stepped; true when it changed. The item's value is the number.
    bool number(std::string_view name, double& value, const NumberSteps& steps, std::string_view line,
                std::string_view term = {});
    /// One of several; returns the new index, or −1.
    int choice(std::string_view name, std::span<const std::string_view> names, int selected, std::string_view line,
               std::string_view term = {});
    /// On or off; true when it changed.
    bool toggle(std::string_view name, bool& on, std::string_view line);
    void line(std::string_view text);
    void space(float pixels) { y_ += frame_.ui.px(pixels); }

    float y() const { return y_; }

private:
    /// The control's box of a row whose name is drawn.
    Box row(std::string_view name, std::string_view term);
    void finish(std::string_view line);
    std::string_view label(std::string_view name) const;

    const Frame& frame_;
    Box box_;
    std::string prefix_;
    float y_;
};

/// The number in a field: "0.02", "1200".
std::string_view number_in(const Ui& ui, double value, bool whole);

}  // namespace glassformer::app
