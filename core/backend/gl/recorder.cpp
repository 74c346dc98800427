#include "core/backend/gl/recorder.h"

#include <algorithm>
#include <bit>

#include "core/base/ceil_div.h"
#include "core/base/error.h"

namespace glassformer::gl {

void Commands::seal(const Device& device) {
    std::int64_t bytes = 0;
    for (const Recorded& d : dispatches_) {
        uniform_offset_.push_back(bytes);
        bytes += ceil_div(d.constant_bytes, device.uniform_alignment) * device.uniform_alignment;
    }
    uniforms_ = Buffer(ceil_div(bytes, cell_bytes));
    for (std::size_t i = 0; i < dispatches_.size(); ++i)
        uniforms_.write(uniform_offset_[i] / cell_bytes, constants_.data() + dispatches_[i].first_constant,
                        dispatches_[i].constant_bytes / cell_bytes);
}

void Commands::replay(std::size_t first, std::size_t last) const {
    constexpr std::size_t most = 16;
    Binding bound[most];
    GLuint program = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Recorded& d = dispatches_[i];
        if (d.wait) glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        if (d.program != program) glUseProgram(program = d.program);
        glBindBufferRange(GL_UNIFORM_BUFFER, 0, uniforms_.id(), uniform_offset_[i], d.constant_bytes);
        for (GLuint b = 0; b < d.bindings; ++b) {
            const Binding& binding = bindings_[d.first_binding + b];
            if (b < most && bound[b] == binding) continue;
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, b, binding.buffer, binding.offset * cell_bytes,
                              binding.cells * cell_bytes);
            if (b < most) bound[b] = binding;
        }
        glDispatchCompute(d.groups[0], d.groups[1], d.groups[2]);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

Dispatch& Dispatch::define(const std::string& name, int value) {
    defines_.push_back({name, value});
    return *this;
}

template <typename... Places>
void Dispatch::fail(std::string_view pattern, const Places&... places) const {
    throw Error("the shader {1} cannot run: {2}", shader_, filled_with(pattern, places...));
}

Dispatch& Dispatch::operand(const std::string& name, const Span& span, bool written) {
    if (!span) fail("its operand {1} has no memory", name);
    if (span.cells > recorder_.device_.most_cells())
        throw Error("a tensor of {1} MiB is larger than this driver's shaders can read ({2} MiB); use --backend cpu",
                    span.cells * cell_bytes >> 20, recorder_.device_.largest_block * cell_bytes >> 20);
    operands_.push_back({name, span, written});
    return *this;
}

Dispatch& Dispatch::in(const std::string& name, const Span& span) { return operand(name, span, false); }
Dispatch& Dispatch::out(const std::string& name, const Span& span) { return operand(name, span, true); }
Dispatch& Dispatch::add_to(const std::string& name, const Span& span, bool accumulate) {
    return out(name, span).set(name + "_add", accumulate ? 1 : 0);
}

Dispatch& Dispatch::set(const std::string& name, std::int64_t value) {
    values_.push_back({name, false, 0.0, value});
    return *this;
}

Dispatch& Dispatch::set(const std::string& name, double value) {
    values_.push_back({name, true, value, 0});
    return *this;
}

Dispatch& Dispatch::loops(std::int64_t iterations) {
    iterations_ = iterations;
    return *this;
}

void Dispatch::over_cells(std::int64_t cells) {
    set("count", cells);
    const Program& program = recorder_.programs_.get(shader_, defines_);
    const std::int64_t size = program.group_size()[0];
    const std::int64_t count = std::min(ceil_div(cells, size), recorder_.device_.most_groups);
    if (count > 0) iterations_ = ceil_div(cells, count * size) * (1 + iterations_);
    record(program, {count, 1, 1});
}

void Dispatch::over_rows(std::int64_t rows, std::int64_t width) {
    set("rows", rows).set("width", width);
    constexpr std::int64_t passes = 4;
    constexpr int whole_group = 64, largest_group = 1024;
    int lanes = recorder_.tuning_.lanes;
    const auto iterations_of_row = [&] { return 2 + passes * ceil_div(width, std::int64_t{lanes}); };
    if (iterations_of_row() > recorder_.device_.most_iterations) lanes = std::max(lanes, whole_group);
    while (iterations_of_row() > recorder_.device_.most_iterations && lanes < largest_group) lanes *= 2;
    define("LANES", lanes);
    const Program& program = recorder_.programs_.get(shader_, defines_);
    const std::int64_t size = program.group_size()[1];
    const std::int64_t count = std::min(ceil_div(rows, size), recorder_.device_.most_groups);
    if (count > 0) iterations_ = ceil_div(rows, count * size) * iterations_of_row();
    record(program, {count, 1, 1});
}

void Dispatch::groups(std::int64_t x, std::int64_t y, std::int64_t z) {
    record(recorder_.programs_.get(shader_, defines_), {x, y, z});
}

// Binds the whole buffer if a shader can see all of it, so that consecutive dispatches find it already bound; otherwise
// a window that starts at or before the operand.
Commands::Binding Dispatch::bind(const Operand& o) {
    const Device& device = recorder_.device_;
    GLint64 bytes = 0;
    glBindBuffer(GL_COPY_READ_BUFFER, o.span.buffer);
    glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &bytes);
    const std::int64_t all = bytes / cell_bytes;
    if (all <= device.largest_block) return {o.span.buffer, 0, all};
    const std::int64_t begin = o.span.offset / device.storage_alignment * device.storage_alignment;
    return {o.span.buffer, begin, std::min(all - begin, device.largest_block)};
}

