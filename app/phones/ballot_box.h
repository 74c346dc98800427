#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace glassformer::app {

/// What the phones are asked.
struct Ballot {
    static constexpr std::size_t most_choices = 6;

    int question = 0;         ///< its number; another one forgets all votes; 0: nothing is asked
    int round = 0;            ///< 0: the first vote, 1: the second
    bool open = false;        ///< votes are taken
    std::string title, text;  ///< its heading, and what is asked; may be empty
    std::vector<std::string> choices;

    bool operator==(const Ballot&) const = default;
};

/// One vote a device and round, of which its last one counts. Any thread may call it; what a reader of counts() waits
/// for is nobody.
class BallotBox {
public:
    /// Of more devices than this, no class has so many and each takes memory, the addresses get equal shares: a device
    /// from an address with few takes the place of the newest one from the address with most. So nobody who makes up
    /// devices can take the places of a class.
    explicit BallotBox(std::size_t most_devices = 2000) : most_devices_(most_devices) {}

    void ask(Ballot ballot);
    Ballot ballot() const;

    enum class Answer { counted, closed, unknown_choice, full };
    /// A vote of a device at an address, for the question and round that it was shown; for another one it is `closed`.
    Answer cast(const std::string& device, const std::string& from, int question, int round, std::size_t choice);
    /// What the device voted in this round; -1 where it did not.
    int vote_of(const std::string& device) const;

    using Counts = std::array<std::array<int, Ballot::most_choices>, 2>;
    /// By round and choice, of the question that is asked now.
    Counts counts() const;
    /// How many devices voted on this question.
    int devices() const { return devices_; }
    /// From how many addresses votes came in this round (0 or 1): fewer than votes where devices share one, or where
    /// somebody votes with several.
    int addresses(std::size_t round) const { return addresses_.at(round); }

private:
    /// Whether one more device from this address has a place, or another one's.
    bool make_place(const std::string& address);
    void count_addresses();

    const std::size_t most_devices_;
    mutable std::mutex lock_;
    Ballot ballot_;
    std::map<std::string, std::array<int, 2>> votes_;  // -1: none in that round
    std::array<std::array<std::atomic<int>, Ballot::most_choices>, 2> counts_{};
    std::map<std::string, std::vector<std::string>> devices_at_;  // by address, the newest last
    std::atomic<int> devices_{0};
    std::array<std::atomic<int>, 2> addresses_{};
};

}  // namespace glassformer::app
