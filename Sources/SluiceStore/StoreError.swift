/// Why the store could not do what it was asked for.
public struct StoreError: Error, CustomStringConvertible {
    /// The file of the store.
    public let path: String
    /// What went wrong below.
    public let cause: any Error

    /// The file, and what went wrong.
    public var description: String { "\(path): \(cause)" }
}
