#pragma once

#include <filesystem>
#include <string>

namespace glassformer::platform {

// This process, and what the system knows about it.

/// Returns the program's arguments in UTF-8, given those of main(), and updates their count. Makes the program's output
/// UTF-8 and connects it to the console that started it. Needed only on Windows.
char** use_utf8(int& count, char** arguments);

/// The process id.
int process_id();
/// True if a process with this id is running, whoever owns it.
bool process_runs(int id);
/// The executable of this program; empty if the system does not report it.
std::filesystem::path program_file();

/// Writes to standard error. If a desktop program has none, as on Windows after a double click, shows the text in a
/// message box.
void write_error(const std::string& text);

/// The user's display language in $LANG's format ("de_DE"); empty where $LANG and related variables give it.
std::string user_language();

/// True if standard error goes to a terminal rather than a file.
bool standard_error_is_terminal();

/// This process's peak and current resident memory, and the memory still available without paging to disk (infinite if
/// the system does not report it). In MB of 2²⁰ bytes.
double peak_memory_mb();
double resident_memory_mb();
double available_memory_mb();

/// From now on, a request to end the program (Ctrl+C, SIGTERM, terminal closed) does not kill it: stop_signal() reports
/// it, and the program ends once it has saved its work. Call this once, before the work begins.
void catch_stop_signals();

/// The signal that asked the program to stop, or 0. Shells expect 128 + signal as the exit code.
int stop_signal();

/// From now on, exceeding the account's file size limit makes a write fail, as on a full disk, instead of ending the
/// program.
void ignore_file_size_signal();

// Whether a double click on a .glass file opens this program, for the current user only. Windows only, where there is
// no installer; on Linux the package's desktop file does this.

bool may_open_glass_files();
/// True if they open this very executable.
bool opens_glass_files();
/// Registers or unregisters it. Returns the reason on failure; empty on success.
std::string open_glass_files(bool yes);

}  // namespace glassformer::platform
