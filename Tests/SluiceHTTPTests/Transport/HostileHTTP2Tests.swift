#if HTTP
import Foundation
import HTTPTypes
import NIOSSL
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of the transport with servers that break the rules over HTTP/2.
@Suite struct HostileHTTP2Tests {
    typealias Frame = HostileHTTP2Server.Frame

    /// Calls `body` with a transport and the address of a server that gives this answer to every request.
    ///
    /// - Returns: the number of connections.
    @discardableResult
    func withServer(
        idleTimeout: Duration = .seconds(60),
        _ answer: @escaping @Sendable (_ number: Int) -> [Frame],
        _ body: (HTTPTransport, TransportRequest) async throws -> Void
    ) async throws -> Int {
        let server = try await HostileHTTP2Server(answer)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        var settings = HTTPTransport.Settings()
        settings.tls = tls
        settings.idleTimeout = idleTimeout
        // A loaded machine may take long for a handshake.
        settings.connectTimeout = .seconds(120)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let transport = HTTPTransport(settings)
        do {
            try await body(transport, TransportRequest(.get, url))
        } catch {
            Issue.record(error)
        }
        await transport.shutdown()
        try await server.stop()
        return server.connections
    }

    /// Returns the error of a request with this answer.
    func error(_ answer: [Frame]) async throws -> HTTPError? {
        var thrown: HTTPError?
        try await withServer({ _ in answer }) { transport, request async throws in
            thrown = await #expect(throws: HTTPError.self) { try await transport.process(request) }
        }
        return thrown
    }

    @Test func honestAnswer() async throws {
        try await withServer({ number in [.status("103"), .status("200"), .data("\(number)")] }) {
            transport,
            request async throws in
            for number in 0..<3 {
                let response = try await transport.process(request)
                #expect(response.status == .ok)
                #expect(response.body.bytes == Array("\(number)".utf8))
            }
        }
    }

    // MARK: - Requests that are sent again

