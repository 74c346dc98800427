#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/norm_rows.h"

namespace glassformer::gl {

extern const GlOp gl_layer_norm_scale{"layer_norm_scale", norm_scale};

}  // namespace glassformer::gl
