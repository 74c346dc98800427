#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/session/snapshot.h"
#include "core/analysis/what_if_tracer.h"

namespace glassformer::app {

/// Turns what the user typed into the model's input and traces it. Not thread-safe; the results are.
///
/// A translation is written "source" (the model translates it) or "source → target". Numbers are written "sample 3" (a
/// prompt of the world) or as rows: "0.5 1 0; 1 0 2". Without a tokenizer, tokens are written as ids: "5 17 3".
class Sentences {
public:
    /// `task` supplies the prompts of numbers; it may be null.
    Sentences(Backend& backend, std::shared_ptr<const ModelInfo> model, std::shared_ptr<const Task> task);

    /// Returns the sentence with its trace, or with an error. Uses the model without what-ifs.
    WatchedSentence watch(const std::string& text, const Parameters& parameters);

    /// Returns why the text cannot be read; empty if it can.
    std::string refusal(const std::string& text) const;

    using MakeTrace = std::function<std::shared_ptr<const Trace>(TraceInput)>;
    /// Returns WatchedSentence::masked_probabilities, from runs made with `trace`; empty for models that fill no masks.
    std::vector<float> guess_masked(const WatchedSentence& sentence, const MakeTrace& trace) const;

    const ModelInfo& model() const { return *model_; }
    /// Makes the traces, with or without what-ifs.
    WhatIfTracer& tracer() { return tracer_; }

private:
    void read(WatchedSentence& sentence) const;
    void read_numbers(WatchedSentence& sentence) const;
    void read_sample(WatchedSentence& sentence, long number) const;
    void read_translation(WatchedSentence& sentence) const;
    void read_words(WatchedSentence& sentence) const;
    void translate(WatchedSentence& sentence, const Parameters& parameters);
    bool guesses_every_word() const;

    std::shared_ptr<const ModelInfo> model_;
    std::shared_ptr<const Task> task_;
    WhatIfTracer tracer_;
};

/// Returns the text before "→" or "->", and the text after it.
std::pair<std::string, std::string> at_arrow(const std::string& text);

/// Returns a sentence as the model's input.
TraceInput input_of(const WatchedSentence& sentence);

}  // namespace glassformer::app
