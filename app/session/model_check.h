#pragma once

#include <functional>
#include <string>

#include "core/devices/choose.h"
#include "core/graph/parameters.h"
#include "core/nn/config.h"

/// Whether a model's numbers can be trusted: what `glassformer check` and the window's "Check this model" run.
namespace glassformer::app {

/// What is checked, and with what.
struct ModelCheck {
    TransformerConfig config;
    Parameters parameters;
    int words = 24;  // random ones
    std::uint64_t seed = 1;
    int threads = 0;
    BackendPreference backend =
        BackendPreference::automatic;  // whether OpenGL is compared: where it can, never, always
};

/// One line of the report.
struct CheckedPart {
    enum class Verdict { passed, failed, left_out } verdict = Verdict::passed;
    std::string what, of;    // "linear", "200 of 41,472 cells"; of what was left out: why
    double error = 0.0;      // the largest
    std::string where = {};  // it is
};
std::string line_of(const CheckedPart& part);

/// The first line and the last one of a report.
std::string heading_of(const ModelCheck& check);
std::string verdict_text(bool passed);

/// What is being looked at now: how far, of how much.
struct CheckProgress {
    std::string what;
    std::int64_t done = 0, all = 0;
};

struct CheckListener {
    std::function<void(CheckedPart)> tell;          // each part when it is done, in order
    std::function<bool(CheckProgress)> go_on = {};  // false: stop; may be left out
};

/// Explains 200 random cells of every kind of op and computes them again in double; compares words read one by one,
/// with keys and values kept, with the whole pass; and OpenGL with the processor. Returns whether everything passed; of
/// a check that was stopped, whether everything did that was told of. Throws Error where the model cannot be run.
bool check_model(const ModelCheck& check, const CheckListener& listener);

}  // namespace glassformer::app
