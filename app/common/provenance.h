#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

/// Whose a number is. A number may stand, or leave the window, only with what it is of; here that is one value.
namespace glassformer::app {

/// What a card's numbers are of. provenance() makes it; its members write it out, and nothing else does.
struct Provenance {
    int slot = 0;
    Comparing::What comparing = Comparing::What::sentences;
    std::string world;            ///< its title; empty for a model without one
    std::string model, run;       ///< "homonyms, from scratch"; a branch, or one of several runs: else empty
    std::int64_t step = 0;        ///< of the training
    std::vector<WhatIf> changes;  ///< that are made in the card's model
    bool unaltered = false;       ///< none is, but in the model of the other card
    std::string sentence;
    HeadChoice head;  ///< that the card shows
    bool cross_attention = false, has_heads = true;

    /// What sets the card apart where not two sentences are compared: "step 3,000", "block 1, head 2" ("b1 h2" in
    /// brief), "homonyms", of a branch or of one of several runs "homonyms, branch 2" ("branch 2" in brief).
    std::string side(bool brief = false) const;
    /// For an audience: "homonyms · block 0 · head 1 · step 1200 · altered · 1 change".
    std::string brief() const;
    /// For a copied text: "sentence A: He swung the bat., step 1200", of two models "…, model homonyms, step 1200", and
    /// on a line of its own what was changed in the model. Ends with a line.
    std::string text() const;
    /// The first line of a caption: "The homonyms · step 1200".
    std::string title() const;
    /// The lines below it: "altered: block 0 · head 1 off"; empty, or begins with a line's end.
    std::string altered_line() const;
    /// "A · step 3,000 · block 0, head 1: He swung the bat."; `part` is what the view shows of the model.
    std::string caption_line(std::string_view part) const;
};

Provenance provenance(const Frame& frame, int slot);

/// "block 0, head 3", or "block 0, cross head 3" of the attention to the source sentence.
std::string head_name(const HeadChoice& head, bool cross);
/// "Induction: a random sequence, twice" → "Induction", in the chosen language.
std::string brief_title(const std::string& world_title);
/// The same in brief: "b0 h3".
std::string brief_head_name(const HeadChoice& head);
/// "altered · 2 changes".
std::string altered_count(std::size_t changes);
/// A model's folder without those that it lies in.
std::string folder_name(const std::string& folder);

/// Covers measured numbers that are not of what the sentences show: fades them, and says of which model they are. Draws
/// nothing where they are of the model as it is shown. Returns whether they are covered.
bool cover_unless_of_shown(const Frame& frame, const Box& box, const MeasuredOf& of);

/// A figure of the training, beside an altered model: "loss 0.03 · unaltered". What-ifs change nothing in the training.
std::string of_the_training(const Frame& frame, std::string figure);

}  // namespace glassformer::app
