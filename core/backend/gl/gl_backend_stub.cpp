// What is linked where the build has no OpenGL.
#include "core/backend/gl/gl_backend.h"
#include "core/base/error.h"

namespace glassformer {

struct GlBackend::Impl {};

namespace {

[[noreturn]] void refuse() {
    throw Error("this build has no OpenGL backend; build it where libepoxy is installed, or use --backend cpu");
}

}  // namespace

GlBackend::GlBackend(const GlOptions&) { refuse(); }
GlBackend::~GlBackend() = default;
bool GlBackend::compiled() { return false; }
std::string GlBackend::description() const { refuse(); }
bool GlBackend::software() const { refuse(); }
std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph>, const PlanRequest&) { refuse(); }
std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph>, const PlanRequest&,
                                              std::shared_ptr<gl::Parameters>) {
    refuse();
}
std::size_t GlBackend::programs() const { refuse(); }

}  // namespace glassformer
