#pragma once

#include <filesystem>
#include <memory>

#include "core/train/task.h"

namespace glassformer {

/// Two kinds of bat: masked-word prediction in the sentences of a grammar, an encoder, and how well its last layer
/// tells the two senses of a homonym apart (SenseProbe). Throws Error as World::load does.
std::unique_ptr<Task> make_homonyms_task(const std::filesystem::path& file);

}  // namespace glassformer
