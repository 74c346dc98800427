#include "core/worlds/word_lists.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"
#include "core/text/words.h"

namespace glassformer {
namespace {

/// Calls visit with each piece of the text between separators, trimmed.
template <typename Visit>
void for_each_piece(std::string_view text, char separator, const Visit& visit) {
    for (bool more = true; more;) {
        const std::size_t end = text.find(separator);
        visit(trimmed(text.substr(0, end)));
        more = end != std::string_view::npos;
        if (more) text.remove_prefix(end + 1);
    }
}

}  // namespace

void WordLists::fail(int line, const std::string& message) const {
    throw Error(file_name_ + ":" + std::to_string(line) + ": " + message);
}

WordLists WordLists::parse(std::string_view text, const std::string& file_name) {
    WordLists lists;
    lists.file_name_ = file_name;
    check_utf8(text, file_name);
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        lists.read_line(trimmed(line.substr(0, line.find('#'))), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
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
        fail(number, "line not understood: " + in_single_quotes(line) + "; expected name = words");
    const std::string_view value = trimmed(line.substr(equals + 1));
    if (name == "title") {
        if (!title_.empty()) fail(number, "the title appears twice");
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
            fail(number, "the list " + in_single_quotes(list.name) + " has an empty entry");
    });
    if (list.entries.size() == max_entries)
        fail(number,
             "the list " + in_single_quotes(list.name) + " has more than " + std::to_string(max_entries) + " entries");
    list.entries.push_back(std::move(added));
}

bool WordLists::has(std::string_view list) const {
    return std::ranges::find(lists_, list, &List::name) != lists_.end();
}

void WordLists::expect(std::initializer_list<std::string_view> names) const {
    std::string known;
    for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
    for (const List& list : lists_)
        if (std::ranges::find(names, list.name) == names.end())
            fail(list.line, "unknown list " + in_single_quotes(list.name) + "; this world's lists are: " + known);
    for (const std::string_view name : names) phrases(name, 0);
}

const std::vector<ListEntry>& WordLists::phrases(std::string_view name, std::size_t columns) const {
    const auto list = std::ranges::find(lists_, name, &List::name);
    if (list == lists_.end()) throw Error(file_name_ + ": there is no list " + in_single_quotes(name));
    for (const ListEntry& entry : list->entries)
        if (columns > 0 && entry.columns.size() != columns)
            fail(entry.line, "an entry of " + in_single_quotes(name) + " needs " + std::to_string(columns) +
                                 " columns, separated by /, but has " + std::to_string(entry.columns.size()));
    return list->entries;
}

const std::vector<ListEntry>& WordLists::words(std::string_view name, std::size_t columns) const {
    const std::vector<ListEntry>& entries = phrases(name, columns);
    std::set<std::string> seen;
    for (const ListEntry& entry : entries) {
        for (const std::vector<std::string>& column : entry.columns)
            if (column.size() != 1)
                fail(entry.line, "the list " + in_single_quotes(name) + " contains single words, not " +
                                     in_single_quotes(join_words(column)));
        if (!seen.insert(entry.word()).second)
            fail(entry.line, "the word " + in_single_quotes(entry.word()) + " appears twice");
    }
    return entries;
}

std::vector<std::string> WordLists::column(std::string_view name, std::size_t columns, std::size_t index) const {
    std::vector<std::string> found;
    for (const ListEntry& entry : words(name, columns)) found.push_back(entry.word(index));
    return found;
}

}  // namespace glassformer
