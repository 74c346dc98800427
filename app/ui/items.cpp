#include "app/ui/items.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

namespace glassformer::app {

namespace {
constexpr size_t block_bytes = 64 * 1024;

/// The clip rectangle of what is drawn now; without a window, as in tests, it has no limits.
Box seen_box() {
    if (ImGui::GetCurrentContext()) return clip_box(*ImGui::GetWindowDrawList());
    constexpr float all = std::numeric_limits<float>::infinity();
    return {{-all, -all}, {all, all}};
}
/// True if drawing at that position is not clipped now.
bool drawn_at(ImVec2 at) {
    const Box seen = seen_box();
    return at.x >= seen.min.x && at.x <= seen.max.x && at.y >= seen.min.y && at.y <= seen.max.y;
}
}  // namespace

std::vector<std::string_view> joined_labels(std::string_view labels) {
    std::vector<std::string_view> all;
    while (!labels.empty()) {
        const std::size_t plus = labels.find(" + ");
        all.push_back(labels.substr(0, plus));
        labels.remove_prefix(plus == std::string_view::npos ? labels.size() : plus + 3);
    }
    return all;
}

void Items::begin_frame() {
    items_.clear();
    areas_.clear();
    cards_.clear();
    bars_.clear();
    scroll_ = std::exchange(next_scroll_, {});
    passed_wheel_ = 0;
    kept_wheel_ = std::exchange(keeps_wheel_, false);
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

void Items::add(std::string_view label, const Box& box, const ItemValue& value, std::string_view text) {
    if (label.empty()) return;
    items_.push_back({box, keep(label), value.value, keep(text), value.is_state});
    items_.back().in_sight = drawn_at(items_.back().centre());
}

void Items::drew(std::string_view text, ImVec2 at, bool cut) {
    if (keep_texts_) texts_.push_back({keep(text), cut, at, drawn_at(at)});
}

void Items::scroll_in(size_t first, const Box& box, const void* window) {
    const int area = static_cast<int>(areas_.size());
    areas_.push_back({box, -1, window});
    for (size_t i = first; i < items_.size(); ++i) {
        int* outermost = &items_[i].area;
        while (*outermost >= 0 && *outermost != area) outermost = &areas_[*outermost].outer;
        *outermost = area;
    }
}

void Items::make_clickable() { items_.back().clickable = items_.back().overlap(seen_box()); }

const Items::Card* Items::top_card(ImVec2 at) const {
    const Card* top = nullptr;  // an inner card begins after the one around it
    for (const Card& card : cards_)
        if (card.contains(at) && (!top || card.first > top->first)) top = &card;
    return top;
}

bool Items::on_top(size_t item, ImVec2 at) const {
    const Card* const top = top_card(at);
    const auto on = [&](const Card& card) { return item >= card.first && item < card.end; };
    return top ? on(*top) : std::ranges::none_of(cards_, on);
}

bool Items::on_scroll_bar(ImVec2 at) const {
    return std::ranges::any_of(bars_, [&](const Bar& bar) { return bar.contains(at) && on_top(bar.item, at); });
}

ImVec2 Items::click_target(ImVec2 at, float reach) const {
    if (on_scroll_bar(at)) return at;
    ImVec2 meant = at;
    for (size_t i = 0; i < items_.size(); ++i) {
        const Box& box = items_[i].clickable;
        if (box.empty()) continue;
        if (box.contains(at) && on_top(i, at)) return at;
        const ImVec2 nearest{std::clamp(at.x, box.min.x, std::max(box.min.x, box.max.x - 1)),
                             std::clamp(at.y, box.min.y, std::max(box.min.y, box.max.y - 1))};
        const float away = std::hypot(nearest.x - at.x, nearest.y - at.y);
        if (away < reach && on_top(i, at) && on_top(i, nearest)) meant = nearest, reach = away;
    }
    return meant;
}

const void* Items::scrolled_from(ImVec2 at) const {
    if (on_scroll_bar(at)) return nullptr;
    const int none = static_cast<int>(areas_.size());
    int innermost = none;  // inner areas come before the ones around them
    for (size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        if (!on_top(i, at)) continue;
        if (item.draggable && item.clickable.contains(at)) return nullptr;
        for (int area = item.area; area >= 0; area = areas_[area].outer)
            if (areas_[area].window && areas_[area].contains(at)) innermost = std::min(innermost, area);
    }
    if (innermost < none) return areas_[innermost].window;
    const Card* const card = top_card(at);
    return card ? card->window : nullptr;
}

void Items::scroll(const void* window, ImVec2 pixels) {
    if (next_scroll_.window != window) next_scroll_ = {window, {}};
    next_scroll_.pixels.x += pixels.x, next_scroll_.pixels.y += pixels.y;
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

/// "%.2f" → "%.2F": the same text, but with INF and NAN for what is no number of digits.
std::string in_capitals(std::string_view format) {
    std::string capitals(format);
    for (size_t i = 0; i < capitals.size(); ++i) {
        if (capitals[i] != '%') continue;
        i = capitals.find_first_not_of("0123456789.*+- #$hlz", i + 1);
        if (i == std::string::npos) break;
        if (capitals[i] == 'f') capitals[i] = 'F';
    }
    return capitals;
}

/// What printf writes as "-nan" and "inf" stands as NaN and ∞, as everywhere on the screen. Where a number is no
/// number of digits, `text` and the same in capitals differ: a word "nan" is left alone.
std::string without_nan(std::string_view text, std::string_view capitals) {
    std::string tidy;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == capitals[i]) {
            tidy += text[i];
            continue;
        }
        const bool negative = tidy.ends_with('-'), nan = text[i] == 'n';
        if (negative) tidy.pop_back();
        tidy += nan ? "NaN" : negative ? "−∞" : "∞";
        i += 2;  // all three letters
    }
    return tidy;
}

}  // namespace

