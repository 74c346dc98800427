#pragma once

#include <vector>

#include "app/common/view_state.h"

namespace glassformer::app {

/// What an open lesson asks, and therefore keeps back until the guess. By what it is and not by where it stands: no
/// view tells it. Empty as long as nothing is asked.
struct LessonSecrets {
    struct Row {  ///< of a head's pattern
        int slot = 0;
        HeadChoice head;
        int query = 0;
        bool cross = false;
        bool operator==(const Row&) const = default;
    };
    struct Said {  ///< what the model says at a word; −1: of the whole sentence
        int slot = 0, position = -1;
        bool operator==(const Said&) const = default;
    };
    std::vector<Row> rows;
    std::vector<Said> said;
    std::vector<double> numbers;  ///< these stand covered wherever they are on screen

    bool any() const { return !rows.empty() || !said.empty() || !numbers.empty(); }
    bool holds(double number) const;
    /// Whether what the model says at a word is asked.
    bool says(int slot, int position) const;
    bool asks_row(int slot, const HeadChoice& head, bool cross, int query) const;
    /// The first row of a head that is asked, or −1.
    int row(int slot, const HeadChoice& head, bool cross) const;
};

}  // namespace glassformer::app
