#if NATS
import SluiceStreams

/// Calls `body` with the text as a C string, or with `nil`. The pointer is valid during the call only.
func withCString<Value>(_ text: String?, _ body: (UnsafePointer<CChar>?) throws -> Value) rethrows -> Value {
    guard let text else { return try body(nil) }
    return try text.withCString { try body($0) }
}

/// Calls `body` with the texts as C strings. The pointers are valid during the call only.
func withCStrings<Value>(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>, Int32) throws -> Value
) rethrows -> Value {
    // Each text is a range of one buffer, so that all pointers are valid together.
    var bytes: [CChar] = []
    var starts: [Int] = []
    for text in texts {
        starts.append(bytes.count)
        bytes += text.utf8CString
    }
    // An empty list has an address too.
    bytes.append(0)
    return try bytes.withUnsafeBufferPointer { buffer in
        let base = buffer.baseAddress
        var pointers: [UnsafePointer<CChar>?] = starts.map { start in base.map { $0 + start } } + [nil]
        let count = Int32(clamping: texts.count)
        return try pointers.withUnsafeMutableBufferPointer { list in
            guard let address = list.baseAddress else { preconditionFailure("a list with an element has an address") }
            return try body(address, count)
        }
    }
}

/// Calls `body` with the address of bytes and their number.
func withBytes<Value>(_ bytes: [UInt8], _ body: (UnsafeRawPointer?, Int32) throws -> Value) rethrows -> Value {
    try bytes.withUnsafeBytes { try body($0.baseAddress, Int32(clamping: $0.count)) }
}

/// Returns a Boolean value that indicates whether a text is a subject: tokens without blanks, separated by dots.
///
/// - Parameter allowsWildcards: A Boolean value that indicates whether tokens may be `*`, and the last one `>`.
func isSubject(_ text: String, allowsWildcards: Bool = false) -> Bool {
    MessageSubject.isValid(text, allowsWildcards: allowsWildcards)
}

/// Returns a Boolean value that indicates whether a text can be the name of a stream, a consumer, or a bucket.
func isName(_ text: String) -> Bool { MessageSubject.isName(text) }
#endif
