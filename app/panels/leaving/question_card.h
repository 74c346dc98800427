#pragma once

#include <span>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

struct Answer {
    const char* label;  // the item
    std::string_view text, tooltip = {};
    Tone tone = Tone::plain;
};

struct Question {
    const char* label;  // the item
    double number = 0;  // its value
    std::string_view text;
    std::span<const Answer> answers;
};

/// A question over everything; nothing below gets the mouse. Returns the place of the answer that was clicked, or −1.
int draw_question(const Frame& frame, const Box& window, const Question& question);

/// While a question is there it has the keyboard; true when it was closed with Esc.
bool question_keys(const Frame& frame);

}  // namespace glassformer::app
