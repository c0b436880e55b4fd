#if HTTP
import CoreMetrics
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing
import Tracing

/// Returns the attributes of a span as text.
private func attributes(_ span: FinishedInMemorySpan) -> [String: String] {
    var result: [String: String] = [:]
    span.attributes.forEach { name, value in
        switch value {
        case .string(let text): result[name] = text
        case .int32(let number): result[name] = "\(number)"
        case .int64(let number): result[name] = "\(number)"
        case .bool(let flag): result[name] = "\(flag)"
        default: result[name] = "?"
        }
    }
    return result
}

@Suite struct HTTPTracingTests {
    let tracer = InMemoryTracer()

    func request(_ method: HTTPRequest.Method = .get, template: String? = "/users/{id}") throws -> TransportRequest {
        var request = TransportRequest(method, try .of("https://u:p@example.com/users/7?token=secret"))
        request.template = template
        return request
    }

    @Test func aSpanATry() async throws {
        let stub = Stub(.of(503), .of(200))
        let node = RetryFilter.http(backoff: .none).andThen(HTTPTracingFilter(tracer: tracer)).andThen(stub.node)
        _ = try await node.process(request())
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /users/{id}", "GET /users/{id}"])
        #expect(spans.map(\.kind) == [.client, .client])
        let common = [
            "http.request.method": "GET", "server.address": "example.com", "server.port": "443",
            "url.full": "https://example.com/users/7?token=***", "url.template": "/users/{id}",
        ]
        #expect(
            attributes(spans[0])
                == common.merging([
                    "http.response.status_code": "503", "error.type": "503", "sluice.attempt": "1",
                ]) { $1 }
        )
        #expect(
            attributes(spans[1])
                == common.merging([
                    "http.response.status_code": "200", "http.request.resend_count": "1", "sluice.attempt": "2",
                ]) { $1 }
        )
        #expect(spans.map { $0.status?.code } == [.error, nil])
        // Each attempt's request contains the fields of the tracer.
        let sent = stub.requests.map { Set($0.headers.map(\.name.canonicalName)) }
        #expect(sent.allSatisfy { !$0.isEmpty })
        #expect(stub.requests[0].headers != stub.requests[1].headers)
    }

    @Test func errors() async throws {
        let stub = Stub { request, number in
            switch number {
            case 1: throw HTTPError(.unreachable, "no", request: request)
            case 2: throw HTTPError(.timedOut, "late", request: request, timeout: .idle)
            case 3: throw CancellationError()
            default: throw UnauthorizedError()
            }
        }
        for _ in 1...4 { _ = try? await HTTPTracingFilter(tracer: tracer).andThen(stub.node).process(request()) }
        #expect(
            tracer.finishedSpans.map { attributes($0)["error.type"] } == [
                "unreachable", "timedOut.idle", nil, "SluiceFilters.UnauthorizedError",
            ]
        )
        #expect(tracer.finishedSpans.map { $0.status?.code } == [.error, .error, nil, .error])
        #expect(tracer.finishedSpans.map { $0.errors.count } == [1, 1, 0, 1])
        let error = Stub(.of(404))
        _ = try? await HTTPTracingFilter(tracer: tracer).andThen(StatusFilter()).andThen(error.node).process(request())
        let last = try #require(tracer.finishedSpans.last)
        #expect(attributes(last)["http.response.status_code"] == "404")
        #expect(attributes(last)["error.type"] == "404")
    }

    @Test func unknownMethodsAndNoTemplate() async throws {
        let node = HTTPTracingFilter(tracer: tracer).andThen(Stub(.of(200)).node)
        _ = try await node.process(request(#require(HTTPRequest.Method("BREW"))))
        _ = try await node.process(request(.post, template: nil))
        #expect(tracer.finishedSpans.map(\.operationName) == ["HTTP /users/{id}", "POST"])
        let first = attributes(tracer.finishedSpans[0])
        #expect(first["http.request.method"] == "_OTHER")
        #expect(first["http.request.method_original"] == "BREW")
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { [tracer] in HTTPTracingFilter(tracer: tracer) } }
}

@Suite struct HTTPMetricsTests {
    let metrics = TestMetrics()
    let clock = TestClock()

    @Test func durations() async throws {
        let stub = Stub { [clock] request, number in
            clock.advance(by: .milliseconds(5 * number))
            switch number {
            case 1, 2: return .of(200)
            case 3: return .of(503)
            case 4: throw HTTPError(.unreachable, "no", request: request)
            default: throw CancellationError()
            }
        }
        let node = HTTPMetricsFilter(factory: metrics, clock: clock).andThen(stub.node)
        var request = TransportRequest(.get, try .of("http://example.com:8080/users/7"))
        request.template = "/users/{id}"
        for _ in 1...5 { _ = try? await node.process(request) }
        let common = [
            ("http.request.method", "GET"), ("server.address", "example.com"), ("server.port", "8080"),
            ("url.template", "/users/{id}"),
        ]
        func values(_ others: [(String, String)]) throws -> [Int64] {
            try metrics.expectTimer("http.client.request.duration", common + others).values
        }
        #expect(try values([("http.response.status_code", "200")]) == [5_000_000, 10_000_000])
        #expect(try values([("http.response.status_code", "503"), ("error.type", "503")]) == [15_000_000])
        #expect(try values([("error.type", "unreachable")]) == [20_000_000])
        #expect(try values([("error.type", "canceled")]) == [25_000_000])
    }

    @Test func addressesOfOthersCostNoMemoryWithoutEnd() async throws {
        let node = HTTPMetricsFilter(factory: metrics, clock: clock).andThen(Stub(.of(200)).node)
        for host in 0..<1100 { _ = try await node.process(.get("https://h\(host).example/")) }
        #expect(metrics.recorders.isEmpty)
        let rest = try metrics.expectTimer(
            "http.client.request.duration",
            [("http.request.method", "GET"), ("http.response.status_code", "200")]
        )
        #expect(rest.values.count == 100)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { [metrics] in HTTPMetricsFilter(factory: metrics) } }
}
#endif
