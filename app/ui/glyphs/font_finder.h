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
    long index = 0;  ///< of the face in its file, as FreeType counts
    bool operator==(const FontFace&) const = default;
};

/// The face that the system prefers for a character; empty where no font has it. Asks fontconfig, on
/// Windows the fonts of its folder.
std::optional<FontFace> find_system_font(char32_t character, bool bold);

/// Finds out which font has a character. The system's answer can take long where there are many fonts, so it is asked
/// on a thread of its own; pictures that are drawn without a window wait for it instead.
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
    /// What is known of a character by now; the first call asks.
    Answer ask(char32_t character, bool bold);
    /// Whether answers came since the last call.
    bool take_news() { return news_.exchange(false); }
    /// Answers are to come, or came since take_news().
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
    std::atomic<bool> broken_{false};  // no thread answers: no other font counts as having any character
    Background thread_;                // begun with the first question; ends first
};

}  // namespace glassformer::app
