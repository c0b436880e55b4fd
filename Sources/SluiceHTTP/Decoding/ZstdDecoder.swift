#if HTTP
#if Zstd
import CZstd

/// A decoder of `zstd` (RFC 8878) with the system's libzstd.
final class ZstdDecoder: ContentDecoder {
    private static let pieceSize = 1 << 16
    /// The binary logarithm of the largest window, 8 MiB, that a body may need (RFC 9659).
    private static let windowLimit: Int32 = 23

    private let stream: OpaquePointer
    private(set) var hasMore = false
    private(set) var isFinished = false

    init?() {
        guard let stream = ZSTD_createDStream() else { return nil }
        self.stream = stream
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLimit)
    }

    deinit { ZSTD_freeDStream(stream) }

    func decode(_ input: inout ArraySlice<UInt8>) throws(ContentDecodingError) -> [UInt8] {
        var result = 0
        var consumed = 0
        var isFull = false
        let output = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            input.withUnsafeBytes { bytes in
                var from = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                var into = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                result = ZSTD_decompressStream(stream, &into, &from)
                (consumed, count, isFull) = (from.pos, into.pos, into.pos == into.size)
            }
        }
        if ZSTD_isError(result) != 0 { throw .invalid }
        input = input.dropFirst(consumed)
        // Zero is the end of a frame, which another one may follow.
        isFinished = result == 0
        hasMore = isFull && !isFinished
        return output
    }
}
#endif
#endif
