#include "core/platform/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace glassformer::platform {

namespace {

/// True for a network inside this machine, which no phone can reach.
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
        const std::string address = ipv4_text(at->ifa_addr);
        // 169.254: a machine that found no network assigns itself such an address.
        if (!address.empty() && !address.starts_with("169.254.")) found.push_back({address, at->ifa_name});
    }
    freeifaddrs(first);
    std::ranges::stable_partition(found, [](const NetworkAddress& address) { return !is_virtual(address); });
    return found;
}

bool asks_before_listening() { return false; }

std::string ipv4_text(const sockaddr* address) {
    std::array<char, INET_ADDRSTRLEN> text{};
    if (!address || address->sa_family != AF_INET) return {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(address);
    return inet_ntop(AF_INET, &in->sin_addr, text.data(), text.size()) ? text.data() : "";
}

ListeningSocket listen_at(const std::string& address, int port, int most_waiting) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    if (::inet_pton(AF_INET, address.c_str(), &at.sin_addr) != 1) fail_to_listen(address, port, EADDRNOTAVAIL);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) fail_to_listen(address, port, errno);
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    socklen_t size = sizeof at;
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&at), size) == 0 && ::listen(socket, most_waiting) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) == 0)
        return {socket, ntohs(at.sin_port)};
    const int error = errno;
    ::close(socket);
    fail_to_listen(address, port, error);
}

void close_socket(int socket) { ::close(socket); }

void shut_down_connection(int socket) { ::shutdown(socket, SHUT_RDWR); }

}  // namespace glassformer::platform
