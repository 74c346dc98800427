#include "core/platform/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace glassformer::platform {

namespace {

std::string text_of(const sockaddr* address) {
    std::array<char, INET_ADDRSTRLEN> text{};
    if (!address || address->sa_family != AF_INET) return {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(address);
    return inet_ntop(AF_INET, &in->sin_addr, text.data(), text.size()) ? text.data() : "";
}

/// Of a network inside this machine: phones are in none of these.
bool is_virtual(const NetworkAddress& address) {
    static constexpr std::array<std::string_view, 5> names = {"docker", "br-", "veth", "virbr", "vmnet"};
    return std::ranges::any_of(names, [&](std::string_view name) { return address.through.starts_with(name); });
}

}  // namespace

std::vector<NetworkAddress> network_addresses() {
    std::vector<NetworkAddress> found;
    ifaddrs* first = nullptr;
    if (getifaddrs(&first) != 0) return found;
    constexpr unsigned up = IFF_UP | IFF_RUNNING;
    for (const ifaddrs* at = first; at; at = at->ifa_next) {
        if ((at->ifa_flags & up) != up || (at->ifa_flags & IFF_LOOPBACK)) continue;
        const std::string address = text_of(at->ifa_addr);
        // 169.254: a machine that found no network gives itself such an address.
        if (!address.empty() && !address.starts_with("169.254.")) found.push_back({address, at->ifa_name});
    }
    freeifaddrs(first);
    std::ranges::stable_partition(found, [](const NetworkAddress& address) { return !is_virtual(address); });
    return found;
}

void let_port_be_reused(int socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

void let_connections_wait(int socket, int most) { ::listen(socket, most); }

StrangersConnection::StrangersConnection(int socket, std::chrono::milliseconds most_time, std::size_t most_bytes)
    : socket_(socket), until_(std::chrono::steady_clock::now() + most_time), bytes_left_(most_bytes) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&peer), &size) == 0)
        from_ = text_of(reinterpret_cast<const sockaddr*>(&peer));
}

StrangersConnection::~StrangersConnection() {
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
}

int StrangersConnection::milliseconds_left() const {
    using namespace std::chrono;
    return static_cast<int>(std::max<long long>(0, duration_cast<milliseconds>(until_ - steady_clock::now()).count()));
}

bool StrangersConnection::waits_for(short what) const {
    for (;;) {
        pollfd waiting{socket_, what, 0};
        const int ready = ::poll(&waiting, 1, milliseconds_left());
        if (ready < 0 && errno == EINTR) continue;
        return ready > 0 && (waiting.revents & what);
    }
}

bool StrangersConnection::is_readable() const { return bytes_left_ > 0 && waits_for(POLLIN); }
bool StrangersConnection::is_writable() const { return waits_for(POLLOUT); }

std::ptrdiff_t StrangersConnection::read(char* to, std::size_t size) {
    if (!is_readable()) return -1;
    const ssize_t got = ::recv(socket_, to, std::min(size, bytes_left_), 0);
    if (got > 0) bytes_left_ -= static_cast<std::size_t>(got);
    return got;
}

std::ptrdiff_t StrangersConnection::write(const char* bytes, std::size_t size) {
    if (!is_writable()) return -1;
    return ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void StrangersConnection::end() const { ::shutdown(socket_, SHUT_RDWR); }

}  // namespace glassformer::platform
