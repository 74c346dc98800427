#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// Covers measured numbers that are not of what the sentences show: fades them, and says of which model they are. Draws
/// nothing where they are of the model as it is shown. Returns whether they are covered.
bool cover_unless_of_shown(const Frame& frame, const Box& box, const MeasuredOf& of);

/// A figure of the training, beside an altered model: "loss 0.03 · unaltered". What-ifs change nothing in the training.
std::string of_the_training(const Frame& frame, std::string figure);

}  // namespace glassformer::app
