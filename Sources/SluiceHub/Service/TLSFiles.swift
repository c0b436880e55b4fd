#if Hub
import NIOPosix
import NIOSSL
import Sluice

/// The files with which a hub speaks https, in PEM.
///
/// ```swift
/// var settings = HubSettings()
/// settings.tls = TLSFiles(certificate: "hub.pem", key: "hub.key")
/// ```
public struct TLSFiles: Sendable, Hashable {
    /// The path of the certificate, followed by those that lead from it to a root.
    public var certificate: String
    /// The path of the certificate's private key.
    public var key: String

    /// Makes a pair of paths; nothing is read yet.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads the files. It blocks until that is done.
    ///
    /// - Throws: ``HubError/badCertificate(path:reason:)`` when a file can't be read, or the key is another certificate's.
    func read() throws(HubError) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMFile(certificate) } catch {
            throw .badCertificate(path: certificate, reason: "it has to be a readable file with a certificate in PEM")
        }
        guard !chain.isEmpty else {
            throw .badCertificate(path: certificate, reason: "there is no certificate in it")
        }
        let privateKey: NIOSSLPrivateKey
        do { privateKey = try NIOSSLPrivateKey(file: key, format: .pem) } catch {
            throw .badCertificate(path: key, reason: "it has to be a readable file with a private key in PEM")
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(privateKey)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .badCertificate(path: key, reason: "it is not the key of the certificate in \(certificate)")
        }
    }
}

/// The certificate that new connections are given.
final class TLSCertificate: Sendable {
    private let files: TLSFiles
    private let current: Locked<NIOSSLContext>

    /// Reads the files.
    ///
    /// - Throws: ``HubError``.
    init(_ files: TLSFiles) async throws {
        self.files = files
        current = Locked(try await NIOThreadPool.singleton.runIfActive { try files.read() })
    }

    var context: NIOSSLContext { current.withLock { $0 } }

    /// Reads the files again; connections that are open keep the certificate that they have.
    ///
    /// - Throws: ``HubError``; the certificate stays as it is then.
    func reload() async throws {
        let context = try await NIOThreadPool.singleton.runIfActive { [files] in try files.read() }
        current.withLock { $0 = context }
    }
}
#endif
