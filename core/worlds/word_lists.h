#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace glassformer {

/// One entry of a list. "big / grand / grande" has three columns, each already split into lower-case words.
struct ListEntry {
    std::vector<std::vector<std::string>> columns;
    int line = 0;

    /// The only word of a column.
    const std::string& word(std::size_t column = 0) const { return columns[column].front(); }
};

/// Calls visit(line, line number) for every line, trimmed and without its comment, which starts with #. Throws Error
/// naming the file if the text is not UTF-8.
void for_each_line(std::string_view text, const std::string& file_name,
                   const std::function<void(std::string_view line, int number)>& visit);
/// Calls visit for each piece of text between separators, trimmed.
void for_each_piece(std::string_view text, char separator, const std::function<void(std::string_view piece)>& visit);

/// A file of named word lists, from which a world makes its sentences:
///     title = What does "it" mean?      one line for the screen
///     animal = chicken | dog            a list; an entry may have columns: cat / le chat
///     animal = horse                    a list may continue on another line
/// # starts a comment. The world decides what the lists mean. Errors name the file and the line.
class WordLists {
public:
    static constexpr std::size_t max_file_bytes = 1u << 20, max_entries = 1000;  // per list

    /// Throws Error for a malformed line, an empty entry, too many entries, or bytes that are not UTF-8.
    static WordLists parse(std::string_view text, const std::string& file_name);
    static WordLists load(const std::filesystem::path& path);

    /// The file name without folder and extension.
    std::string name() const;
    /// The title, or the name if the file has none.
    std::string title() const { return title_.empty() ? name() : title_; }

    bool has(std::string_view list) const;
    /// Throws Error unless the lists are exactly these; those that are `optional` may be missing.
    void expect(std::initializer_list<std::string_view> names,
                std::initializer_list<std::string_view> optional = {}) const;
    /// A list of sentences or phrases. Throws Error if there is no such list, or an entry has another number of
    /// columns.
    const std::vector<ListEntry>& phrases(std::string_view name, std::size_t columns = 1) const;
    /// The same for a list of single words, in which no two entries may begin with the same word.
    const std::vector<ListEntry>& words(std::string_view name, std::size_t columns = 1) const;

    /// Throws Error if the entry has another number of columns.
    void require_columns(std::string_view name, const ListEntry& entry, std::size_t columns) const;

    /// One column of a list of single words.
    std::vector<std::string> column(std::string_view name, std::size_t columns = 1, std::size_t index = 0) const;

    /// Throws Error("<file>:<line>: …"), with a pattern and places as in Error.
    template <typename... Places>
    [[noreturn]] void fail_in_line(int line, std::string_view pattern, const Places&... places) const {
        throw Error("{1}:{2}: {3}", file_name_, line, filled_with(pattern, places...));
    }

private:
    struct List {
        std::string name;
        int line = 0;
        std::vector<ListEntry> entries;
    };
    WordLists() = default;
    void read_line(std::string_view line, int number);
    void add_entry(List& list, std::string_view entry, int number) const;

    std::string file_name_, title_;
    std::vector<List> lists_;
};

}  // namespace glassformer
