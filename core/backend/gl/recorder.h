#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/gl/gl_objects.h"
#include "core/backend/gl/shader_text.h"

namespace glassformer::gl {

/// A compiled compute shader and its interface. A shader declares its operands as blocks `buffer <name>_block`, whose
/// first cell is given by the constant <name>_first, and its constants as members of one block `layout(std140) uniform
/// Dispatch`, each a uint, int or float.
class Program {
public:
    enum class Type { uint32, int32, float32 };
    struct Constant {
        std::string name;
        Type type = Type::uint32;
        int offset = 0;  // bytes
        bool operator==(const Constant&) const = default;
    };

    /// Throws Error with the compiler's messages, with file and line.
    Program(const std::string& path, std::span<const Define> defines);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Recompiles if the text has changed, under the same id, so that recorded commands use it. Throws Error, leaving
    /// the program as it was, if the new text does not compile or takes other operands or constants.
    void reload();

    GLuint id() const { return id_; }
    const std::string& path() const { return path_; }
    const std::vector<Constant>& constants() const { return constants_; }
    int constant_bytes() const { return constant_bytes_; }
    /// Names of the operands; operand i is bound to shader storage binding i.
    const std::vector<std::string>& operands() const { return operands_; }
    /// Invocations per work group along x, y, z.
    const GLint* group_size() const { return group_size_; }

private:
    void link(GLuint shader, const std::vector<std::string>& files);
    void find_constants();
    void find_operands();

    GLuint id_ = 0;
    std::string path_, text_;
    std::vector<Define> defines_;
    std::vector<Constant> constants_;
    std::vector<std::string> operands_;
    int constant_bytes_ = 0;
    GLint group_size_[3] = {1, 1, 1};
};

/// Every requested program, compiled once.
class Programs {
public:
    /// shaders/compute/<name>.comp compiled with these defines.
    const Program& get(const std::string& name, std::span<const Define> defines);
    std::size_t size() const { return programs_.size(); }
    /// Reloads programs whose files changed in the folder GLASSFORMER_SHADERS; costs nothing if that is not set. A
    /// program that cannot be loaded is reported on standard error, and the old one stays in use.
    void refresh();

private:
    std::map<std::string, std::unique_ptr<Program>> programs_;
    ShaderFolder folder_;
};

/// Dispatches that were recorded once and are replayed in every run, without allocation or compilation.
class Commands {
public:
    /// Uploads the constants. Nothing more can be recorded afterwards.
    void seal(const Device& device);
    /// Runs dispatches first … last − 1. Buffer reads and the next run see what a run writes.
    void replay(std::size_t first, std::size_t last) const;
    std::size_t size() const { return dispatches_.size(); }

private:
    friend class Recorder;
    friend class Dispatch;

    struct Binding {
        GLuint buffer = 0;
        std::int64_t offset = 0, cells = 0;
        bool operator==(const Binding&) const = default;
    };
    struct Recorded {
        GLuint program = 0;
        std::size_t first_binding = 0;
        GLuint bindings = 0;
        std::size_t first_constant = 0;  // into constants_, in words
        int constant_bytes = 0;
        GLuint groups[3] = {1, 1, 1};
        bool wait = false;  // for the earlier dispatches
    };

    std::vector<Recorded> dispatches_;
    std::vector<Binding> bindings_;
    std::vector<std::uint32_t> constants_;
    Buffer uniforms_;
    std::vector<std::int64_t> uniform_offset_;  // bytes, by dispatch
};

class Recorder;

/// One dispatch being assembled:
///
///     gl.dispatch("scale").in("x", x).out("y", y).set("factor", f).over_cells(n);
///
/// Every operand and constant that the shader declares must be set, except <name>_first, which is set automatically.
class Dispatch {
public:
    Dispatch(Recorder& recorder, std::string shader) : recorder_(recorder), shader_(std::move(shader)) {}

