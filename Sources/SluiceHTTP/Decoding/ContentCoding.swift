#if HTTP
import NIOHTTP1

/// The content codings that are decoded with libraries of the system, each in builds with a trait of the package;
/// AsyncHTTPClient decodes gzip and deflate.
enum ContentCoding: String, CaseIterable {
    case br
    case zstd

    /// Returns the coding of a body; `nil` for another coding, for several, and for none.
    init?(_ headers: HTTPHeaders) {
        let fields = headers["content-encoding"]
        guard fields.count == 1, let coding = ContentCoding(rawValue: fields[0][...].trimmed.lowercased()) else {
            return nil
        }
        self = coding
    }

    /// The name of the package trait with which the coding is decoded.
    var trait: String {
        switch self {
        case .br: "Brotli"
        case .zstd: "Zstd"
        }
    }

    /// The codings that this build decodes, apart from gzip and deflate.
    static let decoded: [ContentCoding] = {
        var codings: [ContentCoding] = []
        #if Brotli
        codings.append(.br)
        #endif
        #if Zstd
        codings.append(.zstd)
        #endif
        return codings
    }()

    /// The field `Accept-Encoding` of requests; `nil` leaves it to AsyncHTTPClient.
    static let accepted: String? =
        decoded.isEmpty ? nil : (["gzip", "deflate"] + decoded.map(\.rawValue)).joined(separator: ", ")

    /// Returns a decoder; `nil` if this build has none, or without memory.
    func makeDecoder() -> (any ContentDecoder)? {
        switch self {
        case .br:
            #if Brotli
            return BrotliDecoder()
            #else
            return nil
            #endif
        case .zstd:
            #if Zstd
            return ZstdDecoder()
            #else
            return nil
            #endif
        }
    }
}

/// A decoder of one body.
protocol ContentDecoder: AnyObject {
    /// A Boolean value that indicates whether a call of ``decode(_:)`` may return bytes without further input.
    var hasMore: Bool { get }
    /// A Boolean value that indicates whether the body may end here.
    var isFinished: Bool { get }

    /// Removes the bytes that it reads from the start of `input`, and returns the next decoded bytes, at most about
    /// 64 KiB; no bytes if it needs more input.
    ///
    /// - Throws: ``ContentDecodingError`` when the bytes are invalid.
    func decode(_ input: inout ArraySlice<UInt8>) throws(ContentDecodingError) -> [UInt8]
}

/// An error of a body that can't be decoded.
enum ContentDecodingError: Error, CustomStringConvertible {
    case invalid
    case incomplete
    case tooLong

    var description: String {
        switch self {
        case .invalid: "its bytes are invalid"
        case .incomplete: "its end is missing"
        case .tooLong: "it becomes longer than the transport's settings allow"
        }
    }
}
#endif
