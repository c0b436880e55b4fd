#if HTTP
import Foundation
import Sluice

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on loopback that is controlled by a test: by default it sends one answer for each connection, and then
/// closes it.
final class HostileServer: Sendable {
    struct SocketError: Error {
        let code: Int32
    }

    private struct State {
        var requests: [String] = []
        var isClosed = false
    }

    let port: UInt16
    private let state = Locked(State())

    /// The received requests, as text.
    var requests: [String] { state.withLock { $0.requests } }

    /// Listens on a free port, and answers on a thread of its own.
    convenience init(_ answer: @escaping @Sendable (_ request: String) -> [UInt8]) throws {
        try self.init(serving: { connection in connection.send(answer(connection.receive())) })
    }

    /// Listens on a free port; each connection is served on a thread of its own, and then closed.
    init(serving serve: @escaping @Sendable (Connection) -> Void) throws {
        let listener = try Self.makeSocket()
        (port, _) = try Self.withLoopback(port: 0) { address, length in
            var length = length
            guard bind(listener, address, length) == 0, listen(listener, 16) == 0,
                getsockname(listener, address, &length) == 0
            else { throw SocketError(code: errno) }
        }
        Thread.detachNewThread { [self] in
            while true {
                let connection = Self.uninterrupted { accept(listener, nil, nil) }
                guard connection >= 0, !state.withLock({ $0.isClosed }) else {
                    Self.closeSocket(connection)
                    break
                }
                Thread.detachNewThread { [self] in
                    serve(Connection(descriptor: connection, server: self))
                    Self.closeSocket(connection)
                }
            }
            Self.closeSocket(listener)
        }
    }

    /// A connection from a client.
    struct Connection {
        fileprivate let descriptor: Int32
        fileprivate let server: HostileServer

        /// Reads a request with its body, and notes it.
        @discardableResult
        func receive() -> String {
            let request = HostileServer.receive(descriptor)
            server.state.withLock { $0.requests.append(request) }
            return request
        }

        /// Sends bytes, and returns whether all of them could be sent.
        @discardableResult
        func send(_ bytes: [UInt8]) -> Bool { HostileServer.transmit(bytes, descriptor) }

        /// Sends text, and returns whether all of it could be sent.
        @discardableResult
        func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Waits until the client has closed the connection.
        func waitForClose() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        }

        /// Makes the connection end with a reset.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
    }

    convenience init(_ answer: String) throws { try self.init { _ in Array(answer.utf8) } }

    func url(_ path: String = "/") throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw SocketError(code: EINVAL) }
        return url
    }

    /// Ends the thread, which a last connection wakes up.
    func stop() {
        state.withLock { $0.isClosed = true }
        guard let connection = try? Self.makeSocket() else { return }
        _ = try? Self.withLoopback(port: port) { address, length in
            _ = connect(connection, address, length)
        }
        Self.closeSocket(connection)
    }

    private static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SocketError(code: errno) }
        return descriptor
    }

    /// Calls `body` with an address on loopback; returns the port that it then contains, and the result.
    private static func withLoopback<Result>(
        port: UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws -> Result
    ) throws -> (UInt16, Result) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return (UInt16(bigEndian: address.sin_port), result)
    }

    /// Repeats a call that a signal to the process has interrupted: a connection that is closed with unread bytes is reset.
    private static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func closeSocket(_ descriptor: Int32) {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Reads a request with its body: closing a socket with unread bytes would discard the answer.
    fileprivate static func receive(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isWhole(text) {
            let count = uninterrupted { recv(connection, &buffer, buffer.count, 0) }
            guard count > 0 else { break }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }

    private static func isWhole(_ request: String) -> Bool {
        guard let end = request.range(of: "\r\n\r\n") else { return false }
        guard let field = request.range(of: "content-length: ", options: .caseInsensitive) else { return true }
        let length = Int(request[field.upperBound...].prefix(while: \.isNumber)) ?? 0
        return request[end.upperBound...].utf8.count >= length
    }

    fileprivate static func transmit(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { rest in
                uninterrupted { send(connection, rest.baseAddress, rest.count, flags) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
