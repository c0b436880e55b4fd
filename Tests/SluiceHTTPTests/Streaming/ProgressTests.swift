#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceTesting
import Testing

@testable import SluiceHTTP

@Suite struct ProgressTests {
    let url: URL
    let clock = TestClock()

    init() throws { url = try #require(URL(string: "http://example.com/")) }

    /// Returns a node that reads the body of its request and returns this answer.
    func node(_ answer: TransportResponse) -> AnyNode<TransportRequest, TransportResponse> {
        AnyNode("stub") { request in
            if case .stream(let stream)? = request.body { for try await _ in try await stream.chunks() {} }
            return answer
        }
    }

    /// Returns the calls of a closure up to the last one.
    func reports(
        _ run: (@escaping @Sendable (TransferProgress) -> Void) async throws -> Void
    ) async throws -> [TransferProgress] {
        let (reports, tell) = AsyncStream<TransferProgress>.makeStream()
        try await run { progress in
            tell.yield(progress)
            if progress.isComplete { tell.finish() }
        }
        return await reports.reduce(into: []) { $0.append($1) }
    }

    @Test(arguments: [0, 1, 200_000])
    func uploadOfBytes(_ count: Int) async throws {
        let body = RequestBody.bytes([UInt8](repeating: 1, count: count))
        let reports = try await reports { report async throws in
            let filter = ProgressFilter(every: .zero, clock: clock, upload: report)
            _ = try await filter.andThen(node(TransportResponse())).process(TransportRequest(.put, url, body: body))
        }
        #expect(reports.last == TransferProgress(completed: count, total: count, isComplete: true))
        #expect(reports.map(\.completed) == reports.map(\.completed).sorted())
        #expect(reports.dropLast().allSatisfy { $0.total == count && !$0.isComplete })
    }

    @Test func uploadOfAFile() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        try Data(count: 150_000).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reports = try await reports { report async throws in
            let filter = ProgressFilter(every: .zero, clock: clock, upload: report)
            _ = try await filter.andThen(node(TransportResponse())).process(
                TransportRequest(.put, url, body: .file(path))
            )
        }
        #expect(reports.last == TransferProgress(completed: 150_000, total: 150_000, isComplete: true))
        #expect(reports.last?.fraction == 1)
    }

    @Test func bodyStaysReplayable() async throws {
        let seen = Locked<[Bool?]>([])
        let stub = AnyNode<TransportRequest, TransportResponse>("stub") { request in
            seen.withLock { $0.append(request.body?.isReplayable) }
            return TransportResponse()
        }
        let chain = ProgressFilter(upload: { _ in }).andThen(stub)
        for body: RequestBody in ["a", .stream(RequestStream(stream("a", by: 1)))] {
            _ = try await chain.process(TransportRequest(.put, url, body: body))
        }
        #expect(seen.withLock { $0 } == [true, false])
    }

    @Test func downloadInChunks() async throws {
        let answer = TransportResponse(headers: [.contentLength: "10"], body: stream("0123456789", by: 3))
        let reports = try await reports { report async throws in
            let chain = ProgressFilter(every: .zero, clock: clock, download: report).andThen(node(answer))
            let response = try await chain.process(TransportRequest(.get, url))
            #expect(try await response.body.collected(upTo: 10) == Array("0123456789".utf8))
        }
        #expect(reports.last == TransferProgress(completed: 10, total: 10, isComplete: true))
        #expect(reports.map(\.completed) == reports.map(\.completed).sorted())
    }

    @Test func downloadThatIsWhole() async throws {
        let reports = try await reports { report async throws in
            let chain = ProgressFilter(clock: clock, download: report).andThen(node(TransportResponse(body: "hi")))
            #expect(try await chain.process(TransportRequest(.get, url)).body.bytes == Array("hi".utf8))
        }
        #expect(reports.last == TransferProgress(completed: 2, total: 2, isComplete: true))
    }

    @Test func totalOfACompressedBodyIsNotKnown() async throws {
        let answer = TransportResponse(
            headers: [.contentLength: "4", .contentEncoding: "gzip"],
            body: stream("0123456789", by: 5)
        )
        let reports = try await reports { report async throws in
            let chain = ProgressFilter(every: .zero, clock: clock, download: report).andThen(node(answer))
            for try await _ in try await chain.process(TransportRequest(.get, url)).body {}
        }
        #expect(reports.dropLast().allSatisfy { $0.total == nil && $0.fraction == nil })
        #expect(reports.last?.completed == 10)
    }

    @Test func notMoreOftenThanTheInterval() async throws {
        let (reports, tell) = AsyncStream<TransferProgress>.makeStream()
        var told = reports.makeAsyncIterator()
        let reporter = ProgressReporter(every: .seconds(1), clock: clock) { tell.yield($0) }
        reporter.add(1, total: 100)
        #expect(await told.next()?.completed == 1)
        for _ in 0..<10 { reporter.add(1, total: 100) }
        clock.advance(by: .seconds(1))
        reporter.add(1, total: 100)
        #expect(await told.next()?.completed == 12)
        reporter.add(1, total: 100)
        reporter.end()
        #expect(await told.next() == TransferProgress(completed: 13, total: 13, isComplete: true))
    }

    @Test func aSlowClosureDoesNotHoldTheBytesBack() async throws {
        let gate = DispatchSemaphore(value: 0)
        let (reports, tell) = AsyncStream<TransferProgress>.makeStream()
        let answer = TransportResponse(
            headers: [.contentLength: "1000"],
            body: stream([UInt8](repeating: 0, count: 1000), by: 1)
        )
        let chain = ProgressFilter(
            every: .zero,
            clock: clock,
            download: { progress in
                gate.wait()
                tell.yield(progress)
                if progress.isComplete { tell.finish() }
            }
        ).andThen(node(answer))
        #expect(try await chain.process(TransportRequest(.get, url)).body.collected(upTo: 1000).count == 1000)
        // The whole body passes during the first call of the closure; the next call reports all of it.
        gate.signal()
        gate.signal()
        let told = await reports.reduce(into: []) { $0.append($1.completed) }
        #expect(told.count <= 2)
        #expect(told.last == 1000)
    }
}
#endif
