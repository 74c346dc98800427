#pragma once

#include <array>

#include "app/session/snapshot.h"
#include "core/backend/gl/gl_backend.h"
#include "core/trace/resident_trace.h"

namespace glassformer::app {

/// Computes the watched sentences a second time, with OpenGL, so that the window can draw their pictures straight from
/// the buffers. Must be used from one thread, with the backend's context current.
class ResidentTraces {
public:
    /// Gives each sentence the part of its trace that lives on the GPU: none if `gl` is null, if the model was altered,
    /// or if the sentence is so short that it is drawn cell by cell.
    void look(std::array<WatchedSentence, 2>& sentences, GlBackend* gl);
    void clear() { slots_ = {}; }

private:
    /// A prepared graph and the buffers that it fills.
    struct Prepared {
        std::shared_ptr<const Graph> graph;
        std::vector<int> kept;
        std::shared_ptr<Execution> run;
    };
    struct Slot {
        std::weak_ptr<const Trace> of;
        std::shared_ptr<const ResidentTrace> resident;
        std::array<Prepared, 2> prepared;  // two, because the window may still draw from one
    };

    static std::shared_ptr<const ResidentTrace> resident(Slot& slot, const Trace& trace, GlBackend& gl);

    std::array<Slot, 2> slots_;
};

}  // namespace glassformer::app
