#include <algorithm>
#include <set>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/text/words.h"
#include "core/worlds/grammar.h"

namespace glassformer {
namespace {

constexpr std::size_t max_nesting = 32;
constexpr double max_sentences = 1e12;  // per template

template <typename... Places>
[[noreturn]] void fail_in_grammar(const Grammar& grammar, int line, std::string_view pattern, const Places&... places) {
    throw Error("{1}:{2}: {3}", grammar.file_name, line, filled_with(pattern, places...));
}

/// How much a phrase can say. Both numbers saturate at a bound far above the allowed maximum.
struct Extent {
    std::size_t longest = 0;  // words
    double sentences = 1;
};

/// Measures symbols depth-first and finds those that contain themselves.
class Measure {
public:
    explicit Measure(const Grammar& grammar)
        : grammar_(grammar), known_(grammar.symbols.size()), extents_(grammar.symbols.size()) {}

    Extent of(const Phrase& phrase) {
        Extent sum;
        for (const Piece& piece : phrase) {
            const Extent part = piece.kind == Piece::Kind::symbol ? of_symbol(piece.symbol) : Extent{1, 1};
            sum.longest = std::min(sum.longest + part.longest, 2 * Grammar::max_words);
            sum.sentences = std::min(sum.sentences * part.sentences, 2 * max_sentences);
        }
        return sum;
    }

    Extent of_symbol(std::size_t index) {
        if (known_[index]) return extents_[index];
        const Symbol& symbol = grammar_.symbols[index];
        if (std::ranges::find(open_, index) != open_.end()) fail_cycle(index);
        if (open_.size() == max_nesting)
            fail_in_grammar(grammar_, symbol.line, "the list '{1}' is nested more than {2} deep", symbol.name,
                            max_nesting);
        open_.push_back(index);
        Extent extent{0, 0};
        for (const Phrase& entry : symbol.entries) {
            const Extent one = of(entry);
            extent.longest = std::max(extent.longest, one.longest);
            extent.sentences = std::min(extent.sentences + one.sentences, 2 * max_sentences);
        }
        open_.pop_back();
        known_[index] = true;
        return extents_[index] = extent;
    }

private:
    [[noreturn]] void fail_cycle(std::size_t index) const {
        std::string cycle;
        for (auto at = std::ranges::find(open_, index); at != open_.end(); ++at)
            cycle += "{" + grammar_.symbols[*at].name + "} -> ";
        const Symbol& symbol = grammar_.symbols[index];
        fail_in_grammar(grammar_, symbol.line, "endless recursion: {1}{{2}}", cycle, symbol.name);
    }

    const Grammar& grammar_;
    std::vector<bool> known_;
    std::vector<Extent> extents_;
    std::vector<std::size_t> open_;
};

void check_senses(const Grammar& grammar) {
    for (const SenseRules& rules : grammar.senses) {
        const std::string name = "[" + rules.sense.homonym + " / " + rules.sense.name + "]";
        if (rules.train.empty()) fail_in_grammar(grammar, rules.line, "{1} has no train template", name);
        if (rules.held_out.empty()) fail_in_grammar(grammar, rules.line, "{1} has no held-out template", name);
        const auto count = std::ranges::count(grammar.senses, rules.sense.homonym,
                                              [](const SenseRules& other) { return other.sense.homonym; });
        if (count != 2)
            fail_in_grammar(grammar, rules.line, "the homonym '{1}' needs two senses, but has {2}", rules.sense.homonym,
                            count);
    }
}

void check_extents(const Grammar& grammar) {
    Measure measure(grammar);
    for (std::size_t i = 0; i < grammar.symbols.size(); ++i) measure.of_symbol(i);
    for (const SenseRules& rules : grammar.senses)
        for_each_template(rules, [&](const Template& t) {
            const Extent extent = measure.of(t.phrase);
            if (extent.longest > Grammar::max_words)
                fail_in_grammar(grammar, t.line, "the template makes sentences of more than {1} words",
                                Grammar::max_words);
            if (extent.sentences > max_sentences)
                fail_in_grammar(grammar, t.line, "the template makes too many sentences");
        });
}

void check_words(const Grammar& grammar) {
    std::unordered_set<std::string> homonyms, trained;
    for (const SenseRules& rules : grammar.senses) {
        homonyms.insert(rules.sense.homonym);
        for (const Template& t : rules.train)
            for_each_word(grammar, t.phrase, [&](const std::string& word) { trained.insert(word); });
    }
    for (const SenseRules& rules : grammar.senses)
        for_each_template(rules, [&](const Template& t) {
            for_each_word(grammar, t.phrase, [&](const std::string& word) {
                if (homonyms.contains(word))
                    fail_in_grammar(grammar, t.line, "the homonym '{1}' is used as a plain word; write * for it", word);
                if (!trained.contains(word))
                    fail_in_grammar(grammar, t.line, "the word '{1}' is in no training template", word);
            });
        });
}

void check_samples(const Grammar& grammar) {
    std::set<std::string> seen;
    Rng unused(0);
    for (std::size_t sense = 0; sense < grammar.senses.size(); ++sense)
        for (const Template& t : grammar.senses[sense].samples) {
            const std::string text = join_words(expand(grammar, t.phrase, sense, unused).words);
            if (!seen.insert(text).second) fail_in_grammar(grammar, t.line, "the sample '{1}' appears twice", text);
        }
}

}  // namespace

void check_grammar(const Grammar& grammar) {
    check_extents(grammar);
    check_senses(grammar);
    check_words(grammar);
    check_samples(grammar);
}

std::size_t longest_sentence(const Grammar& grammar) {
    Measure measure(grammar);
    std::size_t longest = 0;
    for (const SenseRules& rules : grammar.senses)
        for_each_template(rules, [&](const Template& t) { longest = std::max(longest, measure.of(t.phrase).longest); });
    return longest;
}

}  // namespace glassformer
