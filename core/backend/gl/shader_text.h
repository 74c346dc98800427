#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer::gl {

/// A file of shaders/ as it was when the program was built.
struct EmbeddedShader {
    std::string_view path;  // "compute/add.comp"
    std::string_view text;
};

/// All of them (written by cmake/embed_shaders.cmake).
std::span<const EmbeddedShader> embedded_shaders();

/// A number that a shader is compiled with: "#define NAME VALUE".
struct Define {
    std::string name;
    int value = 0;
    bool operator==(const Define&) const = default;
};

/// A shader with its includes in place. `files` are the paths that went into it, by the number that the compiler's
/// messages give them.
struct ShaderText {
    std::string text;
    std::vector<std::string> files;
};

/// Of OpenGL ES 3.0 and WebGL 2.
inline constexpr int glsl_es = 300;

/// The text of shaders/<path>, ready to compile: #version (of GLSL, or glsl_es) first, then the defines, then the file
/// with every
/// `#include "<path below shaders/>"` replaced, each file at most once. Read from the folder that the environment
/// variable GLASSFORMER_SHADERS names, when it is set (for development), else from what the build embedded. Throws
/// Error when a file is missing.
ShaderText shader_text(const std::string& path, std::span<const Define> defines, int version = 430);

/// Tells that a shader was written while the program runs, for development: where GLASSFORMER_SHADERS is set when this
/// is made, else never.
class ShaderFolder {
public:
    ShaderFolder();
    /// Whether a file below that folder has another time than in the call before; false in the first.
    bool changed();

private:
    std::filesystem::path folder_;
    std::optional<std::filesystem::file_time_type> newest_;
};

/// The compiler's messages with the files' names where it wrote their numbers: "compute/add.comp:12: …".
std::string readable_log(const std::string& log, const std::vector<std::string>& files);

}  // namespace glassformer::gl
