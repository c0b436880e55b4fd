package import SluiceFilters
package import SluiceJSON

/// The filter stack of a source or a sink: the rules of repeated attempts, and the filters around each attempt.
///
/// ```json
/// {"filters": [{"retry": {"maxAttempts": 5, "backoff": {"constant": {"seconds": 2}}}}, {"timeout": {"seconds": 10}}]}
/// ```
///
/// A `retry` comes first. The source or the sink itself repeats attempts by its rules, so that each attempt is shown, and
/// can be skipped. The other filters are around each attempt.
package struct ConnectorStack: Sendable, Hashable {
    /// The users of a stack.
    package enum Use: Sendable, Hashable, CaseIterable {
        /// A source that makes requests.
        case source
        /// A source that keeps a connection open.
        case connection
        case sink

        /// The filters that can be around an attempt. A sink that hedges would deliver out of order.
        var kinds: [String] {
            switch self {
            case .source: ["timeout", "breaker", "concurrency", "rate", "chaos", "hedge", "shedding"]
            case .connection: []
            case .sink: ["timeout", "breaker", "concurrency", "rate", "chaos"]
            }
        }
    }

    /// The rules of a `retry`.
    package struct Retry: Sendable, Hashable {
        /// The total number of attempts.
        package let maxAttempts: Int
        /// The waits between attempts; `nil` for those of the source or the sink.
        package let backoff: Backoff?

        /// Creates rules.
        package init(maxAttempts: Int, backoff: Backoff?) { (self.maxAttempts, self.backoff) = (maxAttempts, backoff) }
    }

    /// The shortest wait between two attempts by a backoff of the document.
    package static let shortestWait = Duration.milliseconds(100)
    /// The longest time of an attempt with filters, their waits included.
    package static let longestAttempt = Duration.seconds(60)
    /// The most filters.
    static let mostFilters = 16
    /// The largest canonical text, in bytes.
    static let largestText = 8192

    /// The largest sum of the sizes of windows.
    static let largestWindows = 4096

    /// The id of the document of the hub that it is; `nil` for one that a source or a sink carries inline.
    package let id: String?
    /// The canonical text without id and names, which decides whether two stacks are the same.
    package let text: String
    /// The rules of repeated attempts; `nil` for those of the source or the sink.
    package let retry: Retry?
    /// The filters around each attempt.
    package let attempt: StackDocument

    package static func == (a: ConnectorStack, b: ConnectorStack) -> Bool { a.text == b.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Reads a stack, and checks that nothing is missing that only a program could give it.
    ///
    /// - Throws: `JSONErrors` with all errors.
    package init(_ json: JSON, of use: Use) throws(JSONErrors) {
        try self.init(StackDocument(parsing: json.text()), of: use)
    }

    /// Takes a stack that was read, and checks that nothing is missing that only a program could give it.
    ///
    /// - Parameter id: The id of the document of the hub that it is.
    /// - Throws: `JSONErrors` with all errors.
    package init(_ document: StackDocument, of use: Use, id: String? = nil) throws(JSONErrors) {
        self.id = id
        text = document.anonymous.canonicalText
        var errors = Self.errors(document, use)
        if text.utf8.count > Self.largestText {
            let message = "a stack may have \(Self.largestText) bytes here, found \(text.utf8.count)"
            errors.append(JSONError(.limitExceeded, message, at: JSONPosition(line: 1, column: 1, offset: 0)))
        }
        guard errors.isEmpty else { throw JSONErrors(errors) }
        retry = document.retry.map { retry in
            let backoff = retry.backoff == .none ? nil : retry.backoff.atLeast(Self.shortestWait)
            return Retry(maxAttempts: retry.maxAttempts, backoff: backoff)
        }
        attempt = document.withoutRetry
        _ = try StackFilter<JSON, JSON>(attempt)
    }

    /// Returns the wait before a further attempt; `nil` if none is left.
    ///
    /// - Parameters:
    ///   - failures: The number of failed attempts, from 1.
    ///   - previous: The wait before the last attempt.
    ///   - retry: The rules of the stack, if it has some.
    ///   - standard: The waits for a stack that names none.
    package static func wait(
        after failures: Int,
        previous: Duration?,
        by retry: Retry?,
        standard: Backoff,
        random: RandomSource
    ) -> Duration? {
        if let retry, failures >= retry.maxAttempts { return nil }
        return (retry?.backoff ?? standard).delay(after: failures, previous: previous, random: random)
    }

    /// Returns the errors of a document that a source or a sink can't use.
    private static func errors(_ document: StackDocument, _ use: Use) -> [JSONError] {
        var errors: [JSONError] = []
        func note(_ entry: StackDocument.Entry, _ message: String, at key: String? = nil, hint: String) {
            let path = key.map { entry.place.appending($0) } ?? entry.place
            errors.append(JSONError(.invalidValue, message, hint: hint, path: path, at: entry.start))
        }
        for (index, entry) in document.filters.enumerated() {
            if index == mostFilters {
                note(entry, "at most \(mostFilters) filters are allowed here", hint: "remove some")
            }
            guard entry.kind == "retry" else {
                if !use.kinds.contains(entry.kind) {
                    let known = (["retry"] + use.kinds).joined(separator: ", ")
                    note(entry, "\"\(entry.kind)\" can't be used here", hint: "one of: \(known)")
                }
                continue
            }
            if index > 0 {
                note(entry, "\"retry\" must be the first filter here", hint: "the others are around each attempt")
            }
            for key in ["budget", "longestHint"] where entry.gives(key) {
                let hint = "\"maxAttempts\" and \"backoff\" decide"
                note(entry, "\"retry\" has no \"\(key)\" here", at: key, hint: hint)
            }
        }
        if document.filters.reduce(0, { $0 + $1.windowSize }) > largestWindows,
            let entry = document.filters.max(by: { $0.windowSize < $1.windowSize })
        {
            note(entry, "the windows have more than \(largestWindows) calls in sum", hint: "make \"calls\" smaller")
        }
        return errors
    }
}

extension Error {
    /// A Boolean value that indicates whether a filter, or the host, has held back a request, which was not sent.
    package var isLocalRefusal: Bool {
        self is BreakerOpenError || self is RateLimitError || self is OverloadedError || self is SheddingError
            || self is SinkHoldError
    }

    /// The wait after which a filter or the other side asks for another attempt; `nil` for none.
    package var wantedWait: Duration? {
        if let error = self as? BreakerOpenError { return error.retryAfter }
        if let error = self as? SinkHoldError { return error.wait }
        guard case .retryable(let wait) = ResponseClass.of(self) else { return nil }
        return wait
    }
}

extension Parameter {
    /// The filter stack of a source or a sink.
    static let stack = Parameter(name: "stack", form: .stack, isRequired: false)
        .meaning(
            "a [filter stack](stacks.md#stacks-of-sources-and-sinks), or the id of one: when attempts are repeated, and "
                + "their filters"
        )
}

extension Stage {
    /// Returns the filter stack of a source or a sink; `nil` without a valid one.
    func connectorStack(of use: ConnectorStack.Use) -> ConnectorStack? {
        let name = Parameter.stack.name
        guard case .json(let json) = arguments[name] else { return nil }
        switch json {
        case .string(let id): return compiler.stack(id, of: use, at: scope.path.appending(name))
        case .object:
            do throws(JSONErrors) { return try ConnectorStack(json, of: use) } catch {
                for error in error.errors {
                    let path = scope.path.appending(name).appending(error.path)
                    compiler.note(path, error.message, hint: error.hint)
                }
            }
        default:
            note(name, "expected a stack or the id of one, found \(json)", hint: "write {\"filters\": […]}")
        }
        return nil
    }
}

extension StreamCompiler {
    /// Returns a filter stack of the library; `nil`, with an error, where no stack has the id, or it can't be used.
    fileprivate func stack(_ id: String, of use: ConnectorStack.Use, at path: JSONPath) -> ConnectorStack? {
        // A document that is checked alone may name any stack.
        guard let library else { return nil }
        let name = JSON.string(id)
        let found = stacks[use]?[id] ?? library.stack(id, of: use)
        stacks[use, default: [:]][id] = found
        switch found {
        case .stack(let stack): return stack
        case .none:
            note(path, "there is no stack \(name)", hint: "PUT /stacks/{id} stores one, or write {\"filters\": […]}")
        case .invalid(let errors):
            let error = errors.errors.first.map { "\($0.path): \($0.message)" } ?? ""
            note(path, "the stack \(name) can't be used here: \(error)", hint: errors.errors.first?.hint)
        }
        return nil
    }
}

extension JSONPath {
    /// Returns the path followed by another.
    fileprivate func appending(_ other: JSONPath) -> JSONPath {
        other.components.reduce(self) { path, component in
            switch component {
            case .key(let key): path.appending(key)
            case .index(let index): path.appending(index)
            }
        }
    }
}
