public import Foundation
public import SluiceHTTP

/// A file of a form under NodeKit's name.
///
/// ```swift
/// let file = MultipartFileProvider.data(data: Data([1, 2]), filename: "a.bin", mimetype: "application/octet-stream")
/// ```
public typealias MultipartFileProvider = MultipartFile

extension MultipartFile {
    /// Bytes in memory.
    public static func data(data: Data, filename: String, mimetype: String) -> MultipartFile {
        .bytes(Array(data), filename: filename, contentType: mimetype)
    }

    /// The file behind a file URL; name and type are those of the path.
    public static func url(url: URL) -> MultipartFile { .file(url) }

    /// The file behind a file URL, under another name and type.
    public static func customWithUrl(url: URL, filename: String, mimetype: String) -> MultipartFile {
        .file(url, filename: filename, contentType: mimetype)
    }
}

/// A model without fields, for forms that are files only.
public struct StubEmptyModel: Codable, Sendable, RawMappable {
    /// Makes the model.
    public init() {}
}

extension MultipartModel where Payload == StubEmptyModel {
    /// A form of files only.
    public init(files: [String: MultipartFile]) { self.init(StubEmptyModel(), files: files) }
}
