#include "core/worlds/translation.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/base/join.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"
#include "core/worlds/corpus.h"

namespace glassformer {
namespace {

constexpr double adjective_share = 0.5;  // of noun phrases, for each kind of adjective
constexpr std::size_t longest_noun_phrase = 4;
constexpr std::uint64_t about_towns_one_in = 12;

/// True if le and la become l' before this word.
bool elides(const std::string& french) {
    const std::u32string points = code_points(french);
    return std::u32string_view(U"aeiouyhàâäéèêëîïôöùûü").find(points[0]) != std::u32string_view::npos;
}

bool is_punctuation(const std::string& word) { return word == "." || word == "," || word == ":" || word == ";"; }

std::vector<std::size_t> plain_pieces(const Frame& frame) {
    std::vector<std::size_t> plain;
    for (std::size_t i = 0; i < frame.pieces.size(); ++i)
        if (!frame.pieces[i].is_slot) plain.push_back(i);
    return plain;
}

}  // namespace

TranslationWorld::TranslationWorld(const WordLists& lists) : FrameWorld(lists) {
    lists.expect({"article", "someone", "something", "somewhere", "before", "verb", "where", "sentence", "sample"},
                 {"ahead", "after", "class", "town", "phrase"});
    if (lists.has("class")) {
        classes_ = lists.column("class");
        is_french_ = false;
    } else {
        classes_ = {"le", "la"};
    }
    read_words(lists);
    require_one_meaning(lists);
    read_sentences(lists);
    if (lists.has("town") || lists.has("phrase")) read_phrases(lists);
    list_words();
    samples_.read(lists, [this](const std::vector<std::string>& words) { return translate(words); });
}

void TranslationWorld::require_no_elision(const WordLists& lists, int line, const std::string& word) const {
    if (is_french_ && elides(word)) lists.fail_in_line(line, "'{1}' would change the article before it", word);
}

void TranslationWorld::read_words(const WordLists& lists) {
    const auto plain = [&](std::string_view name, std::vector<Word>& words) {
        for (const ListEntry& entry : lists.words(name, 2)) words.push_back({entry.word(0), {entry.word(1)}});
    };
    plain("verb", verbs_);
    plain("where", prepositions_);
    if (verbs_.size() < held_out_one_in)
        lists.fail_in_line(lists.words("verb", 2).front().line,
                           "at least five verbs are needed, so that some can be held out");
    read_adjectives(lists);
    read_nouns(lists);
}

void TranslationWorld::read_adjectives(const WordLists& lists) {
    const auto agreeing = [&](std::string_view name, std::vector<Word>& words) {
        const std::size_t one_form = 2, all_forms = classes_.size() + 1;
        for (const ListEntry& entry : lists.words(name, 0)) {
            if (entry.columns.size() != one_form) lists.require_columns(name, entry, all_forms);
            Word word{entry.word(0), {}};
            for (std::size_t form = 1; form < entry.columns.size(); ++form) word.target.push_back(entry.word(form));
            words.push_back(std::move(word));
        }
    };
    agreeing("article", articles_);
    agreeing("before", adjectives_);
    for (const ListEntry& entry : lists.words("before", 0)) require_no_elision(lists, entry.line, entry.word(1));
    first_ = adjectives_.size();
    if (lists.has("ahead")) agreeing("ahead", adjectives_);
    follows_ = adjectives_.size();
    if (lists.has("after")) agreeing("after", adjectives_);
    if (adjectives_.size() == first_) lists.phrases("after");  // throws: there is none
}

void TranslationWorld::read_nouns(const WordLists& lists) {
    const std::string known = join(classes_, ", ");
    for (const char* slot : noun_slots) {
        const std::size_t begin = nouns_.size();
        for (const ListEntry& entry : lists.phrases(slot, 2)) {
            const std::vector<std::string>&source = entry.columns[0], &target = entry.columns[1];
            const auto found = std::ranges::find(classes_, target[0]);
            if (source.size() != 1 || target.size() != 2 || found == classes_.end())
                lists.fail_in_line(entry.line, "write a noun with its class, as cat / le chat; the classes are: {1}",
                                   known);
            require_no_elision(lists, entry.line, target[1]);
            nouns_.push_back({source[0], {target[1]}, static_cast<std::size_t>(found - classes_.begin())});
        }
        kinds_.push_back({slot, begin, nouns_.size()});
    }
}

// Ensures that translate() never has two readings.
void TranslationWorld::require_one_meaning(const WordLists& lists) const {
    std::set<std::string> seen;
    for (const std::string_view name :
         {"article", "someone", "something", "somewhere", "before", "ahead", "after", "verb", "where"})
        if (lists.has(name))
            for (const ListEntry& entry : lists.phrases(name, 0))
                if (!seen.insert(entry.word()).second)
                    lists.fail_in_line(entry.line, "the word {1} appears twice", in_single_quotes(entry.word()));
}

/// A slot translates the slot of the same name, and the n-th plain word the n-th, unless a third column says what each
/// piece of the translation translates.
TranslationWorld::Pattern TranslationWorld::pattern_of(const WordLists& lists, const ListEntry& entry,
                                                       std::initializer_list<std::string_view> slots) {
    Pattern pattern{frame_of(lists, entry, slots), {}, {}};
    pattern.target =
        entry.columns.size() > 1 ? frame_of(lists, {{entry.columns[1]}, entry.line}, slots) : pattern.source;
    for (const std::string_view slot : slots)
        if (pattern.source.has(slot) != pattern.target.has(slot))
            lists.fail_in_line(entry.line, "{{1}} must be in the sentence and in its translation", slot);
    const std::vector<Frame::Piece>& pieces = pattern.target.pieces;
    if (entry.columns.size() > 2) {
        for (const std::string& word : entry.columns[2]) {
            std::size_t place = 0;
            std::from_chars(word.data(), word.data() + word.size(), place);
            if (place < 1 || place > pattern.source.pieces.size())
                lists.fail_in_line(entry.line, "'{1}' is not a position in the sentence; positions count from 1", word);
            pattern.translates.push_back(place - 1);
        }
        if (pattern.translates.size() != pieces.size())
            lists.fail_in_line(entry.line, "the translation has {1} words, the third column {2}", pieces.size(),
                               pattern.translates.size());
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (pieces[i].is_slot && pattern.source.pieces[pattern.translates[i]].text != pieces[i].text)
                lists.fail_in_line(entry.line, "{{1}} must translate itself; check its number in the third column",
                                   pieces[i].text);
        return pattern;
    }
    const std::vector<std::size_t> plain = plain_pieces(pattern.source);
    if (const std::size_t count = plain_pieces(pattern.target).size(); count != plain.size())
        lists.fail_in_line(
            entry.line,
            "beside its slots the sentence has {1} words, its translation {2}; a third column says which "
            "each translates",
            plain.size(), count);
    std::size_t next = 0;
    for (const Frame::Piece& piece : pieces)
        pattern.translates.push_back(piece.is_slot ? position_of(pattern.source, true, piece.text) : plain[next++]);
    return pattern;
}

void TranslationWorld::read_sentences(const WordLists& lists) {
    for (const ListEntry& entry : lists.phrases("sentence", 0)) {
        Pattern pattern = pattern_of(lists, entry, {"someone", "something", "somewhere", "verb", "where"});
        if (!pattern.source.has("verb")) lists.fail_in_line(entry.line, "the sentence has no {{1}}", "verb");
        for (const std::size_t i : plain_pieces(pattern.source))
            if (const std::string& word = pattern.source.pieces[i].text;
                entry.columns.size() == 1 && !is_punctuation(word))
                lists.fail_in_line(entry.line, "'{1}' has no translation; add it to a list", word);
        for (const Frame* frame : {&pattern.source, &pattern.target}) {
            std::size_t longest = 0;
            for (const Frame::Piece& piece : frame->pieces) longest += nouns_of(piece.text) ? longest_noun_phrase : 1;
            make_room(longest);
        }
        sentences_.push_back(std::move(pattern));
    }
}

void TranslationWorld::read_phrases(const WordLists& lists) {
    for (const ListEntry& entry : lists.words("town", 2)) {
        require_no_elision(lists, entry.line, entry.word(1));
        towns_.push_back({entry.word(0), {entry.word(1)}});
    }
    if (towns_.size() < held_out_one_in)
        lists.fail_in_line(lists.phrases("town", 2).front().line,
                           "at least five towns are needed, so that some can be held out");
    for (const ListEntry& entry : lists.phrases("phrase", 0)) {
        Pattern phrase = pattern_of(lists, entry, {"to", "from"});
        for (const std::string_view slot : {"to", "from"})
            if (!phrase.source.has(slot)) lists.fail_in_line(entry.line, "the sentence has no {{1}}", slot);
        make_room(std::max(phrase.source.pieces.size(), phrase.target.pieces.size()));
        phrases_.push_back(std::move(phrase));
    }
}

void TranslationWorld::list_words() {
    std::set<std::string> source, target;
    for (const auto* patterns : {&sentences_, &phrases_})
        for (const Pattern& pattern : *patterns) {
            for (const std::size_t i : plain_pieces(pattern.source)) source.insert(pattern.source.pieces[i].text);
            for (const std::size_t i : plain_pieces(pattern.target)) target.insert(pattern.target.pieces[i].text);
        }
    for (const auto* list : {&articles_, &nouns_, &adjectives_, &verbs_, &prepositions_, &towns_})
        for (const Word& word : *list) {
            source.insert(word.source);
            target.insert(word.target.begin(), word.target.end());
        }
    vocabulary_.assign(source.begin(), source.end());
    target_vocabulary_.assign(target.begin(), target.end());
}

const TranslationWorld::Nouns* TranslationWorld::nouns_of(std::string_view slot) const {
    const auto found = std::ranges::find(kinds_, slot, &Nouns::slot);
    return found == kinds_.end() ? nullptr : &*found;
}

const std::vector<TranslationWorld::Word>& TranslationWorld::words_of(std::string_view slot) const {
    return slot == "verb" ? verbs_ : slot == "where" ? prepositions_ : towns_;
}

TranslationWorld::Filling TranslationWorld::draw(const Frame::Piece& piece, Rng& rng) const {
    Filling filling;
    if (const Nouns* nouns = nouns_of(piece.text)) {
        filling.article = rng.below(articles_.size());
        if (rng.uniform() < adjective_share) filling.first = rng.below(first_);
        if (rng.uniform() < adjective_share) filling.second = first_ + rng.below(adjectives_.size() - first_);
        filling.word = nouns->begin + rng.below(nouns->end - nouns->begin);
    } else {
        filling.word = rng.below(words_of(piece.text).size());
    }
    return filling;
}

TranslatedSentence TranslationWorld::say(const Pattern& pattern, const std::vector<Filling>& fillings) const {
    TranslatedSentence sentence;
    std::vector<int> begin;  // start of each piece, in words
    int verb = -1;
    for (std::size_t i = 0; i < fillings.size(); ++i) {
        const Frame::Piece& piece = pattern.source.pieces[i];
        const Filling& filling = fillings[i];
        begin.push_back(static_cast<int>(sentence.words.size()));
        if (!piece.is_slot) {
            sentence.words.push_back(piece.text);
        } else if (nouns_of(piece.text)) {
            sentence.words.push_back(articles_[filling.article].source);
            for (const std::optional<std::size_t>& adjective : {filling.first, filling.second}) {
                if (!adjective) continue;
                sentence.words.push_back(adjectives_[*adjective].source);
                sentence.combinations.push_back({static_cast<int>(filling.word), static_cast<int>(*adjective), 0});
            }
            sentence.words.push_back(nouns_[filling.word].source);
        } else {
            if (piece.text == "verb") verb = static_cast<int>(filling.word);
            sentence.words.push_back(words_of(piece.text)[filling.word].source);
        }
    }
    for (TranslatedSentence::Combination& combination : sentence.combinations) combination.verb = verb;
    for (std::size_t i = 0; i < pattern.translates.size(); ++i) {
        const Frame::Piece& piece = pattern.target.pieces[i];
        const std::size_t of = pattern.translates[i];
        if (piece.is_slot && nouns_of(piece.text)) {
            say_noun_phrase(fillings[of], begin[of], sentence);
            continue;
        }
        sentence.target.push_back(piece.is_slot ? words_of(piece.text)[fillings[of].word].target[0] : piece.text);
        sentence.alignment.push_back(begin[of]);
    }
    return sentence;
}

/// Adds the translation of a noun phrase whose source words begin at `begin`.
void TranslationWorld::say_noun_phrase(const Filling& filling, int begin, TranslatedSentence& sentence) const {
    const Word& noun = nouns_[filling.word];
    const auto put = [&](const Word& word, int aligned) {
        sentence.target.push_back(word.target[word.target.size() > 1 ? noun.noun_class : 0]);
        sentence.alignment.push_back(aligned);
    };
    const int second_at = begin + 1 + filling.first.has_value(), noun_at = second_at + filling.second.has_value();
    const bool follows = filling.second && *filling.second >= follows_;
    put(articles_[filling.article], begin);
    if (filling.second && !follows) put(adjectives_[*filling.second], second_at);
    if (filling.first) put(adjectives_[*filling.first], begin + 1);
    put(noun, noun_at);
    if (follows) put(adjectives_[*filling.second], second_at);
}

TranslatedSentence TranslationWorld::say_phrase(const Pattern& phrase, std::size_t to, std::size_t from) const {
    std::vector<Filling> fillings(phrase.source.pieces.size());
    fillings[position_of(phrase.source, true, "to")].word = to;
    fillings[position_of(phrase.source, true, "from")].word = from;
    TranslatedSentence sentence = say(phrase, fillings);
    sentence.combinations.push_back({static_cast<int>(to), static_cast<int>(from), -1});  // without a verb
    return sentence;
}

bool TranslationWorld::held_out(const TranslatedSentence& sentence) {
    return std::ranges::any_of(sentence.combinations, [](const TranslatedSentence::Combination& c) {
        return is_held_out(c.noun + c.adjective + c.verb);
    });
}

TranslatedSentence TranslationWorld::generate(Split split, Rng& rng) const {
    const auto random = [&] {
        if (!phrases_.empty() && rng.below(about_towns_one_in) == 0) {
            const std::size_t to = rng.below(towns_.size()), further = 1 + rng.below(towns_.size() - 1);
            return say_phrase(phrases_[rng.below(phrases_.size())], to, (to + further) % towns_.size());
        }
        const Pattern& pattern = sentences_[rng.below(sentences_.size())];
        std::vector<Filling> fillings(pattern.source.pieces.size());
        for (std::size_t i = 0; i < fillings.size(); ++i)
            if (pattern.source.pieces[i].is_slot) fillings[i] = draw(pattern.source.pieces[i], rng);
        return say(pattern, fillings);
    };
    return draw_other(split, random);
}

std::optional<TranslatedSentence> TranslationWorld::translate(const std::vector<std::string>& source) const {
    for (const Pattern& pattern : sentences_)
        if (std::optional<TranslatedSentence> sentence = translate(pattern, source)) return sentence;
    for (const Pattern& phrase : phrases_)
        if (std::optional<TranslatedSentence> sentence = translate(phrase, source)) return sentence;
    return std::nullopt;
}

std::optional<TranslatedSentence> TranslationWorld::translate(const Pattern& pattern,
                                                              const std::vector<std::string>& words) const {
    std::vector<Filling> fillings;
    std::size_t at = 0;
    for (const Frame::Piece& piece : pattern.source.pieces) {
        const std::optional<Filling> filling = read(piece, words, at);
        if (!filling) return std::nullopt;
        fillings.push_back(*filling);
    }
    if (at != words.size()) return std::nullopt;
    if (pattern.source.has("verb")) return say(pattern, fillings);
    return say_phrase(pattern, fillings[position_of(pattern.source, true, "to")].word,
                      fillings[position_of(pattern.source, true, "from")].word);
}

// No word is in two lists, so reading from left to right needs no backtracking.
std::optional<TranslationWorld::Filling> TranslationWorld::read(const Frame::Piece& piece,
                                                                const std::vector<std::string>& words,
                                                                std::size_t& at) const {
    const auto next = [&](const std::vector<Word>& list, std::size_t begin,
                          std::size_t end) -> std::optional<std::size_t> {
        for (std::size_t i = begin; i < end && at < words.size(); ++i)
            if (list[i].source == words[at]) {
                ++at;
                return i;
            }
        return std::nullopt;
    };
    Filling filling;
    if (!piece.is_slot) {
        if (at == words.size() || words[at++] != piece.text) return std::nullopt;
        return filling;
    }
    std::optional<std::size_t> article = 0, word;
    if (const Nouns* nouns = nouns_of(piece.text)) {
        article = next(articles_, 0, articles_.size());
        filling.first = next(adjectives_, 0, first_);
        filling.second = next(adjectives_, first_, adjectives_.size());
        word = next(nouns_, nouns->begin, nouns->end);
    } else {
        const std::vector<Word>& list = words_of(piece.text);
        word = next(list, 0, list.size());
    }
    if (!article || !word) return std::nullopt;
    filling.article = *article;
    filling.word = *word;
    return filling;
}

}  // namespace glassformer
