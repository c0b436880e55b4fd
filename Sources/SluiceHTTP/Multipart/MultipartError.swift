#if HTTP
/// The error of a form that can't be made or sent: `/photos/ada.jpg: No such file or directory`.
public struct MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem and its place.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Runs a closure for a file of a form, and converts errors of reading it to errors of the form.
    nonisolated(nonsending) static func reading<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch let error as BodyFile.Failure { throw MultipartError(error.description) }
    }
}
#endif
