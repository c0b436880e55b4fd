import Foundation

/// A connection that asks one thing after the other and waits for each answer: blocking, as the least that a client adds.
final class Connection {
    private let socket: Int32
    private var buffer: [UInt8] = []

    struct Broken: Error {}

    init(port: Int) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Broken() }
    }

    deinit { close(socket) }

    /// The answer to one request, whose body is as long as its head says.
    @discardableResult
    func ask(_ request: String) throws -> Answer {
        try send(request)
        let head = try take(to: "\r\n\r\n")
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Broken() }
            fields.append((String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)))
        }
        let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
        // An event stream has no length: its events come later.
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, fields: fields, body: length == nil ? [] : try take(length ?? 0))
    }

    func get(_ path: String) throws -> Answer { try ask("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") }

    func post(_ path: String) throws {
        try ask("POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n")
    }

    struct Refused: Error {
        let answer: String
    }

    /// Sends a body of JSON.
    func write(_ method: String, _ path: String, _ body: String, _ fields: [String: String]) throws {
        let more = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let answer = try ask(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(more)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        guard (200..<300).contains(answer.status) else {
            throw Refused(answer: String(decoding: answer.body, as: UTF8.self))
        }
    }

    /// The next piece of an event stream.
    func piece() throws -> [UInt8] {
        let size = try take(to: "\r\n")
        guard let size = Int(String(decoding: size.dropLast(2), as: UTF8.self), radix: 16) else { throw Broken() }
        return try take(size + 2).dropLast(2)
    }

    private func send(_ request: String) throws {
        var bytes = Array(request.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Broken() }
            bytes = bytes.dropFirst(count)
        }
    }

    private func take(to end: String) throws -> [UInt8] {
        let end = Array(end.utf8)
        while true {
            if let range = buffer.firstRange(of: end) { return try take(range.upperBound) }
            try receive()
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try receive() }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func receive() throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { bytes in
            let count = recv(socket, bytes.baseAddress, bytes.count, 0)
            guard count > 0 else { throw Broken() }
            buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }
}

/// An answer as it came.
struct Answer {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: [UInt8]
}
