#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/text/words.h"
#include "core/worlds/corpus.h"
#include "core/worlds/word_lists.h"

namespace glassformer {

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
                lists.fail(entry.line, "the sample '" + join_words(words) + "' is no true sentence of this world");
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
        throw Error("the world '" + world + "' finds no sentence that is not a sample");
    }

private:
    std::vector<Sentence> all_;
    std::set<std::vector<std::string>> words_;
};

}  // namespace glassformer
