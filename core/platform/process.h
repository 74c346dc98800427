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

}  // namespace glassformer::platform
