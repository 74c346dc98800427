#pragma once

#include <array>
#include <string>
#include <vector>

namespace glassformer::app {

/// What was guessed for one word in one head, and what the model does.
struct Prediction {
    int slot = 0, layer = 0, head = 0, token = 0;
    bool cross = false;
    int said = 0, looked = 0;  // keys: the guessed one, and the one with the largest weight
    float weight = 0;          // of that one
    bool right() const { return said == looked; }
};

/// "Predict first": the numbers of the chosen word wait until it was guessed which word it looks at most.
struct PredictFirst {
    bool on = false;
    int right = 0, asked = 0;            // since it was switched on
    std::vector<Prediction> made;        // of the sentences on screen
    std::array<std::string, 2> subject;  // those sentences
    std::array<bool, 2> asks{};          // there is something to guess in A and B
};

}  // namespace glassformer::app
