#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/common/head_trace.h"

/// The mode "Predict first": a class guesses before it sees. Until a word was clicked as the guess, the chosen word's
/// row of the chosen head, what the model says there, and the explanation show "?" in boxes of the same size; what is
/// hidden has no value in the item registry either.
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
    bool possible = true;                     // a model on screen has attention to guess
    int right = 0, asked = 0;                 // since it was switched on
    std::vector<Prediction> made = {};        // of the sentences on screen
    std::array<std::string, 2> subject = {};  // those sentences
    std::array<bool, 2> asks{};               // there is something to guess in A and B
};

/// On or off; switching it on starts counting again. Where nothing on screen attends it only says so.
void toggle_prediction(ViewState& state);
/// At the start of a frame: forgets the guesses of sentences that are gone.
void update_prediction(const Frame& frame);

/// Whether the chosen word's numbers of a card wait for a guess: in the mode, or where an open lesson asks for its row
/// (lesson_secrets.h).
bool waits_for_guess(const ViewState& state, int slot);
/// Whether what the model says at a word waits for one: that of the chosen word, or what an open lesson asks.
bool saying_waits(const ViewState& state, int slot, int position);
/// The same for a query's row of a head.
bool waits_for_guess(const Frame& frame, const HeadTrace& head, int query);
/// The guess that was made for what a card shows, or null.
const Prediction* prediction_of(const ViewState& state, int slot);
/// The class says that the chosen word looks most at `key`.
void guess(const Frame& frame, const HeadTrace& head, int key);

/// A "?" in the place of a number, registered without a value.
void draw_waiting(const Ui& ui, std::string_view label, const Box& box, draw::Align align = draw::Align::centre);
/// Where a key can be clicked as the guess; lights up under the mouse.
void guess_area(const Frame& frame, const HeadTrace& head, int key, std::string_view label, const Box& box,
                std::string_view text = "?");

/// The switch beside the explanation, with how many were right; its right end is at `top_right`. Returns its width.
float draw_prediction_switch(const Frame& frame, ImVec2 top_right, float height);
/// Whether the guess was right; returns the height taken, 0 where there is none.
float draw_verdict(const Frame& frame, int slot, ImVec2 at, float width);
/// In the place of the explanation: the question.
void draw_prediction_question(const Frame& frame, int slot, const Box& inner);

}  // namespace glassformer::app
