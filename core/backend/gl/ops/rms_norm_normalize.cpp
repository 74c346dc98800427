#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/norm_rows.h"

namespace glassformer::gl {

extern const GlOp gl_rms_norm_normalize{"rms_norm_normalize", norm_normalize, norm_normalize_backward};

}  // namespace glassformer::gl
