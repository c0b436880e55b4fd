import SluiceExpressions

extension Flow where Value: Sendable {
    /// Returns a stream that emits values immediately, in order, and completes.
    ///
    /// ```swift
    /// let values = Flow.values(1, 2).virtualEvents().compactMap(\.value)  // [1, 2]
    /// ```
    ///
    /// An array is one value; ``values(contentsOf:)`` emits its elements.
    @inlinable public static func values(_ values: Value...) -> Flow { Flow.values(contentsOf: values) }

    /// Returns a stream that emits the elements of a sequence immediately, in order, and completes.
    ///
    /// ```swift
    /// let values = Flow.values(contentsOf: [1, 2]).virtualEvents().compactMap(\.value)  // [1, 2]
    /// ```
    ///
    /// - Complexity: O(*n*) in the number of elements, which are copied.
    @inlinable public static func values(contentsOf elements: some Sequence<Value>) -> Flow {
        let values = Array(elements)
        return Flow { scope, sink in
            for value in values {
                guard !sink.isClosed, scope.run.spend() else { return }
                sink.receive(value)
            }
            sink.finish(.completed)
        }
    }
}

extension SourceKind {
    /// Emits values immediately, in order, and completes.
    ///
    /// ```marbles
    /// {"values": [1, 2, 3]}
    /// (123|)
    /// ```
    static let values = SourceKind(
        "values",
        synonyms: ["of", "just", "from"],
        summary: "Emits values at once, in order, then completes",
        [.values()],
        bare: "values"
    ) { stage in
        .values(contentsOf: stage.values())
    }
}
