/// The observer that the author of some work makes, ends, and answers with.
///
/// ```swift
/// func read(_ id: String) -> Observer<Data> {
///     let result = Context<Data>()
///     let request = disk.read(id) { result.emit($0) }
///     result.onCanceled { request.stop() }
///     return result
/// }
/// ```
///
/// The first end counts: a value, an error, or cancel. Later ones are ignored, from whichever thread they come.
public final class Context<Value: Sendable>: Observer<Value>, @unchecked Sendable {
    // `@unchecked Sendable`: restates the superclass's conformance; this class is final and stores nothing.

    /// Creates a pending observer. It captures the current ``CallContext``.
    public convenience init() { self.init(lane: .anyThread) }

    /// Creates a pending observer whose bodies run on `lane`, unless they are declared on an actor.
    init(lane: Lane) {
        super.init(lane: lane, callContext: .current, isRoot: true)
    }

    /// Ends the call with a value.
    @discardableResult
    public func emit(_ value: Value) -> Self {
        end(.value(value))
        return self
    }

    /// Ends the call with a value.
    @discardableResult
    public func emit(data value: Value) -> Self { emit(value) }

    /// Ends the call with an error.
    @discardableResult
    public func emit(error: any Error) -> Self {
        end(.error(error))
        return self
    }
}

extension Observer {
    /// An observer that has ended with a value.
    ///
    /// Generic in the value, so that it starts a chain of another type:
    ///
    /// ```swift
    /// func length(_ text: String) -> Observer<Int> {
    ///     .emit(data: text).map { $0.count }
    /// }
    /// ```
    public static func emit<T: Sendable>(data: T) -> Observer<T> { Context<T>().emit(data) }

    /// An observer that has ended with an error.
    public static func emit(error: any Error) -> Observer<Value> { Context().emit(error: error) }
}
