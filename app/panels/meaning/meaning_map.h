#pragma once

#include "app/common/frame.h"

namespace glassformer::app {

/// How the map of meanings is looked at.
struct MeaningMapState {
    float yaw = 0.0f, pitch = 0.0f;  // radians
    int layer = -1;                  // 0 the embedding, l + 1 after block l; −1 follows the chosen block
    void on_model_changed() { layer = -1; }
};

/// The points of one layer of the meaning map, turned by the state's yaw and pitch and fitted to a box: one dot for
/// each sentence of the corpus, and the words of the two sentences on screen. Drag turns it, double click turns it
/// back. Where there are several, `of` goes before the names of its items.
void draw_meaning_cloud(const Frame& frame, const Box& box, int layer, std::string_view of = {});

/// Colour of one of the two meanings (0 or 1).
inline ImU32 meaning_colour(const Theme& theme, int which) { return which == 0 ? theme.sense_a : theme.sense_b; }

}  // namespace glassformer::app
