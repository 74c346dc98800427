#include "app/context/offscreen_context.h"

#include "core/base/error.h"

namespace glassformer::app {

std::unique_ptr<OffscreenContext> OffscreenContext::open(const OffscreenContext*) {
    throw Error("in a browser nothing is drawn outside the page");
}

}  // namespace glassformer::app
