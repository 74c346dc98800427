#pragma once

#include <filesystem>
#include <memory>

#include "core/train/task.h"

namespace glassformer {

/// Where is the order? Opinions of a file like order.words, an encoder that tells praise (class 1) from blame
/// (class 0), and how often it is right about words that it never saw together. Throws Error as OrderWorld::load does.
std::unique_ptr<Task> make_order_task(const std::filesystem::path& file);

}  // namespace glassformer
