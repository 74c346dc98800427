#include <algorithm>

#include "app/common/message_bar.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_view.h"

namespace glassformer::app {

void draw_lesson_error(const Frame& frame, LessonRunner& lessons, Box& box) {
    if (lessons.error().empty()) return;
    // One line: a lesson with many mistakes must not cover the window.
    const std::string& all = lessons.error();
    const std::size_t end = all.find('\n');
    const auto more = std::ranges::count(all, '\n');
    const std::string first = all.substr(0, end);
    const std::string_view text = more == 0 ? std::string_view(all)
                                            : frame.ui.items->format(tr("%s (and %d more: glassformer lesson check)"),
                                                                     first.c_str(), static_cast<int>(more));
    if (draw_message_bar(frame.ui, {tr("lesson error"), text}, box)) lessons.dismiss_error();
}

}  // namespace glassformer::app
