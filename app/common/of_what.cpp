#include "app/common/of_what.h"

#include "app/common/compare_controls.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"

namespace glassformer::app {

std::string altered_words(const Frame& frame, int slot) {
    std::string all;
    if (!is_altered(frame, slot)) return all;
    for (const WhatIf& change : frame.snapshot.what_if) all += (all.empty() ? "" : ", ") + describe(change);
    return all;
}

std::string of_what(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const std::string altered = altered_words(frame, slot);
    const bool two_models = frame.snapshot.comparing.what == Comparing::What::models;
    const std::string letter = Frame::letter(slot), step = std::to_string(sentence.step);
    return (two_models ? filled(tr("sentence {1}: {2}, model {3}, step {4}\n"),
                                {letter, sentence.text, compared_side(frame, slot), step})
                       : filled(tr("sentence {1}: {2}, step {3}\n"), {letter, sentence.text, step})) +
           (altered.empty() ? "" : filled(tr("altered: {1}"), {altered}) + "\n");
}

}  // namespace glassformer::app
