#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glassformer {

class Rng;

/// One of the two meanings of a homonym: {"bat", "animal"}.
struct Sense {
    std::string homonym;
    std::string name;
};

/// A sentence with its truth.
struct Sentence {
    std::vector<std::string> words;  ///< lower case; "." is a word
    int homonym_pos = 0;             ///< words[homonym_pos] is the homonym
    int sense = 0;                   ///< indexes World::senses()
};

/// A piece of a template: a plain word, a word list (symbol), or the homonym's position.
struct Piece {
    enum class Kind { word, symbol, homonym };
    Kind kind = Kind::word;
    std::string word;        ///< for Kind::word
    std::size_t symbol = 0;  ///< for Kind::symbol: indexes Grammar::symbols
};
using Phrase = std::vector<Piece>;

/// A named word list; each entry is a phrase.
struct Symbol {
    std::string name;
    int line = 0;
    std::vector<Phrase> entries;
};

/// A sentence with slots.
struct Template {
    Phrase phrase;
    int line = 0;
};

/// What one sense can say. A sample is a template without symbols.
struct SenseRules {
    Sense sense;
    int line = 0;
    std::vector<Template> train;
    std::vector<Template> held_out;
    std::vector<Template> samples;
};

/// A parsed grammar file. The two senses of a homonym are adjacent.
struct Grammar {
    static constexpr std::size_t max_words = 64;  ///< in one sentence

    std::string file_name;
    std::string title;
    bool by_character = false;  ///< "unit = characters": each character of a script without blanks is a word
    std::vector<Symbol> symbols;
    std::vector<SenseRules> senses;
};

/// A random sentence of the phrase, each list entry equally likely. Sentence::sense is the given sense.
Sentence expand(const Grammar& grammar, const Phrase& phrase, std::size_t sense, Rng& rng);

/// Calls visit(template) for everything a sense can say: training and held-out templates, and samples.
template <typename Visit>
void for_each_template(const SenseRules& rules, const Visit& visit) {
    for (const auto* templates : {&rules.train, &rules.held_out, &rules.samples})
        for (const Template& t : *templates) visit(t);
}

/// Calls visit at least once for every plain word that the phrase can say.
void for_each_word(const Grammar& grammar, const Phrase& phrase, const std::function<void(const std::string&)>& visit);

/// Tells which phrases can say a given sentence. It caches what the symbols can say, so use one matcher for all
/// phrases. Keeps references: the grammar and the sentence (at most Grammar::max_words long) must outlive it.
class Matcher {
public:
    Matcher(const Grammar& grammar, const Sentence& sentence) : grammar_(grammar), sentence_(sentence) {}
    bool matches(const Phrase& phrase);
    bool matches_any(const std::vector<Template>& templates);

private:
    using Places = std::bitset<Grammar::max_words + 1>;  // Places[i]: the match may end before word i
    Places ends_of(const Phrase& phrase, std::size_t begin);
    Places ends_of(const Piece& piece, std::size_t begin);
    Places ends_of_symbol(std::size_t symbol, std::size_t begin);

    const Grammar& grammar_;
    const Sentence& sentence_;
    std::unordered_map<std::size_t, Places> ends_of_symbol_;
};

/// Throws Error naming the file and the line unless
/// - no symbol contains itself (the message names the cycle), and none is nested deeper than 32;
/// - every homonym has two senses, and every sense has training and held-out templates;
/// - no sentence is longer than Grammar::max_words, and no template can say more than 10^12 sentences;
/// - no homonym of the world is also used as a plain word, so that each sentence has exactly one;
/// - every word of a held-out template or a sample is also a word of a training template;
/// - no two samples say the same.
void check_grammar(const Grammar& grammar);

/// In words, over all templates and samples of a grammar that passes check_grammar.
std::size_t longest_sentence(const Grammar& grammar);

/// Parses a grammar file; assets/worlds/homonyms.grammar explains the format in its header. Throws Error naming
/// file_name and the line for anything malformed, unknown, empty or defined twice. check_grammar checks whether the
/// grammar as a whole makes sense.
Grammar parse_grammar(std::string_view text, const std::string& file_name);

}  // namespace glassformer
