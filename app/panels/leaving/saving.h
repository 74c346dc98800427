#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/common/frame.h"

namespace glassformer::app {

/// A model, a run or a table on its way to a folder or file, or back.
struct Saving {
    std::string folder;               // empty: none
    std::string done;                 // what to tell when it worked; empty: that the model is saved there
    std::uint64_t errors_before = 0;  // Snapshot::error_number when it was asked for
    bool of_run = false;              // what it says is of the run at work: it goes with it
};

/// Where a model goes that is saved as `typed`: "~" is the home folder, and a name alone lies in the folder that the
/// program was started in. Empty where nothing was typed.
std::string save_folder(std::string_view typed);

/// What a file or folder of the model is called at first: "homonyms"; of one without a world its folder's name.
std::string suggested_name(const ModelInfo& model);

/// Something is on its way to `path`; `done` is reported when it worked.
void begin_saving(const Frame& frame, const std::string& path, const std::string& done, bool of_run = false);
/// A file that was typed, as save_folder() reads it; the ending is added where the name has none.
std::string file_named(std::string_view typed, const char* ending);

/// What of a name can stand in a path: "branch 2 · lr" is "branch-2-lr". Letters of other alphabets stay.
std::string as_file_name(std::string_view name);

/// Asks the worker to save the model; what came of it is shown by report_saving().
void save_model(const Frame& frame, const std::string& folder);
/// The page of the palette that asks for a folder to keep the run in.
void ask_where_to_keep(const Frame& frame);
/// Asks the worker to keep the run in a folder from now on; while it is asked whether to save before something else is
/// opened, every run that is not saved, each in a folder of its own.
void keep_runs(const Frame& frame, const std::string& folder);
/// Asks the worker to open a run that was kept.
void open_kept_run(const Frame& frame, const std::string& folder);
/// Asks the worker for the curves as a table.
void save_metrics(const Frame& frame, const std::string& file);
/// The page of the palette that asks for a folder for the film's pictures.
void ask_where_to_film(const Frame& frame);
/// Once the worker has answered: a notice with the path, unless it has told an error.
void report_saving(ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
