#include "core/worlds/frame_world.h"

#include <algorithm>
#include <set>

namespace glassformer {

bool Frame::has(std::string_view slot) const { return position_of(*this, true, slot) >= 0; }

Frame frame_of(const WordLists& lists, const ListEntry& entry, std::initializer_list<std::string_view> slots) {
    Frame frame;
    frame.line = entry.line;
    const std::vector<std::string>& words = entry.columns.front();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "}") lists.fail_in_line(entry.line, "a } without its {");
        if (words[i] != "{") {
            frame.pieces.push_back({false, words[i]});
            continue;
        }
        if (i + 2 >= words.size() || words[i + 2] != "}")
            lists.fail_in_line(entry.line, "a { without its }; a slot is one name in braces");
        const std::string& slot = words[i + 1];
        if (std::ranges::find(slots, slot) == slots.end()) lists.fail_in_line(entry.line, "unknown slot {{1}}", slot);
        if (frame.has(slot)) lists.fail_in_line(entry.line, "the slot {{1}} appears twice", slot);
        frame.pieces.push_back({true, slot});
        i += 2;
    }
    return frame;
}

std::vector<std::string> fill(const Frame& frame, std::span<const SlotWord> words) {
    std::vector<std::string> sentence;
    sentence.reserve(frame.pieces.size());
    for (const Frame::Piece& piece : frame.pieces) {
        const auto found =
            std::ranges::find_if(words, [&](const SlotWord& w) { return piece.is_slot && w.slot == piece.text; });
        sentence.emplace_back(found == words.end() ? std::string_view(piece.text) : found->word);
    }
    return sentence;
}

std::size_t index_of_slot(const Frame& frame, std::string_view slot, const std::vector<std::string>& sentence,
                          const std::vector<std::string>& list) {
    const int position = position_of(frame, true, slot);
    if (position < 0) return 0;
    return static_cast<std::size_t>(std::ranges::find(list, sentence[position]) - list.begin());
}

std::vector<std::string> vocabulary_of(std::initializer_list<const std::vector<std::string>*> lists,
                                       std::span<const Frame> frames) {
    std::set<std::string> words;
    for (const std::vector<std::string>* list : lists) words.insert(list->begin(), list->end());
    for (const Frame& frame : frames)
        for (const Frame::Piece& piece : frame.pieces)
            if (!piece.is_slot) words.insert(piece.text);
    return {words.begin(), words.end()};
}

int position_of(const Frame& frame, bool is_slot, std::string_view text) {
    const auto found = std::ranges::find_if(
        frame.pieces, [&](const Frame::Piece& piece) { return piece.is_slot == is_slot && piece.text == text; });
    return found == frame.pieces.end() ? -1 : static_cast<int>(found - frame.pieces.begin());
}

}  // namespace glassformer
