#pragma once

#include <optional>
#include <string>
#include <vector>

struct sockaddr;

namespace glassformer::platform {

/// Where this machine can be reached: "192.168.1.23" through "wlan0".
struct NetworkAddress {
    std::string address, through;
};

/// The IPv4 addresses of the networks that this machine is in, those of virtual machines last; without the one that
/// reaches this machine alone (127.0.0.1).
std::vector<NetworkAddress> network_addresses();

/// Whether the system asks its person, the first time that this program listens, if others may reach it: Windows does.
bool asks_before_listening();

/// "192.168.1.40"; "" for anything but an IPv4 address.
std::string ipv4_text(const sockaddr* address);

/// A socket that accepts connections; whoever takes it closes it.
struct ListeningSocket {
    int socket, port;
};

/// Listens at an IPv4 address of this machine, without blocking; port 0 is any free one. The port can be listened to
/// again as soon as the socket is closed. Nothing where the port is taken or the address is not this machine's.
std::optional<ListeningSocket> listen_at(const std::string& address, int port, int most_waiting);

void close_socket(int socket);

/// Ends a connection that somebody else owns and will close: its reads and writes fail from now on.
void shut_down_connection(int socket);

}  // namespace glassformer::platform
