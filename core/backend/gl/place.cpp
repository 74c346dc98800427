#include "core/backend/gl/place.h"

#include "core/backend/gl/execution.h"

namespace glassformer {

GlPlace gl_place(const Execution& run, int node) {
    const gl::Span span = static_cast<const gl::GlExecution&>(run).value_span(node);
    return {span.buffer, span.offset, span.cells};
}

void gl_run(Execution& run, std::span<const float> parameters) {
    run.forward(parameters);
    glFinish();
    gl::check_errors("while a sentence was traced");
}

}  // namespace glassformer
