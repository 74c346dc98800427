#include "app/desktop/history.h"

#include <doctest/doctest.h>

using namespace glassformer;
using namespace glassformer::app;

namespace {

ViewMoment with_head(int head) {
    ViewMoment m;
    m.head = head;
    return m;
}

}  // namespace

TEST_CASE("separate changes are undone and redone one by one") {
    History history;
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.undo());
    for (int head = 0; head < 4; ++head) history.record(with_head(head), head);
    for (const int head : {2, 1, 0}) CHECK(history.undo() == with_head(head));
    CHECK_FALSE(history.undo());
    for (const int head : {1, 2}) CHECK(history.redo() == with_head(head));
    history.record(with_head(7), 9);  // a new branch discards what was undone
    CHECK_FALSE(history.can_redo());
    CHECK(history.undo() == with_head(2));
}

TEST_CASE("recording the same state again adds nothing to undo") {
    History history;
    for (int i = 0; i < 50; ++i) history.record(with_head(1), i);
    CHECK_FALSE(history.can_undo());
}

TEST_CASE("changes in quick succession are merged into one") {
    History history;
    history.record(with_head(0), 0);
    for (int i = 1; i <= 20; ++i) history.record(with_head(i), 10 + 0.1 * i);  // a key held down
    history.record(with_head(3), 20);
    CHECK(history.undo() == with_head(20));
    CHECK(history.undo() == with_head(0));
    CHECK(history.redo() == with_head(20));
    history.record(with_head(5), 20.01);  // right after a redo: not merged
    CHECK(history.undo() == with_head(20));
}

TEST_CASE("a quickly reverted change adds nothing to undo") {
    History history;
    history.record(with_head(0), 0);
    history.record(with_head(1), 10);
    history.record(with_head(0), 10.1);
    CHECK_FALSE(history.can_undo());
    history.record(with_head(2), 10.2);
    CHECK(history.undo() == with_head(0));
}

TEST_CASE("hundreds of changes are kept, up to a limit") {
    History history;
    for (int head = 0; head < 2000; ++head) history.record(with_head(head), head);
    int undone = 0;
    while (history.undo()) ++undone;
    CHECK(undone == static_cast<int>(History::most));
    CHECK(undone >= 200);
    int redone = 0;
    while (history.redo()) ++redone;
    CHECK(redone == undone);
}

TEST_CASE("a partly restored moment can be corrected, and what was undone can still be redone") {
    History history;
    ViewMoment gone;
    gone.step = 300;
    history.record(gone, 0);
    history.record(with_head(1), 1);
    CHECK(history.undo() == gone);
    ViewMoment instead = gone;
    instead.step = 0;
    history.correct(instead);
    history.record(instead, 2);
    CHECK(history.redo() == with_head(1));
    CHECK(history.undo() == instead);
    history.clear();
    CHECK_FALSE(history.can_undo());
    CHECK_FALSE(history.can_redo());
}
