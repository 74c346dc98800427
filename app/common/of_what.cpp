#include "app/common/of_what.h"

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
    return filled(tr("sentence {1}: {2}, step {3}\n"),
                  {std::string(Frame::letter(slot)), sentence.text, std::to_string(sentence.step)}) +
           (altered.empty() ? "" : filled(tr("altered: {1}"), {altered}) + "\n");
}

}  // namespace glassformer::app
