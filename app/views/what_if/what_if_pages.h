#pragma once

#include <string>

#include "app/common/frame.h"
#include "app/common/said_words.h"

/// The parts of the view, one per file.
namespace glassformer::app::views::what_if {

/// True if the window is so low that the switches are not above the sentence's page, but in it and scroll with it.
bool switches_in_page(const Frame& frame);
/// Draws the switches from `box.min` down; returns the bottom.
float draw_switches(const Frame& frame, const Box& box);

/// Draws the switches above both cards; returns their bottom.
float draw_what_if_switches(const Frame& frame, const Box& box);

/// Draws what the model predicts at the chosen word of a sentence with the changes, beside what it predicted without
/// them; from `box.min` down. Returns the bottom. Items: "A/what if/word 0" (the probability now), "A/what if/before
/// 0", "A/what if/change 0", and "A/what if/chosen" for the probability that is followed.
float draw_what_if_effects(const Frame& frame, const Box& box, int slot);

/// Draws how patching in an activation of the other sentence changes a difference of two logits, tried in every block
/// and at every word, or with every part of the chosen head; a click on a cell keeps that patch. From `box.min` down;
/// returns the bottom. Cells are "A/patch <row> <column>" with the change of the difference.
float draw_what_if_patches(const Frame& frame, const Box& box, int slot);

/// For a caption: the model that the map belongs to, if it is not the one on screen; else empty.
std::string patches_of(const Frame& frame);

}  // namespace glassformer::app::views::what_if
