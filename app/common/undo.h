#pragma once

namespace glassformer::app {

/// Undo and redo, as far as keys and menus need to know; App acts on what is asked.
struct UndoState {
    int asked = 0;  // changes of view to take back (below 0) or to make again (above 0)
    bool can_undo = false, can_redo = false;
};

}  // namespace glassformer::app
