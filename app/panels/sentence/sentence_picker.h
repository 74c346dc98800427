#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// The top of a sentence's card: its letter and sense, the samples, its tokens as chips (or a field to type another),
/// and what to do about unknown words. Without `words` no chips. Returns the y below it (sentence_picker.cpp).
float draw_sentence_picker(const Frame& frame, const Box& box, int slot, bool words = true);

}  // namespace glassformer::app
