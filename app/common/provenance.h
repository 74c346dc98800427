#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// Where a number comes from. A number may only be shown or exported together with that; here it is one value.
namespace glassformer::app {

/// What a card's numbers belong to. provenance() builds it; only its members turn it into text.
struct Provenance {
    int slot = 0;
    Comparing::What comparing = Comparing::What::sentences;
    std::string world;       ///< its title; empty for a model without one
    std::string model, run;  ///< "homonyms, from scratch"; run: of a branch or one of several runs, else empty
    std::optional<std::int64_t> step;  ///< of the training; none for a model that has no training known here
    std::vector<WhatIf> changes;       ///< made in the card's model
    bool unaltered = false;            ///< no changes here, but in the other card's model
    std::string sentence;
    HeadChoice head;  ///< shown by the card
    bool cross_attention = false, has_heads = true;

    /// What sets the card apart if something other than two sentences is compared: "step 3,000", "block 1, head 2"
    /// (brief: "b1 h2"), "homonyms", or for a branch or one of several runs "homonyms, branch 2" (brief: "branch 2").
    std::string side(bool brief = false) const;
    /// Like all that follow, leaves out a step that is not known. For an audience: "homonyms · block 0 · head 1 · step
    /// 1200 · altered · 1 change".
    std::string brief() const;
    /// For copied text: "sentence A: He swung the bat., step 1200", for two models "…, model homonyms, step 1200", and
    /// changes to the model on a line of their own. Ends with a newline.
    std::string text() const;
    /// The first line of a caption: "The homonyms · step 1200".
    std::string title() const;
    /// The line below it: "altered: block 0 · head 1 off". Empty, or begins with a newline.
    std::string altered_line() const;
    /// "A · step 3,000 · block 0, head 1: He swung the bat." after a newline; `part`: what the view shows of the model.
    std::string caption_line(std::string_view part) const;
};

Provenance provenance(const Frame& frame, int slot);

/// "block 0, head 3", or "block 0, cross head 3" of the attention to the source sentence.
std::string head_name(const HeadChoice& head, bool cross);
/// "Induction: a random sequence, twice" → "Induction", in the chosen language.
std::string brief_title(const std::string& world_title);
/// A head in brief: "b0 h3".
std::string brief_head_name(const HeadChoice& head);
/// "altered · 2 changes".
std::string altered_count(std::size_t changes);
/// The last component of a model's folder; in the cache of Hugging Face's programs, the model's name.
std::string folder_name(const std::string& folder);

/// Covers measured numbers that do not belong to the model as shown: fades them and says which model they belong to.
/// Returns whether they are covered; if not, draws nothing.
bool cover_unless_of_shown(const Frame& frame, const Box& box, const MeasuredOf& of);

/// A training figure; beside an altered model: "loss 0.03 · unaltered". What-ifs do not change the training.
std::string of_the_training(const Frame& frame, std::string figure);

}  // namespace glassformer::app
