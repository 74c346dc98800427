#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/optimizer.h"

namespace glassformer {

/// How strongly one head does what heads are known for, each 0 … 1: attends to the previous token, to the token after
/// the earlier copy of its own (Olsson et al. 2022), to that copy itself (Wang et al. 2022), to the words that tell
/// what its own token means.
struct HeadScore {
    int block = 0, head = 0;
    float previous_word = 0.0f, induction = 0.0f, duplicate_token = 0.0f, telling_word = 0.0f;
    bool operator==(const HeadScore&) const = default;
};

/// All heads at one training step.
struct HeadScoresAt {
    std::int64_t step = 0;
    std::vector<HeadScore> scores;
    bool operator==(const HeadScoresAt&) const = default;
};

/// A folder for training states that do not fit into memory, one file per state. It belongs to one timeline of one
/// process and is deleted with it. Nothing in it is meant to last, so nothing is flushed to disk.
///
/// File format, in native byte order: eight 8-byte words (the mark, the step, the seed, the optimizer's kind and its
/// updates, the lengths of parameters, m and v), those floats, and a checksum of everything before it.
class DiskCache {
public:
    /// Creates a new folder under `parent`, and `parent` if necessary. Throws Error naming the folder and the reason.
    explicit DiskCache(const std::filesystem::path& parent);
    /// Removes the folder and its files.
    ~DiskCache();
    DiskCache(const DiskCache&) = delete;
    DiskCache& operator=(const DiskCache&) = delete;

    std::filesystem::path file(std::int64_t step) const;
    /// Throws Error naming the file, which is then removed, if the disk is full or the folder is not writable.
    void write(const TrainingState& state) const;
    /// Throws Error naming the file if it is missing, truncated, or does not hold the bytes that were written.
    TrainingState read(std::int64_t step) const;
    void remove(std::int64_t step) const;

    /// Removes the folders under `parent` that killed processes left behind.
    static void remove_abandoned(const std::filesystem::path& parent);

private:
    std::filesystem::path folder_;
};

/// One point of the training curves.
struct MetricPoint {
    std::int64_t step = 0;
    float loss = 0.0f;  // of that step's batch
    // The fields below are −1 if they were not measured.
    float accuracy = -1.0f;           // the world's metric on held-out data: a share, 0 … 1, or an error
    float held_out_loss = -1.0f;      // the same loss on unseen sentences
    float gradient_norm = -1.0f;      // before clipping
    float learning_rate = -1.0f;      // of that step's update
    float tokens_per_second = -1.0f;  // over the last steps
    float clip_factor = -1.0f;        // factor that the gradient was multiplied by

    bool operator==(const MetricPoint&) const = default;
};

/// Limits on what a timeline may use.
struct TimelineLimits {
    std::size_t memory_bytes = std::size_t{256} << 20;
    /// When more are kept, the spacing doubles and every second evenly spaced step is dropped at once.
    std::size_t most = std::numeric_limits<std::size_t>::max();
    /// Folder for steps that do not fit into memory; empty: they are dropped.
    std::filesystem::path spill = {};
    std::uint64_t spill_bytes = std::uint64_t{4} << 30;
};

/// Training over time: states kept at steps 0, 1, 2, 4, … 64 and then at even spacing. When they no longer fit into
/// memory, the evenly spaced ones are thinned, oldest first: each pass removes every second one, and once it reaches
/// the newest, the spacing doubles. So the whole run stays covered, the latest part most densely, in bounded memory
/// however long the run. The logarithmic start and the newest state stay. With a spill folder, thinned states move
/// there and are read back on demand; the folder is thinned the same way. Not thread-safe.
class Timeline {
public:
    /// A state with parameters only (exact() is false) is kept like a complete one.
    using Keyframe = TrainingState;

    /// Throws Error if the spill folder cannot be created.
    explicit Timeline(const TimelineLimits& limits = {});

    /// True if the state after `step` updates should be kept.
    bool wants(std::int64_t step) const;
    /// Steps must increase; throws Error otherwise. Keeps the state even if wants() is false (the end of a run is kept
    /// too). Throws Error if the spill folder is not writable: the state is still kept, but from then on steps that do
    /// not fit into memory are dropped.
    void keep(Keyframe state);
    /// The kept state nearest to `step`, the earlier one on a tie. The timeline must not be empty. The result stays
    /// valid when the timeline changes. Throws Error naming the spill file if it cannot be read back; that step is then
    /// no longer kept.
    Keyframe nearest(std::int64_t step);

    /// The states in memory, oldest first; without a spill folder, that is all of them.
    std::vector<Keyframe> keyframes() const;
    /// All steps that nearest() can return, in memory or spilled, in increasing order.
    std::vector<std::int64_t> steps() const;
    bool empty() const { return kept_.empty(); }
    std::size_t size() const { return kept_.size(); }
    /// Bytes that the states take in memory, and in the spill folder.
    std::size_t memory_bytes() const { return memory_bytes_; }
    std::uint64_t spill_bytes() const { return spill_bytes_; }

    /// From now on, spills steps that do not fit into memory to a new folder under `parent`, up to `bytes`. If `parent`
    /// is empty they are dropped, together with those already spilled. Throws Error, with nothing changed, if the
    /// folder cannot be created.
    void spill_to(const std::filesystem::path& parent, std::uint64_t bytes);

    const TimelineLimits& limits() const { return limits_; }
    /// From now on, keeps at most this much in memory. Throws Error as keep() does.
    void limit_memory(std::size_t bytes);

    /// Drops all steps after `step`: training continues differently from there.
    void forget_after(std::int64_t step);
    void clear();

private:
    static constexpr std::int64_t last_power = 64, first_distance = 32;

    struct Kept {
        std::int64_t step = 0;
        Keyframe state;         // its parameters are null if it was spilled
        std::size_t bytes = 0;  // in memory or in its file
        bool spilled = false;
    };
    using Place = std::vector<Kept>::iterator;

    static int level(std::int64_t step);
    void thin();
    void halve();
    /// The next state to go from memory (or from the spill folder); the end iterator if there is none.
    Place next_to_go(bool spilled);
    void spill(Kept& kept);
    void free_memory();
    void free_spill();
    void give_up(Place kept);
    void drop_bytes(const Kept& kept);
    void give_up_spilled();

    TimelineLimits limits_;
    std::unique_ptr<DiskCache> folder_;
    bool spilling_ = false;
    std::int64_t distance_ = first_distance;
    std::vector<Kept> kept_;
    std::size_t memory_bytes_ = 0;
    std::uint64_t spill_bytes_ = 0;
    std::optional<Keyframe> read_back_;  // the last one read from the spill folder
};

}  // namespace glassformer
