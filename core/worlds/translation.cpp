#include "core/worlds/translation.h"

#include <algorithm>
#include <set>

#include "core/text/utf8.h"
#include "core/worlds/corpus.h"

namespace glassformer {
namespace {

constexpr double adjective_share = 0.5;  // of noun phrases, for each kind of adjective
constexpr std::size_t longest_noun_phrase = 4;
constexpr std::uint64_t about_towns_one_in = 12;

/// le and la would become l' before this word.
bool elides(const std::string& french) {
    const std::u32string points = code_points(french);
    return std::u32string_view(U"aeiouyhàâäéèêëîïôöùûü").find(points[0]) != std::u32string_view::npos;
}

bool is_punctuation(const std::string& word) { return word == "." || word == "," || word == ":" || word == ";"; }

}  // namespace

TranslationWorld::TranslationWorld(const WordLists& lists) : FrameWorld(lists) {
    if (lists.has("phrase"))
        lists.expect({"article", "someone", "something", "somewhere", "before", "after", "verb", "where", "sentence",
                      "sample", "town", "phrase"});
    else
        lists.expect(
            {"article", "someone", "something", "somewhere", "before", "after", "verb", "where", "sentence", "sample"});
    read_words(lists);
    require_one_meaning(lists);
    read_frames(lists, {"someone", "something", "somewhere", "verb", "where"}, {"verb"});
    for (const Frame& frame : frames_) {
        std::size_t longest = 0;
        for (const Frame::Piece& piece : frame.pieces) {
            if (!piece.is_slot && !is_punctuation(piece.text))
                lists.fail_in_line(frame.line, "'{1}' has no French; add it to a list", piece.text);
            longest += nouns_of(piece.text) ? longest_noun_phrase : 1;
        }
        make_room(longest);
    }
    if (lists.has("phrase")) read_phrases(lists);
    list_words();
    samples_.read(lists, [this](const std::vector<std::string>& words) { return translate(words); });
}

void TranslationWorld::read_words(const WordLists& lists) {
    const auto agreeing = [&](std::string_view name, std::vector<Word>& words) {
        for (const ListEntry& entry : lists.words(name, 3))
            words.push_back({entry.word(0), {entry.word(1), entry.word(2)}});
    };
    const auto plain = [&](std::string_view name, std::vector<Word>& words) {
        for (const ListEntry& entry : lists.words(name, 2))
            words.push_back({entry.word(0), {entry.word(1), entry.word(1)}});
    };
    agreeing("article", articles_);
    agreeing("before", adjectives_);
    before_ = adjectives_.size();
    agreeing("after", adjectives_);
    plain("verb", verbs_);
    plain("where", prepositions_);
    if (verbs_.size() < held_out_one_in)
        lists.fail_in_line(lists.words("verb", 2).front().line,
                           "at least five verbs are needed, so that some can be held out");
    for (const ListEntry& entry : lists.words("before", 3))
        if (elides(entry.word(1)))
            lists.fail_in_line(entry.line, "'{1}' would change the article before it", entry.word(1));
    for (const char* slot : noun_slots) {
        const std::size_t begin = nouns_.size();
        for (const ListEntry& entry : lists.phrases(slot, 2)) {
            const std::vector<std::string>&english = entry.columns[0], &french = entry.columns[1];
            if (english.size() != 1 || french.size() != 2 || (french[0] != "le" && french[0] != "la"))
                lists.fail_in_line(entry.line, "write a noun as cat / le chat, with le or la");
            if (elides(french[1]))
                lists.fail_in_line(entry.line, "'{1}' would change the article before it", french[1]);
            nouns_.push_back({english[0], {french[1], french[1]}, french[0] == "la" ? 1u : 0u});
        }
        kinds_.push_back({slot, begin, nouns_.size()});
    }
}

// So that translate() never has two readings.
void TranslationWorld::require_one_meaning(const WordLists& lists) const {
    std::set<std::string> seen;
    for (const std::string_view name :
         {"article", "someone", "something", "somewhere", "before", "after", "verb", "where"})
        for (const ListEntry& entry : lists.phrases(name, 0))
            if (!seen.insert(entry.word()).second)
                lists.fail_in_line(entry.line, "the English word '{1}' appears twice", entry.word());
}

void TranslationWorld::read_phrases(const WordLists& lists) {
    for (const ListEntry& entry : lists.words("town", 2)) {
        if (elides(entry.word(1)))
            lists.fail_in_line(entry.line, "'{1}' would change the word before it", entry.word(1));
        towns_.push_back({entry.word(0), {entry.word(1), entry.word(1)}});
    }
    if (towns_.size() < held_out_one_in)
        lists.fail_in_line(lists.phrases("town", 2).front().line,
                           "at least five towns are needed, so that some can be held out");
    for (const ListEntry& entry : lists.phrases("phrase", 2)) {
        const Phrase phrase{frame_of(lists, entry, {"to", "from"}),
                            frame_of(lists, {{entry.columns[1]}, entry.line}, {"to", "from"})};
        const std::size_t length = phrase.english.pieces.size();
        if (phrase.french.pieces.size() != length)
            lists.fail_in_line(entry.line, "a phrase and its French need the same number of words");
        for (const std::string_view slot : {"to", "from"})
            if (position_of(phrase.english, true, slot) < 0 ||
                position_of(phrase.english, true, slot) != position_of(phrase.french, true, slot))
                lists.fail_in_line(entry.line, "{{1}} must be in the phrase and in its French, at the same position",
                                   slot);
        make_room(length);
        phrases_.push_back(phrase);
    }
}

void TranslationWorld::list_words() {
    std::set<std::string> english, french;
    for (const Phrase& phrase : phrases_)
        for (std::size_t i = 0; i < phrase.english.pieces.size(); ++i) {
            if (phrase.english.pieces[i].is_slot) continue;
            english.insert(phrase.english.pieces[i].text);
            french.insert(phrase.french.pieces[i].text);
        }
    for (const auto* list : {&articles_, &nouns_, &adjectives_, &verbs_, &prepositions_, &towns_})
        for (const Word& word : *list) {
            english.insert(word.english);
            french.insert(word.french.begin(), word.french.end());
        }
    for (const Frame& frame : frames_)
        for (const Frame::Piece& piece : frame.pieces)
            if (!piece.is_slot) {
                english.insert(piece.text);
                french.insert(piece.text);
            }
    vocabulary_.assign(english.begin(), english.end());
    french_.assign(french.begin(), french.end());
}

const TranslationWorld::Nouns* TranslationWorld::nouns_of(std::string_view slot) const {
    const auto found = std::ranges::find(kinds_, slot, &Nouns::slot);
    return found == kinds_.end() ? nullptr : &*found;
}

TranslationWorld::Filling TranslationWorld::draw(const Frame::Piece& piece, Rng& rng) const {
    Filling filling;
    if (const Nouns* nouns = nouns_of(piece.text)) {
        filling.article = rng.below(articles_.size());
        if (rng.uniform() < adjective_share) filling.before = rng.below(before_);
        if (rng.uniform() < adjective_share) filling.after = before_ + rng.below(adjectives_.size() - before_);
        filling.word = nouns->begin + rng.below(nouns->end - nouns->begin);
    } else {
        filling.word = rng.below(piece.text == "verb" ? verbs_.size() : prepositions_.size());
    }
    return filling;
}

TranslatedSentence TranslationWorld::say(const Frame& frame, const std::vector<Filling>& fillings) const {
    TranslatedSentence sentence;
    const auto both = [&](const std::string& english, const std::string& french) {
        sentence.alignment.push_back(static_cast<int>(sentence.words.size()));
        sentence.words.push_back(english);
        sentence.french.push_back(french);
    };
    std::size_t verb = 0;
    for (std::size_t i = 0; i < frame.pieces.size(); ++i) {
        const Frame::Piece& piece = frame.pieces[i];
        if (piece.is_slot && piece.text == "verb") verb = fillings[i].word;
        if (!piece.is_slot) {
            both(piece.text, piece.text);
        } else if (nouns_of(piece.text)) {
            say_noun_phrase(fillings[i], sentence);
        } else {
            const Word& word = (piece.text == "verb" ? verbs_ : prepositions_)[fillings[i].word];
            both(word.english, word.french[0]);
        }
    }
    for (TranslatedSentence::Combination& combination : sentence.combinations)
        combination.verb = static_cast<int>(verb);
    return sentence;
}

TranslatedSentence TranslationWorld::say(const Phrase& phrase, std::size_t to, std::size_t from) const {
    const SlotWord english[] = {{"to", towns_[to].english}, {"from", towns_[from].english}},
                   french[] = {{"to", towns_[to].french[0]}, {"from", towns_[from].french[0]}};
    TranslatedSentence sentence;
    sentence.words = fill(phrase.english, english);
    sentence.french = fill(phrase.french, french);
    for (int place = 0; place < static_cast<int>(sentence.words.size()); ++place) sentence.alignment.push_back(place);
    sentence.combinations.push_back({static_cast<int>(to), static_cast<int>(from), -1});  // of no verb
    return sentence;
}

void TranslationWorld::say_noun_phrase(const Filling& filling, TranslatedSentence& sentence) const {
    const Word& noun = nouns_[filling.word];
    const auto begin = static_cast<int>(sentence.words.size());
    const auto english = [&](const Word& word) { sentence.words.push_back(word.english); };
    const auto french = [&](const Word& word, int aligned) {
        sentence.french.push_back(word.french[noun.gender]);
        sentence.alignment.push_back(aligned);
    };
    english(articles_[filling.article]);
    if (filling.before) english(adjectives_[*filling.before]);
    if (filling.after) english(adjectives_[*filling.after]);
    english(noun);
    const int noun_at = static_cast<int>(sentence.words.size()) - 1;
    french(articles_[filling.article], begin);
    if (filling.before) french(adjectives_[*filling.before], begin + 1);
    french(noun, noun_at);
    if (filling.after) french(adjectives_[*filling.after], noun_at - 1);
    for (const std::optional<std::size_t>& adjective : {filling.before, filling.after})
        if (adjective)
            sentence.combinations.push_back({static_cast<int>(filling.word), static_cast<int>(*adjective), 0});
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
            return say(phrases_[rng.below(phrases_.size())], to, (to + further) % towns_.size());
        }
        const Frame& frame = frames_[rng.below(frames_.size())];
        std::vector<Filling> fillings(frame.pieces.size());
        for (std::size_t i = 0; i < frame.pieces.size(); ++i)
            if (frame.pieces[i].is_slot) fillings[i] = draw(frame.pieces[i], rng);
        return say(frame, fillings);
    };
    return draw_other(split, random);
}

