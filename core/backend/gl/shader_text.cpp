#include "core/backend/gl/shader_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/error.h"

namespace glassformer::gl {

namespace {

std::string read_shader(const std::string& path) {
    if (const char* folder = std::getenv("GLASSFORMER_SHADERS")) {
        std::ifstream file(std::string(folder) + "/" + path);
        if (!file) throw Error("GLASSFORMER_SHADERS is {1}, which has no shader {2}", folder, path);
        return (std::ostringstream() << file.rdbuf()).str();
    }
    for (const EmbeddedShader& shader : embedded_shaders())
        if (shader.path == path) return std::string(shader.text);
    throw Error("there is no shader shaders/{1}", path);
}

/// The path in `#include "path"`, or an empty string.
std::string included(const std::string& line) {
    const std::size_t open = line.find('"'), close = line.rfind('"');
    return line.starts_with("#include") && open < close ? line.substr(open + 1, close - open - 1) : std::string();
}

void expand(const std::string& path, ShaderText& out) {
    if (std::ranges::find(out.files, path) != out.files.end()) return;
    const std::string number = std::to_string(out.files.size());
    out.files.push_back(path);
    std::istringstream lines(read_shader(path));
    out.text += "#line 1 " + number + "\n";
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        ++count;
        const std::string other = included(line);
        if (other.empty()) {
            out.text += line + "\n";
            continue;
        }
        expand(other, out);
        out.text += "#line " + std::to_string(count + 1) + " " + number + "\n";
    }
}

}  // namespace

ShaderText shader_text(const std::string& path, std::span<const Define> defines, int version) {
    ShaderText out;
    out.text = "#version " + std::to_string(version);
    out.text += version == glsl_es ? " es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
                                   : " core\n";
    for (const Define& define : defines)
        out.text += "#define " + define.name + " " + std::to_string(define.value) + "\n";
    expand(path, out);
    return out;
}

ShaderFolder::ShaderFolder() {
    if (const char* folder = std::getenv("GLASSFORMER_SHADERS")) folder_ = folder;
}

bool ShaderFolder::changed() {
    if (folder_.empty()) return false;
    std::optional<std::filesystem::file_time_type> newest;
    std::error_code trouble;  // a file being replaced is found again next time
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_, trouble))
        if (const auto time = entry.last_write_time(trouble); !trouble && (!newest || time > *newest)) newest = time;
    const bool other = newest_ && newest && *newest != *newest_;
    if (newest) newest_ = newest;
    return other;
}

// Mesa and Intel write "0:12(3): error", NVIDIA "0(12) : error", AMD "ERROR: 0:12:".
std::string readable_log(const std::string& log, const std::vector<std::string>& files) {
    std::istringstream lines(log);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        std::size_t begin = line.starts_with("ERROR: ") ? 7 : 0, end = begin;
        while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
        const bool numbered = end > begin && end < line.size() && (line[end] == ':' || line[end] == '(');
        const std::size_t file = numbered ? std::stoul(line.substr(begin, end - begin)) : files.size();
        if (file < files.size()) {
            std::string rest = line.substr(end + 1);
            if (line[end] == '(') rest.erase(std::min(rest.find(')'), rest.size()), 1);
            line = "shaders/" + files[file] + ":" + rest;
        }
        out += line + "\n";
    }
    return out;
}

}  // namespace glassformer::gl
