#pragma once

#include <string>
#include <vector>

#include "app/ui/box.h"
#include "app/ui/items.h"
#include "core/io/safetensors.h"

namespace glassformer::app {

/// A number that a panel shows, under the name that scripts call it by.
struct PanelNumber {
    std::string label;
    double value = 0;
};

/// Those whose middle lies in the box, and of an area in it that scrolls all rows, also those out of sight; of one name
/// the last, as scripts have it. States of controls are not among them (item_state()), nor numbers that are hidden
/// before a guess or by a lesson.
std::vector<PanelNumber> panel_numbers(const Items& items, const Box& box);

/// A table with a row for each number, in full precision. `of`: the model, step, changes and sentences that they are
/// of, lines of text; each row says it in its last field.
std::string to_csv(const std::vector<PanelNumber>& numbers, const std::string& of);
/// The same as arrays: "A/near 0", "A/near 1" … are one, "A/near".
std::vector<NamedTensor> to_arrays(const std::vector<PanelNumber>& numbers);

}  // namespace glassformer::app
