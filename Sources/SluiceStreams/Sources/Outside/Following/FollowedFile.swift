import Dispatch
import Foundation
import Sluice

/// A file that is followed: its lines as they are written, through rotation and truncation.
///
/// All calls to the system are made on a thread of its own, and none on those that tasks share.
final class FollowedFile: Sendable {
    /// The result of a look at the file.
    enum Look: Sendable {
        /// A file was opened at a place that is not stored: a run that resumes before a line of it is stored continues there,
        /// also where the file was renamed meanwhile.
        case opened(FilePlace)
        /// Lines that have been completed.
        case lines([OpenFile.Line])
        /// Nothing new.
        case idle
        /// The file doesn't exist.
        case missing
    }

    private struct State {
        /// The stored place, until the file is opened.
        var place: FilePlace?
        var file: OpenFile?
        /// A Boolean value that indicates whether the path has led to another file at the last look, when all of this one had
        /// been read. Its writer may not know yet.
        var isLeft = false
        /// The time of the last look, in seconds since 1970.
        var time = 0
    }

    /// The seconds by which the times of files may be behind the clock.
    private static let slack = 5

    private let folder: FollowedFolder
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.lines.follow")

    /// - Parameters:
    ///   - folder: The path of the file, and the folder in which it stays.
    ///   - place: The place after which reading begins; `nil` for the first line.
    init(_ folder: FollowedFolder, after place: FilePlace?) {
        self.folder = folder
        state = Locked(State(place: place))
    }

    /// Returns the next lines.
    ///
    /// - Throws: ``StreamError`` for a file that can't be read, or a line that is too long.
    func look() async throws -> Look {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Look, any Error>) in
            queue.async { continuation.resume(with: Result { try self.lookNow() }) }
        }
    }

    private func lookNow() throws -> Look {
        let folder = folder
        return try state.withLock { state in
            while true {
                guard let file = state.file else {
                    let stored = state.place
                    guard let file = try Self.begin(&state, folder) else { return .missing }
                    state.file = file
                    if file.place == stored { continue }
                    return .opened(file.place)
                }
                let now = Int(Date().timeIntervalSince1970)
                if file.isTruncated {
                    // Lines that were written just before may be in a copy.
                    let copy = folder.copy(at: file.place, since: state.time - Self.slack)
                    if copy == nil { file.restart() }
                    state.file = copy ?? file
                    continue
                }
                state.time = now
                if let lines = try file.lines() {
                    state.isLeft = false
                    if lines.isEmpty { continue }
                    return .lines(lines)
                }
                // Renamed, and not created yet: its writer may still write to it.
                let identity = try folder.identity()
                if identity == file.identity { return .idle }
                if identity == nil, folder.successor(of: file.identity) == nil { return .idle }
                guard state.isLeft else {
                    state.isLeft = true
                    return .idle
                }
                var next = try folder.successor(of: file.identity) ?? folder.open()
                // The file at the path may have been renamed meanwhile, and is not the next one then.
                if let other = folder.successor(of: file.identity) { next = other }
                guard let next else { return .idle }
                (state.file, state.isLeft) = (next, false)
                if let last = try file.last() { return .lines([last]) }
            }
        }
    }

    /// Opens the file at the stored place, which may have been renamed since; otherwise the file at the path.
    private static func begin(_ state: inout State, _ folder: FollowedFolder) throws -> OpenFile? {
        let file = try folder.open()
        guard let place = state.place else { return file }
        state.place = nil
        if let file, file.identity == place.file {
            if file.move(to: place) { return file }
            // It was truncated meanwhile, or is another file with its number: it is read from its first line.
            return folder.copy(at: place, since: 0) ?? file
        }
        if let renamed = folder.open(place.file) {
            if renamed.move(to: place) { return renamed }
            // It was truncated, and then renamed.
            return folder.copy(at: place, since: 0) ?? renamed
        }
        if file == nil { state.place = place }
        return file
    }
}
