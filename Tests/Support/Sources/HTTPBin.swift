public import Foundation

/// An independent real server: httpbin under gunicorn, started by `bin/test`.
public enum HTTPBin {
    /// The address of the server.
    public static let address = ProcessInfo.processInfo.environment["SLUICE_HTTPBIN"]
    /// A Boolean value that indicates whether the server runs.
    public static var isThere: Bool { address?.isEmpty == false }

    /// Returns an address on the server.
    public static func url(_ path: String) throws -> URL {
        guard let url = URL(string: (address ?? "") + path) else { throw URLError(.badURL) }
        return url
    }
}
