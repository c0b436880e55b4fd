#if HTTP
public import Foundation
public import SluiceHTTP

/// NodeKit's name for a file of a form.
///
/// ```swift
/// let file = MultipartFileProvider.data(data: Data([1, 2]), filename: "a.bin", mimetype: "application/octet-stream")
/// ```
public typealias MultipartFileProvider = MultipartFile

extension MultipartFile {
    /// Returns a file with the given bytes, name, and type.
    public static func data(data: Data, filename: String, mimetype: String) -> MultipartFile {
        .bytes(Array(data), filename: filename, contentType: mimetype)
    }

    /// Returns the file behind a file URL, with the name and type of its path.
    public static func url(url: URL) -> MultipartFile { .file(url) }

    /// Returns the file behind a file URL, with another name and type.
    public static func customWithUrl(url: URL, filename: String, mimetype: String) -> MultipartFile {
        .file(url, filename: filename, contentType: mimetype)
    }
}

/// A model without fields, for forms that are files only.
public struct StubEmptyModel: Codable, Sendable, RawMappable {
    /// Creates the model.
    public init() {}
}

extension MultipartModel where Payload == StubEmptyModel {
    /// Creates a form of files only.
    public init(files: [String: MultipartFile]) { self.init(StubEmptyModel(), files: files) }
}
#endif
