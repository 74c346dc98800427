#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/presenter/vote.h"
#include "app/ui/controls.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/guarded.h"
#include "core/platform/system_error.h"

namespace glassformer::app {

namespace {

constexpr float code_gap = 8, control_height = 32;  // pixels at 100 %
constexpr int quiet_modules = 4;  // white modules around a code, without which phones do not detect it
constexpr const char* this_computer = "127.0.0.1";

/// Draws the code as large as whole pixels per module allow. Returns the box that it took.
Box draw_code(const Ui& ui, const Box& box, const QrCode& code) {
    const int modules = code.side + 2 * quiet_modules;
    const float module = std::max(1.0f, std::floor(std::min(box.width(), box.height()) / static_cast<float>(modules)));
    const float side = module * static_cast<float>(modules);
    const ImVec2 min{std::round((box.min.x + box.max.x - side) / 2), box.min.y};
    ui.list()->AddRectFilled(min, {min.x + side, min.y + side}, IM_COL32_WHITE);
    for (int row = 0; row < code.side; ++row)
        for (int column = 0; column < code.side; ++column) {
            if (!code.at(row, column)) continue;
            const ImVec2 at{min.x + module * static_cast<float>(column + quiet_modules),
                            min.y + module * static_cast<float>(row + quiet_modules)};
            ui.list()->AddRectFilled(at, {at.x + module, at.y + module}, IM_COL32_BLACK);
        }
    return {min, {min.x + side, min.y + side}};
}

}  // namespace

void PhoneVote::toggle(const Frame& frame) {
    problem_.clear(), taken_at_.clear();
    alone_ = large_ = false;
    if (page_) return end();
    network_ = 0;
    place_ = frame.own<PhonePlace>();
    if (!place_.address.empty()) return serve(place_.address, place_.port);
    looking_ = {};
    networks_ = newest_ = place_.networks();
    if (!networks_.empty()) return serve(networks_.front().address, place_.port);
    alone_ = true;
    problem_ = tr("This computer is not on a network. Join the phones' network and try again.");
}

void PhoneVote::serve(const std::string& address, int port) {
    problem_.clear(), taken_at_.clear();
    page_.reset();  // frees its port for the next page
    try {
        page_ = std::make_unique<PhonePage>(box_, address, port);
    } catch (const SystemError& e) {
        problem_ = tr(e);
        const bool of_port = e.code() == EADDRINUSE || e.code() == EACCES || e.code() == EPERM;
        if (of_port && port != PhonePage::any_port) taken_at_ = address;
        return;
    } catch (const Error& e) {
        problem_ = tr(e);
        return;
    }
    address_ = address;
    code_ = qr_code(page_->url());
    alone_ = false;
}

bool PhoneVote::networks_changed() {
    if (!page_ || !place_.address.empty()) return false;
    const Clock::time_point now = Clock::now();
    if (looking_.valid() && looking_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        guarded([&] { newest_ = looking_.get(); });
    } else if (!looking_.valid() && now >= look_at_) {
        look_at_ = now + place_.look_every;
        looking_ = compute_beside("networks", place_.networks);
    }
    return newest_ != networks_;
}

/// A page at an address that is this computer's no more reaches nobody, and its code leads nowhere.
void PhoneVote::move_with_networks() {
    const bool back = networks_.empty();
    networks_ = newest_;
    const auto same = std::ranges::find(networks_, address_, &platform::NetworkAddress::address);
    if (networks_.empty()) {
        large_ = false;  // so that the message is seen
        problem_ =
            tr("This computer is no longer on a network. Join the phones' network: the code then shows the new "
               "address.");
        return;
    }
    network_ = same == networks_.end() ? 0 : static_cast<int>(same - networks_.begin());
    if (same != networks_.end() && !back) return;
    const std::string former = address_;
    serve(networks_[network_].address, page_->port());
    if (page_ && address_ != former)
        problem_ = tr("The network has changed: phones must scan the new code. The votes so far still count.");
}

void PhoneVote::follow(Ballot ballot) {
    if (networks_changed()) move_with_networks();
    if (ballot == asked_) return;
    asked_ = std::move(ballot);
    box_.ask(asked_);
    if (!networks_.empty() && page_) problem_.clear();  // by now they have scanned it
}

bool PhoneVote::changed() {
    const BallotBox::Counts now = box_.counts();
    const bool voted = std::exchange(seen_, now) != now;
    return networks_changed() || voted;
}

void PhoneVote::draw(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::body_bold);
    const bool several = networks_.size() > 1 && !large_;
    const float below = 2 * line + ui.px(code_gap) + (several ? ui.px(control_height + code_gap) : 0);
    const Box code = draw_code(ui, box.above(box.max.y - below), code_);
    if (click_area(ui, "vote/qr", code, std::nullopt, page_->url())) large_ = !large_;
    if (draw::hovered(code)) draw::tip(ui, code, large_ ? tr("Smaller") : tr("Larger"));
    float y = code.max.y + ui.px(code_gap / 2);
    const draw::TextStyle bold{FontRole::body_bold, 0, draw::Align::centre};
    draw::text_in(ui, box.between_y(y, y + line), page_->url(), bold);
    y += line;
    // Only of this round, like the number of votes beside it: at the start of the second round nobody has voted.
    const BallotBox::Counts counts = box_.counts();
    const auto round = static_cast<std::size_t>(asked_.round);
    const int devices = std::accumulate(counts[round].begin(), counts[round].end(), 0);
    const int addresses = box_.addresses(round);
    std::string voted = filled(tr("{1} phone has voted", "{1} phones have voted", devices), {std::to_string(devices)});
    if (addresses < devices)
        voted += filled(tr(", from {1} address", ", from {1} addresses", addresses), {std::to_string(addresses)});
    draw::label(ui, box.between_y(y, y + line), voted, {FontRole::body, ui.theme->text_muted, draw::Align::centre},
                {"vote/devices", devices});
    if (!several) return;
    y += line + ui.px(code_gap);
    std::vector<std::string_view> names, shown;
    std::vector<std::string> texts;
    for (const platform::NetworkAddress& network : networks_)
        texts.push_back(network.address + " · " + network.through);
    for (std::size_t i = 0; i < texts.size(); ++i) names.push_back(networks_[i].address), shown.push_back(texts[i]);
    const std::size_t now = network_;
    const int chosen =
        dropdown(ui, "vote/network", box.between_y(y, y + ui.px(control_height)), shown[now], names, network_, shown);
    if (chosen < 0 || chosen == network_) return;
    network_ = chosen;
    serve(networks_[chosen].address, PhonePage::usual_port);
}

float PhoneVote::problem_height(const Ui& ui, float width) const {
    return problem_.empty() ? 0 : draw::wrapped_height(ui, width, problem_) + ui.px(control_height + 2 * code_gap);
}

void PhoneVote::draw_problem(const Frame& frame, ImVec2 at, float width) {
    if (problem_.empty()) return;
    const Ui& ui = frame.ui;
    const float height =
        draw::label_wrapped(ui, at, width, problem_, {FontRole::body, ui.theme->danger_text}, {"vote/problem"});
    const float y = at.y + height + ui.px(code_gap);
    ImVec2 place{at.x, y};
    ButtonStyle quiet;
    quiet.tone = Tone::quiet;
    if (!taken_at_.empty() && chip(ui, "vote/other port", place, ui.px(control_height), tr("Use another port"), quiet))
        serve(std::string(taken_at_), PhonePage::any_port);
    else if (alone_ && chip(ui, "vote/alone", place, ui.px(control_height), tr("Try it on this computer"), quiet))
        serve(this_computer, PhonePage::usual_port);
}

}  // namespace glassformer::app
