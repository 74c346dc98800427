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

/// The finished sentences that a file of word lists gives for the menus, each with its truth. They are in no corpus.
template <typename Sentence>
class SampleSentences {
public:
    /// Reads the list "sample", or another. `find` gives the truth of a sentence (its words), or nothing where the
    /// world cannot say it; then this throws Error with file and line.
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

    /// Draws until the split allows the sentence and it is no sample. Throws Error naming the world when that takes too
    /// long. `draw` makes a random sentence; `held_out` tells which split one belongs to.
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

/// What the worlds share whose sentences are frames filled from lists of words. `World` is made of WordLists, and says
/// which; `Sentence` has its words and its truth.
template <typename World, typename Sentence>
class FrameWorld {
public:
    /// The file of that world in assets/worlds explains the format. Throws Error naming file and line where it is not
    /// kept.
    static World parse(std::string_view text, const std::string& file_name) {
        return World(WordLists::parse(text, file_name));
    }
    static World load(const std::filesystem::path& path) { return World(WordLists::load(path)); }

    const std::string& name() const { return name_; }
    const std::string& title() const { return title_; }
    /// Sorted, each word once.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    const std::vector<Sentence>& samples() const { return samples_.all(); }
    /// In words.
    int longest_sentence() const { return longest_sentence_; }

protected:
    explicit FrameWorld(const WordLists& lists) : name_(lists.name()), title_(lists.title()) {}

    /// The frames of a list, which may have `slots` and must have those that are `required`.
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

    /// The sentence with its truth, where a frame can say it. `say(frame, index)` makes the sentence of a frame, by its
    /// number, with the words of this one: index(list, slot) is where in a list the slot's word stands, or 0 where the
    /// list lacks it, which makes another sentence. Samples are few, so every place is simply compared.
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
