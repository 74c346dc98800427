#include "app/cli/device.h"

#include "app/cli/cli.h"
#include "core/devices/gl_training_device.h"
#include "core/devices/tiles.h"

namespace glassformer::app {

namespace {

BackendChoice choose(BackendPreference preference, const std::string& no_context, CpuBackend& cpu, const Trial* trial) {
    GlOptions options;
    if (preference != BackendPreference::cpu && no_context.empty()) {
        try {
            options = with_fastest_tiles(options, tiles_file());
        } catch (const std::exception&) {
            // choose_backend() meets the same problem and reports it.
        }
    }
    return choose_backend(preference, no_context, cpu, options, trial);
}

}  // namespace

Device::Device(const std::string& preference, CpuBackend& cpu, const Trial* trial) : cpu_(cpu) {
    const BackendPreference wanted = backend_preference(preference);
    std::string no_context;
    if (wanted != BackendPreference::cpu) context_ = HeadlessContext::open(&no_context);
    choice_ = choose(wanted, no_context, cpu, trial);
    if (!choice_.trouble.empty()) tell(choice_.trouble);
    if (!choice_.gl) context_ = nullptr;
}

std::unique_ptr<TrainingDevice> Device::training() const {
    return choice_.gl ? std::make_unique<GlTrainingDevice>(*choice_.gl) : nullptr;
}

void Device::give_up(const std::string& why) {
    tell(why);
    choice_.description = cpu_.description() + ": " + why.substr(0, why.find_first_of(";\n"));
}

}  // namespace glassformer::app
