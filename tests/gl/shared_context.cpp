#include "tests/gl/shared_context.h"

namespace glassformer::testing {

HeadlessContext* shared_context() {
    static const std::unique_ptr<HeadlessContext> context = HeadlessContext::open();
    return context.get();
}

}  // namespace glassformer::testing
