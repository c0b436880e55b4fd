#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of the transport with servers that break the rules.
@Suite struct HostileServerTests {
    /// Returns the error of a request to a server that always sends this answer.
    func error(_ answer: [UInt8], maximumBodyBytes: Int = 1 << 20) async throws -> HTTPError? {
        let server = try HostileServer { _ in answer }
        defer { server.stop() }
        let request = TransportRequest(.get, try server.url())
        return await #expect(throws: HTTPError.self) {
            try await HTTPTransport(body: .whole(upTo: maximumBodyBytes)).process(request)
        }
    }

    func error(_ answer: String) async throws -> HTTPError? { try await error(Array(answer.utf8)) }

    @Test(arguments: ["0", "65536", "99999", "99999999999999999999999"])
    func portThatIsNone(_ port: String) async throws {
        for authority in ["127.0.0.1", "[::1]", "user:1@127.0.0.1"] {
            let url = try #require(URL(string: "http://\(authority):\(port)/?a=b:80"))
            let error = await #expect(throws: HTTPError.self) {
                try await HTTPTransport().process(TransportRequest(.get, url))
            }
            #expect(error?.code == .badRequest)
            #expect(error?.message == "no address of a web server: the port is not from 1 to 65535")
            #expect(error?.isPassing == false)
        }
    }

    @Test func honestAnswer() async throws {
        let server = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        defer { server.stop() }
        let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
        #expect(response.status == .ok)
        #expect(response.body.bytes == Array("hi".utf8))
    }

    @Test(arguments: ["000", "001", "099"], ["Content-Length: 0\r\n\r\n", "Content-Length: 2\r\n\r\nhi", "\r\nhi"])
    func statusBelow100(_ status: String, _ rest: String) async throws {
        let error = try await error("HTTP/1.1 \(status) X\r\n\(rest)")
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("no answer: not an answer of HTTP") == true)
    }

    @Test(
        arguments: ["100", "101", "103", "199"],
        ["\r\n", "Content-Length: 2\r\n\r\nhi", "\r\nHTTP/1.1 099 X\r\n\r\nhi"]
    )
    func statusThatIsNoAnswerYet(_ status: String, _ rest: String) async throws {
        let server = try HostileServer("HTTP/1.1 \(status) X\r\n\(rest)")
        defer { server.stop() }
        // An answer or an error: the process doesn't crash.
        do {
            let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
            #expect(response.status.code == 101)
        } catch let error as HTTPError {
            #expect(error.message.hasPrefix("no answer: "))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 1000 X\r\n\r\n", "SSH-2.0-OpenSSH_9.9\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n", "HTTP/1.1 -1 X\r\n\r\n",
    ])
    func garbage(_ answer: String) async throws {
        let error = try await error(answer)
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("no answer: not an answer of HTTP") == true)
        #expect(error?.isPassing == true)
    }

    @Test(arguments: ["", "HTTP/1.1 200 O"])
    func nothingBeforeTheEnd(_ answer: String) async throws {
        let error = try await error(answer)
        #expect(error?.code == .unreachable)
        #expect(error?.message == "no answer: the connection was closed")
    }

    @Test(arguments: ["Content-Length: 10\r\n\r\nhi", "Transfer-Encoding: chunked\r\n\r\n5\r\nhi"])
    func bodyThatBreaksOff(_ rest: String) async throws {
        let error = try await error("HTTP/1.1 200 OK\r\n\(rest)")
        #expect(error?.code == .unreachable)
        #expect(error?.message == "the answer broke off: the connection was closed")
        #expect(error?.isPassing == true)
    }

    @Test func chunkThatIsNone() async throws {
        let error = try await error("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhi")
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("the answer broke off: not an answer of HTTP") == true)
    }

    /// For any bytes, the process doesn't crash, and the call ends.
    @Test func anyBytes() async throws {
        let scale = ProcessInfo.processInfo.environment["SLUICE_HTTP1_SCALE"].flatMap { Int($0) } ?? 200
        var random = RandomSource(seed: 9110)
        let answers = [
            "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
            "HTTP/1.0 204 No Content\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n",
        ]
        for _ in 0..<scale {
            var answer = Array(answers[Int.random(in: 0..<answers.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<answer.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: answer[place] = .random(in: 0...255, using: &random)
                case 1: answer[place] = "0129:;\r\n -".utf8.randomElement(using: &random) ?? 0
                case 2: answer.insert(contentsOf: answer[..<place], at: place)
                default: answer.removeSubrange(place..<min(answer.count, place + 3))
                }
            }
            let server = try HostileServer { [answer] _ in answer }
            defer { server.stop() }
            do {
                let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
                #expect((100...999).contains(response.status.code))
            } catch let error as HTTPError {
                #expect(error.code == .unreachable || error.code == .badBody, "\(error)")
            }
        }
    }

    @Test func bodyThatIsNoGzip() async throws {
        let error = try await error("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip")
        #expect(error?.code == .badBody)
        #expect(error?.message == "the body cannot be decompressed")
        #expect(error?.isPassing == false)
    }

    @Test func bodyThatIsABomb() async throws {
        // 256 KiB of zeros, compressed a thousand times: `head -c 262144 /dev/zero | gzip -9n | base64`.
        let bomb = try #require(Data(base64Encoded: Self.bomb, options: .ignoreUnknownCharacters))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let error = try await error(Array(head.utf8) + bomb, maximumBodyBytes: 2 << 20)
        #expect(error?.code == .badBody)
        #expect(error?.message == "the body cannot be decompressed")
    }

    static let bomb = "H4sIAAAAAAACA+3BMQEAAADCoPVP7W0Ho" + String(repeating: "A", count: 339) + "3gAi6g7iAAAEAA=="
}
#endif
