#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/text/words.h"
#include "core/worlds/corpus.h"
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

/// Reads a frame from a list entry. Throws Error naming file and line for an unmatched brace, a slot that is not among
/// `slots`, or a slot that appears twice.
Frame frame_of(const WordLists& lists, const ListEntry& entry, std::initializer_list<std::string_view> slots);

/// The word for a slot.
struct SlotWord {
    std::string_view slot;
    std::string_view word;
};

/// The frame with its slots filled. Words for slots that the frame does not have are ignored.
std::vector<std::string> fill(const Frame& frame, std::span<const SlotWord> words);

/// Index in `list` of the word that a sentence of this frame has in a slot; list.size() if it is not in the list, 0 if
/// the frame has no such slot. The sentence must be as long as the frame, with one word per slot.
std::size_t index_of_slot(const Frame& frame, std::string_view slot, const std::vector<std::string>& sentence,
                          const std::vector<std::string>& list);

/// Every word of the lists, and of the frames outside their slots: sorted, without duplicates.
std::vector<std::string> vocabulary_of(std::initializer_list<const std::vector<std::string>*> lists,
                                       std::span<const Frame> frames);

/// Position of a slot's word, or of the first such plain word; −1 if there is none. Slots hold one word each.
int position_of(const Frame& frame, bool is_slot, std::string_view text);

/// The complete sentences that a file of word lists provides for the menus, each with its truth. They are in no corpus.
template <typename Sentence>
class SampleSentences {
public:
    /// Reads the list "sample", or another. `find` returns the truth of a sentence (given its words), or nothing if the
    /// world cannot produce it. In that case, throws Error with file and line.
    template <typename Find>
    void read(const WordLists& lists, const Find& find, std::string_view list = "sample") {
        for (const ListEntry& entry : lists.phrases(list)) {
            const std::vector<std::string>& words = entry.columns.front();
            auto sample = find(words);
            if (!sample)
                lists.fail_in_line(entry.line, "the sample '{1}' is not a true sentence of this world",
                                   join_words(words));
            all_.push_back(*std::move(sample));
            words_.insert(words);
        }
    }

    const std::vector<Sentence>& all() const { return all_; }

    /// Draws until the sentence belongs to the split and is not a sample. Throws Error naming the world if that takes
    /// too long. `draw` makes a random sentence; `held_out` tells which split it belongs to.
    template <typename Draw, typename HeldOut>
    Sentence draw_other(Split split, const std::string& world, const Draw& draw, const HeldOut& held_out) const {
        for (int draws = 0; draws < max_draws; ++draws) {
            Sentence sentence = draw();
            if (held_out(sentence) == (split == Split::held_out) && !words_.contains(sentence.words)) return sentence;
        }
        throw Error("the world '{1}' finds no sentence that is not a sample", world);
    }

private:
    std::vector<Sentence> all_;
    std::set<std::vector<std::string>> words_;
};

/// Base class of the worlds whose sentences are frames filled from word lists. `World` is constructed from WordLists
/// and names the lists it needs; `Sentence` has its words and its truth.
template <typename World, typename Sentence>
class FrameWorld {
public:
    /// The world's file in assets/worlds explains the format. Throws Error naming file and line if it is violated.
    static World parse(std::string_view text, const std::string& file_name) {
        return World(WordLists::parse(text, file_name));
    }
    static World load(const std::filesystem::path& path) { return World(WordLists::load(path)); }

    const std::string& name() const { return name_; }
    const std::string& title() const { return title_; }
    /// Sorted, without duplicates.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    const std::vector<Sentence>& samples() const { return samples_.all(); }
    /// In words.
    int longest_sentence() const { return longest_sentence_; }

protected:
    explicit FrameWorld(const WordLists& lists) : name_(lists.name()), title_(lists.title()) {}

    /// Reads the frames of a list. They may contain `slots` and must contain those that are `required`.
    void read_frames(const WordLists& lists, std::initializer_list<std::string_view> slots,
                     std::initializer_list<std::string_view> required, std::string_view list = "sentence") {
        for (const ListEntry& entry : lists.phrases(list)) {
            Frame frame = frame_of(lists, entry, slots);
            for (const std::string_view slot : required)
                if (!frame.has(slot)) lists.fail_in_line(entry.line, "the sentence has no {{1}}", slot);
            make_room(frame.pieces.size());
            frames_.push_back(std::move(frame));
        }
    }
    void make_room(std::size_t words) { longest_sentence_ = std::max(longest_sentence_, static_cast<int>(words)); }

    /// The sentence with its truth, if a frame can produce it. `say(frame, index)` makes the sentence of a frame, given
    /// by number, with the words of this one: index(list, slot) is the index of the slot's word in a list, or 0 if it
    /// is missing there, which yields a different sentence. There are few samples, so all frames are simply compared.
    template <typename Say>
    std::optional<Sentence> find_said(const std::vector<std::string>& words, const Say& say) const {
        for (std::size_t f = 0; f < frames_.size(); ++f) {
            if (frames_[f].pieces.size() != words.size()) continue;
            const auto index = [&](const std::vector<std::string>& list, std::string_view slot) {
                const std::size_t place = index_of_slot(frames_[f], slot, words, list);
                return place < list.size() ? place : 0;
            };
            if (Sentence said = say(f, index); said.words == words) return said;
        }
        return std::nullopt;
    }
    /// See SampleSentences.
    template <typename Draw>
    Sentence draw_other(Split split, const Draw& draw) const {
        return samples_.draw_other(split, name_, draw, World::held_out);
    }

    std::string name_, title_;
    std::vector<std::string> vocabulary_;
    std::vector<Frame> frames_;
    SampleSentences<Sentence> samples_;
    int longest_sentence_ = 0;
};

}  // namespace glassformer
