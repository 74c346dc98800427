#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/train/train_options.h"

namespace glassformer {

// TrainOptions as the fields of run.json.

/// Every field under its C++ name: {"schedule": {"peak": 0.005, "kind": "cosine", …}, "optimizer": {"kind": "adamw",
/// …}, "clip": 1.0, …, "held_at_zero": [{"offset": 0, "count": 64}]}.
nlohmann::json train_options_to_json(const TrainOptions& options);

/// The way back. Throws Error naming `file` and the field that is missing, has another type or is out of range.
TrainOptions train_options_from_json(const nlohmann::json& object, const std::string& file);

}  // namespace glassformer
