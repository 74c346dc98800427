#include "app/common/lesson_secrets.h"

#include <algorithm>

namespace glassformer::app {

bool LessonSecrets::holds(double number) const { return std::ranges::find(numbers, number) != numbers.end(); }

bool LessonSecrets::says(int slot, int position) const {
    return std::ranges::any_of(
        said, [&](const Said& s) { return s.slot == slot && (s.position < 0 || s.position == position); });
}

bool LessonSecrets::asks_row(int slot, const HeadChoice& head, bool cross, int query) const {
    return std::ranges::find(rows, Row{slot, head, query, cross}) != rows.end();
}

int LessonSecrets::row(int slot, const HeadChoice& head, bool cross) const {
    const auto found =
        std::ranges::find_if(rows, [&](const Row& r) { return r.slot == slot && r.head == head && r.cross == cross; });
    return found == rows.end() ? -1 : found->query;
}

}  // namespace glassformer::app
