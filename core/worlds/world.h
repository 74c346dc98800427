#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/worlds/corpus.h"
#include "core/worlds/grammar.h"

namespace glassformer {

/// "He swung the bat and hit a foul.": a capital first letter, no blank before punctuation.
std::string text_of(const Sentence& sentence);

/// A small language in which every sentence comes with its truth: which sense of the homonym is meant.
///
/// Training and test sentences never mix. A sentence is rejected for training if a held-out template could also have
/// produced it, and in both splits if it is a sample, or if the other sense of its homonym could also have produced it
/// (so the truth is never ambiguous).
class World {
public:
    static constexpr std::size_t max_file_bytes = 1u << 20;

    /// Parses a grammar file (assets/worlds/homonyms.grammar explains the format). Throws Error naming file_name and
    /// the line if the grammar is malformed or a sense has no allowed sentence, and as check_grammar does.
    static World parse(std::string_view text, const std::string& file_name);
    /// Reads a grammar file of at most max_file_bytes.
    static World load(const std::filesystem::path& path);

    /// The file name without folder and extension, and the display title (the name if the file has none).
    const std::string& name() const { return name_; }
    const std::string& title() const { return grammar_.title; }
    /// Each character of a script without blanks is a word.
    bool by_character() const { return grammar_.by_character; }
    const std::vector<std::string>& homonyms() const { return homonyms_; }
    /// Senses 2h and 2h + 1 belong to homonyms()[h].
    const std::vector<Sense>& senses() const { return senses_; }
    /// Everything that any template or sample can say: sorted, without duplicates, including homonyms and punctuation.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    /// Sentences for the menus, in no corpus: the first sample of each sense, then the second of each, and so on.
    const std::vector<Sentence>& samples() const { return samples_; }

    /// A random sentence of the sense: a template, then each list entry, equally likely. Throws Error if there is no
    /// such sense, or if no allowed sentence is found (a grammar with next to nothing to say).
    Sentence generate(Split split, int sense, Rng& rng) const;

    /// per_sense distinct sentences of each sense, in the order of senses(); fewer if the grammar has no more. The same
    /// seed gives the same corpus.
    std::vector<Sentence> corpus(Split split, std::size_t per_sense, std::uint64_t seed) const;

    /// Whether a template of that split can say these words, in any sense.
    bool says(Split split, const std::vector<std::string>& words) const;

    /// In words, over all templates and samples.
    int longest_sentence() const { return longest_sentence_; }

private:
    World() = default;
    void list_words();
    void list_samples();
    void check_something_to_say() const;
    std::optional<Sentence> try_generate(Split split, std::size_t sense, Rng& rng, int tries) const;
    bool is_allowed(Split split, const Sentence& sentence) const;

    Grammar grammar_;
    std::string name_;
    std::vector<std::string> homonyms_;
    std::vector<Sense> senses_;
    std::vector<std::string> vocabulary_;
    std::vector<Sentence> samples_;
    std::set<std::vector<std::string>> sample_words_;
    int longest_sentence_ = 0;
};

}  // namespace glassformer
