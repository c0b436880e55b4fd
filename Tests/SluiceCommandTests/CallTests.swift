#if Command
import Foundation
import SluiceTestSupport
import Testing

@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct CallTests {
    func call(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.sluice.run(["call"] + arguments)
    }

    @Test func printsTheBody() async throws {
        let outcome = try await call("GET", HTTPBin.url("/json"))
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("slideshow"))
        #expect(outcome.output.hasSuffix("\n"))
    }

    @Test func sendsDataAndHeaders() async throws {
        let outcome = try await call(
            "post",
            HTTPBin.url("/anything"),
            "--data",
            #"{"a": 1}"#,
            "--header",
            "X-Mark: here"
        )
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(#""X-Mark": "here""#))
        #expect(outcome.output.contains(#""Content-Type": "application/json""#))
    }

    @Test func emptyBodyIsFine() async throws {
        let outcome = try await call("GET", HTTPBin.url("/status/204"))
        #expect(outcome.status == 0 && outcome.output == "" && outcome.errors == "")
    }

    @Test(arguments: [(404, 1), (418, 1), (500, 69), (503, 69)])
    func statusDecidesTheCode(_ status: Int, _ code: Int32) async throws {
        let outcome = try await call("GET", HTTPBin.url("/status/\(status)"))
        #expect(outcome.status == code)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("GET \(HTTPBin.url("/status/\(status)")): error: \(status) "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func bodyThatIsNotJSON() async throws {
        let outcome = try await call("GET", HTTPBin.url("/html"))
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("GET \(HTTPBin.url("/html")): error: the body is not JSON: 1:1: "))
        #expect(outcome.errors.hasSuffix("  hint: --raw prints it as it is\n"))
        let raw = try await call("GET", HTTPBin.url("/html"), "--raw")
        #expect(raw.status == 0 && raw.output.contains("<html>"))
    }

    @Test func timeIsOver() async throws {
        let outcome = try await call("GET", HTTPBin.url("/delay/5"), "--timeout", "0.1")
        #expect(outcome.status == 69)
        #expect(outcome.errors == "GET \(HTTPBin.url("/delay/5")): error: no answer within 0.1 seconds\n")
    }

    @Test func triesAgain() async throws {
        let outcome = try await call("GET", HTTPBin.url("/status/503"), "--retry", "2", "--verbose")
        #expect(outcome.status == 69)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("info: attempt 1 of 3 failed, next in ") == true)
        #expect(lines.dropFirst().first?.hasPrefix("info: attempt 2 of 3 failed, next in ") == true)
        #expect(lines.last?.contains(": error: 503 ") == true)
    }

    @Test func explainsWhatEachStageDid() async throws {
        let outcome = try await call("GET", HTTPBin.url("/status/503"), "--retry", "1", "--timeout", "10", "--explain")
        #expect(outcome.status == 69)
        let lines = outcome.errors.split(separator: "\n")
        #expect(
            lines.prefix(3) == [
                "per call     call → status → redirects", "per hop      retry",
                "per attempt  attempt → body → transport",
            ]
        )
        #expect(lines.contains { $0.contains("try 1") && $0.contains("RetryFilter") })
        #expect(lines.contains { $0.contains("try 2") && $0.contains("RetryFilter") })
    }

    @Test func recordsOnceAndPlays() async throws {
        let file = try TemporaryFile("")
        let path = file.path + ".cassette"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorded = try await call("GET", HTTPBin.url("/uuid"), "--cassette", path)
        let played = try await call("GET", HTTPBin.url("/uuid"), "--cassette", path)
        #expect(recorded.status == 0 && recorded.output.contains("uuid"))
        #expect(played.output.filter { !$0.isWhitespace } == recorded.output.filter { !$0.isWhitespace })
        let other = try await call("GET", HTTPBin.url("/ip"), "--cassette", path)
        #expect(other.status == 70 || other.status == 69)
        #expect(other.errors.contains("/uuid"))
    }

    @Test func answersFromTheCache() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func cached() async throws -> Tool.Outcome {
            try await Tool.sluice.run(
                ["call", "GET", HTTPBin.url("/cache/86400"), "--cache", "--explain"],
                environment: ["XDG_CACHE_HOME": folder.path]
            )
        }
        let first = try await cached()
        let second = try await cached()
        #expect(first.status == 0 && second.status == 0)
        #expect(second.output == first.output)
        #expect(first.errors.contains("sluice;fwd="))
        #expect(second.errors.contains("sluice;hit"))
    }

    @Test func doesNotTryAgainWhatItMayNot() async throws {
        let post = try await call("POST", HTTPBin.url("/status/503"), "--retry", "2", "--verbose")
        #expect(post.status == 69 && !post.errors.contains("try 1"))
        let no = try await call("GET", HTTPBin.url("/status/404"), "--retry", "2", "--verbose")
        #expect(no.status == 1 && !no.errors.contains("try 1"))
    }
}

@Suite struct UnreachableCallTests {
    @Test func refusedConnection() async throws {
        let outcome = try await Tool.sluice.run(["call", "GET", "http://127.0.0.1:9/"])
        #expect(outcome.status == 69)
        #expect(outcome.output == "")
        #expect(outcome.errors == "GET http://127.0.0.1:9/: error: the connection was refused\n")
    }
}

/// httpbin under gunicorn, started by `bin/test`.
enum HTTPBin {
    static let address = ProcessInfo.processInfo.environment["SLUICE_HTTPBIN"]
    static var isThere: Bool { address?.isEmpty == false }
    static func url(_ path: String) -> String { (address ?? "") + path }
}
#endif
