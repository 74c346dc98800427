#pragma once

#include <array>

#include "app/session/snapshot.h"
#include "core/backend/gl/gl_backend.h"
#include "core/trace/resident_trace.h"

namespace glassformer::app {

/// Computes the watched sentences a second time with OpenGL, so that the window can draw their pictures from the
/// buffers. Used by one thread, on which the backend's context is current.
class ResidentTraces {
public:
    /// Gives each sentence what lies on the graphics card of its trace: nothing where `gl` is null, where the model was
    /// altered, or where the sentence is so short that it is drawn cell by cell.
    void look(std::array<WatchedSentence, 2>& sentences, GlBackend* gl);
    void clear() { slots_ = {}; }

private:
    /// A graph that is prepared, and the buffers that it fills.
    struct Prepared {
        std::shared_ptr<const Graph> graph;
        std::vector<int> kept;
        std::shared_ptr<Execution> run;
    };
    struct Slot {
        std::weak_ptr<const Trace> of;
        std::shared_ptr<const ResidentTrace> resident;
        std::array<Prepared, 2> prepared;  // the window may still draw from one
    };

    static std::shared_ptr<const ResidentTrace> resident(Slot& slot, const Trace& trace, GlBackend& gl);

    std::array<Slot, 2> slots_;
};

}  // namespace glassformer::app
