#pragma once

#include <cstdint>
#include <filesystem>

#include "core/train/training_state.h"

namespace glassformer {

/// A folder of training states that memory has no room for, each in a file of its own. It belongs to one timeline of
/// one process and goes with it: nothing in it is for later, so nothing is flushed to disk.
///
/// A file, in the machine's own byte order: eight 8-byte words (the mark, the step, the seed, the optimizer's kind and
/// its updates, the lengths of parameters, m and v), those floats, and a checksum of all before it.
class DiskCache {
public:
    /// A new folder under `parent`, which is made when it is not there. Throws Error naming it and why not.
    explicit DiskCache(const std::filesystem::path& parent);
    /// Removes the folder and its files.
    ~DiskCache();
    DiskCache(const DiskCache&) = delete;
    DiskCache& operator=(const DiskCache&) = delete;

    std::filesystem::path file(std::int64_t step) const;
    /// Throws Error naming the file, which is then gone, when the disk is full or the folder cannot be written to.
    void write(const TrainingState& state) const;
    /// Throws Error naming the file when it is missing, cut short, or its bytes are not those that were written.
    TrainingState read(std::int64_t step) const;
    void remove(std::int64_t step) const;

    /// Removes what programs that were killed have left under `parent`.
    static void remove_abandoned(const std::filesystem::path& parent);

private:
    std::filesystem::path folder_;
};

}  // namespace glassformer
