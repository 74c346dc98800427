#include "core/analysis/telling_words.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/tasks/sense_probe.h"
#include "core/worlds/world.h"

namespace glassformer {

namespace {

constexpr std::size_t sentences_per_sense = 6;
constexpr std::uint64_t telling_seed = 7;

std::vector<TellingSentence> of_senses(const World& world) {
    const WorldTraining training(world);
    std::vector<std::set<std::string>> said(world.senses().size());
    for (const Sentence& s : world.corpus(Split::train, WorldTraining::sentences_per_sense, WorldTraining::corpus_seed))
        said[s.sense].insert(s.words.begin(), s.words.end());
    std::vector<TellingSentence> all;
    for (const Sentence& s : world.corpus(Split::held_out, sentences_per_sense, telling_seed)) {
        TellingSentence telling{training.encode(s), s.homonym_pos, {}};
        for (int p = 0; p < static_cast<int>(s.words.size()); ++p)
            if (said[s.sense].contains(s.words[p]) && !said[s.sense ^ 1].contains(s.words[p]))
                telling.keys.push_back(p);
        if (!telling.keys.empty()) all.push_back(std::move(telling));
    }
    return all;
}

}  // namespace

std::vector<TellingSentence> telling_sentences(const Task& task) {
    if (task.senses) return of_senses(*task.senses);
    std::vector<TellingSentence> all;
    if (!task.tokenizer || task.source_tokenizer || task.config.input != InputKind::words) return all;
    for (const Sample& sample : task.samples)
        if (sample.token >= 0 && sample.looks_at >= 0)
            all.push_back({task.tokenizer->ids(sample.text), sample.token, {sample.looks_at}});
    std::erase_if(all, [](const TellingSentence& s) {
        const int length = static_cast<int>(s.tokens.size()), key = s.keys.front();
        if (s.asks >= length || key >= length) return true;
        return key > 0 && key <= s.asks && s.tokens[key - 1] == s.tokens[s.asks];  // this is induction
    });
    return all;
}

}  // namespace glassformer
