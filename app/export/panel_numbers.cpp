#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "app/common/table_text.h"
#include "app/export/export_dialog.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

/// Returns the shortest text that parses to the same number. Most numbers are floats: 0.1f is "0.1" then, and not
/// "0.10000000149011612". A count beyond a float's digits has all its own.
std::string written(double value) {
    constexpr double most_exact = 1 << 24;  // up to here a float holds every whole number
    const auto narrow = static_cast<float>(value);
    char text[32];
    const bool is_float = static_cast<double>(narrow) == value && std::abs(value) <= most_exact;
    const auto [end, error] =
        is_float ? std::to_chars(text, text + sizeof text, narrow) : std::to_chars(text, text + sizeof text, value);
    return error == std::errc() ? std::string(text, end) : std::string();
}

/// "A/near 12" → "A/near" and 12; −1 if there is no number at the end.
std::pair<std::string, int> split(const std::string& label) {
    const std::size_t blank = label.rfind(' ');
    if (blank == std::string::npos) return {label, -1};
    const int index = whole_in_text<int>(label.substr(blank + 1)).value_or(-1);
    if (index < 0) return {label, -1};
    return {label.substr(0, blank), index};
}

bool holds(const Box& box, ImVec2 at) {
    constexpr float rounding = 1;  // pixel
    return at.x >= box.min.x - rounding && at.x <= box.max.x + rounding && at.y >= box.min.y - rounding &&
           at.y <= box.max.y + rounding;
}

/// Returns true for everything in a scrolled area inside the box. Otherwise only if the item is visible, because the
/// rest may be behind another panel.
bool stands_in(const Items& items, const Item& item, const Box& box) {
    for (int at = item.area; at >= 0; at = items.areas()[at].outer) {
        const ScrolledArea& area = items.areas()[at];
        if (holds(box, area.min) && holds(box, area.max)) return true;
    }
    return item.in_sight && holds(box, item.centre());
}

}  // namespace

std::vector<PanelNumber> panel_numbers(const Items& items, const Box& box) {
    std::vector<PanelNumber> numbers;
    std::map<std::string_view, std::size_t> known;
    for (const Item& item : items.all()) {
        if (!item.value || item.value_is_state || !stands_in(items, item, box)) continue;
        const auto [at, fresh] = known.try_emplace(item.label, numbers.size());
        if (fresh)
            numbers.push_back({std::string(item.label), *item.value});
        else
            numbers[at->second].value = *item.value;
    }
    return numbers;
}

std::string to_csv(const std::vector<PanelNumber>& numbers, const std::string& of) {
    std::string line;  // a row of a table is one line
    for (const char c : of) line += c == '\n' ? std::string("; ") : std::string(1, c);
    const std::string last = "," + table_field(line) + "\n";
    std::string table = "name,value,of\n";
    for (const PanelNumber& number : numbers) table += table_field(number.label) + "," + written(number.value) + last;
    return table;
}

std::vector<NamedDoubles> to_arrays(const std::vector<PanelNumber>& numbers) {
    std::vector<std::string> order;
    std::map<std::string, std::map<int, double>> arrays;
    for (const PanelNumber& number : numbers) {
        const auto [name, index] = split(number.label);
        if (!arrays.contains(name)) order.push_back(name);
        arrays[name].insert_or_assign(index, number.value);
    }
    std::vector<NamedDoubles> lists;
    for (const std::string& name : order) {
        const std::map<int, double>& cells = arrays[name];
        const int last = cells.rbegin()->first;
        std::vector<double> values(static_cast<std::size_t>(std::max(last, 0)) + 1, std::nan(""));  // NaN: not shown
        for (const auto& [index, value] : cells) values[std::max(index, 0)] = value;
        const auto count = static_cast<std::int64_t>(values.size());
        lists.push_back({name, last < 0 ? Shape{} : Shape{count}, std::move(values)});
    }
    return lists;
}

}  // namespace glassformer::app