std::string_view Items::print(const char* format, va_list arguments) {
    char small[256];
    const int length = print_into(small, sizeof small, format, arguments);
    std::string_view result;
    if (length > 0 && static_cast<size_t>(length) < sizeof small) {
        result = keep({small, static_cast<size_t>(length)});
    } else if (length > 0) {
        char* at = reserve(static_cast<size_t>(length) + 1);
        print_into(at, static_cast<size_t>(length) + 1, format, arguments);
        result = {at, static_cast<size_t>(length)};
    }
    if (result.find("nan") != std::string_view::npos || result.find("inf") != std::string_view::npos) {
        std::string capitals(result.size() + 1, '\0');
        print_into(capitals.data(), capitals.size(), in_capitals(format).c_str(), arguments);
        result = keep(without_nan(result, capitals));
    }
    return result;
}

std::string_view Items::format(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const std::string_view text = print(format, arguments);
    va_end(arguments);
    return text;
}

std::string_view Items::of_card(int card, const char* format, ...) {
    const std::string whole = std::string(card == 0 ? "A/" : "B/") + format;
    va_list arguments;
    va_start(arguments, format);
    const std::string_view text = print(whole.c_str(), arguments);
    va_end(arguments);
    return text;
}

void Items::addf(const Box& box, const ItemValue& value, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(print(format, arguments), box, value);
    va_end(arguments);
}

std::string_view Items::join(std::initializer_list<std::string_view> parts) {
    size_t length = 0;
    for (const std::string_view part : parts) length += part.size();
    char* const text = reserve(length + 1);
    char* end = text;
    for (const std::string_view part : parts) end = std::ranges::copy(part, end).out;
    *end = '\0';
    return {text, length};
}

const Item* Items::find(std::string_view label) const {
    for (size_t i = items_.size(); i-- > 0;) {
        if (items_[i].label == label) return &items_[i];
    }
    return nullptr;
}

}  // namespace glassformer::app
