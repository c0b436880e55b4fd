#if Instruments
import InMemoryTracing
import Instrumentation
import Sluice
import SluiceFilters
import SluiceTesting
import Testing
import Tracing

private struct Failure: Error, Equatable {}

@Suite struct TracingFilterTests {
    let tracer = InMemoryTracer()
    let tries = Tries()

    private func tracing(_ name: String = "find user", kind: SpanKind = .client) -> TracingFilter<Int, Int> {
        TracingFilter(name, kind: kind, tracer: tracer) { ["input": SpanAttribute.int64(Int64($0))] }
    }

    @Test func aSpanATry() async throws {
        let node = RetryFilter<Int, Int>(maxAttempts: 3).andThen(tracing())
            .andThen(
                AnyNode<Int, Int> { [tries] input in
                    tries.note(input)
                    if tries.count < 3 { throw Failure() }
                    return input
                }
            )
        #expect(try await node.process(7) == 7)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["find user", "find user", "find user"])
        #expect(spans.map { $0.attributes.get("sluice.attempt") } == [.int(1), .int(2), .int(3)])
        #expect(spans.allSatisfy { $0.attributes.get("input") == .int64(7) })
        #expect(spans.map { $0.errors.count } == [1, 1, 0])
        #expect(spans.map { $0.status?.code } == [.error, .error, nil])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test func whatIsCalledInsideIsAChildAndTheTraceTravels() async throws {
        let inner = tracing("inner")
        let node = tracing("outer").andThen(inner)
            .andThen(AnyNode<Int, Int> { _ in CallContext.current.trace.count })
        #expect(try await node.process(7) > 0)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["inner", "outer"])
        #expect(spans[0].parentSpanID == spans[1].spanID)
        #expect(spans[0].traceID == spans[1].traceID)
        #expect(CallContext.current.trace.isEmpty)
    }

    @Test func aServerGoesOnWithTheTraceOfTheCall() async throws {
        // What a client sends is what a server reads.
        let client = tracing("client").andThen(
            AnyNode<Int, Int> { [tracer] input in
                var sent = CallContext()
                sent.trace = CallContext.current.trace
                let server = TracingFilter<Int, Int>("server", kind: .server, tracer: tracer).andThen(AnyNode { $0 })
                let call = sent
                return try await Task.detached {
                    try await withCallContext(call) { try await server.process(input) }
                }.value
            }
        )
        _ = try await client.process(7)
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["server", "client"])
        #expect(spans[0].kind == .server)
        #expect(spans[0].parentSpanID == spans[1].spanID)
    }

    @Test func cancelIsNoError() async throws {
        let node = tracing().andThen(AnyNode<Int, Int> { _ in throw CancellationError() })
        await #expect(throws: CancellationError.self) { try await node.process(1) }
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.errors.isEmpty)
        #expect(span.status == nil)
        #expect(span.attributes.get("sluice.canceled") == .bool(true))
    }

    @Test func obeysTheLaws() async throws {
        try await FilterLaws(request: 1, answer: 2, clock: TestClock()) { tracing() }.check()
    }

    @Test func saysWhatItIs() { #expect("\(tracing())" == "TracingFilter(find user)") }
}
#endif
