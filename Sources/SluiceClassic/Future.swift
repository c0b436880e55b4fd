public import Sluice

/// An observer under the name that ServiceSwift and Finagle give it.
///
/// ```swift
/// Future<Int>.success(8).respond { print($0) }  // prints success(8)
/// ```
public typealias Future<Value: Sendable> = Observer<Value>

extension Observer {
    /// An observer that has ended with `value`.
    public static func success(_ value: Value) -> Observer<Value> { .emit(data: value) }

    /// An observer that has ended with `error`.
    public static func failure(_ error: any Error) -> Observer<Value> { .emit(error: error) }
}
