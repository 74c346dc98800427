#include "app/context/headless_context.h"

#include "app/context/offscreen_context.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer {

namespace {

class Hidden final : public HeadlessContext {
public:
    explicit Hidden(std::unique_ptr<app::OffscreenContext> context) : context_(std::move(context)) {
        context_->make_current();
    }
    ~Hidden() override { context_->release(); }

private:
    std::unique_ptr<app::OffscreenContext> context_;
};

}  // namespace

std::unique_ptr<HeadlessContext> HeadlessContext::open(std::string* why) {
    std::string reason = N_("OpenGL 4.3 is not available; install the graphics card's driver");
    try {
        if (auto context = app::OffscreenContext::open(); context->gl_version() >= 43)
            return std::make_unique<Hidden>(std::move(context));
    } catch (const Error& error) {
        reason = error.what();
    }
    if (why) *why = reason;
    return nullptr;
}

}  // namespace glassformer
