#include "core/backend/gl/gl_objects.h"

#include <algorithm>
#include <atomic>

#include "core/base/error.h"

namespace glassformer::gl {

namespace {

std::atomic<std::int64_t> buffers_made{0}, buffer_reads{0};

std::int64_t limit(GLenum name) {
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

bool is_software(std::string_view renderer) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"llvmpipe", "softpipe", "SwiftShader", "Software"},
        [&](std::string_view name) { return renderer.find(name) != std::string_view::npos; });
}

}  // namespace

Buffer::Buffer(std::int64_t cells) : cells_(cells) {
    check_errors("before a buffer was made");
    glGenBuffers(1, &id_);
    glBindBuffer(GL_COPY_WRITE_BUFFER, id_);
    glBufferData(GL_COPY_WRITE_BUFFER, std::max<std::int64_t>(cells, 1) * cell_bytes, nullptr, GL_DYNAMIC_COPY);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteBuffers(1, &id_);
        throw Error(
            "the graphics card has no {1} MiB left; close other programs that draw, take a smaller model, or use "
            "--backend cpu",
            (cells * cell_bytes) >> 20);
    }
    glClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    ++buffers_made;
}

std::int64_t Buffer::made() { return buffers_made; }
std::int64_t Buffer::reads() { return buffer_reads; }

Buffer::~Buffer() {
    if (id_) glDeleteBuffers(1, &id_);
}

// Copies on the GPU, in queue order. NVIDIA's driver (580) lets glBufferSubData overtake an earlier clear of the buffer
// and dispatches that still read it: 20 of 40 tests failed, and queued steps read the batch of the next one.
void Buffer::write(std::int64_t offset, const void* cells, std::int64_t count) {
    if (count == 0) return;
    GLuint source = 0;
    glGenBuffers(1, &source);
    glBindBuffer(GL_COPY_READ_BUFFER, source);
    glBufferData(GL_COPY_READ_BUFFER, count * cell_bytes, cells, GL_STREAM_DRAW);
    glBindBuffer(GL_COPY_WRITE_BUFFER, id_);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, offset * cell_bytes, count * cell_bytes);
    glDeleteBuffers(1, &source);
}

void Buffer::read(std::int64_t offset, void* cells, std::int64_t count) const {
    if (count == 0) return;
    ++buffer_reads;
    glBindBuffer(GL_COPY_READ_BUFFER, id_);
    glGetBufferSubData(GL_COPY_READ_BUFFER, offset * cell_bytes, count * cell_bytes, cells);
}

Device Device::query() {
    if (epoxy_gl_version() < 43 || !epoxy_is_desktop_gl())
        throw Error("the OpenGL backend needs OpenGL 4.3; this driver has {1}.{2}; use --backend cpu",
                    epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    Device d;
    d.renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    d.software = is_software(d.renderer);
    // Half of llvmpipe's limit; the other half is for loops whose length does not depend on a tensor.
    if (d.software) d.most_iterations = 32767;
    // Many drivers store a block's size in bytes as a signed 32-bit number, so an index never needs more than 32 bits.
    d.largest_block = limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) / cell_bytes;
    d.storage_alignment = std::max<std::int64_t>(4, limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) / cell_bytes);
    d.uniform_alignment = std::max<std::int64_t>(16, limit(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT));
    GLint groups = 0;
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
    d.most_groups = std::min<std::int64_t>(groups, 65535);
    d.most_blocks = static_cast<int>(limit(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS));
    return d;
}

void check_errors(const char* doing) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    while (glGetError() != GL_NO_ERROR) {
    }
    if (error == GL_OUT_OF_MEMORY) throw Error("OpenGL reported that it is out of memory {1}", doing);
    throw Error("OpenGL reported error {1} {2}", error, doing);
}

}  // namespace glassformer::gl
