#pragma once

namespace glassformer::platform {

/// From now on a wish to end the program (Ctrl+C, SIGTERM, the terminal closed) does not end it: stop_signal() tells
/// of it, and the program ends when it has saved what it has. To be called once, before the work begins.
void catch_stop_signals();

/// The number of the signal that asked to stop, or 0. A shell expects 128 more as the exit code.
int stop_signal();

/// A file that grows beyond the account's limit is from now on a failed write, as on a full disk, and no end of the
/// program.
void ignore_file_size_signal();

}  // namespace glassformer::platform
