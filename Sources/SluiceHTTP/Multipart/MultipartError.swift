import Foundation

/// Why a form cannot be made or sent, for people: `/photos/ada.jpg: No such file or directory`.
public struct MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and where.
    public let description: String

    init(_ description: String) { self.description = description }

    /// What a call of the system said of a file.
    init(file path: String, code: Int32) { self.init("\(path): \(String(cString: strerror(code)))") }
}
