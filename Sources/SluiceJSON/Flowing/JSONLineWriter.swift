/// Writes values as JSON lines to a sink of bytes.
///
///     var writer = JSONLineWriter { bytes in try await file.write(bytes) }
///     try await writer.write(["time": 1, "value": 2] as JSON)
///     try await writer.finish()
///
/// Lines are collected until `chunkSize` bytes are there, so that a sink is not called for each; ``flush()`` hands over
/// what there is. Your closure is called by the task that calls ``write(_:)``, ``encode(_:)``, ``flush()`` or
/// ``finish()``, one call after the other; what it throws is thrown there, and the bytes of that call are gone. Cancelling
/// the task is the closure's to notice.
public struct JSONLineWriter {
    private let chunkSize: Int
    private let encoder: SluiceJSONEncoder
    private let sink: ([UInt8]) async throws -> Void
    private var pending: [UInt8] = []

    /// A writer to a sink.
    /// - Parameter encoder: For ``encode(_:)``. Pretty printing would break the lines, and is taken out.
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

    /// Writes a value that writes itself, on a line of its own.
    /// - Throws: What the sink throws.
    public mutating func write(_ value: some JSONWritable) async throws {
        var writer = JSONWriter()
        writer.value(value)
        writer.withBytes { pending.append(contentsOf: $0) }
        try await endLine()
    }

    /// Writes a Codable value, on a line of its own.
    /// - Throws: What the value's encoding and the sink throw.
    public mutating func encode(_ value: some Encodable) async throws {
        pending.append(contentsOf: try encoder.bytes(value))
        try await endLine()
    }

    /// Hands all that is pending to the sink.
    /// - Throws: What the sink throws.
    public mutating func flush() async throws {
        if pending.isEmpty { return }
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        try await sink(bytes)
    }

    /// Hands over what is pending, and ends the writer.
    /// - Throws: What the sink throws.
    public consuming func finish() async throws { try await flush() }

    private mutating func endLine() async throws {
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= chunkSize { try await flush() }
    }
}
