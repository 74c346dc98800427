#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/fnv.h"
#include "core/base/mark_text.h"
#include "core/platform/process.h"
#include "core/train/timeline.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mark = 0x3174617473666c67;  // "glfstat1"
using Head = std::array<std::uint64_t, 8>;

/// FNV-1a over eight-byte words, in four lanes that are folded together. Any changed bit changes it, and it is as fast
/// as the disk.
class Checksum {
public:
    void add(std::span<const char> bytes) {
        std::size_t i = 0;
        for (; i + 32 <= bytes.size(); i += 32)
            for (std::size_t l = 0; l < 4; ++l) lanes_[l].add(word(bytes.subspan(i + 8 * l, 8)));
        for (; i < bytes.size(); i += 8)
            lanes_[0].add(word(bytes.subspan(i, std::min<std::size_t>(8, bytes.size() - i))));
    }
    std::uint64_t value() const {
        Fnv1a all;
        for (const Fnv1a& lane : lanes_) all.add(lane.value);
        return all.value;
    }

private:
    static std::uint64_t word(std::span<const char> bytes) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes.data(), bytes.size());
        return w;
    }
    std::array<Fnv1a, 4> lanes_{{{Fnv1a::offset}, {Fnv1a::offset + 1}, {Fnv1a::offset + 2}, {Fnv1a::offset + 3}}};
};

std::span<const char> spill_bytes(const Parameters& values) {
    if (!values) return {};
    return {reinterpret_cast<const char*>(values->data()), values->size() * sizeof(float)};
}

std::span<const char> spill_bytes(const Head& head) {
    return {reinterpret_cast<const char*>(head.data()), sizeof head};
}

std::uint64_t spill_length(const Parameters& values) { return values ? values->size() : 0; }

Head head_of(const TrainingState& s) {
    return {mark,
            static_cast<std::uint64_t>(s.step),
            s.seed,
            static_cast<std::uint64_t>(s.optimizer.kind),
            static_cast<std::uint64_t>(s.optimizer.updates),
            spill_length(s.parameters),
            spill_length(s.optimizer.m),
            spill_length(s.optimizer.v)};
}

[[noreturn]] void damaged(const fs::path& file, const std::string& what) {
    throw Error("the kept step in {1} cannot be read back: {2}", file, what);
}

/// Reads one list of floats and adds it to the checksum; null if the list is empty.
Parameters read_values(std::ifstream& in, std::uint64_t length, Checksum& sum) {
    if (length == 0) return nullptr;
    const auto values = std::make_shared<ParameterValues>(static_cast<std::size_t>(length));
    in.read(reinterpret_cast<char*>(values->data()), static_cast<std::streamsize>(length * sizeof(float)));
    sum.add(spill_bytes(values));
    return values;
}

}  // namespace

DiskCache::DiskCache(const fs::path& parent) {
    static std::atomic<int> count{0};
    folder_ = parent / ("timeline-" + std::to_string(platform::process_id()) + "-" + std::to_string(count++));
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error("the folder {1} for the kept steps cannot be created: {2}", folder_, error.message());
}

DiskCache::~DiskCache() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void DiskCache::remove_abandoned(const fs::path& parent) {
    std::error_code ignored;
    std::vector<fs::path> abandoned;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
        int process = 0, number = 0, used = 0;
        const std::string name = entry.path().filename().string();
        const bool spilled = std::sscanf(name.c_str(), "timeline-%9d-%9d%n", &process, &number, &used) == 2 &&
                             static_cast<std::size_t>(used) == name.size();
        if (spilled && process > 0 && !platform::process_runs(process)) abandoned.push_back(entry.path());
    }
    for (const fs::path& folder : abandoned) fs::remove_all(folder, ignored);
}

fs::path DiskCache::file(std::int64_t step) const { return folder_ / ("step-" + std::to_string(step) + ".state"); }

void DiskCache::write(const TrainingState& state) const {
    const fs::path path = file(state.step);
    const Head head = head_of(state);
    Checksum sum;
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    for (const std::span<const char> part : {spill_bytes(head), spill_bytes(state.parameters),
                                             spill_bytes(state.optimizer.m), spill_bytes(state.optimizer.v)}) {
        sum.add(part);
        out.write(part.data(), static_cast<std::streamsize>(part.size()));
    }
    const std::uint64_t check = sum.value();
    out.write(reinterpret_cast<const char*>(&check), sizeof check);
    out.close();
    if (out) return;
    const std::string reason = errno ? std::strerror(errno) : N_("it cannot be written");
    remove(state.step);
    throw Error("step {1} cannot be kept in {2}: {3}; free some space, or keep fewer steps on the timeline", state.step,
                path, reason);
}

TrainingState DiskCache::read(std::int64_t step) const {
    const fs::path path = file(step);
    std::ifstream in(path, std::ios::binary);
    if (!in) damaged(path, N_("the file is missing"));
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    Head head{};
    in.read(reinterpret_cast<char*>(head.data()), sizeof head);
    if (!in || error || head[0] != mark) damaged(path, N_("it is not a file of kept steps"));
    if (head[1] != static_cast<std::uint64_t>(step)) damaged(path, N_("it contains another step"));
    // Do not trust the lengths until they add up to the file size.
    std::uintmax_t left = size - sizeof head, total = sizeof(std::uint64_t);
    for (std::size_t i = 5; i < 8; ++i) {
        if (head[i] > left / sizeof(float)) damaged(path, N_("it was cut short"));
        total += head[i] * sizeof(float);
    }
    if (total != left || head[3] > static_cast<std::uint64_t>(OptimizerKind::adamw))
        damaged(path, N_("it was cut short or changed"));
    Checksum sum;
    sum.add(spill_bytes(head));
    TrainingState state;
    state.step = step;
    state.seed = head[2];
    state.optimizer.kind = static_cast<OptimizerKind>(head[3]);
    state.optimizer.updates = static_cast<std::int64_t>(head[4]);
    state.parameters = read_values(in, head[5], sum);
    state.optimizer.m = read_values(in, head[6], sum);
    state.optimizer.v = read_values(in, head[7], sum);
    std::uint64_t check = 0;
    in.read(reinterpret_cast<char*>(&check), sizeof check);
    if (!in || check != sum.value()) damaged(path, N_("its bytes are not the ones that were written"));
    return state;
}

void DiskCache::remove(std::int64_t step) const {
    std::error_code ignored;
    fs::remove(file(step), ignored);
}

}  // namespace glassformer
