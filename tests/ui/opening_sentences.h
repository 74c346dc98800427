#pragma once

namespace glassformer::app {

/// The sentences that the window opens with: the first two samples of homonyms, from the lecture notes.
inline constexpr const char* first_sentence = "He swung the bat and hit a foul.";
inline constexpr const char* second_sentence = "A bat flew out of the cave at dusk.";

}  // namespace glassformer::app
