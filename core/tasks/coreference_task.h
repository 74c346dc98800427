#pragma once

#include <filesystem>
#include <memory>

#include "core/train/task.h"

namespace glassformer {

/// What does "it" mean? Masked-word prediction in the sentences of a file like coreference.words, an encoder, and how
/// often it fills in the antecedent for "it means the ▢" where it never saw that animal, place and adjective together.
/// Throws Error as CoreferenceWorld::load does.
std::unique_ptr<Task> make_coreference_task(const std::filesystem::path& file);

}  // namespace glassformer
