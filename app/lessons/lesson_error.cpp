#include "app/common/message_bar.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_view.h"

namespace glassformer::app {

void draw_lesson_error(const Frame& frame, LessonRunner& lessons, Box& box) {
    if (lessons.error().empty()) return;
    if (draw_message_bar(frame.ui, {tr("lesson error"), lessons.error()}, box)) lessons.dismiss_error();
}

}  // namespace glassformer::app
