#pragma once

#include <epoxy/gl.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace glassformer::gl {

/// Bytes per cell: a float or a uint.
inline constexpr std::int64_t cell_bytes = 4;

/// A buffer object with a fixed size in cells, initialised to zero. The context it was created in, or one that shares
/// with it, must be current wherever it is used and destroyed.
class Buffer {
public:
    Buffer() = default;
    /// Throws Error if the memory cannot be allocated.
    explicit Buffer(std::int64_t cells);
    ~Buffer();
    Buffer(Buffer&& other) noexcept : id_(std::exchange(other.id_, 0)), cells_(std::exchange(other.cells_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(cells_, other.cells_);
        return *this;
    }

    GLuint id() const { return id_; }
    std::int64_t cells() const { return cells_; }

    /// Buffers created and read so far, in total. A training loop must not increase them.
    static std::int64_t made();
    static std::int64_t reads();

    /// Copies `count` cells into the buffer, after everything that was queued on the GPU before.
    void write(std::int64_t offset, const void* cells, std::int64_t count);
    /// Waits for the GPU and copies `count` cells out.
    void read(std::int64_t offset, void* cells, std::int64_t count) const;

private:
    GLuint id_ = 0;
    std::int64_t cells_ = 0;
};

/// Some cells of a buffer: the memory of a shader operand.
struct Span {
    GLuint buffer = 0;  // 0: no such operand
    std::int64_t offset = 0, cells = 0;

    Span part(std::int64_t first, std::int64_t count) const { return {buffer, offset + first, count}; }
    explicit operator bool() const { return buffer != 0; }
};

/// What the driver reports about itself, read once.
struct Device {
    std::string_view name() const { return renderer; }

    const char* renderer = "";
    bool software = false;               // the shaders run on the CPU (llvmpipe and the like)
    std::int64_t largest_block = 0;      // cells visible through one shader storage block
    std::int64_t storage_alignment = 1;  // in cells; where a bound range may begin
    std::int64_t uniform_alignment = 1;  // bytes
    std::int64_t most_groups = 0;        // work groups along each axis
    int most_blocks = 0;                 // shader storage blocks per shader
    // Loop iterations that one invocation may run, summed over all its loops: llvmpipe leaves every loop of a shader
    // after 65,535 and reports no error.
    std::int64_t most_iterations = std::numeric_limits<std::int64_t>::max();

    /// Cells of the largest operand: its window starts at the alignment boundary before it.
    std::int64_t most_cells() const { return largest_block - storage_alignment; }

    /// Throws Error if the current context has no OpenGL 4.3.
    static Device query();
};

/// Throws Error if the driver has reported an error since the last call; `doing` says in which operation.
void check_errors(const char* doing);

}  // namespace glassformer::gl
