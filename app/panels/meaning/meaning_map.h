#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// How the user views the map of meanings.
struct MeaningMapState {
    float yaw = 0.0f, pitch = 0.0f;  // radians
    int layer = -1;                  // 0: the embedding; l + 1: after block l; −1: follows the chosen block
    void on_model_changed() { layer = -1; }
};

/// Draws the points of one layer of the meaning map, rotated by the state's yaw and pitch and fitted to the box: one
/// dot for each sentence of the corpus, and the words of the two current sentences. Dragging rotates the map, a double
/// click resets it. If there are several maps, `of` prefixes the names of its items.
void draw_meaning_cloud(const Frame& frame, const Box& box, int layer, std::string_view of = {});

/// Returns the colour of one of the two meanings (0 or 1).
inline ImU32 meaning_colour(const Theme& theme, int which) { return which == 0 ? theme.sense_a : theme.sense_b; }

}  // namespace glassformer::app
