#include "core/backend/gl/gl_ops.h"
#include "core/backend/gl/norm_rows.h"

namespace glassformer::gl {

extern const GlOp gl_layer_norm_normalize{"layer_norm_normalize", norm_normalize, norm_normalize_backward};

}  // namespace glassformer::gl
