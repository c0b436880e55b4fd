extension Flow where Value: Sendable {
    /// Returns a stream of the elements of an async sequence that ends as the sequence does, in live time only.
    ///
    /// ```swift
    /// let numbers = Flow.reading { AsyncStream { $0.yield(1); $0.finish() } }.map { $0 * 2 }
    /// for try await number in numbers.values() { print(number) }  // prints 2
    /// ```
    ///
    /// - Parameters:
    ///   - buffer: The buffer between the sequence and the run, and its policy when it is full.
    ///   - open: A closure that is called for each subscription, in a task of its own, which is canceled when the
    ///     stream ends or its reader leaves. The stream fails with an error that it or the sequence throws.
    public static func reading<Items: AsyncSequence & SendableMetatype>(
        buffer: StreamBuffer = StreamBuffer(),
        _ open: @escaping @Sendable () async throws -> Items
    ) -> Flow where Items.Element == Value, Items.AsyncIterator: SendableMetatype {
        feeding(buffer: buffer) { inlet in
            for try await item in try await open() { try await inlet.send(item) }
        }
    }

    /// Returns a stream of the items that a function sends to an inlet, until the function returns, in live time only.
    ///
    /// - Parameters:
    ///   - buffer: The buffer between the function and the run, and its policy when it is full.
    ///   - feed: A closure that is called in the same way as `open` of ``reading(buffer:_:)``.
    public static func feeding(
        buffer: StreamBuffer = StreamBuffer(),
        _ feed: @escaping @Sendable (StreamInlet<Value>) async throws -> Void
    ) -> Flow {
        .outside("of code", buffer) { _ in
            OutsideBody(run: { buffer in
                try await feed(StreamInlet(send: { try await buffer.send($0, at: $1) }, push: { buffer.push($0) }))
            })
        }
    }
}
