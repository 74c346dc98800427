#include "core/worlds/world.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/rng.h"
#include "core/text/text_file.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer {
namespace {

/// How many draws in a row may fail (sentence not allowed, or not new) before the grammar counts as exhausted.
constexpr int max_tries = 2000;

const std::vector<Template>& templates_of(const SenseRules& rules, Split split) {
    return split == Split::train ? rules.train : rules.held_out;
}

}  // namespace

std::string text_of(const Sentence& sentence) {
    std::u32string text = code_points(join_words(sentence.words));
    // In ASCII and Latin-1 lower case differs from upper case by 0x20, but not every lower-case letter has a capital
    // there.
    if (!text.empty() && lower_case(text[0] - 0x20) == text[0]) text[0] -= 0x20;
    return to_utf8(text);
}

World World::parse(std::string_view text, const std::string& file_name) {
    World world;
    world.grammar_ = parse_grammar(text, file_name);
    check_grammar(world.grammar_);
    world.name_ = std::filesystem::path(file_name).stem().string();
    if (world.grammar_.title.empty()) world.grammar_.title = world.name_;
    for (const SenseRules& rules : world.grammar_.senses) {
        if (world.senses_.size() % 2 == 0) world.homonyms_.push_back(rules.sense.homonym);
        world.senses_.push_back(rules.sense);
    }
    world.list_words();
    world.list_samples();
    world.longest_sentence_ = static_cast<int>(glassformer::longest_sentence(world.grammar_));
    world.check_something_to_say();
    return world;
}

World World::load(const std::filesystem::path& path) {
    return parse(read_text_file(path, max_file_bytes), path.string());
}

void World::list_words() {
    std::set<std::string> words(homonyms_.begin(), homonyms_.end());
    for (const SenseRules& rules : grammar_.senses)
        for_each_template(rules, [&](const Template& t) {
            for_each_word(grammar_, t.phrase, [&](const std::string& word) { words.insert(word); });
        });
    vocabulary_.assign(words.begin(), words.end());
}

void World::list_samples() {
    Rng unused(0);
    bool more = true;
    for (std::size_t round = 0; more; ++round) {
        more = false;
        for (std::size_t sense = 0; sense < grammar_.senses.size(); ++sense) {
            const std::vector<Template>& samples = grammar_.senses[sense].samples;
            if (round >= samples.size()) continue;
            samples_.push_back(expand(grammar_, samples[round].phrase, sense, unused));
            sample_words_.insert(samples_.back().words);
            more = true;
        }
    }
}

void World::check_something_to_say() const {
    Rng rng(0);
    for (std::size_t sense = 0; sense < senses_.size(); ++sense) {
        for (const Split split : {Split::train, Split::held_out}) {
            if (try_generate(split, sense, rng, max_tries)) continue;
            throw Error(split == Split::train
                            ? N_("{1}:{2}: [{3} / {4}] has no training sentence of its own: all are samples, "
                                 "sentences of the other sense, or held out")
                            : N_("{1}:{2}: [{3} / {4}] has no held-out sentence of its own: all are samples, "
                                 "sentences of the other sense, or held out"),
                        grammar_.file_name, grammar_.senses[sense].line, senses_[sense].homonym, senses_[sense].name);
        }
    }
}

bool World::is_allowed(Split split, const Sentence& sentence) const {
    if (sample_words_.contains(sentence.words)) return false;
    const std::size_t sense = sentence.sense;
    const SenseRules& other = grammar_.senses[sense ^ 1];
    Matcher matcher(grammar_, sentence);
    if (matcher.matches_any(other.train) || matcher.matches_any(other.held_out)) return false;
    return split == Split::held_out || !matcher.matches_any(grammar_.senses[sense].held_out);
}

std::optional<Sentence> World::try_generate(Split split, std::size_t sense, Rng& rng, int tries) const {
    const std::vector<Template>& templates = templates_of(grammar_.senses[sense], split);
    for (int i = 0; i < tries; ++i) {
        Sentence sentence = expand(grammar_, templates[rng.below(templates.size())].phrase, sense, rng);
        if (is_allowed(split, sentence)) return sentence;
    }
    return std::nullopt;
}

bool World::says(Split split, const std::vector<std::string>& words) const {
    if (words.size() > Grammar::max_words) return false;
    for (std::size_t sense = 0; sense < senses_.size(); ++sense) {
        const auto place = std::ranges::find(words, senses_[sense].homonym);
        if (place == words.end()) continue;
        const Sentence sentence{words, static_cast<int>(place - words.begin()), static_cast<int>(sense)};
        Matcher matcher(grammar_, sentence);
        if (matcher.matches_any(templates_of(grammar_.senses[sense], split))) return true;
    }
    return false;
}

Sentence World::generate(Split split, int sense, Rng& rng) const {
    if (sense < 0 || static_cast<std::size_t>(sense) >= senses_.size())
        throw Error("the world '{1}' has no sense {2}", name_, sense);
    const std::size_t index = sense;
    if (std::optional<Sentence> sentence = try_generate(split, index, rng, max_tries)) return *std::move(sentence);
    throw Error("the world '{1}' finds no sentence for [{2} / {3}]", name_, senses_[index].homonym,
                senses_[index].name);
}

std::vector<Sentence> World::corpus(Split split, std::size_t per_sense, std::uint64_t seed) const {
    std::vector<Sentence> sentences;
    for (std::size_t sense = 0; sense < senses_.size(); ++sense) {
        Rng rng(seed, 2 * sense + (split == Split::train ? 0 : 1));
        std::set<std::vector<std::string>> seen;
        for (int misses = 0; seen.size() < per_sense && misses < max_tries;) {
            std::optional<Sentence> sentence = try_generate(split, sense, rng, 1);
            if (sentence && seen.insert(sentence->words).second) {
                sentences.push_back(*std::move(sentence));
                misses = 0;
            } else {
                ++misses;
            }
        }
    }
    return sentences;
}

}  // namespace glassformer
