#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/worlds/word_lists.h"

namespace glassformer {

/// A sentence with named slots: "the {animal} did not {do} the {place}."
struct Frame {
    struct Piece {
        bool is_slot = false;
        std::string text;  ///< the word, or the slot's name
    };
    std::vector<Piece> pieces;
    int line = 0;

    bool has(std::string_view slot) const;
};

/// Reads a frame from a list's entry. Throws Error naming file and line for a brace without its partner, a slot that is
/// not among `slots`, or a slot that appears twice.
Frame frame_of(const WordLists& lists, const ListEntry& entry, std::initializer_list<std::string_view> slots);

/// What a slot holds, one word each.
struct SlotWord {
    std::string_view slot;
    std::string_view word;
};

/// The frame with its slots filled; slots that the frame does not have are passed over.
std::vector<std::string> fill(const Frame& frame, std::span<const SlotWord> words);

/// Where in `list` the word stands that a sentence of this frame has in a slot: list.size() when it is not there, 0
/// when the frame has no such slot. The sentence is as long as the frame, one word a slot.
std::size_t index_of_slot(const Frame& frame, std::string_view slot, const std::vector<std::string>& sentence,
                          const std::vector<std::string>& list);

/// Every word of the lists, and of the frames outside their slots: sorted, each once.
std::vector<std::string> vocabulary_of(std::initializer_list<const std::vector<std::string>*> lists,
                                       std::span<const Frame> frames);

/// The place of a slot's word, or of the first such plain word; −1: there is none. Slots hold one word each.
int position_of(const Frame& frame, bool is_slot, std::string_view text);

}  // namespace glassformer
