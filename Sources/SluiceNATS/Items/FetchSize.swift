#if NATS
/// The number of messages to ask for at once: so many that about as many bytes come as may be held, by the size of those before.
struct FetchSize {
    /// The most messages, and about the most bytes, that are asked for at once.
    private static let mostMessages = 256
    private static let mostBytes = 1 << 20
    /// The bytes of a message, on average; before the first one, so many that large ones don't fill the memory.
    private var size = 64 << 10

    /// The number of messages to ask for.
    var count: Int { max(1, min(Self.mostMessages, Self.mostBytes / size)) }

    /// Notes messages that have come.
    mutating func note(_ messages: [NATSMessage]) {
        guard !messages.isEmpty else { return }
        size = (size + messages.reduce(0) { $0 + $1.bytes.count } / messages.count) / 2 + 1
    }
}
#endif
