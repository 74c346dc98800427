#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/gl/gl_objects.h"
#include "core/backend/gl/shader_text.h"

namespace glassformer::gl {

/// A compiled compute shader and what it takes. A shader declares its operands as blocks `buffer <name>_block`, whose
/// first cell the constant <name>_first gives, and its constants as members of one block
/// `layout(std140) uniform Dispatch`, each a uint, int or float.
class Program {
public:
    enum class Type { uint32, int32, float32 };
    struct Constant {
        std::string name;
        Type type = Type::uint32;
        int offset = 0;  // bytes
        bool operator==(const Constant&) const = default;
    };

    /// Throws Error with the compiler's messages, file by file and line by line.
    Program(const std::string& path, std::span<const Define> defines);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Compiles it again where its text is another by now, under the same id, so that what was recorded runs it. Throws
    /// Error, and leaves it as it was, where that does not compile or takes other operands or constants.
    void reload();

    GLuint id() const { return id_; }
    const std::string& path() const { return path_; }
    const std::vector<Constant>& constants() const { return constants_; }
    int constant_bytes() const { return constant_bytes_; }
    /// Names of the operands; operand i is bound to shader storage binding i.
    const std::vector<std::string>& operands() const { return operands_; }
    /// Invocations of one work group along x, y, z.
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

/// Every program that was asked for, compiled once.
class Programs {
public:
    /// shaders/compute/<name>.comp compiled with these defines.
    const Program& get(const std::string& name, std::span<const Define> defines);
    std::size_t size() const { return programs_.size(); }
    /// Reloads those whose files changed in the folder of GLASSFORMER_SHADERS; costs nothing where it is not set. What
    /// cannot be loaded is reported on the standard error, and goes on as it was.
    void refresh();

private:
    std::map<std::string, std::unique_ptr<Program>> programs_;
    ShaderFolder folder_;
};

}  // namespace glassformer::gl
