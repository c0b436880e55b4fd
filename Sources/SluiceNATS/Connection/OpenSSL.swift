#if NATS
import Foundation

/// The library under libnats that encrypts connections.
enum OpenSSL {
    /// Has OpenSSL keep its memory when the process ends.
    ///
    /// OpenSSL frees its locks and tables in a handler of `exit`, while the threads of connections may still read and write.
    /// A thread that uses them then crashes the process on its way out, after its work is done. The system frees the memory
    /// anyway, so that nothing is lost without the handler.
    ///
    /// Call it before the first connection, since the first call of OpenSSL registers the handler. It does nothing where OpenSSL
    /// isn't loaded, or another part of the process has called it.
    static func keepMemory() { _ = withoutHandler }

    private static let withoutHandler: Void = {
        #if canImport(Darwin)
        let everyLibrary = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let everyLibrary: UnsafeMutableRawPointer? = nil
        #endif
        // libnats links OpenSSL, and its header isn't among those of libnats.
        guard let symbol = dlsym(everyLibrary, "OPENSSL_init_crypto") else { return }
        typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> CInt
        let initialize = unsafeBitCast(symbol, to: Initialize.self)
        // OPENSSL_INIT_NO_ATEXIT
        _ = initialize(0x80000, nil)
    }()
}
#endif
