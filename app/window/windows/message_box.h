#pragma once

#include <windows.h>

/// Shows the message in a box if the program was started by a double click and has no standard error. Uses nothing else
/// of the program, and no instruction that old processors lack (app/old_processor.cpp).
inline void show_where_nobody_reads(const char* message) {
    if (!::GetStdHandle(STD_ERROR_HANDLE)) ::MessageBoxA(nullptr, message, "Glassformer", MB_OK | MB_ICONERROR);
}
