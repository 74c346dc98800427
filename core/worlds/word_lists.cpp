#include "core/worlds/word_lists.h"

#include <algorithm>
#include <set>

#include "core/base/join.h"
#include "core/base/trimmed.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"
#include "core/text/words.h"

namespace glassformer {

void for_each_line(std::string_view text, const std::string& file_name,
                   const std::function<void(std::string_view, int)>& visit) {
    check_utf8(text, file_name);
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        visit(trimmed(line.substr(0, line.find('#'))), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void for_each_piece(std::string_view text, char separator, const std::function<void(std::string_view)>& visit) {
    for (bool more = true; more;) {
        const std::size_t end = text.find(separator);
        visit(trimmed(text.substr(0, end)));
        more = end != std::string_view::npos;
        if (more) text.remove_prefix(end + 1);
    }
}

WordLists WordLists::parse(std::string_view text, const std::string& file_name) {
    WordLists lists;
    lists.file_name_ = file_name;
    for_each_line(text, file_name, [&](std::string_view line, int number) { lists.read_line(line, number); });
    return lists;
}

WordLists WordLists::load(const std::filesystem::path& path) {
    return parse(read_text_file(path, max_file_bytes), path.string());
}

std::string WordLists::name() const { return std::filesystem::path(file_name_).stem().string(); }

void WordLists::read_line(std::string_view line, int number) {
    if (line.empty()) return;
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    if (equals == std::string_view::npos || name.empty() || name.find_first_of(" \t{}|/") != std::string_view::npos)
        fail_in_line(number, "line not understood: {1}; expected name = words", in_single_quotes(line));
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (name == "title") {
        if (!title_.empty()) fail_in_line(number, "the title appears twice");
        title_ = value;
        return;
    }
    auto list = std::ranges::find(lists_, name, &List::name);
    if (list == lists_.end()) list = lists_.insert(lists_.end(), {std::string(name), number, {}});
    for_each_piece(value, '|', [&](std::string_view entry) { add_entry(*list, entry, number); });
}

void WordLists::add_entry(List& list, std::string_view entry, int number) const {
    ListEntry added;
    added.line = number;
    for_each_piece(entry, '/', [&](std::string_view column) {
        added.columns.push_back(split_words(column));
        if (added.columns.back().empty())
            fail_in_line(number, "the list {1} has an empty entry", in_single_quotes(list.name));
    });
    if (list.entries.size() == max_entries)
        fail_in_line(number, "the list {1} has more than {2} entries", in_single_quotes(list.name), max_entries);
    list.entries.push_back(std::move(added));
}

bool WordLists::has(std::string_view list) const {
    return std::ranges::find(lists_, list, &List::name) != lists_.end();
}

void WordLists::expect(std::initializer_list<std::string_view> names,
                       std::initializer_list<std::string_view> optional) const {
    std::vector<std::string_view> all(names);
    all.insert(all.end(), optional);
    for (const List& list : lists_)
        if (std::ranges::find(all, list.name) == all.end())
            fail_in_line(list.line, "unknown list {1}; this world's lists are: {2}", in_single_quotes(list.name),
                         join(all, ", "));
    for (const std::string_view name : names) phrases(name, 0);
}

const std::vector<ListEntry>& WordLists::phrases(std::string_view name, std::size_t columns) const {
    const auto list = std::ranges::find(lists_, name, &List::name);
    if (list == lists_.end()) throw Error("{1}: there is no list {2}", file_name_, in_single_quotes(name));
    if (columns > 0)
        for (const ListEntry& entry : list->entries) require_columns(name, entry, columns);
    return list->entries;
}

void WordLists::require_columns(std::string_view name, const ListEntry& entry, std::size_t columns) const {
    if (entry.columns.size() != columns)
        fail_in_line(entry.line, "an entry of {1} needs {2} columns, separated by /, but has {3}",
                     in_single_quotes(name), columns, entry.columns.size());
}

const std::vector<ListEntry>& WordLists::words(std::string_view name, std::size_t columns) const {
    const std::vector<ListEntry>& entries = phrases(name, columns);
    std::set<std::string> seen;
    for (const ListEntry& entry : entries) {
        for (const std::vector<std::string>& column : entry.columns)
            if (column.size() != 1)
                fail_in_line(entry.line, "the list {1} contains single words, not {2}", in_single_quotes(name),
                             in_single_quotes(join_words(column)));
        if (!seen.insert(entry.word()).second)
            fail_in_line(entry.line, "the word {1} appears twice", in_single_quotes(entry.word()));
    }
    return entries;
}

std::vector<std::string> WordLists::column(std::string_view name, std::size_t columns, std::size_t index) const {
    std::vector<std::string> found;
    for (const ListEntry& entry : words(name, columns)) found.push_back(entry.word(index));
    return found;
}

}  // namespace glassformer
