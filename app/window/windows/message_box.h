#pragma once

#include <windows.h>

/// Shows the message where a double click has given the program no standard error. Uses nothing else of ours, and no
/// instruction that old processors lack (app/old_processor.cpp).
inline void show_where_nobody_reads(const char* message) {
    if (!::GetStdHandle(STD_ERROR_HANDLE)) ::MessageBoxA(nullptr, message, "Glassformer", MB_OK | MB_ICONERROR);
}
