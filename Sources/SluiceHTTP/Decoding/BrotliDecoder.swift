#if HTTP
#if Brotli
import CBrotli

/// A decoder of `br` (RFC 7932) with the system's libbrotlidec.
final class BrotliDecoder: ContentDecoder {
    private static let pieceSize = 1 << 16

    private let state: OpaquePointer
    private(set) var hasMore = false
    private(set) var isFinished = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decode(_ input: inout ArraySlice<UInt8>) throws(ContentDecodingError) -> [UInt8] {
        // Bytes after the end.
        guard !isFinished else { throw .invalid }
        var result = BROTLI_DECODER_RESULT_ERROR
        var consumed = 0
        let output = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            input.withUnsafeBufferPointer { bytes in
                var (available, next) = (bytes.count, bytes.baseAddress)
                var (room, end) = (buffer.count, buffer.baseAddress)
                result = BrotliDecoderDecompressStream(state, &available, &next, &room, &end, nil)
                consumed = bytes.count - available
                count = buffer.count - room
            }
        }
        input = input.dropFirst(consumed)
        hasMore = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT
        isFinished = result == BROTLI_DECODER_RESULT_SUCCESS
        if result == BROTLI_DECODER_RESULT_ERROR { throw .invalid }
        return output
    }
}
#endif
#endif
