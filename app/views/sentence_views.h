#pragma once

#include <span>

#include "app/views/frame.h"

namespace glassformer::app {

/// One of the pictures that a sentence's card can show below its words. Each draws inside its box, of one sentence's
/// trace (which is there), follows the chosen layer, head and word, and scrolls by itself where it is taller than its
/// box.
struct SentenceView {
    std::string_view name;     // on its tab; the item is "view/<name>"
    std::string_view meaning;  // one line for the tooltip
    void (*draw)(const Frame& frame, const Box& box, int slot);
    bool (*offered)(const Frame& frame) = nullptr;  // whether this model has what the view shows; null: every model
    /// What both sentences share, drawn once above their cards from the top of the box on; returns its bottom.
    float (*shared)(const Frame& frame, const Box& box) = nullptr;
    bool across = false;  // one picture of both cards, drawn once below their words
};

/// In the order of their tabs; ViewState::view is an index into it.
std::span<const SentenceView> sentence_views();

/// Both cards in one, with such a picture.
void draw_sentences_across(const Frame& frame, const Box& box, const SentenceView& view);  // difference_view.cpp

/// The row of tabs; a list where they do not fit.
void draw_view_tabs(const Frame& frame, const Box& box);

// The views, one a file.
void draw_attention_view(const Frame& frame, const Box& box, int slot);  // sentence_view.cpp: worksheet and pattern
void draw_mlp_view(const Frame& frame, const Box& box, int slot);        // mlp_view.cpp: neurons of the chosen word
bool has_mlp(const Frame& frame);
void draw_logit_lens_view(const Frame& frame, const Box& box, int slot);  // what each layer would say
void draw_stream_view(const Frame& frame, const Box& box, int slot);      // stream_view.cpp: the parts of a logit
void draw_norm_lens_view(const Frame& frame, const Box& box, int slot);   // norm_lens_view.cpp
void draw_qkv_view(const Frame& frame, const Box& box, int slot);         // qkv_view.cpp
void draw_positions_view(const Frame& frame, const Box& box, int slot);   // positions_view.cpp
void draw_embedding_view(const Frame& frame, const Box& box, int slot);   // embedding_view.cpp: a map of the words
bool has_embedding(const Frame& frame);
bool has_norm(const Frame& frame);                                     // norm_lens.cpp
bool has_qkv(const Frame& frame);                                      // qkv_view.cpp
void draw_flow_view(const Frame& frame, const Box& box, int slot);     // flow_view.cpp: ribbons from word to word
void draw_heads_view(const Frame& frame, const Box& box, int slot);    // heads_view.cpp: every head's pattern, small
void draw_what_if_view(const Frame& frame, const Box& box, int slot);  // what_if_view.cpp: before and after, patches
float draw_what_if_switches(const Frame& frame, const Box& box);       // what_if_switches.cpp
float draw_painting_bar(const Frame& frame, const Box& box);           // what_if_paint.cpp: while a row is painted

void draw_generate_view(const Frame& frame, const Box& box, int slot);  // generate_view.cpp: the next word, again
bool has_generation(const Frame& frame);
void draw_difference_view(const Frame& frame, const Box& box, int slot);  // difference_view.cpp: B − A
bool has_difference(const Frame& frame);
void draw_training_view(const Frame& frame, const Box& box, int slot);  // training_view.cpp: of both cards

}  // namespace glassformer::app
