/// Why a form cannot be made or sent, for people: `/photos/ada.jpg: No such file or directory`.
public struct MultipartError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and where.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Does something with a file of a form; what keeps it from being read is an error of the form.
    nonisolated(nonsending) static func reading<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        do { return try await body() } catch let error as BodyFile.Failure { throw MultipartError(error.description) }
    }
}
