#include "core/backend/gl/gl_backend.h"

#include <algorithm>

#include "core/backend/gl/execution.h"

namespace glassformer {

struct GlBackend::Impl {
    gl::Device device = gl::Device::query();
    gl::Programs programs;
    gl::Tuning tuning;
    bool guard = false;
};

GlBackend::GlBackend(const GlOptions& options) : impl_(std::make_unique<Impl>()) {
    // On a processor one invocation does best with a row of its own: barriers cost more than they share.
    impl_->tuning.lanes = options.lanes > 0 ? options.lanes : impl_->device.software ? 1 : 32;
    impl_->tuning.product_tile = options.product_tile >= 0 ? options.product_tile : impl_->device.software ? 0 : -1;
    impl_->tuning.tile_few = options.tile_few;
    impl_->tuning.tile_many = options.tile_many;
    impl_->tuning.fuse_from = options.fuse_from;
    if (options.largest_block > 0)
        impl_->device.largest_block = std::min(impl_->device.largest_block, options.largest_block);
    if (options.most_iterations > 0)
        impl_->device.most_iterations = std::min(impl_->device.most_iterations, options.most_iterations);
    impl_->guard = options.guard;
}

GlBackend::~GlBackend() = default;

bool GlBackend::compiled() { return true; }

std::string GlBackend::description() const {
    return (impl_->device.software ? "CPU · " : "GPU · ") + std::string(impl_->device.name());
}

std::string GlBackend::device_name() const {
    return std::string(impl_->device.name()) + " · " + reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

bool GlBackend::software() const { return impl_->device.software; }

std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) {
    auto parameters = std::make_shared<gl::Parameters>(*graph);
    return prepare(std::move(graph), request, std::move(parameters));
}

std::unique_ptr<Execution> GlBackend::prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request,
                                              std::shared_ptr<gl::Parameters> parameters) {
    return std::make_unique<gl::GlExecution>(std::move(graph), request, std::move(parameters), recorder(),
                                             impl_->guard);
}

gl::Recorder GlBackend::recorder() { return {impl_->programs, impl_->device, impl_->tuning}; }

std::size_t GlBackend::programs() const { return impl_->programs.size(); }

}  // namespace glassformer
