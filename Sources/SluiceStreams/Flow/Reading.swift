extension Flow where Value: Sendable {
    /// Gives the elements of an async sequence, and ends as it does: in live time alone.
    ///
    /// ```swift
    /// let numbers = Flow.reading { AsyncStream { $0.yield(1); $0.finish() } }.map { $0 * 2 }
    /// for try await number in numbers.values() { print(number) }  // prints 2
    /// ```
    ///
    /// - Parameters:
    ///   - buffer: the buffer at the edge, and what happens when it is full.
    ///   - open: called for each subscription, in a task of its own, which is cancelled when the stream ends or its
    ///     reader leaves. What it or the sequence throws fails the stream.
    public static func reading<Items: AsyncSequence & SendableMetatype>(
        buffer: StreamBuffer = StreamBuffer(),
        _ open: @escaping @Sendable () async throws -> Items
    ) -> Flow where Items.Element == Value, Items.AsyncIterator: SendableMetatype {
        feeding(buffer: buffer) { inlet in
            for try await item in try await open() { try await inlet.send(item) }
        }
    }

    /// Gives what a function puts into an inlet, until it returns: in live time alone.
    ///
    /// - Parameters:
    ///   - buffer: the buffer at the edge, and what happens when it is full.
    ///   - feed: called as `open` of ``reading(buffer:_:)`` is.
    public static func feeding(
        buffer: StreamBuffer = StreamBuffer(),
        _ feed: @escaping @Sendable (StreamInlet<Value>) async throws -> Void
    ) -> Flow {
        .outside("of code", buffer) { _ in
            OutsideBody { edge in
                try await feed(StreamInlet(send: { try await edge.send($0) }, push: { edge.push($0) }))
            }
        }
    }
}
