#include <algorithm>

#include "app/cli/lesson_check.h"
#include "app/views/generate/generation.h"
#include "app/views/registry.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/text/character_tokenizer.h"
#include "core/text/shown_bytes.h"

namespace glassformer::app {

namespace {

using Token = WordTokenizer::Token;

/// A tokenizer's token for everything unknown; empty if it knows everything.
std::optional<int> unknown_of(const Tokenizer* tokenizer) {
    if (dynamic_cast<const WordTokenizer*>(tokenizer)) return WordTokenizer::unknown;
    if (dynamic_cast<const CharacterTokenizer*>(tokenizer)) return CharacterTokenizer::unknown;
    return {};
}

/// What a step says, and which words its numbers are about.
struct Spoken {
    std::string text;
    std::vector<std::string> words;

    void add(const Expression& e) {
        for (const WordName& word : e.words) words.push_back(word.text);
    }
    void add(const LiveText& live) {
        for (const LiveText::Piece& piece : live.pieces) {
            text += piece.text + "\n";
            if (piece.live) add(*piece.live);
        }
    }
    void add(const LessonText& paragraphs) {
        for (const Paragraph& p : paragraphs) add(p.text);
    }
};

Spoken spoken_in(const LessonStep& step) {
    Spoken spoken;
    spoken.add(step.text);
    spoken.words.insert(spoken.words.end(), step.scene.words.begin(), step.scene.words.end());
    if (!step.question) return spoken;
    const Question& q = *step.question;
    spoken.add(q.after);
    if (q.of) spoken.add(*q.of);
    for (const Choice& choice : q.choices) spoken.add(choice.text);
    return spoken;
}

/// True if a step is about an unknown word on purpose: its text names the word and asks for no number of it.
bool is_on_purpose(const std::string& word, const Spoken& spoken) {
    return spoken.text.find(word) != std::string::npos && std::ranges::find(spoken.words, word) == spoken.words.end();
}

/// The unknown words, each once, quoted, with commas between.
std::string unknown_words(const std::vector<Token>& tokens, const Tokenizer* tokenizer, const Spoken& spoken) {
    const std::optional<int> unknown = unknown_of(tokenizer);
    std::string all;
    for (const Token& token : tokens)
        if (token.id == unknown && !token.text.empty() && !is_on_purpose(token.text, spoken) &&
            all.find(in_quotes(token.text)) == std::string::npos)
            all += (all.empty() ? "" : ", ") + in_quotes(token.text);
    return all;
}

void find_unknown(const LessonStep& step, const Scene& scene, const Snapshot& s, std::vector<std::string>& found) {
    const Spoken spoken = spoken_in(step);
    const int seen = scene.compare && s.comparing.of_sentences() ? 2 : 1;
    for (int slot = 0; slot < seen; ++slot) {
        const WatchedSentence& sentence = s.sentences[slot];
        const ModelInfo& model = s.model_of(slot);
        const Tokenizer* own = model.tokenizer.get();
        const Tokenizer* source = model.source_tokenizer ? model.source_tokenizer.get() : own;
        for (const std::string& words :
             {unknown_words(sentence.source, source, spoken), unknown_words(sentence.tokens, own, spoken)})
            if (!words.empty())
                found.push_back(filled_with(N_("{1}: the model does not know {2}"), slot ? "B" : "A", words));
    }
}

/// Why a step was not kept; empty if the training was kept up to that step.
std::string beyond(std::int64_t step, const Snapshot& s) {
    if (s.kept_steps.empty()) return N_("the model has no kept steps");
    if (step <= s.kept_steps.back()) return {};
    return filled_with(N_("the last kept step of the model is {1}"), s.kept_steps.back());
}

}  // namespace

std::vector<std::string> not_of_model(const LessonStep& step, const Scene& scene, const Snapshot& s,
                                      const ViewState& state) {
    std::vector<std::string> found;
    const auto tell = [&](const std::string& field, const std::string& why) {
        if (!why.empty()) found.push_back(filled_with("{1}: {2}", field, why));
    };
    const ModelInfo& model = *s.model;
    find_unknown(step, scene, s, found);
    if (scene.step && !scene.fresh) tell("step: " + std::to_string(*scene.step), beyond(*scene.step, s));
    if (scene.beside.what == Comparing::What::steps)
        tell("beside: step " + std::to_string(scene.beside.step), beyond(scene.beside.step, s));
    if (!model.senses.empty() && scene.meaning_layer > model.config.n_layers)
        tell("meaning map: " + std::to_string(scene.meaning_layer - 1),
             filled_with(model.config.n_layers == 1 ? N_("the model has {1} block, which is number 0")
                                                    : N_("the model has {1} blocks, the first of which is 0"),
                         model.config.n_layers));
    if (scene.generate > 0 && !views::generate::generates(model))
        tell("generate", N_("the model does not generate text"));
    if (scene.to_source.value_or(false) && !model.translates())
        tell("look at: source", N_("the model does not translate, and has no source sentence"));
    // A change may remove what a view shows: the author sees that at once.
    if (!scene.view.empty() && scene.what_if.empty() && state.view != view_index(scene.view))
        tell("view: " + scene.view, N_("the model on the screen does not have it"));
    return found;
}

}  // namespace glassformer::app
