#if HTTP
public import Dispatch
public import Sluice

/// The name that ServiceSwift and Finagle give to an observer.
///
/// ```swift
/// Future<Int>.success(8).respond { print($0) }  // prints success(8)
/// ```
public typealias Future<Value: Sendable> = Observer<Value>

extension Observer {
    /// Returns an observer that has ended with `value`.
    public static func success(_ value: Value) -> Observer<Value> { .emit(data: value) }

    /// Returns an observer that has ended with `error`.
    public static func failure(_ error: any Error) -> Observer<Value> { .emit(error: error) }

    /// Returns an observer that has ended with `error`: ServiceSwift's spelling.
    public static func failed(_ error: any Error) -> Observer<Value> { .emit(error: error) }

    /// Creates a future that `work` completes.
    ///
    /// ```swift
    /// let answer = Future<String> { complete in
    ///     complete(.success("ok"))
    /// }
    /// answer.onSuccess { print($0) }  // prints ok
    /// ```
    ///
    /// The work may block: it runs on a queue, and not on the threads of async code. Only the first result counts. Work
    /// that releases `complete` without a call cancels the future.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs the work.
    ///   - work: A closure that is called once, with the closure that completes the future.
    public convenience init(
        queue: DispatchQueue = .global(),
        _ work: @escaping @Sendable (_ complete: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) {
        self.init(start: { complete in queue.async { work(complete) } })
    }

    /// Calls `body` with the value, if the future ends with one; see
    /// ``Sluice/Observer/onCompleted(isolation:_:)``.
    @discardableResult
    public func onSuccess(isolation: isolated (any Actor)? = #isolation, _ body: @escaping (Value) -> Void) -> Self {
        onCompleted(isolation: isolation, body)
    }

    /// Calls `body` with the error, if the future ends with one; cancellation is a `CancellationError`.
    @discardableResult
    public func onFailure(isolation: isolated (any Actor)? = #isolation, _ body: @escaping (any Error) -> Void) -> Self
    {
        respond(isolation: isolation) { if case .failure(let error) = $0 { body(error) } }
    }

    /// Returns a future that continues with another one: ServiceSwift's spelling of `map`.
    public func flatMap<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Value) throws -> Observer<T>
    ) -> Observer<T> {
        map(isolation: isolation, body)
    }

    /// Returns a future that continues with another one after an error: ServiceSwift's spelling of `recover`.
    public func rescue(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) throws -> Observer<Value>
    ) -> Observer<Value> {
        recover(isolation: isolation, body)
    }
}
#endif
