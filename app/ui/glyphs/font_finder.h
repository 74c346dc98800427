#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/background.h"

namespace glassformer::app {

/// One face of a font file.
struct FontFace {
    std::string file;
    long index = 0;  ///< index of the face in its file, as in FreeType
    bool operator==(const FontFace&) const = default;
};

/// The face that the system prefers for a character; empty if no font has it. Asks fontconfig or, on Windows, searches
/// the fonts folders.
std::optional<FontFace> find_system_font(char32_t character, bool bold);

/// Finds a font for a character. The system can take long to answer if there are many fonts, so it is asked on a thread
/// of its own; pictures rendered without a window wait for the answer instead.
class FontFinder {
public:
    using Find = std::function<std::optional<FontFace>(char32_t character, bool bold)>;
    explicit FontFinder(bool waits, Find find = find_system_font);
    ~FontFinder();
    FontFinder(const FontFinder&) = delete;
    FontFinder& operator=(const FontFinder&) = delete;

    struct Answer {
        bool known = false;
        std::optional<FontFace> face;
    };
    /// What is known about a character so far; the first call starts the query.
    Answer ask(char32_t character, bool bold);
    /// True if answers have arrived since the last call.
    bool take_news() { return news_.exchange(false); }
    /// True if answers are pending, or have arrived since take_news().
    bool looking() const { return !broken_ && (looking_.load() > 0 || news_.load()); }

private:
    Turn look(const std::stop_token& stop);

    bool waits_;
    Find find_;
    std::mutex mutex_;
    std::vector<std::uint64_t> questions_;
    std::unordered_map<std::uint64_t, Answer> answers_;
    std::atomic<bool> news_{false};
    std::atomic<int> looking_{0};
    std::atomic<bool> broken_{false};  // the thread has failed: unanswered characters count as missing from every font
    Background thread_;                // started by the first question; destroyed first
};

}  // namespace glassformer::app
