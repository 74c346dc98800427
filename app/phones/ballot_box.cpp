#include "app/phones/ballot_box.h"

#include <algorithm>
#include <utility>

namespace glassformer::app {

void BallotBox::ask(Ballot ballot) {
    if (ballot.choices.size() > Ballot::most_choices) ballot.choices.resize(Ballot::most_choices);
    const std::lock_guard held(lock_);
    if (ballot.question != ballot_.question) {
        votes_.clear();
        for (auto& round : counts_)
            for (std::atomic<int>& count : round) count = 0;
        devices_at_.clear();
        devices_ = 0;
        count_addresses();
    }
    ballot_ = std::move(ballot);
}

Ballot BallotBox::ballot() const {
    const std::lock_guard held(lock_);
    return ballot_;
}

BallotBox::Answer BallotBox::cast(const std::string& device, const std::string& from, int question, int round,
                                  std::size_t choice) {
    const std::lock_guard held(lock_);
    if (!ballot_.open || question != ballot_.question || round != ballot_.round) return Answer::closed;
    if (choice >= ballot_.choices.size()) return Answer::unknown_choice;
    if (!votes_.contains(device)) {
        if (!make_place(from)) return Answer::full;
        devices_at_[from].push_back(device);
        votes_[device] = {-1, -1};
        devices_ = static_cast<int>(votes_.size());
    }
    const auto this_round = static_cast<std::size_t>(round);
    int& vote = votes_.at(device).at(this_round);
    const bool again = vote >= 0;
    if (again) --counts_[this_round][vote];
    vote = static_cast<int>(choice);
    ++counts_[this_round][choice];
    if (!again) count_addresses();
    return Answer::counted;
}

void BallotBox::count_addresses() {
    for (std::size_t round = 0; round < addresses_.size(); ++round)
        addresses_[round] = static_cast<int>(std::ranges::count_if(devices_at_, [&](const auto& entry) {
            return std::ranges::any_of(entry.second,
                                       [&](const std::string& device) { return votes_.at(device)[round] >= 0; });
        }));
}

bool BallotBox::make_place(const std::string& address) {
    if (votes_.size() < most_devices_) return true;
    const auto most = std::ranges::max_element(devices_at_, {}, [](const auto& entry) { return entry.second.size(); });
    const auto here = devices_at_.find(address);
    const std::size_t own = here == devices_at_.end() ? 0 : here->second.size();
    if (most == devices_at_.end() || most->second.size() <= own + 1) return false;
    const auto newest = votes_.find(most->second.back());
    for (std::size_t round = 0; round < counts_.size(); ++round)
        if (const int vote = newest->second[round]; vote >= 0) --counts_[round][vote];
    votes_.erase(newest);
    most->second.pop_back();
    return true;
}

int BallotBox::vote_of(const std::string& device) const {
    const std::lock_guard held(lock_);
    const auto found = votes_.find(device);
    return found == votes_.end() ? -1 : found->second.at(static_cast<std::size_t>(ballot_.round));
}

BallotBox::Counts BallotBox::counts() const {
    Counts now{};
    for (std::size_t round = 0; round < now.size(); ++round)
        for (std::size_t choice = 0; choice < Ballot::most_choices; ++choice)
            now[round][choice] = counts_[round][choice];
    return now;
}

}  // namespace glassformer::app
