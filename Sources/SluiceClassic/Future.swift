#if HTTP
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
}
#endif
