#include "core/worlds/grammar.h"

#include <algorithm>

#include "core/base/rng.h"

namespace glassformer {
namespace {

void append(const Grammar& grammar, const Phrase& phrase, Rng& rng, Sentence& sentence) {
    for (const Piece& piece : phrase) {
        if (piece.kind == Piece::Kind::symbol) {
            const std::vector<Phrase>& entries = grammar.symbols[piece.symbol].entries;
            append(grammar, entries[rng.below(entries.size())], rng, sentence);
        } else if (piece.kind == Piece::Kind::homonym) {
            sentence.homonym_pos = static_cast<int>(sentence.words.size());
            sentence.words.push_back(grammar.senses[sentence.sense].sense.homonym);
        } else {
            sentence.words.push_back(piece.word);
        }
    }
}

}  // namespace

Sentence expand(const Grammar& grammar, const Phrase& phrase, std::size_t sense, Rng& rng) {
    Sentence sentence;
    sentence.sense = static_cast<int>(sense);
    append(grammar, phrase, rng, sentence);
    return sentence;
}

void for_each_word(const Grammar& grammar, const Phrase& phrase, const std::function<void(const std::string&)>& visit) {
    std::vector<bool> seen(grammar.symbols.size());
    std::vector<const Phrase*> open{&phrase};
    while (!open.empty()) {
        const Phrase& next = *open.back();
        open.pop_back();
        for (const Piece& piece : next) {
            if (piece.kind == Piece::Kind::word) visit(piece.word);
            if (piece.kind != Piece::Kind::symbol || seen[piece.symbol]) continue;
            seen[piece.symbol] = true;
            for (const Phrase& entry : grammar.symbols[piece.symbol].entries) open.push_back(&entry);
        }
    }
}

bool Matcher::matches(const Phrase& phrase) { return ends_of(phrase, 0)[sentence_.words.size()]; }

bool Matcher::matches_any(const std::vector<Template>& templates) {
    return std::any_of(templates.begin(), templates.end(), [&](const Template& t) { return matches(t.phrase); });
}

Matcher::Places Matcher::ends_of(const Phrase& phrase, std::size_t begin) {
    Places places;
    places[begin] = true;
    for (const Piece& piece : phrase) {
        Places next;
        for (std::size_t i = begin; i <= sentence_.words.size(); ++i)
            if (places[i]) next |= ends_of(piece, i);
        places = next;
        if (places.none()) break;  // most phrases fail here, at their first word
    }
    return places;
}

Matcher::Places Matcher::ends_of(const Piece& piece, std::size_t begin) {
    if (piece.kind == Piece::Kind::symbol) return ends_of_symbol(piece.symbol, begin);
    Places ends;
    if (begin == sentence_.words.size()) return ends;
    const bool is_homonym = begin == static_cast<std::size_t>(sentence_.homonym_pos);
    const bool says_homonym = piece.kind == Piece::Kind::homonym;
    ends[begin + 1] = is_homonym ? says_homonym : !says_homonym && piece.word == sentence_.words[begin];
    return ends;
}

Matcher::Places Matcher::ends_of_symbol(std::size_t symbol, std::size_t begin) {
    const std::size_t key = symbol * (sentence_.words.size() + 1) + begin;
    if (const auto known = ends_of_symbol_.find(key); known != ends_of_symbol_.end()) return known->second;
    Places ends;
    for (const Phrase& entry : grammar_.symbols[symbol].entries) ends |= ends_of(entry, begin);
    return ends_of_symbol_.emplace(key, ends).first->second;
}

}  // namespace glassformer
