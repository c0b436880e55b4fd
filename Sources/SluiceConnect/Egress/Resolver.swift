#if HTTP
import Dispatch
import Foundation
import SluiceHTTP

/// A way to find the addresses of a name.
package struct Resolver: Sendable {
    package let addresses: @Sendable (_ name: String) async throws -> [IPAddress]

    package init(addresses: @escaping @Sendable (_ name: String) async throws -> [IPAddress]) {
        self.addresses = addresses
    }

    /// The resolver of the system, on threads of its own, so that a slow name server blocks no task.
    package static let system = Resolver { name in
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try ask(name) }) }
        }
    }

    private static let queue = DispatchQueue(label: "sluice.names", attributes: .concurrent)

    private static func ask(_ name: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &first)
        defer { if let first { freeaddrinfo(first) } }
        guard code == 0 else {
            let reason = gai_strerror(code).map { String(cString: $0) } ?? "\(code)"
            throw HTTPError(.unreachable, "the name '\(name)' has no address: \(reason)", request: nil)
        }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next?.pointee {
            if let address = IPAddress(entry.ai_addr), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }
}

extension IPAddress {
    fileprivate init?(_ address: UnsafeMutablePointer<sockaddr>?) {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: return nil
        }
    }
}
#endif
