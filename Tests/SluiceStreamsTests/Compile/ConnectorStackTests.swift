import SluiceFilters
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Filter stacks of sources and sinks.
struct ConnectorStackTests {
    private func stack(_ filters: String, of use: ConnectorStack.Use = .sink) throws -> ConnectorStack {
        try ConnectorStack(JSON(parsing: #"{"filters": [\#(filters)]}"#), of: use)
    }

    @Test func theRetryIsApartFromTheFiltersOfAnAttempt() throws {
        let retry = #"{"retry": {"maxAttempts": 5, "backoff": {"constant": {"seconds": 2}}}}"#
        let stack = try stack(retry + #", {"timeout": {"seconds": 1}}"#)
        #expect(stack.retry?.maxAttempts == 5 && stack.retry?.backoff?.delay(after: 1) == .seconds(2))
        #expect(stack.attempt.description == "timeout")
        #expect(try self.stack("").retry == nil)
        #expect(try self.stack(#"{"disabled": true, "retry": {}}"#).retry == nil)
        // Waits that the document doesn't name are those of the source or the sink.
        #expect(try self.stack(#"{"retry": {}}"#).retry == .init(maxAttempts: 3, backoff: nil))
    }

    @Test func waitsEndWithTheAttempts() {
        func waits(_ retry: ConnectorStack.Retry?) -> [Duration?] {
            (1...3).map { failures in
                ConnectorStack.wait(
                    after: failures,
                    previous: nil,
                    by: retry,
                    standard: .constant(.seconds(7)),
                    random: .system
                )
            }
        }
        #expect(waits(nil) == [.seconds(7), .seconds(7), .seconds(7)])
        #expect(waits(.init(maxAttempts: 3, backoff: nil)) == [.seconds(7), .seconds(7), nil])
        #expect(waits(.init(maxAttempts: 1, backoff: nil)) == [nil, nil, nil])
    }

    /// Every filter of stack documents is allowed, or is refused by its name.
    @Test(arguments: [ConnectorStack.Use.source, .connection, .sink])
    func filtersThatDoNotSuitAnAttemptAreRefused(_ use: ConnectorStack.Use) throws {
        let kinds = [
            "timeout", "deadline", "retry", "hedge", "breaker", "concurrency", "rate", "shedding", "singleFlight",
            "fallback", "debounce", "throttle", "chaos", "use",
        ]
        for kind in kinds {
            let settings =
                [
                    "timeout": #"{"seconds": 1}"#, "concurrency": #"{"limit": 1}"#, "rate": #"{"limit": 1}"#,
                    "singleFlight": #"{"by": "x"}"#, "fallback": #"{"value": 1}"#, "debounce": #"{"seconds": 1}"#,
                    "throttle": #"{"seconds": 1}"#, "chaos": #"{"inject": [{"fault": {"rate": 1}}]}"#,
                    "use": #"{"name": "x"}"#,
                ][kind] ?? "{}"
            let isAllowed = kind == "retry" || use.kinds.contains(kind)
            do {
                _ = try stack(#"{"\#(kind)": \#(settings)}"#, of: use)
                #expect(isAllowed, "\(kind)")
            } catch {
                let message = (error as? JSONErrors)?.errors.first?.message ?? "\(error)"
                #expect(!isAllowed && message == "\"\(kind)\" can't be used here", "\(kind): \(message)")
            }
        }
    }

    /// A wait that a document names is never shorter than the shortest one, jitter included.
    @Test func waitsAreNotTooShort() throws {
        let text = #"{"retry": {"maxAttempts": 9, "backoff": {"exponential": {"from": 0.001, "to": 1}}}}"#
        let retry = try stack(text).retry
        for failures in 1..<9 {
            let wait = ConnectorStack.wait(after: failures, previous: nil, by: retry, standard: .none, random: .system)
            #expect(try #require(wait) >= ConnectorStack.shortestWait)
        }
    }

    @Test(arguments: [
        (#"{"timeout": {"seconds": 1}}, {"retry": {}}"#, "filters[1].retry: \"retry\" must be the first filter here"),
        (#"{"retry": {"longestHint": 5}}"#, "filters[0].retry.longestHint: \"retry\" has no \"longestHint\" here"),
        (#"{"rate": {"limit": 5, "by": "user"}}"#, "filters[0].rate: there is no key \"user\" here"),
        (#"{"chaos": {"inject": [{"answer": {"rate": 1, "value": 1}}]}}"#, "filters[0].chaos: answers cannot be made"),
        (
            #"{"breaker": {"probes": 5000, "opensOn": [{"failureRate": {"rate": 0.5, "calls": 100}}]}}"#,
            "filters[0].breaker: the windows have more than 4096 calls in sum"
        ),
        (#"{"retry": {"maxattempts": 5}}"#, "filters[0].retry.maxattempts: unknown key"),
    ])
    func anErrorNamesItsPlace(_ filters: String, _ expected: String) throws {
        let text =
            #"{"source": {"values": [1]}, "sinks": [{"post": {"url": "http://a.example/", "stack": {"filters": [\#(filters)]}}}]}"#
        do {
            _ = try StreamDocument(parsing: text).flow()
            Issue.record("\(filters) is valid")
        } catch {
            #expect("\(error)".contains("sinks[0].post.stack.\(expected)"), "\(error)")
        }
    }
}
