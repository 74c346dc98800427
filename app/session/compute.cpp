#include "app/session/compute.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/devices/gl_training_device.h"
#include "core/devices/tiles.h"

namespace glassformer::app {

namespace {

bool same_size(const Trial& a, const Trial& b) { return a.config == b.config && a.options.batch == b.options.batch; }

/// The first sentence of a message, for a description.
std::string in_short(const std::string& why) { return why.substr(0, why.find_first_of(";\n")); }

}  // namespace

void ContextSource::prepare() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(made_, true) || !make_) return;
    try {
        context_ = make_();
    } catch (const Error&) {
        // A headless context will be tried instead.
    }
}

SharedContext* ContextSource::context() const {
    const std::lock_guard lock(mutex_);
    return context_.get();
}

Compute::Compute(ComputeOptions options, ContextSource& contexts, CpuBackend& cpu)
    : options_(std::move(options)), contexts_(contexts), cpu_(cpu) {
    now_.description = cpu_.description();
    ask(options_.preference);
}

void Compute::ask(BackendPreference preference) {
    now_.preference = preference;
    now_.testing = preference != BackendPreference::cpu || gl_;
    if (!now_.testing) now_.description = cpu_.description();
    tried_.reset();
}

void Compute::ask_again_for(const Trial& trial) {
    if (now_.preference == BackendPreference::automatic && !software_ && tried_ && !same_size(*tried_, trial))
        now_.testing = true;
}

/// Makes the shared context current; `software` says whether its renderer is software.
bool Compute::open_shared(bool& software) {
    SharedContext* context = contexts_.context();
    if (!context) return false;
    try {
        context->make_current();
        shared_ = context;
        software = GlBackend(options_.gl).software();
        return true;
    } catch (const Error&) {
        if (std::exchange(shared_, nullptr)) context->release();
        return false;
    }
}

/// Returns "", or why there is no context. Prefers a GPU context to a software one.
std::string Compute::open_context() {
    if (shared_ || headless_) return "";
    bool software = false;
    const bool shared = open_shared(software);
    software_ = software;
    if (shared && !software) return "";
    if (shared) std::exchange(shared_, nullptr)->release();
    std::string why;
    headless_ = HeadlessContext::open(&why);
    try {
        software_ = !headless_ || GlBackend(options_.gl).software();
    } catch (const Error& e) {
        why = e.what();
        headless_ = nullptr;
        software_ = true;
    }
    if (!shared || !software_) return headless_ ? "" : why;
    headless_ = nullptr;
    return open_shared(software) ? "" : N_("the OpenGL context of the window could not be used");
}

GlOptions Compute::options_here() const {
    try {
        return with_fastest_tiles(options_.gl, tiles_file());
    } catch (const std::exception&) {
        return options_.gl;  // choose_backend() meets the same error and reports it
    }
}

std::string Compute::choose(const Trial* trial) {
    gl_ = nullptr;
    tried_.reset();
    std::string no_context;
    if (now_.preference != BackendPreference::cpu) no_context = open_context();
    const bool wanted = now_.preference != BackendPreference::cpu && no_context.empty();
    BackendChoice choice =
        choose_backend(now_.preference, no_context, cpu_, wanted ? options_here() : options_.gl, trial);
    gl_ = std::move(choice.gl);
    if (trial) tried_ = *trial;
    now_.description = choice.description;
    now_.open_gl = gl_ != nullptr;
    now_.testing = false;
    return choice.trouble;
}

std::unique_ptr<TrainingDevice> Compute::device() {
    if (!gl_) return nullptr;
    return options_.device ? options_.device(*gl_) : std::make_unique<GlTrainingDevice>(*gl_);
}

void Compute::give_up(const std::string& why, bool this_model) {
    if (!this_model) gl_ = nullptr;
    now_.open_gl = false;
    now_.description = cpu_.description() + ": " + in_short(why);
}

void Compute::in_use() {
    now_.open_gl = true;
    now_.description = gl_->description();
}

void Compute::close() {
    gl_ = nullptr;
    headless_ = nullptr;
    if (shared_) std::exchange(shared_, nullptr)->release();
}

}  // namespace glassformer::app
