#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/model_check/model_check_panel.h"

namespace glassformer::app {

RunningCheck::RunningCheck(std::string title, ModelCheck check) {
    report_.title = std::move(title);
    report_.parameters = static_cast<std::int64_t>(check.parameters->size());
    report_.heading = heading_of(check);
    thread_ = Background(
        "check",
        [this, check = std::move(check)](const std::stop_token& stop) {
            run(check, stop);
            return Turn::done;
        },
        [this](const std::string& why) { end(false, false, why); });
}

void RunningCheck::run(const ModelCheck& check, const std::stop_token& stop) {
    CheckListener listener;
    listener.tell = [this](CheckedPart part) {
        const std::lock_guard lock(mutex_);
        report_.parts.push_back(std::move(part));
    };
    listener.go_on = [&](CheckProgress now) {
        const std::lock_guard lock(mutex_);
        report_.now = std::move(now);
        return !stop.stop_requested();
    };
    const bool passed = check_model(check, listener);
    end(passed, stop.stop_requested(), {});
}

void RunningCheck::end(bool passed, bool stopped, const std::string& error) {
    const std::lock_guard lock(mutex_);
    report_.stopped = stopped;
    report_.running = false;
    report_.passed = passed;
    report_.error = error;
}

RunningCheck::Report RunningCheck::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

std::string RunningCheck::Report::text() const {
    std::string text = title + ": " + heading + "\n";
    for (const CheckedPart& part : parts) text += line_of(part) + "\n";
    if (running) return text;
    return text +
           (!error.empty() ? tr_sentence(error)
            : stopped      ? tr("stopped before the end")
                           : verdict_text(passed)) +
           "\n";
}

}  // namespace glassformer::app
