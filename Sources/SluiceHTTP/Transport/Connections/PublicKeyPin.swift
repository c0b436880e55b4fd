#if HTTP
import Foundation
import NIOCore
import NIOSSL

/// A public key that the certificate of a server must have: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469, 2.4).
///
/// ```swift
/// var settings = HTTPTransport.Settings()
/// settings.pins["api.example.com"] = [
///     try PublicKeyPin("sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="),
///     try PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),  // the next key
/// ]
/// ```
///
/// `openssl x509 -pubkey -noout -in server.pem | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
/// prints the text after `sha256/`.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    private let hash: [UInt8]

    /// Makes a pin of a text such as `sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=`.
    ///
    /// - Throws: ``PublicKeyPinError`` when the text is not `sha256/` and 32 bytes in base64.
    public init(_ text: String) throws(PublicKeyPinError) {
        guard text.hasPrefix("sha256/"), let data = Data(base64Encoded: String(text.dropFirst(7))), data.count == 32
        else {
            throw PublicKeyPinError(description: "\"\(text)\" is not a pin: it must be sha256/ and 32 bytes in base64")
        }
        hash = Array(data)
    }

    /// Makes the pin of the first certificate of a PEM file; blocks meanwhile.
    ///
    /// - Throws: ``PublicKeyPinError`` when the file can't be read or has no certificate.
    public init(certificateFile path: String) throws(PublicKeyPinError) {
        do {
            guard let certificate = try NIOSSLCertificate.fromPEMFile(path).first else {
                throw PublicKeyPinError(description: "\(path) has no certificate")
            }
            try self.init(certificate)
        } catch let error as PublicKeyPinError { throw error } catch {
            throw PublicKeyPinError(description: "\(path) is not a certificate: \(error)")
        }
    }

    init(_ certificate: NIOSSLCertificate) throws {
        hash = SHA256.hash(try certificate.extractPublicKey().toSPKIBytes())
    }

    /// A description such as `sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=`.
    public var description: String { "sha256/" + Data(hash).base64EncodedString() }
}

/// The error of a text or a file that has no pin.
public struct PublicKeyPinError: Error, Sendable, CustomStringConvertible {
    /// The problem.
    public let description: String
}

/// The error of a server whose certificate has none of the pinned keys.
struct UnpinnedKeyError: Error, CustomStringConvertible {
    let key: PublicKeyPin?

    var description: String {
        guard let key else { return "the server has no certificate, and its public key is pinned" }
        return "the certificate of the server has the public key \(key), which is not pinned"
    }
}

extension Set<PublicKeyPin> {
    /// Checks the certificate of a connection that was just made, before any request is written to it. A connection to
    /// another key is closed.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        let checked = channel.eventLoop.makeCompletedFuture {
            let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
            let key = try certificate.map { try PublicKeyPin($0) }
            guard let key, contains(key) else { throw UnpinnedKeyError(key: key) }
        }
        // AsyncHTTPClient must hear of the failure before it hears that the connection is closed.
        checked.whenFailure { _ in channel.eventLoop.execute { channel.close(promise: nil) } }
        return checked
    }
}
#endif
