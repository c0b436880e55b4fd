/// An observer that the author of some work creates, ends, and returns.
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
/// Only the first end counts: a value, an error, or cancellation. Later ones are ignored, from any thread.
public final class Context<Value: Sendable>: Observer<Value>, @unchecked Sendable {
    // `@unchecked Sendable`: restates the superclass's conformance; this class is final and stores nothing.

    /// Creates a pending observer. It captures the current ``CallContext``.
    public convenience init() { self.init(executor: .anyThread) }

    /// Creates a pending observer whose bodies run on `executor`, unless they are declared on an actor.
    init(executor: BodyExecutor) {
        super.init(executor: executor, callContext: .current, isRoot: true)
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
    /// Returns an observer that has ended with a value.
    ///
    /// The method is generic in the value, so that it can start a chain of another type:
    ///
    /// ```swift
    /// func length(_ text: String) -> Observer<Int> {
    ///     .emit(data: text).map { $0.count }
    /// }
    /// ```
    public static func emit<T: Sendable>(data: T) -> Observer<T> { Context<T>().emit(data) }

    /// Returns an observer that has ended with an error.
    public static func emit(error: any Error) -> Observer<Value> { Context().emit(error: error) }
}
