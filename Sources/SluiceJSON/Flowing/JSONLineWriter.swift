/// A writer of values as JSON lines to a sink of bytes.
///
/// ```swift
/// let file = FileHandle.standardOutput
/// var writer = JSONLineWriter { bytes in try file.write(contentsOf: Data(bytes)) }
/// try await writer.write(["time": 1, "value": 2] as JSON)
/// try await writer.finish()
/// ```
///
/// Lines are collected until there are `chunkSize` bytes, so that the sink is not called for each line; ``flush()``
/// passes on the rest. Your closure is called by the task that calls ``write(_:)``, ``encode(_:)``, ``flush()``, or
/// ``finish()``, one call after the other. An error that it throws is thrown there, and the bytes of that call are
/// lost. The closure is responsible for noticing that the task was canceled.
public struct JSONLineWriter {
    private let chunkSize: Int
    private let encoder: SluiceJSONEncoder
    private let sink: ([UInt8]) async throws -> Void
    private var pending: [UInt8] = []

    /// Creates a writer to a sink.
    /// - Parameters:
    ///   - chunkSize: The number of bytes after which text is passed on.
    ///   - encoder: The encoder for ``encode(_:)``. Pretty printing would break the lines, and is removed.
    ///   - sink: A closure that takes the text.
    public init(
        chunkSize: Int = 16_384,
        encoder: SluiceJSONEncoder = SluiceJSONEncoder(),
        to sink: @escaping ([UInt8]) async throws -> Void
    ) {
        self.chunkSize = chunkSize
        self.sink = sink
        var encoder = encoder
        encoder.outputFormatting.remove(.prettyPrinted)
        self.encoder = encoder
    }

    /// Writes a directly writable value on a line of its own.
    /// - Throws: The error of the sink.
    public mutating func write(_ value: some JSONWritable) async throws {
        var writer = JSONWriter()
        writer.value(value)
        writer.withBytes { pending.append(contentsOf: $0) }
        try await endLine()
    }

    /// Writes a Codable value, on a line of its own.
    /// - Throws: The error of the value's encoding or of the sink.
    public mutating func encode(_ value: some Encodable) async throws {
        pending.append(contentsOf: try encoder.bytes(value))
        try await endLine()
    }

    /// Passes all pending bytes to the sink.
    /// - Throws: The error of the sink.
    public mutating func flush() async throws {
        if pending.isEmpty { return }
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        try await sink(bytes)
    }

    /// Passes the pending bytes to the sink, and ends the writer.
    /// - Throws: The error of the sink.
    public consuming func finish() async throws { try await flush() }

    private mutating func endLine() async throws {
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= chunkSize { try await flush() }
    }
}
