#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// A model, run or table that is being saved to a folder or file, or loaded from one.
struct Saving {
    std::string folder;               // empty: none
    std::string done;                 // message on success; empty: that the model is saved there
    std::uint64_t errors_before = 0;  // Snapshot::error_number at the time of the request
    bool of_run = false;              // the message is about the current run and disappears with it
};

/// Returns the folder for a model saved as `typed`: "~" is the home folder, and a relative name is resolved against the
/// folder that the program was started in, or the home folder if that is the root or the program's own. Empty if
/// nothing was typed.
std::string save_folder(std::string_view typed);

/// Returns the suggested name for a file or folder of the model: its world ("homonyms"), or its folder's name if it has
/// no world.
std::string suggested_name(const ModelInfo& model);

/// The same with its newest step, if that is known: "homonyms-step-1200".
std::string suggested_name_with_step(const Snapshot& snapshot);

/// Notes that something is being saved or loaded at `path`; reports `done` on success.
void begin_saving(const Frame& frame, const std::string& path, const std::string& done, bool of_run = false);
/// Resolves a typed file name as save_folder() does, and adds the extension unless it has that: "week 3.2" has another.
std::string file_named(std::string_view typed, const char* ending);

/// Keeps what is safe in a path: "branch 2: lr" becomes "branch-2-lr". Letters of other alphabets stay. The result
/// names a file on every system: Windows keeps "con" and "com1.txt" for devices, so they become "con_" and "com1_.txt".
std::string as_file_name(std::string_view name);

/// Asks the worker to save the model; report_saving() shows the result.
void save_model(const Frame& frame, const std::string& folder);
/// Opens the palette page that asks for a folder to keep the run in.
void ask_where_to_keep(const Frame& frame);
/// Asks the worker to keep the run in a folder from now on. If the user chose to save before opening something else,
/// keeps every unsaved run, each in its own folder.
void keep_runs(const Frame& frame, const std::string& folder);
/// Asks the worker to open a saved run.
void open_kept_run(const Frame& frame, const std::string& folder);
/// Asks the worker to save the curves as a table.
void save_metrics(const Frame& frame, const std::string& file);
/// Opens the palette page that asks for a folder for the film's pictures.
void ask_where_to_film(const Frame& frame);
/// Call this once the worker has answered: shows a notice with the path, unless the worker reported an error.
void report_saving(ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
