#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

namespace {

// A place only; the op attention fills it.
void attention_rows(Recorder&, const GlStep&) {}

}  // namespace

extern const GlOp gl_attention_rows{"attention_rows", attention_rows};

}  // namespace glassformer::gl
