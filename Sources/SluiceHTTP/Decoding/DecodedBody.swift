#if HTTP
/// The decoding of one body as it arrives, piece by piece, within the limit of the transport's settings.
struct DecodedBody {
    private let decoder: any ContentDecoder
    private let limit: HTTPTransport.Decompression
    /// The received bytes that are not decoded yet.
    private var rest: ArraySlice<UInt8> = []
    private var received = 0
    private var decoded = 0

    init(_ decoder: any ContentDecoder, limit: HTTPTransport.Decompression) {
        self.decoder = decoder
        self.limit = limit
    }

    /// Returns the next decoded bytes, or `nil` at the end.
    ///
    /// - Parameter source: a closure that returns the next received bytes, or `nil` at the end.
    /// - Throws: ``ContentDecodingError``; the error of `source`.
    nonisolated(nonsending) mutating func next(
        from source: nonisolated(nonsending) () async throws -> [UInt8]?
    ) async throws -> [UInt8]? {
        while true {
            while !rest.isEmpty || decoder.hasMore {
                let count = rest.count
                let piece = try decoder.decode(&rest)
                if !piece.isEmpty {
                    decoded += piece.count
                    guard limit.allows(decoded, of: received) else { throw ContentDecodingError.tooLong }
                    return piece
                }
                if count > 0, rest.count == count { throw ContentDecodingError.invalid }
            }
            guard let bytes = try await source() else {
                // The answer to a HEAD and a 304 have the field without a body.
                if received > 0, !decoder.isFinished { throw ContentDecodingError.incomplete }
                return nil
            }
            received += bytes.count
            rest = bytes[...]
        }
    }
}

extension HTTPTransport.Decompression {
    /// The decompressed bytes that a ratio always allows: short texts with repetitions reach any ratio in br and zstd.
    static let floor = 1 << 20

    /// Returns whether a number of received bytes may become a number of decoded bytes.
    func allows(_ decoded: Int, of received: Int) -> Bool {
        switch self {
        case .off: return true
        case .bytes(let bytes): return decoded <= bytes
        case .ratio(let ratio):
            let (product, isTooLarge) = received.multipliedReportingOverflow(by: max(ratio, 1))
            return isTooLarge || decoded <= max(product, Self.floor)
        }
    }
}
#endif