std::uint32_t Dispatch::word(const Program::Constant& constant) const {
    const auto value = std::ranges::find_if(values_, [&](const Value& v) { return v.name == constant.name; });
    if (value == values_.end()) fail("its constant {1} is not set", constant.name);
    if (value->real != (constant.type == Program::Type::float32))
        fail("its constant {1} is set to a number of another type", constant.name);
    if (value->real) return std::bit_cast<std::uint32_t>(static_cast<float>(value->number));
    if (value->whole < (constant.type == Program::Type::int32 ? INT32_MIN : 0) || value->whole > UINT32_MAX)
        fail("its constant {1} does not fit in 32 bits", constant.name);
    return static_cast<std::uint32_t>(value->whole);
}

void Dispatch::record(const Program& program, const std::int64_t (&count)[3]) {
    if (count[0] == 0 || count[1] == 0 || count[2] == 0) return;
    if (iterations_ > recorder_.device_.most_iterations)
        throw Error(
            "the shader {1} would need {2} iterations of its loops, more than this driver runs; use --backend cpu",
            shader_, iterations_);
    Commands& commands = recorder_.commands_;
    Commands::Recorded d;
    d.program = program.id();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (count[axis] > recorder_.device_.most_groups)
            throw Error("the shader {1} would need {2} work groups, more than this driver has; use --backend cpu",
                        shader_, count[axis]);
        d.groups[axis] = static_cast<GLuint>(count[axis]);
    }
    d.first_binding = commands.bindings_.size();
    std::vector<Recorder::Use> uses;
    for (const std::string& name : program.operands()) {
        const auto o = std::ranges::find_if(operands_, [&](const Operand& each) { return each.name == name; });
        if (o == operands_.end()) fail("its operand {1} is not given", name);
        const Commands::Binding binding = bind(*o);
        set(name + "_first", o->span.offset - binding.offset);
        commands.bindings_.push_back(binding);
        uses.push_back({o->span, o->written});
    }
    d.bindings = static_cast<GLuint>(program.operands().size());
    for (const Operand& o : operands_) set(o.name + "_first", 0);  // for operands that the compiler optimised away
    d.first_constant = commands.constants_.size();
    d.constant_bytes = program.constant_bytes();
    commands.constants_.resize(d.first_constant + static_cast<std::size_t>(ceil_div(d.constant_bytes, cell_bytes)));
    for (const Program::Constant& constant : program.constants())
        commands.constants_[d.first_constant + static_cast<std::size_t>(constant.offset / cell_bytes)] = word(constant);
    d.wait = recorder_.must_wait(uses);
    commands.dispatches_.push_back(d);
}

Span Recorder::scratch(std::int64_t cells) {
    buffers_.emplace_back(cells);
    return {buffers_.back().id(), 0, cells};
}

Span Recorder::constants(std::span<const float> values) {
    const Span span = scratch(static_cast<std::int64_t>(values.size()));
    buffers_.back().write(0, values.data(), span.cells);
    return span;
}

// Dispatches may overlap until a barrier. One waits if it touches what an earlier one writes, or writes what an earlier
// one reads.
bool Recorder::must_wait(const std::vector<Use>& uses) {
    const auto meet = [](const Use& a, const Use& b) {
        return (a.written || b.written) && a.span.buffer == b.span.buffer &&
               a.span.offset < b.span.offset + b.span.cells && b.span.offset < a.span.offset + a.span.cells;
    };
    const bool wait = std::ranges::any_of(uses, [&](const Use& use) {
        return std::ranges::any_of(since_wait_, [&](const Use& earlier) { return meet(use, earlier); });
    });
    if (wait) since_wait_.clear();
    since_wait_.insert(since_wait_.end(), uses.begin(), uses.end());
    return wait;
}

}  // namespace glassformer::gl