std::optional<TranslatedSentence> TranslationWorld::translate(const std::vector<std::string>& english) const {
    for (const Frame& frame : frames_)
        if (std::optional<TranslatedSentence> sentence = translate(frame, english)) return sentence;
    for (const Phrase& phrase : phrases_)
        if (std::optional<TranslatedSentence> sentence = translate(phrase, english)) return sentence;
    return std::nullopt;
}

std::optional<TranslatedSentence> TranslationWorld::translate(const Phrase& phrase,
                                                              const std::vector<std::string>& words) const {
    if (words.size() != phrase.english.pieces.size()) return std::nullopt;
    const auto town = [&](std::string_view slot) {
        const std::size_t at = position_of(phrase.english, true, slot);
        return static_cast<std::size_t>(std::ranges::find(towns_, words[at], &Word::english) - towns_.begin());
    };
    const std::size_t to = town("to"), from = town("from");
    if (to == towns_.size() || from == towns_.size()) return std::nullopt;
    TranslatedSentence sentence = say(phrase, to, from);
    return sentence.words == words ? std::optional(std::move(sentence)) : std::nullopt;
}

std::optional<TranslatedSentence> TranslationWorld::translate(const Frame& frame,
                                                              const std::vector<std::string>& words) const {
    std::vector<Filling> fillings;
    std::size_t at = 0;
    for (const Frame::Piece& piece : frame.pieces) {
        const std::optional<Filling> filling = read(piece, words, at);
        if (!filling) return std::nullopt;
        fillings.push_back(*filling);
    }
    if (at != words.size()) return std::nullopt;
    return say(frame, fillings);
}

// No word is in two lists, so reading from left to right needs no second thought.
std::optional<TranslationWorld::Filling> TranslationWorld::read(const Frame::Piece& piece,
                                                                const std::vector<std::string>& words,
                                                                std::size_t& at) const {
    const auto next = [&](const std::vector<Word>& list, std::size_t begin,
                          std::size_t end) -> std::optional<std::size_t> {
        for (std::size_t i = begin; i < end && at < words.size(); ++i)
            if (list[i].english == words[at]) {
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
        filling.before = next(adjectives_, 0, before_);
        filling.after = next(adjectives_, before_, adjectives_.size());
        word = next(nouns_, nouns->begin, nouns->end);
    } else {
        const std::vector<Word>& list = piece.text == "verb" ? verbs_ : prepositions_;
        word = next(list, 0, list.size());
    }
    if (!article || !word) return std::nullopt;
    filling.article = *article;
    filling.word = *word;
    return filling;
}

}  // namespace glassformer
