#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/optimizer.h"

namespace glassformer {

/// How far one head does what heads are known for, each 0 … 1: looks at the token before, at the token after the
/// earlier copy of its own (Olsson et al. 2022), at that copy itself (Wang et al. 2022), at the words that tell what
/// its own means.
struct HeadScore {
    int block = 0, head = 0;
    float previous_word = 0.0f, induction = 0.0f, duplicate_token = 0.0f, telling_word = 0.0f;
    bool operator==(const HeadScore&) const = default;
};

/// All heads at one step of a training.
struct HeadScoresAt {
    std::int64_t step = 0;
    std::vector<HeadScore> scores;
    bool operator==(const HeadScoresAt&) const = default;
};

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

/// One point of the training curves.
struct MetricPoint {
    std::int64_t step = 0;
    float loss = 0.0f;  // of that step's batch
    // Each of these is −1 where it was not measured.
    float accuracy = -1.0f;           // the world's metric on held-out data: a share, 0 … 1, or an error
    float held_out_loss = -1.0f;      // the same loss on sentences that training never sees
    float gradient_norm = -1.0f;      // before clipping
    float learning_rate = -1.0f;      // of that step's update
    float tokens_per_second = -1.0f;  // over the last steps
    float clip_factor = -1.0f;        // what the gradient was multiplied with

    bool operator==(const MetricPoint&) const = default;
};

/// What a timeline may take.
struct TimelineLimits {
    std::size_t memory_bytes = std::size_t{256} << 20;
    /// When more are kept, the even distance doubles and every second of the even ones goes at once.
    std::size_t most = std::numeric_limits<std::size_t>::max();
    /// The folder for steps that do not fit into memory; empty: they are dropped.
    std::filesystem::path spill = {};
    std::uint64_t spill_bytes = std::uint64_t{4} << 30;
};

/// Training over time: states kept at steps 0, 1, 2, 4, … 64 and then at even distances. When they do not fit into
/// memory any more, the even ones are thinned, the oldest first: each pass takes every second one, from the oldest on,
/// and when it has come to the newest, the distance doubles. So the whole run stays covered, the latest part most
/// densely, in bounded memory for a run of any length. The logarithmic start and the newest stay. With a spill folder,
/// what is thinned goes there, and read back when it is asked for; the folder is thinned the same way. Not thread-safe.
class Timeline {
public:
    /// A state of parameters alone (exact() is false) is kept as well as a whole one.
    using Keyframe = TrainingState;

    /// Throws Error when the spill folder cannot be made.
    explicit Timeline(const TimelineLimits& limits = {});

    /// Whether the state after `step` updates is to be kept.
    bool wants(std::int64_t step) const;
    /// Steps must grow; throws Error otherwise. Keeps the state even where wants() says no (the end of a run is kept
    /// too). Throws Error when the spill folder cannot be written to: the state is kept, and from then on steps that do
    /// not fit into memory are dropped.
    void keep(Keyframe state);
    /// The kept state nearest to `step`, the earlier of two; the timeline must not be empty. It stays valid when the
    /// timeline changes. Throws Error naming the spill file that cannot be read back; that step is then no
    /// longer kept.
    Keyframe nearest(std::int64_t step);

    /// Those in memory, the oldest first: all of them where there is no spill folder.
    std::vector<Keyframe> keyframes() const;
    /// All that nearest() can give, in memory or not; growing.
    std::vector<std::int64_t> steps() const;
    bool empty() const { return kept_.empty(); }
    std::size_t size() const { return kept_.size(); }
    /// What the states hold in memory, and in the spill folder.
    std::size_t memory_bytes() const { return memory_bytes_; }
    std::uint64_t spill_bytes() const { return spill_bytes_; }

    /// From now on steps that do not fit into memory go to a new folder under this one, up to so many bytes. Empty:
    /// they are dropped, and so are those in the folder used so far. Throws Error, with nothing changed, when the
    /// folder cannot be made.
    void spill_to(const std::filesystem::path& parent, std::uint64_t bytes);

    const TimelineLimits& limits() const { return limits_; }
    /// From now on no more than this is kept in memory. Throws Error as keep() does.
    void limit_memory(std::size_t bytes);

    /// Drops all steps after `step`: training continues from there in another way.
    void forget_after(std::int64_t step);
    void clear();

private:
    static constexpr std::int64_t last_power = 64, first_distance = 32;

    struct Kept {
        std::int64_t step = 0;
        Keyframe state;         // its parameters are null when it was spilled
        std::size_t bytes = 0;  // in memory or in its file
        bool spilled = false;
    };
    using Place = std::vector<Kept>::iterator;

    static int level(std::int64_t step);
    void thin();
    void halve();
    /// What goes first of those in memory (or in the spill folder); the end when there is nothing to take.
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
    std::optional<Keyframe> read_back_;  // the newest that came from the spill folder
};

}  // namespace glassformer
