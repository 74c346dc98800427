// Linked in builds without OpenGL.
#include "core/backend/gl/gl_backend.h"
#include "core/backend/gl/gl_training.h"
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
std::string GlBackend::device_name() const { refuse(); }
bool GlBackend::software() const { refuse(); }
std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph>, const PlanRequest&) { refuse(); }
std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph>, const PlanRequest&,
                                              std::shared_ptr<gl::Parameters>) {
    refuse();
}
std::size_t GlBackend::programs() const { refuse(); }

double gl_seconds_of_product(GlBackend&, std::int64_t, int) { refuse(); }
double gl_seconds_of_dispatch(GlBackend&) { refuse(); }

struct GlTraining::Impl {};
GlTraining::GlTraining(GlBackend&, std::shared_ptr<const Graph>, const PlanRequest&, const GlMethod&,
                       std::vector<GlRunning>) {
    refuse();
}
GlTraining::~GlTraining() = default;
GlPlace gl_place(const Execution&, int) { refuse(); }
void gl_run(Execution&, std::span<const float>) { refuse(); }
Execution& GlTraining::execution() { refuse(); }
std::shared_ptr<gl::Parameters> GlTraining::parameters() { refuse(); }
void GlTraining::set_method(const GlMethod&) { refuse(); }
void GlTraining::freeze_at_zero(std::span<const GlHeld>) { refuse(); }
void GlTraining::step(float, std::span<const float>) { refuse(); }
std::optional<GlTraining::Report> GlTraining::poll() { refuse(); }
std::optional<GlTraining::Report> GlTraining::wait() { refuse(); }
void GlTraining::set_parameters(std::span<const float>) { refuse(); }
void GlTraining::read_parameters(std::span<float>) const { refuse(); }
void GlTraining::read_gradients(std::span<float>) const { refuse(); }
void GlTraining::set_moments(std::span<const float>, std::span<const float>, std::int64_t) { refuse(); }
void GlTraining::read_moments(std::span<float>, std::span<float>) const { refuse(); }
std::int64_t GlTraining::updates() const { refuse(); }

}  // namespace glassformer
