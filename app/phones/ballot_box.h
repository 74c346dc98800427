#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace glassformer::app {

/// The question put to the phones.
struct Ballot {
    static constexpr std::size_t most_choices = 6;

    int question = 0;         ///< its number; a new number clears all votes; 0: no question
    int round = 0;            ///< 0: the first vote, 1: the second
    bool open = false;        ///< votes are accepted
    std::string title, text;  ///< heading and question; either may be empty
    std::vector<std::string> choices;

    bool operator==(const Ballot&) const = default;
};

/// Counts one vote per device and round; a device's last vote counts. Thread-safe; counts() never waits for a lock.
class BallotBox {
public:
    /// With more than `most_devices` (a class never has so many, and each takes memory), the addresses get equal
    /// shares: a device from an address with few devices replaces the newest one from the address with the most. So
    /// nobody can crowd out a class with made-up devices.
    explicit BallotBox(std::size_t most_devices = 2000) : most_devices_(most_devices) {}

    void ask(Ballot ballot);
    Ballot ballot() const;

    enum class Answer { counted, closed, unknown_choice, full };
    /// Casts the vote of a device at an address, for the question and round that it was shown; returns `closed` if
    /// these are no longer current.
    Answer cast(const std::string& device, const std::string& from, int question, int round, std::size_t choice);
    /// Returns the device's vote in this round; -1 if it has not voted.
    int vote_of(const std::string& device) const;

    using Counts = std::array<std::array<int, Ballot::most_choices>, 2>;
    /// By round and choice, for the current question.
    Counts counts() const;
    /// Returns how many devices voted on this question.
    int devices() const { return devices_; }
    /// Returns from how many addresses votes came in this round (0 or 1). This is less than the number of votes if
    /// devices share an address, or if somebody votes with several.
    int addresses(std::size_t round) const { return addresses_.at(round); }

private:
    /// Returns true if one more device from this address fits, if necessary in place of another one.
    bool make_place(const std::string& address);
    void count_addresses();

    const std::size_t most_devices_;
    mutable std::mutex lock_;
    Ballot ballot_;
    std::map<std::string, std::array<int, 2>> votes_;  // -1: no vote in that round
    std::array<std::array<std::atomic<int>, Ballot::most_choices>, 2> counts_{};
    std::map<std::string, std::vector<std::string>> devices_at_;  // by address, the newest last
    std::atomic<int> devices_{0};
    std::array<std::atomic<int>, 2> addresses_{};
};

}  // namespace glassformer::app
