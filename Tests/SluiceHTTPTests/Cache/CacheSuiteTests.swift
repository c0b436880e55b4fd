#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceTestSupport
import Testing

/// The copy of http-tests/cache-tests.
private enum CacheSuite {
    static let folder = ProcessInfo.processInfo.environment["SLUICE_CACHE_TESTS"]
}

/// The tests of HTTP caches in http-tests/cache-tests, of which `bin/test cache-tests FOLDER` names a copy.
///
/// Their harness runs in Node.js with a server of its own; `run.mjs` hands the requests of its clients to the test, which
/// sends them through a cache.
@Suite(
    .enabled(
        if: CacheSuite.folder != nil,
        "there is no copy of http-tests/cache-tests: run bin/test cache-tests FOLDER"
    )
)
struct CacheSuiteTests {
    /// The required tests that a client's cache can't pass: see docs/http-cache.md.
    static let exceptions: Set<String> = [
        "stale-close-must-revalidate", "stale-close-no-cache", "interim-not-cached", "headers-store-Set-Cookie",
    ]

    /// A line of the harness: a request, or the results.
    private struct Line: Decodable {
        struct Result: Decodable {
            var id: String
            var kind: String
            var failure: String?
        }
        var id: Int?
        var url: URL?
        var method: String?
        var headers: [[String]]?
        var body: String?
        var follows: Bool?
        var results: [Result]?
    }

    private struct Answer: Encodable {
        var id: Int
        var error: String?
        var status: Int?
        var reason: String?
        var headers: [[String]]?
        var body: String?
    }

    private let node = CacheFilter(HTTPCache()).andThen(HTTPTransport())

    /// Sends a request of the harness through the cache; redirects are followed outside of it.
    private func answer(_ line: Line, _ id: Int) async -> Answer {
        do {
            var request = TransportRequest(.init(line.method ?? "") ?? .get, try #require(line.url))
            for field in line.headers ?? [] {
                request.headers.append(HTTPField(name: try #require(HTTPField.Name(field[0])), value: field[1]))
            }
            request.body = line.body.map { .bytes(Array($0.utf8)) }
            let response =
                line.follows == true
                ? try await RedirectFilter().andThen(node).process(request) : try await node.process(request)
            return Answer(
                id: id,
                status: response.status.code,
                reason: response.status.reasonPhrase,
                headers: response.headers.map { [$0.name.rawName, $0.value] },
                body: String(decoding: response.body.bytes ?? [], as: UTF8.self)
            )
        } catch {
            return Answer(id: id, error: "\(error)")
        }
    }

    @Test func browserSet() async throws {
        let script = Tool.root.appendingPathComponent("Tests/Support/cache-tests/run.mjs").path
        let harness = try Tool(URL(fileURLWithPath: "/usr/bin/env")).start(["node", script, CacheSuite.folder ?? ""])
        var results: [Line.Result] = []
        try await withThrowingTaskGroup(of: Void.self) { group in
            for await text in harness.lines {
                let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
                if let found = line.results { results = found }
                guard let id = line.id else { continue }
                group.addTask {
                    let json = try JSONEncoder().encode(await answer(line, id))
                    harness.write(String(decoding: json, as: UTF8.self) + "\n")
                }
            }
            try await group.waitForAll()
        }
        #expect(results.count == 300)
        let failed = results.filter { $0.failure != nil }
        for result in failed { print("\(result.kind) \(result.id): \(result.failure ?? "")") }
        print("cache-tests: \(results.count - failed.count) of \(results.count) passed")
        #expect(results.count - failed.count >= 245)
        let required = Set(failed.filter { $0.kind == "required" }.map(\.id))
        #expect(required.subtracting(Self.exceptions) == [])
    }
}
#endif
