#include <algorithm>
#include <optional>

#include "app/common/sentence_edit.h"
#include "app/desktop/app.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/setup/setup_state.h"
#include "core/base/error.h"
#include "core/io/gguf_model.h"
#include "core/io/glass_file.h"
#include "core/io/run_folder.h"
#include "core/io/tensor_layout.h"
#include "core/text/text_file.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_text = 1 << 20;  // bytes; only its first line is read

/// A model's folder, a file in one, or a model in one file.
bool is_model(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error) || is_glass_file(path) || is_gguf_file(path) ||
           path.filename() == "config.json" || path.extension() == ".safetensors";
}

bool is_text(const fs::path& path) { return path.extension() == ".txt"; }

/// A world for models to learn: New run reads it, and says what is wrong with it.
bool is_world(const fs::path& path) { return path.extension() == ".grammar" || path.extension() == ".words"; }

/// The folder of a kept run: the path itself, or that of its run.json.
std::optional<fs::path> run_folder_of(const fs::path& path) {
    if (is_run_folder(path)) return path;
    if (path.filename() == "run.json" && is_run_folder(path.parent_path())) return path.parent_path();
    return std::nullopt;
}

/// The first line that is not blank. Throws Error if there is none, or if the file is no text: a PDF, too, has a first
/// line.
std::string first_sentence_of(const fs::path& file) {
    const std::string text = read_text_file(file, largest_text);
    check_utf8(text, file.string());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        std::erase(line, '\r');
        if (line.find_first_not_of(" \t") != std::string::npos) return line;
        at = end + 1;
    }
    throw Error("{1} contains no sentence: all its lines are empty", file.string());
}

}  // namespace

void App::open_dropped(const fs::path& path) {
    state_.window.notice = {};
    std::error_code error;
    if (const std::optional<fs::path> run = run_folder_of(path)) return void(to_open_ = *run);
    if (path.extension() == ".lesson") return void(state_.window.authoring.open = path.string());
    if (is_model(path)) {
        const bool itself = fs::is_directory(path, error) || is_glass_file(path) || is_gguf_file(path);
        return void(to_open_ = itself ? path : path.parent_path());
    }
    if (is_world(path) || (is_text(path) && state_.own<SetupState>().open)) return void(to_learn_ = path);
    if (const std::string what = what_to_do_with(path, path.string()); !what.empty())
        return void(state_.window.notice = {tr_sentence(what)});
    try {
        const int slot = state_.slot;
        const std::string sentence = first_sentence_of(path);
        state_.own<SentenceEdits>().of[slot].open = false;
        send_(command::Watch{slot, sentence, true});
    } catch (const Error& e) {
        state_.window.notice = {tr(e)};
    }
}

}  // namespace glassformer::app
