#pragma once

#include <string_view>

#include "app/common/frame.h"

/// Runs of a training, their branches and their film; timeline_view.cpp says where each of them stands.
namespace glassformer::app {

// run_film.cpp
/// Goes on with the film, where one is playing: call it once a frame.
void play_film(const Frame& frame);
/// From the step on screen, or from the first where that is the newest one.
void start_film(const Frame& frame);
void stop_film(ViewState& state);
float film_settings_height(const Ui& ui);
/// How fast, whether it starts again, and where it becomes a folder of pictures.
void draw_film_settings(const Frame& frame, const Box& row);

// run_branch_card.cpp
float branch_card_height(const Ui& ui);
void draw_branch_card(const Frame& frame, const Box& box);

// run_list_view.cpp
float run_list_height(const Frame& frame);
void draw_run_list(const Frame& frame, const Box& content);
/// What the list of events says while there are none.
std::string_view nothing_happened(const Frame& frame);
/// What it says below them of a model that came with a log in which no head was measured; else empty.
std::string_view missing_from_log(const Frame& frame);
/// The name of a run, also of one that was deleted.
std::string run_name(const Snapshot& snapshot, int id);

// run_panel.cpp
/// Runs, film, what happened: a card of its own.
void draw_run_panel(const Frame& frame, const Box& box);
float run_panel_height(const Frame& frame, float width);
/// The buttons that open panel and branch card; none where there is nothing to train.
void draw_run_buttons(const Frame& frame, const Box& row);
/// The open card over the panels, at the right end above the strip; nothing when none is open.
void draw_run_overlay(const Frame& frame, const Box& strip);
/// True when a card was open and is closed now.
bool close_run_card(ViewState& state);

// run_trouble.cpp
/// Whether the training stopped by itself, and nobody has put that away.
bool has_trouble(const Frame& frame);
/// As high as its text needs in that width.
float trouble_bar_height(const Frame& frame, float width);
/// What happened, and what can be done about it.
void draw_trouble_bar(const Frame& frame, const Box& box);

}  // namespace glassformer::app
