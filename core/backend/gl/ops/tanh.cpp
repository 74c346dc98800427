#include "core/backend/gl/activation.h"
#include "core/backend/gl/gl_ops.h"

namespace glassformer::gl {

extern const GlOp gl_tanh{"tanh", activation, activation_backward};

}  // namespace glassformer::gl
