extension String {
    /// Calls `body` with the bytes in place if they are contiguous, as in all strings but those of Objective-C.
    @inlinable
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
