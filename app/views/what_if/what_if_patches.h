#pragma once

#include <string>

#include "app/common/frame.h"

namespace glassformer::app::views::what_if {

/// What a patch of the other sentence's activation does to a difference of two logits, tried in every block and at
/// every word; a click on a cell keeps that patch. From `box.min` down; returns the bottom. Cells are
/// "A/patch <block> <position>" with the change of the difference.
float draw_what_if_patches(const Frame& frame, const Box& box, int slot);

/// For a caption: of which model the map is, where that is not the one on screen; else empty.
std::string patches_of(const Frame& frame);

/// Whether patching means something here: two sentences of a model that says words.
bool can_patch(const Frame& frame);

}  // namespace glassformer::app::views::what_if
