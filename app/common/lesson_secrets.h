#pragma once

#include <vector>

#include "app/common/view_state.h"

namespace glassformer::app {

/// What an open lesson asks for and therefore hides until the guess. Identified by what it is, not by where it is
/// shown: no view reveals it. Empty while nothing is asked.
struct LessonSecrets {
    struct Row {  ///< a row of a head's pattern
        int slot = 0;
        HeadChoice head;
        int query = 0;
        bool cross = false;
        bool operator==(const Row&) const = default;
    };
    struct Said {  ///< what the model predicts at a word; −1: for the whole sentence
        int slot = 0, position = -1;
        bool operator==(const Said&) const = default;
    };
    std::vector<Row> rows;
    std::vector<Said> said;
    std::vector<double> numbers;  ///< covered wherever they are on screen

    bool any() const { return !rows.empty() || !said.empty() || !numbers.empty(); }
    bool holds(double number) const;
    /// True if the lesson asks for what the model predicts at a word.
    bool says(int slot, int position) const;
    bool asks_row(int slot, const HeadChoice& head, bool cross, int query) const;
    /// The first row of a head that is asked for, or −1.
    int row(int slot, const HeadChoice& head, bool cross) const;
};

}  // namespace glassformer::app
