#pragma once

#include <functional>
#include <string>

#include "core/devices/choose.h"
#include "core/graph/parameters.h"
#include "core/nn/config.h"

/// Whether a model's numbers can be trusted: run by `glassformer check` and by the window's "Check this model".
namespace glassformer::app {

/// What to check, and with what.
struct ModelCheck {
    TransformerConfig config;
    Parameters parameters;
    int words = 24;  // random ones
    std::uint64_t seed = 1;
    int threads = 0;
    BackendPreference backend =
        BackendPreference::automatic;  // whether to compare OpenGL: if possible, never, or always
};

/// One line of the report.
struct CheckedPart {
    enum class Verdict { passed, failed, left_out } verdict = Verdict::passed;
    std::string what, of;    // "linear", "200 of 41,472 cells"; for a part left out, the reason
    double error = 0.0;      // the largest
    std::string where = {};  // place of the largest error
};
std::string line_of(const CheckedPart& part);

/// The first and the last line of a report.
std::string heading_of(const ModelCheck& check);
std::string verdict_text(bool passed);

/// What is being checked now, and how far it has got.
struct CheckProgress {
    std::string what;
    std::int64_t done = 0, all = 0;
};

struct CheckListener {
    std::function<void(CheckedPart)> tell;          // called with each part once it is done, in order
    std::function<bool(CheckProgress)> go_on = {};  // returns false to stop; optional
};

/// Explains 200 random cells of every kind of op and computes them again in double; compares the logits of words read
/// one by one with the key/value cache with those of the full pass; and compares OpenGL with the CPU. Returns whether
/// everything passed; after a stop, whether everything reported so far did. Throws Error if the model cannot be run.
bool check_model(const ModelCheck& check, const CheckListener& listener);

}  // namespace glassformer::app
