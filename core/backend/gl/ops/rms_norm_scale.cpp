#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/norm_rows.h"

namespace glassformer::gl {

extern const GlOp gl_rms_norm_scale{"rms_norm_scale", norm_scale};

}  // namespace glassformer::gl