    Dispatch& define(const std::string& name, int value);
    /// in(): what the shader reads. out(): what it writes without reading what was there (an invocation or work group
    /// may read cells that it wrote itself). add_to(): the same, with the accumulate flag as the constant <name>_add.
    Dispatch& in(const std::string& name, const Span& span);
    Dispatch& out(const std::string& name, const Span& span);
    Dispatch& add_to(const std::string& name, const Span& span, bool accumulate);
    Dispatch& set(const std::string& name, std::int64_t value);
    Dispatch& set(const std::string& name, int value) { return set(name, static_cast<std::int64_t>(value)); }
    Dispatch& set(const std::string& name, double value);

    /// How often one invocation runs the loops whose length depends on a tensor, per cell; over_rows() counts its own.
    /// Recording throws Error if the device cannot run that many, so that no shader stops halfway.
    Dispatch& loops(std::int64_t iterations);

    /// These end the dispatch. over_cells(): one invocation per cell, with the constant `count` (the shader loops with
    /// FOR_CELLS if there are more cells than the device can start).
    void over_cells(std::int64_t cells);
    /// One row of invocations for each row of `width` cells, with the constants `rows` and `width` (include/rows.glsl,
    /// FOR_ROWS). Defines LANES, the invocations per row: more if a row is too long for the loops of one invocation.
    /// The shader may pass over a row at most four times.
    void over_rows(std::int64_t rows, std::int64_t width);
    /// This many work groups.
    void groups(std::int64_t x, std::int64_t y = 1, std::int64_t z = 1);

private:
    struct Operand {
        std::string name;
        Span span;
        bool written = false;
    };
    struct Value {
        std::string name;
        bool real = false;
        double number = 0.0;
        std::int64_t whole = 0;
    };

    Dispatch& operand(const std::string& name, const Span& span, bool written);
    std::uint32_t word(const Program::Constant& constant) const;
    Commands::Binding bind(const Operand& operand);
    void record(const Program& program, const std::int64_t (&count)[3]);
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const;

    Recorder& recorder_;
    std::string shader_;
    std::vector<Define> defines_;
    std::vector<Operand> operands_;
    std::vector<Value> values_;
    std::int64_t iterations_ = 0;
};

/// How a backend runs its shaders.
struct Tuning {
    int lanes = 1;         // invocations that share a row in row-wise ops; a power of two
    int product_tile = 0;  // side of the tiles of matrix products in shared memory: 0 none, 64, 128; -1: chosen by size
    int tile_few = 64, tile_many = 128;  // chosen by size: for few tiles, and for enough to fill a graphics card
    int fuse_from = 256;                 // from this many queries and keys on, attention is one op (fused_attention.h)
};

/// Records the dispatches of a graph: the program, the operands, the number of work groups, and which dispatches must
/// wait for earlier ones.
class Recorder {
public:
    Recorder(Programs& programs, const Device& device, const Tuning& tuning)
        : programs_(programs), device_(device), tuning_(tuning) {}

    /// A recorder for the same device, with nothing recorded.
    Recorder fresh() const { return {programs_, device_, tuning_}; }
    Dispatch dispatch(const std::string& shader) { return Dispatch(*this, shader); }
    /// Working memory of the op being recorded, kept as long as the commands. Its contents are undefined.
    Span scratch(std::int64_t cells);
    /// Values that never change (tables of angles), uploaded immediately.
    Span constants(std::span<const float> values);

    Commands& commands() { return commands_; }
    const Device& device() const { return device_; }
    const Tuning& tuning() const { return tuning_; }
    /// The buffers behind scratch() and constants(). They must live as long as the commands.
    std::vector<Buffer> take_buffers() { return std::move(buffers_); }
    /// Recompiles shaders that changed on disk, if GLASSFORMER_SHADERS is set; recorded commands use the new ones.
    void refresh_programs() const { programs_.refresh(); }
    /// The next dispatch starts a separate replay.
    void begin_run() { since_wait_.clear(); }

private:
    friend class Dispatch;

    struct Use {
        Span span;
        bool written;
    };
    bool must_wait(const std::vector<Use>& uses);

    Programs& programs_;
    const Device& device_;
    Tuning tuning_;
    Commands commands_;
    std::vector<Buffer> buffers_;
    std::vector<Use> since_wait_;
};

}  // namespace glassformer::gl