    /// Returns the requests that a server got, which gives these answers to the first two, and valid ones to all
    /// others.
    private func requests(
        _ method: HTTPRequest.Method,
        first answer: [Frame],
        isReused: Bool = false
    ) async throws -> (count: Int, error: HTTPError?) {
        let count = Counter()
        var thrown: HTTPError?
        let bad = isReused ? 1 : 0
        try await withServer({ number in
            _ = count.next()
            return number == bad ? answer : [.status("200"), .data("ok")]
        }) { transport, request async throws in
            if isReused { _ = try await transport.process(request) }
            var request = request
            request.method = method
            do { _ = try await transport.process(request) } catch let error as HTTPError { thrown = error }
        }
        return (count.value - bad, thrown)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post], [false, true])
    func refusedStreamIsSentAgain(_ method: HTTPRequest.Method, isReused: Bool) async throws {
        let (count, error) = try await requests(method, first: [.refused], isReused: isReused)
        #expect(count == 2)
        #expect(error == nil)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func streamAboveTheLastOneIsSentAgain(_ method: HTTPRequest.Method) async throws {
        let (count, error) = try await requests(method, first: [.goAway(lastStream: 0)])
        #expect(count == 2)
        #expect(error == nil)
    }

    @Test func streamBelowTheLastOneIsNotSentAgain() async throws {
        let (count, error) = try await requests(.post, first: [.goAway(lastStream: 9), .end])
        #expect(count == 1)
        #expect(error?.isUnprocessed == false)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func brokenStreamIsNotSentAgain(_ method: HTTPRequest.Method) async throws {
        let (count, error) = try await requests(method, first: [.reset], isReused: true)
        #expect(count == 1)
        #expect(error?.message.contains("may have processed") == (method == .post))
    }

    @Test(arguments: [HTTPRequest.Method.get, .post], [false, true])
    func lostConnection(_ method: HTTPRequest.Method, isReused: Bool) async throws {
        let (count, error) = try await requests(method, first: [.end], isReused: isReused)
        #expect(count == (method == .get && isReused ? 2 : 1))
        #expect((error == nil) == (method == .get && isReused), "\(error.map { "\($0)" } ?? "no error")")
    }

    /// Every second request ends its connection. It is sent again at once, while the pool may still offer the same one.
    @Test func connectionThatEndsWithEverySecondRequest() async throws {
        let connections = try await withServer({ number in
            number.isMultiple(of: 2) ? [.status("200"), .data("ok")] : [.end]
        }) { transport, request async throws in
            for _ in 0..<300 { #expect(try await transport.process(request).status == .ok) }
        }
        #expect(connections == 300)
    }

    @Test func requestThatIsAlwaysRefused() async throws {
        let refusal = try await error([.refused])
        #expect(refusal?.isUnprocessed == true)
        #expect(refusal?.isUnsent == false)
        #expect(refusal?.message == "the server refused the request without processing it")
    }

    @Test func retrySendsARefusedPOSTAgain() async throws {
        let count = Counter()
        try await withServer({ number in
            _ = count.next()
            return number < 3 ? [.refused] : [.status("200"), .data("ok")]
        }) { transport, request async throws in
            var request = request
            request.method = .post
            let retry = RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 2, backoff: .constant(.zero))
            #expect(try await retry.andThen(transport).process(request).status == .ok)
        }
        #expect(count.value == 4)
    }

    // MARK: - Broken rules

    @Test(
        arguments: [
            "000", "001", "099", "0", "1", "99", "-1", "+100", "1000", "99999999999999999999", "", "abc", "2OO",
        ],
        [[], [Frame.data("hi")]]
    )
    func statusThatIsNone(_ status: String, _ rest: [Frame]) async throws {
        let error = try await error([.status(status, endsStream: rest.isEmpty)] + rest)
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("no answer: ") == true, "\(error?.message ?? "")")
    }

    @Test func onlySuchAStreamEnds() async throws {
        let answer: @Sendable (Int) -> [Frame] = {
            $0 == 0 ? [.status("099"), .data("")] : [.status("200"), .data("hi")]
        }
        try await withServer(answer) { transport, request async throws in
            await #expect(throws: HTTPError.self) { try await transport.process(request) }
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
        }
    }

    @Test(
        arguments: ["100", "101", "103", "199"],
        [
            [], [Frame.data("hi")], [Frame.status("200"), Frame.data("hi")], [Frame.status("099"), Frame.data("hi")],
            [Frame.status("200"), Frame.status("200"), Frame.data("hi")],
        ]
    )
    func statusThatIsNoAnswerYet(_ status: String, _ rest: [Frame]) async throws {
        try await withServer({ _ in [.status(status, endsStream: rest.isEmpty)] + rest }) {
            transport,
            request async throws in
            // An answer or an error: the process doesn't crash.
            do {
                let response = try await transport.process(request)
                #expect(response.status == .ok)
            } catch let error as HTTPError {
                #expect(error.code == .unreachable, "\(error)")
            }
        }
    }

    @Test(arguments: [
        [Frame.data("hi")], [.data("", endsStream: false), .data("hi")], [.reset], [.status("200"), .reset],
        [.status("200"), .data("h", endsStream: false), .status("200"), .data("i")],
        [.status("200"), .status("103"), .data("hi")], [.status("200"), .data("hi"), .data("hi")],
        [.status("200"), .data("hi"), .status("200"), .data("hi")],
    ])
    func partsOutOfOrder(_ answer: [Frame]) async throws {
        try await withServer({ _ in answer }) { transport, request async throws in
            do {
                #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
            } catch let error as HTTPError {
                #expect(error.code == .unreachable, "\(error)")
            }
        }
    }

    @Test(
        arguments: [
            [], [(":status", "200"), (":status", "200")], [(":status", "200"), (":path", "/")],
            [("x", "a"), (":status", "200")], [(":status", "200"), ("", "a")], [(":status", "200"), ("X-A", "a")],
            [(":status", "200"), ("a b", "a")], [(":status", "200"), ("x", "a\nb: c")],
            [(":status", "200"), ("x", "\0")],
            [(":status", "200"), ("connection", "close")], [(":status", "200"), ("transfer-encoding", "chunked")],
            [(":status", "200"), ("content-length", "-1")], [(":status", "200"), ("content-length", "9")],
            [(":status", "200"), ("content-length", "99999999999999999999")],
            [(":status", "200"), ("content-length", "2"), ("content-length", "3")],
        ] as [[(name: String, value: String)]]
    )
    func fieldsThatAreNone(_ fields: [(name: String, value: String)]) async throws {
        try await withServer({ _ in [.fields(fields), .data("hi")] }) { transport, request async throws in
            do {
                #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
            } catch let error as HTTPError {
                #expect(error.code == .unreachable, "\(error)")
            }
        }
    }

    @Test(arguments: [[1, 2, 3], [0x80], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0]] as [[UInt8]])
    func fieldsThatCannotBeRead(_ payload: [UInt8]) async throws {
        let error = try await error([Frame(type: 1, flags: 5, payload: payload)])
        #expect(error?.message == "no answer: the connection was closed")
    }

    /// For any frames, the process doesn't crash, and the call ends.
    @Test func anyFrames() async throws {
        var random = RandomSource(seed: 7)
        for _ in 0..<Self.scale {
            var answer: [Frame] = [
                .fields([(":status", "200"), ("a", "b")]), .data("hello", endsStream: false), .data("hi"),
            ]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<answer.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: answer[place].type = .random(in: 0...11, using: &random)
                case 1: answer[place].flags = .random(in: 0...255, using: &random)
                case 2:
                    for index in answer[place].payload.indices where Int.random(in: 0..<4, using: &random) == 0 {
                        answer[place].payload[index] = .random(in: 0...255, using: &random)
                    }
                case 3: answer.insert(answer[place], at: Int.random(in: 0...answer.count, using: &random))
                default:
                    let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    answer.insert(Frame(type: .random(in: 0...11, using: &random), payload: payload), at: place)
                }
            }
            try await withServer({ [answer] _ in answer + [.end] }) { transport, request async throws in
                do {
                    let response = try await transport.process(request)
                    #expect((100...999).contains(response.status.code))
                } catch let error as HTTPError {
                    #expect(error.code != .failed, "\(error)")
                }
            }
        }
    }

    private static let scale = ProcessInfo.processInfo.environment["SLUICE_HTTP2_SCALE"].flatMap { Int($0) } ?? 100

    @Test func silenceEndsItsStreamAlone() async throws {
        let answer: @Sendable (Int) -> [Frame] = { $0 == 0 ? [] : [.status("200"), .data("hi")] }
        let connections = try await withServer(idleTimeout: .seconds(10), answer) { transport, request async throws in
            let error = await #expect(throws: HTTPError.self) { try await transport.process(request) }
            #expect(error?.timeout == .idle)
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
        }
        #expect(connections == 1)
    }

    @Test func hintsWithoutEnd() async throws {
        let hints = { @Sendable (count: Int) in [Frame](repeating: .status("103"), count: count) }
        let error = try await error(hints(101) + [.status("200"), .data("hi")])
        #expect(error?.message == "no answer: not an answer of HTTP (more than 100 answers of 1xx)")
        try await withServer({ _ in hints(100) + [.status("200"), .data("hi")] }) { transport, request async throws in
            #expect(try await transport.process(request).body.bytes == Array("hi".utf8))
        }
    }
}
#endif
