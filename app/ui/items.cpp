#include "app/ui/items.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace glassformer::app {

namespace {
constexpr size_t block_bytes = 64 * 1024;

/// Whether what is drawn there just now is not clipped.
bool drawn_at(ImVec2 at) {
    if (!ImGui::GetCurrentContext()) return true;
    const ImVec2 min = ImGui::GetWindowDrawList()->GetClipRectMin(), max = ImGui::GetWindowDrawList()->GetClipRectMax();
    return at.x >= min.x && at.x <= max.x && at.y >= min.y && at.y <= max.y;
}
}  // namespace

void Items::begin_frame() {
    items_.clear();
    texts_.clear();
    large_.clear();
    block_ = 0;
    used_ = 0;
}

char* Items::reserve(size_t bytes) {
    if (bytes > block_bytes) {
        large_.push_back(std::make_unique<char[]>(bytes));
        return large_.back().get();
    }
    if (used_ + bytes > block_bytes) {
        ++block_;
        used_ = 0;
    }
    if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<char[]>(block_bytes));
    char* at = blocks_[block_].get() + used_;
    used_ += bytes;
    return at;
}

std::string_view Items::keep(std::string_view text) {
    if (text.empty()) return "";
    char* at = reserve(text.size() + 1);
    std::memcpy(at, text.data(), text.size());
    at[text.size()] = '\0';  // so that it can be an argument of the next format()
    return {at, text.size()};
}

void Items::add(std::string_view label, ImVec2 min, ImVec2 max, std::optional<double> value, std::string_view text) {
    if (label.empty()) return;
    items_.push_back({keep(label), min, max, value, keep(text)});
    items_.back().in_sight = drawn_at(items_.back().centre());
}

namespace {

/// vsnprintf into a buffer that is nearly always large enough.
int print_into(char* buffer, size_t size, const char* format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    const int length = std::vsnprintf(buffer, size, format, copy);
    va_end(copy);
    return length;
}

}  // namespace

std::string_view Items::format(const char* format, ...) {
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = print_into(small, sizeof small, format, arguments);
    std::string_view result;
    if (length > 0 && static_cast<size_t>(length) < sizeof small) {
        result = keep({small, static_cast<size_t>(length)});
    } else if (length > 0) {
        char* at = reserve(static_cast<size_t>(length) + 1);
        print_into(at, static_cast<size_t>(length) + 1, format, arguments);
        result = {at, static_cast<size_t>(length)};
    }
    va_end(arguments);
    return result;
}

void Items::addf(ImVec2 min, ImVec2 max, std::optional<double> value, const char* format, ...) {
    char label[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = print_into(label, sizeof label, format, arguments);
    va_end(arguments);
    if (length <= 0) return;
    add({label, std::min(static_cast<size_t>(length), sizeof label - 1)}, min, max, value);
}

const Item* Items::find(std::string_view label) const {
    for (size_t i = items_.size(); i-- > 0;) {
        if (items_[i].label == label) return &items_[i];
    }
    return nullptr;
}

}  // namespace glassformer::app
