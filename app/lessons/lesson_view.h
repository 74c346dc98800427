#pragma once

#include "app/lessons/lesson_runner.h"
#include "app/panels/messages/error_bar.h"

namespace glassformer::app {

/// Returns the height of the lesson at the bottom of the window, 0 if there is none. It is the same for all steps, so
/// that nothing jumps. The panels are above it, so it never hides what it points at.
float lesson_height(const Frame& frame, const LessonRunner& lessons, const Box& window);

/// Draws the step's text, its question and the navigation, or the offer to begin. Items: "lesson" (value: the step,
/// from 1), "lesson/number N", "lesson/after N", "lesson/choice N", "lesson/next", "lesson/back", "lesson/leave",
/// "lesson/scene" (1 when the step's scene is on screen).
void draw_lesson(const Frame& frame, LessonRunner& lessons, const Box& box);

/// Before a lesson: the offer to begin the first one ("lesson/offer": "lesson/start", "lesson/later", "lesson/never"),
/// or the notice that another lesson needs its model on screen ("lesson/wanted": "lesson/open model", "lesson/cancel").
/// After a lesson in which a model was trained: the way back ("lesson/left": "lesson/go back", "lesson/stay").
float lesson_banner_height(const Frame& frame, const LessonRunner& lessons, const Box& window);
void draw_lesson_banner(const Frame& frame, LessonRunner& lessons, const Box& box);

/// Frames what the step highlights and dims the rest slightly; `panels` is the area of the panels.
void draw_lesson_lights(const Frame& frame, const LessonRunner& lessons, const Box& panels);

/// Draws all lessons with their questions, duration and progress, over everything, while LessonMenu::course is set.
/// Items "course", "course/N" (value: the step where it was left), "course/close".
void draw_course(const Frame& frame, const LessonRunner& lessons, const Box& window);

/// Draws the problems in a lesson file until they are dismissed.
void draw_lesson_error(const Frame& frame, LessonRunner& lessons, Box& box, Bars bars = Bars::drawn);

}  // namespace glassformer::app
