#include "app/session/comparison.h"

#include <algorithm>
#include <filesystem>

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/worlds/world.h"

namespace glassformer::app {

namespace {

constexpr std::size_t words_named = 3;

bool knows(const WatchedSentence& sentence, const std::string& word) {
    return std::ranges::any_of(sentence.tokens, [&](const WordTokenizer::Token& token) {
        return token.text == word && token.id != WordTokenizer::unknown;
    });
}

/// Returns the words that A's model knows and the other model does not, quoted; empty if there are none.
std::string missing_words(const WatchedSentence& first, const WatchedSentence& second, const ModelInfo& other) {
    if (!other.words()) return {};
    std::vector<std::string> missing;
    for (const WordTokenizer::Token& token : second.tokens) {
        if (token.id != WordTokenizer::unknown || !knows(first, token.text)) continue;
        if (std::ranges::find(missing, token.text) == missing.end()) missing.push_back(token.text);
    }
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(missing.size(), words_named); ++i)
        named.push_back(in_quotation_marks(missing[i]));
    if (missing.size() <= words_named) return listed(named);
    return filled_with(N_("{1} and {2} more"), listed(named), missing.size() - words_named);
}

std::string name_of(const std::string& folder) {
    std::filesystem::path path(folder);
    if (!path.has_filename()) path = path.parent_path();  // "models/order/"
    return path.filename().string();
}

}  // namespace

Comparison::OtherModel::OtherModel(Backend& backend, const OpenedModel& opened)
    : checkpoint(opened.start), info(model_info(opened, backend.description())), sentences(backend, info, opened.task) {
    if (!checkpoint.parameters) throw Error("the model in {1} has no parameters", opened.folder.string());
}

void Comparison::set(Backend& backend, const Comparing& with, const std::filesystem::path& worlds) {
    if (with.what != Comparing::What::models) {
        other_ = nullptr;
    } else {
        if (with.folder.empty()) throw Error("choose a model to compare with: no folder is given");
        other_ = std::make_unique<OtherModel>(backend, open_checkpoint(with.folder, worlds));
    }
    with_ = with;
}

void Comparison::reset() {
    with_ = {};
    other_ = nullptr;
}

WatchedSentence Comparison::read_by_other(const WatchedSentence& first, const ModelInfo& model) {
    WatchedSentence& second = other_->newest;
    if (!second.model || second.text != first.text) {
        second = other_->sentences.watch(first.text, other_->checkpoint.parameters);
        second.model = other_->info;
        second.step = other_->checkpoint.step;
    }
    WatchedSentence found = second;
    const std::string missing = model.words() ? missing_words(first, found, *other_->info) : std::string();
    if (missing.empty() || !found.trace) return found;
    found.error =
        filled_with(N_("{1}: not in the vocabulary of {2}. Choose a sentence that both models know, or another model."),
                    missing, name_of(with_.folder));
    found.trace = found.original = nullptr;
    found.masked_probabilities.clear();
    return found;
}

void Comparison::arrange(std::array<WatchedSentence, 2>& sentences, ActiveModel& model, TrainingRun* run,
                         std::int64_t step) {
    auto& [a, b] = sentences;
    a.model = model.info;
    a.step = step;
    switch (with_.what) {
        case Comparing::What::models:
            b = read_by_other(a, *model.info);
            return;
        case Comparing::What::steps: {
            if (!run) break;  // Worker refuses this when there are no steps
            const Timeline::Keyframe kept = run->timeline().nearest(with_.step);
            b = model.runs.first_with(kept.parameters);
            b.step = kept.step;
            break;
        }
        case Comparing::What::heads:
            b = a;
            break;
        case Comparing::What::sentences:
            b.step = step;
            break;
    }
    b.model = model.info;
}

}  // namespace glassformer::app
