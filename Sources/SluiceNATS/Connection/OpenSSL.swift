#if NATS
import Foundation

/// The library under libnats that encrypts connections.
enum OpenSSL {
    /// A Boolean value that indicates whether OpenSSL keeps its memory when the process ends.
    ///
    /// OpenSSL frees its locks and tables in a handler of `exit`, while the threads of connections may still read and write.
    /// A thread that uses them then crashes the process on its way out, after its work is done. The system frees the memory
    /// anyway, so that nothing is lost without the handler. It is `false` where OpenSSL isn't loaded, or too old.
    ///
    /// It must be read before the first connection: the first call of OpenSSL registers the handler.
    static let keepsItsMemory: Bool = {
        #if canImport(Darwin)
        let everyLibrary = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let everyLibrary: UnsafeMutableRawPointer? = nil
        #endif
        // libnats links OpenSSL, and its header isn't among those of libnats.
        guard let symbol = dlsym(everyLibrary, "OPENSSL_init_crypto") else { return false }
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> CInt
        let initialize = unsafeBitCast(symbol, to: Initialize.self)
        let withoutHandler: UInt64 = 0x80000
        return initialize(withoutHandler, nil) == 1
    }()
}
#endif
