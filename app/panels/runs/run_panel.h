#pragma once

#include <string_view>

#include "app/common/frame.h"

/// The runs of a training, their branches and their film; timeline_view.cpp places them.
namespace glassformer::app {

// run_film.cpp
/// Advances the film if one is playing. Call this once per frame.
void play_film(const Frame& frame);
/// Starts the film at the step on screen, or at the first one if the newest is on screen.
void start_film(const Frame& frame);
void stop_film(ViewState& state);
float film_settings_height(const Ui& ui);
/// Draws the film's speed, its repeat switch, and the button that saves it as a folder of pictures.
void draw_film_settings(const Frame& frame, const Box& row);

// run_branch_card.cpp
float branch_card_height(const Ui& ui);
void draw_branch_card(const Frame& frame, const Box& box);

// run_list_view.cpp
float run_list_height(const Frame& frame);
void draw_run_list(const Frame& frame, const Box& content);
/// Returns the text that replaces an empty list of events.
std::string_view nothing_happened(const Frame& frame);
/// Returns the note below the events of a model whose log did not measure heads; empty for other models.
std::string_view missing_from_log(const Frame& frame);
/// Returns the name of a run, even of a deleted one.
std::string run_name(const Snapshot& snapshot, int id);

// run_panel.cpp
/// Draws runs, film and events as a card of their own.
void draw_run_panel(const Frame& frame, const Box& box);
/// Draws the buttons that open the panel and the branch card; none if there is nothing to train.
void draw_run_buttons(const Frame& frame, const Box& row);
/// Draws the open card over the panels, at the right end above the strip; draws nothing if none is open.
void draw_run_overlay(const Frame& frame, const Box& strip);
/// Closes an open card; returns true if there was one.
bool close_run_card(ViewState& state);

// run_trouble.cpp
/// Returns true if the training stopped by itself and the user has not dismissed the message.
bool has_trouble(const Frame& frame);
/// Returns the height that the text needs in that width.
float trouble_bar_height(const Frame& frame, float width);
/// Draws what happened, and what the user can do about it.
void draw_trouble_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
