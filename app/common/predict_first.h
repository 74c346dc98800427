#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/common/head_trace.h"

/// The mode "Predict first": a class guesses before it sees. Until a word is clicked as the guess, the chosen word's
/// row in the chosen head, what the model predicts there, and the explanation show "?" in boxes of the same size.
/// Hidden values are not in the item registry either.
namespace glassformer::app {

/// A guess for one word in one head, and what the model does.
struct Prediction {
    int slot = 0, layer = 0, head = 0, token = 0;
    bool cross = false;
    int said = 0, looked = 0;  // keys: the guessed one, and the one with the largest weight
    float weight = 0;          // of `looked`
    bool right() const { return said == looked; }
};

/// "Predict first": the chosen word's numbers are hidden until someone guesses which word it attends to most.
struct PredictFirst {
    bool on = false;
    bool possible = true;                     // a model on screen has attention to guess
    int right = 0, asked = 0;                 // since it was switched on
    std::vector<Prediction> made = {};        // of the sentences on screen
    std::array<std::string, 2> subject = {};  // those sentences
    std::array<bool, 2> asks{};               // whether there is something to guess in A and B
};

/// Toggles the mode; switching it on restarts the count. If nothing on screen has attention, only says so.
void toggle_prediction(ViewState& state);
/// Call at the start of a frame: drops the guesses of sentences that are gone.
void update_prediction(const Frame& frame);

/// True if the chosen word's numbers in a card wait for a guess: in this mode, or because an open lesson asks for its
/// row (lesson_secrets.h).
bool waits_for_guess(const ViewState& state, int slot);
/// True if the prediction at a word waits for a guess: it is the chosen word's, or an open lesson asks for it.
bool saying_waits(const ViewState& state, int slot, int position);
/// The same for a query's row in a head.
bool waits_for_guess(const Frame& frame, const HeadTrace& head, int query);
/// The guess that was made for what a card shows, or null.
const Prediction* prediction_of(const ViewState& state, int slot);
/// Records the guess that the chosen word attends most to `key`.
void guess(const Frame& frame, const HeadTrace& head, int key);

/// Draws "?" in place of a number, registered without a value.
void draw_waiting(const Ui& ui, std::string_view label, const Box& box, draw::Align align = draw::Align::centre);
/// A clickable area to guess a key; highlighted under the mouse.
void guess_area(const Frame& frame, const HeadTrace& head, int key, std::string_view label, const Box& box,
                std::string_view text = "?");

/// Draws the switch beside the explanation, with the score; its right end is at `top_right`. Returns its width.
float draw_prediction_switch(const Frame& frame, ImVec2 top_right, float height);
/// Draws whether the guess was right; returns the height taken, 0 if there is none.
float draw_verdict(const Frame& frame, int slot, ImVec2 at, float width);
/// Draws the question in place of the explanation.
void draw_prediction_question(const Frame& frame, int slot, const Box& inner);

}  // namespace glassformer::app
