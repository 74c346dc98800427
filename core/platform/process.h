#pragma once

#include <filesystem>
#include <string>

namespace glassformer::platform {

// This process, and what the system knows of it.

/// The program's arguments in UTF-8, from those of main(), and their count; what it writes counts as UTF-8 from now on,
/// and goes to the console that it was started from. Only Windows would have it otherwise.
char** use_utf8(int& count, char** arguments);

/// The process id.
int process_id();
/// Whether a process of this number is running, of this or of another user.
bool process_runs(int id);
/// The file that this program was started from; empty where the system does not tell.
std::filesystem::path program_file();

/// Writes to standard error. Where a program of the desktop has none, as on Windows after a double click, its person
/// reads it in a box.
void write_error(const std::string& text);

/// The language that the person chose for the system, as $LANG has it ("de_DE"); empty where $LANG and its kin say it.
std::string user_language();

/// Whether what is written there is shown on a terminal rather than kept in a file.
bool standard_error_is_terminal();

/// The most memory that this process has had, and what it has now; what the system could still give without paging to
/// disk (infinite where it does not tell). In MB of 2²⁰ bytes.
double peak_memory_mb();
double resident_memory_mb();
double available_memory_mb();

/// From now on a wish to end the program (Ctrl+C, SIGTERM, the terminal closed) does not end it: stop_signal() tells
/// of it, and the program ends when it has saved what it has. To be called once, before the work begins.
void catch_stop_signals();

/// The number of the signal that asked to stop, or 0. A shell expects 128 more as the exit code.
int stop_signal();

/// A file that grows beyond the account's limit is from now on a failed write, as on a full disk, and no end of the
/// program.
void ignore_file_size_signal();

// Whether a double click on a .glass file opens this program, for this user alone. Only on Windows, where nobody
// installs it; on Linux the package's desktop file says it.

bool may_open_glass_files();
/// Whether this very file of the program opens them.
bool opens_glass_files();
/// Begins it, or takes all of it back. Returns why it failed; empty when it is done.
std::string open_glass_files(bool yes);

}  // namespace glassformer::platform
