#pragma once

#include "app/lessons/lesson_runner.h"
#include "app/panels/messages/error_bar.h"

namespace glassformer::app {

/// The height that the lesson takes at the foot of the window: the same for all its steps, so that nothing jumps. The
/// panels stand above it, so it never hides what it points at. 0 when there is none.
float lesson_height(const Frame& frame, const LessonRunner& lessons, const Box& window);

/// The step's text, its question and the way on; or the offer to begin. Items: "lesson" (value: the step, from 1),
/// "lesson/number N", "lesson/after N", "lesson/choice N", "lesson/next", "lesson/back", "lesson/leave",
/// "lesson/scene" (1 when the step's scene is on screen).
void draw_lesson(const Frame& frame, LessonRunner& lessons, const Box& box);

/// Before a lesson: the offer to begin the first one ("lesson/offer": "lesson/start", "lesson/later", "lesson/never"),
/// or that another needs its model on screen ("lesson/wanted": "lesson/open model", "lesson/cancel"). After a lesson in
/// which a model was trained: the way back ("lesson/left": "lesson/go back", "lesson/stay").
float lesson_banner_height(const Frame& frame, const LessonRunner& lessons, const Box& window);
void draw_lesson_banner(const Frame& frame, LessonRunner& lessons, const Box& box);

/// Frames what the step points at and dims the rest a little; `panels` is where the panels are.
void draw_lesson_lights(const Frame& frame, const LessonRunner& lessons, const Box& panels);

/// All lessons with their questions, their time and how far one has got, over everything while
/// LessonMenu::course is set. Items "course", "course/N" (value: the step where it was left), "course/close".
void draw_course(const Frame& frame, const LessonRunner& lessons, const Box& window);

/// What is wrong with a lesson file, until it is dismissed.
void draw_lesson_error(const Frame& frame, LessonRunner& lessons, Box& box, Bars bars = Bars::drawn);

}  // namespace glassformer::app
