#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/session/snapshot.h"

namespace glassformer::app {

/// Texts of a world for the menus: those that its file gives, else ones drawn as the training draws its own.
std::vector<Sample> samples_of(const Task& task, const std::filesystem::path& worlds);

/// Texts for a model without a world: something that it can read.
std::vector<Sample> samples_without_world(const ModelInfo& model);

/// The names of a task's classes; empty where it has none.
std::vector<std::string> classes_of(const Task& task);

}  // namespace glassformer::app
