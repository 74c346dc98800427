#include <algorithm>
#include <cstdio>

#include "core/backend/gl/recorder.h"
#include "core/base/error.h"

namespace glassformer::gl {

namespace {

constexpr std::string_view block_ending = "_block";

std::string resource_name(GLuint program, GLenum interface, GLuint index) {
    char name[256];
    GLsizei length = 0;
    glGetProgramResourceName(program, interface, index, sizeof name, &length, name);
    return std::string(name, static_cast<std::size_t>(length));
}

GLint active(GLuint program, GLenum interface) {
    GLint count = 0;
    glGetProgramInterfaceiv(program, interface, GL_ACTIVE_RESOURCES, &count);
    return count;
}

std::string shader_log(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    return log.c_str();
}

std::string program_log(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    glGetProgramInfoLog(program, length, nullptr, log.data());
    return log.c_str();
}

GLuint compiled(const std::string& path, const ShaderText& text) {
    const char* source = text.text.c_str();
    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    const std::string log = readable_log(shader_log(shader), text.files);
    glDeleteShader(shader);
    throw Error("the shader {1} does not compile here:\n{2}", path, log);
}

}  // namespace

Program::Program(const std::string& path, std::span<const Define> defines)
    : path_(path), defines_(defines.begin(), defines.end()) {
    const ShaderText text = shader_text(path, defines);
    const GLuint shader = compiled(path, text);
    id_ = glCreateProgram();
    try {
        link(shader, text.files);
        find_constants();
        find_operands();
    } catch (...) {
        glDeleteProgram(id_);
        throw;
    }
    text_ = text.text;
}

// Links under a temporary id first: a program that fails to link would be lost.
void Program::reload() {
    const ShaderText text = shader_text(path_, defines_);
    if (text.text == text_) return;
    text_ = text.text;  // report text that does not compile only once
    const Program fresh(path_, defines_);
    if (fresh.constants_ != constants_ || fresh.operands_ != operands_ || fresh.constant_bytes_ != constant_bytes_ ||
        !std::ranges::equal(fresh.group_size_, group_size_))
        throw Error("the shader {1} takes other operands now; restart the program to use it", path_);
    link(compiled(path_, text), text.files);
    constants_.clear(), operands_.clear();
    find_constants();
    find_operands();
}

Program::~Program() { glDeleteProgram(id_); }

void Program::link(GLuint shader, const std::vector<std::string>& files) {
    glAttachShader(id_, shader);
    glLinkProgram(id_);
    glDetachShader(id_, shader);
    glDeleteShader(shader);
    GLint linked = 0;
    glGetProgramiv(id_, GL_LINK_STATUS, &linked);
    if (!linked) throw Error("the shader {1} does not link here:\n{2}", path_, readable_log(program_log(id_), files));
    glGetProgramiv(id_, GL_COMPUTE_WORK_GROUP_SIZE, group_size_);
}

void Program::find_constants() {
    const GLuint block = glGetProgramResourceIndex(id_, GL_UNIFORM_BLOCK, "Dispatch");
    if (block == GL_INVALID_INDEX) throw Error("the shader {1} has no uniform block called Dispatch", path_);
    glUniformBlockBinding(id_, block, 0);
    const GLenum size = GL_BUFFER_DATA_SIZE;
    glGetProgramResourceiv(id_, GL_UNIFORM_BLOCK, block, 1, &size, 1, nullptr, &constant_bytes_);
    for (GLint i = 0; i < active(id_, GL_UNIFORM); ++i) {
        const GLenum asked[] = {GL_BLOCK_INDEX, GL_OFFSET, GL_TYPE, GL_ARRAY_SIZE};
        GLint answer[4] = {};
        glGetProgramResourceiv(id_, GL_UNIFORM, static_cast<GLuint>(i), 4, asked, 4, nullptr, answer);
        const std::string name = resource_name(id_, GL_UNIFORM, static_cast<GLuint>(i));
        const auto type = static_cast<GLenum>(answer[2]);
        if (static_cast<GLuint>(answer[0]) != block || answer[3] != 1 ||
            (type != GL_UNSIGNED_INT && type != GL_INT && type != GL_FLOAT))
            throw Error("the shader {1} has a constant {2} that is not a uint, int or float of the block Dispatch",
                        path_, name);
        constants_.push_back({name,
                              type == GL_FLOAT ? Type::float32
                              : type == GL_INT ? Type::int32
                                               : Type::uint32,
                              answer[1]});
    }
}

void Program::find_operands() {
    const GLint count = active(id_, GL_SHADER_STORAGE_BLOCK);
    for (GLint i = 0; i < count; ++i) {
        const auto index = static_cast<GLuint>(i);
        const std::string name = resource_name(id_, GL_SHADER_STORAGE_BLOCK, index);
        if (!name.ends_with(block_ending))
            throw Error("the shader {1} has a storage block {2}; its name must end in _block", path_, name);
        operands_.push_back(name.substr(0, name.size() - block_ending.size()));
        glShaderStorageBlockBinding(id_, index, index);
    }
}

const Program& Programs::get(const std::string& name, std::span<const Define> defines) {
    std::string key = name;
    for (const Define& define : defines) key += " " + define.name + "=" + std::to_string(define.value);
    std::unique_ptr<Program>& program = programs_[key];
    if (!program) program = std::make_unique<Program>("compute/" + name + ".comp", defines);
    return *program;
}

void Programs::refresh() {
    if (!folder_.changed()) return;
    for (const auto& [key, program] : programs_) {
        try {
            program->reload();
        } catch (const Error& e) {
            std::fprintf(stderr, "glassformer: %s\n", e.what());
        }
    }
}

}  // namespace glassformer::gl
