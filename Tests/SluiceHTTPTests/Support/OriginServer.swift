#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceTestSupport
import Testing

/// A server on loopback with answers from a test: it reads requests, and closes each connection after its answer. It
/// has two names, and so counts as two origins.
final class OriginServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: HTTPFields
        let body: String
        /// The name by which the client addressed the server, without the port.
        let host: String

        subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

        init(_ text: String) {
            let parts = text.components(separatedBy: "\r\n\r\n")
            let lines = parts[0].components(separatedBy: "\r\n")
            let words = lines[0].components(separatedBy: " ")
            method = words[0]
            path = words.count > 1 ? words[1] : ""
            var headers = HTTPFields()
            for line in lines.dropFirst() {
                let pair = line.split(separator: ":", maxSplits: 1)
                guard pair.count == 2, let name = HTTPField.Name(String(pair[0])) else { continue }
                headers.append(HTTPField(name: name, value: pair[1].trimmingCharacters(in: .whitespaces)))
            }
            self.headers = headers
            body = parts.dropFirst().joined(separator: "\r\n\r\n")
            host = HTTPField.Name("Host").flatMap { headers[$0] }?.split(separator: ":").first.map(String.init) ?? ""
        }
    }

    private let server: HostileServer

    /// Starts a server.
    ///
    /// - Parameter answer: a closure that returns the answer; called with the request and its number, on a thread of
    ///   its own, which it may block.
    init(_ answer: @escaping @Sendable (Request, _ number: Int) -> TransportResponse) throws {
        let count = Counter()
        server = try HostileServer { text in Self.text(of: answer(Request(text), count.next())) }
    }

    deinit { server.stop() }

    var requests: [Request] { server.requests.map(Request.init) }

    /// The requested paths, in order.
    var paths: [String] { requests.map(\.path) }

    /// Returns an address of the server.
    func url(_ path: String = "/") throws -> URL { try server.url(path) }

    /// Returns an address of the same server with another name, which makes it another origin.
    func otherURL(_ path: String = "/") throws -> URL { try .of("http://localhost:\(server.port)\(path)") }

    private static func text(of response: TransportResponse) -> [UInt8] {
        let body = response.body.bytes ?? []
        var head = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
        for field in response.headers { head += "\(field.name.rawName): \(field.value)\r\n" }
        if response.status.code != 304 { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "Connection: close\r\n\r\n").utf8) + body
    }
}

extension URLChainBuilder where Route == URL {
    /// Returns a chain whose output is the head and the bytes of any answer.
    func plain(_ url: URL, _ method: HTTPRequest.Method = .get) -> RequestChain<Void, TransportResponse> {
        route(method, url).build("plain", write: { _, _ in }, read: { $0 })
    }
}

/// Waits until a condition holds, without a limit other than that of the test.
func until(_ holds: @Sendable () -> Bool) async {
    var looks = Looks()
    while !holds() { await looks.pause() }
}

/// Waits until a condition holds, or long enough that it would probably hold.
func untilLikely(_ holds: @Sendable () -> Bool) async {
    let end = ContinuousClock.now + .seconds(3)
    var looks = Looks()
    while !holds(), ContinuousClock.now < end { await looks.pause() }
}

/// A latch for threads, which opens once.
final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Blocks the thread until the latch is open.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}
#endif
