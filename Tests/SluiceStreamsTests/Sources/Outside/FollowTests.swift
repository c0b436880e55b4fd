import Foundation
import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

/// A file that is followed through all that happens to logs.
@Suite(.timeLimit(.minutes(10))) struct FollowTests {
    /// A folder with a log, in which files are renamed and truncated.
    private final class Log {
        let folder = FileManager.default.temporaryDirectory.appending(path: "follow-\(UUID().uuidString)")
        let name = "app.log"
        /// The lines that were written, in order.
        private(set) var written: [String] = []

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func path(_ name: String) -> String { folder.appending(path: name).path }

        /// Appends a text to a file.
        func append(_ text: String, to name: String = "app.log") throws {
            let file = open(path(name), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            try #require(file >= 0)
            defer { close(file) }
            let bytes = Array(text.utf8)
            #expect(write(file, bytes, bytes.count) == bytes.count)
        }

        func writeLine(_ more: String = "") throws {
            written.append("line \(written.count)\(more)")
            try append((written.last ?? "") + "\n")
        }

        /// Renames `NAME` to `NAME.1`, and those before.
        func shift() throws {
            for number in (1..<100).reversed() where access(path("\(name).\(number)"), F_OK) == 0 {
                #expect(rename(path("\(name).\(number)"), path("\(name).\(number + 1)")) == 0)
            }
        }

        func renameLog() throws {
            try shift()
            #expect(rename(path(name), path("\(name).1")) == 0)
        }

        func copyAndTruncate() throws {
            try shift()
            try FileManager.default.copyItem(atPath: path(name), toPath: path("\(name).1"))
            #expect(truncate(path(name), 0) == 0)
        }

        func follow(after place: FilePlace? = nil) -> FollowedFile {
            FollowedFile(FollowedFolder(path: name, folder: folder.path), after: place)
        }
    }

    /// The lines of a follower until many looks give nothing.
    private func lines(_ file: FollowedFile) async throws -> [(text: String, place: FilePlace)] {
        var (lines, idle) = ([(String, FilePlace)](), 0)
        while idle < 50 {
            guard case .lines(let more) = try await file.look() else {
                idle += 1
                continue
            }
            idle = 0
            lines += more.map { (String(decoding: $0.bytes, as: UTF8.self), $0.place) }
        }
        return lines
    }

    /// Reads all lines, and stores the place after them.
    private func read(_ file: FollowedFile, _ seen: inout [String], _ place: inout FilePlace?) async throws {
        for line in try await lines(file) {
            seen.append(line.text)
            place = line.place
        }
    }

    private func texts(_ file: FollowedFile) async throws -> [String] { try await lines(file).map(\.text) }

    // MARK: Files

    @Test func linesFollowAsTheyAreWritten() async throws {
        let log = try Log()
        let file = log.follow()
        guard case .missing = try await file.look() else {
            Issue.record("it doesn't exist")
            return
        }
        try log.append("a\r\nb\nc")
        #expect(try await texts(file) == ["a", "b"])
        try log.append("d")
        #expect(try await texts(file) == [])
        try log.append("e\n\nf\n")
        #expect(try await texts(file) == ["cde", "", "f"])
    }

    /// Lines that a writer adds to the renamed file come before those of the new file.
    @Test func aRenamedFileIsReadToItsEnd() async throws {
        let log = try Log()
        let file = log.follow()
        try log.append("a\nb\n")
        #expect(try await texts(file) == ["a", "b"])
        try log.append("c\n")
        try log.renameLog()
        #expect(try await texts(file) == ["c"])
        try log.append("e\n")
        // The first look at the new file does not leave the old one.
        guard case .idle = try await file.look() else {
            Issue.record("it leaves the file")
            return
        }
        try log.append("d\nwithout an end", to: "app.log.1")
        #expect(try await texts(file) == ["d", "without an end", "e"])
    }

    @Test func filesThatWereRenamedTwiceAreReadInOrder() async throws {
        for isDated in [false, true] {
            let log = try Log()
            let file = log.follow()
            try log.append("a\n")
            #expect(try await texts(file) == ["a"])
            for (number, line) in ["b\n", "c\n", "d\n"].enumerated() {
                if isDated {
                    #expect(rename(log.path("app.log"), log.path("app.log-2026010\(number + 1)")) == 0)
                } else {
                    try log.renameLog()
                }
                try log.append(line)
            }
            // Others in the folder are not read.
            for name in ["app.log.bak", "app.logs.1", "app.log.1.gz", "other.log"] { try log.append("x\n", to: name) }
            #expect(try await texts(file) == ["b", "c", "d"])
        }
    }

    @Test func aTruncatedFileIsReadFromItsFirstLine() async throws {
        let log = try Log()
        let file = log.follow()
        try log.append("a\nb\n")
        #expect(try await texts(file) == ["a", "b"])
        #expect(truncate(log.path("app.log"), 0) == 0)
        try log.append("c\n")
        #expect(try await texts(file) == ["c"])
        // Also where it has become longer than it was before the next look.
        #expect(truncate(log.path("app.log"), 0) == 0)
        try log.append("longer than before\n")
        #expect(try await texts(file) == ["longer than before"])
    }

    /// The lines that were written just before the copy was made are in the copy alone.
    @Test func aCopiedFileLosesNothing() async throws {
        let log = try Log()
        let file = log.follow()
        try log.append("a\n")
        #expect(try await texts(file) == ["a"])
        try log.append("b\nc\n")
        try log.copyAndTruncate()
        try log.append("d\n")
        #expect(try await texts(file) == ["b", "c", "d"])
    }

    /// A renamed file of before, which begins otherwise, is no copy.
    @Test func anotherFileIsNoCopy() async throws {
        let log = try Log()
        try log.append("x\ny\nz\n", to: "app.log.1")
        let file = log.follow()
        try log.append("a\n")
        #expect(try await texts(file) == ["a"])
        #expect(truncate(log.path("app.log"), 0) == 0)
        try log.append("b\n")
        #expect(try await texts(file) == ["b"])
    }

    // MARK: Restarts

    /// All that may happen while nobody reads, in every order: each line comes once, in order.
    @Test(arguments: 0..<60) func eachLineComesOnce(_ seed: UInt64) async throws {
        var random = SplitMix(state: seed &* 0x9E37_79B9 &+ 1)
        let log = try Log()
        var (file, place, seen) = (log.follow(), FilePlace?.none, [String]())
        var steps: [String] = []
        try log.writeLine()
        // Also before the first line is stored.
        guard case .opened(let first) = try await file.look() else {
            Issue.record("it was not opened")
            return
        }
        place = first
        for _ in 0..<40 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let more = String(repeating: ".", count: Int.random(in: 0..<400, using: &random))
                for _ in 0..<Int.random(in: 1...5, using: &random) { try log.writeLine(more) }
                steps.append("write")
            case 4 where access(log.path("app.log"), F_OK) == 0:
                try log.renameLog()
                steps.append("rename")
            case 5:
                // A copy is known by its beginning, of which something has to be known.
                try log.writeLine()
                try await read(file, &seen, &place)
                for _ in 0..<Int.random(in: 0...3, using: &random) { try log.writeLine() }
                try log.copyAndTruncate()
                try await read(file, &seen, &place)
                steps.append("copy")
            case 6, 7:
                // Killed: what was given and not stored is given again.
                file = log.follow(after: place)
                steps.append("restart")
            default:
                switch try await file.look() {
                case .opened(let opened):
                    place = opened
                    steps.append("open")
                case .lines(let lines):
                    // Of what it has given, a part is stored.
                    let stored = Int.random(in: 1...lines.count, using: &random)
                    for line in lines.prefix(stored) {
                        seen.append(String(decoding: line.bytes, as: UTF8.self))
                        place = line.place
                    }
                    if stored < lines.count { file = log.follow(after: place) }
                    steps.append("read \(stored) of \(lines.count)")
                default: break
                }
            }
        }
        file = log.follow(after: place)
        seen += try await texts(file)
        #expect(seen == log.written, "\(steps)")
    }

    /// With an invalid place, or that of a removed file, reading begins with the first line.
    @Test func aPlaceOfAnotherFileIsTheBeginning() async throws {
        let log = try Log()
        try log.append("a\n")
        #expect(FilePlace("1-2-3") == nil && FilePlace("1-2--3-a") == nil && FilePlace("") == nil)
        let gone = try #require(FilePlace("1-2-3-a"))
        #expect(FilePlace(gone.text) == gone)
        #expect(try await texts(log.follow(after: gone)) == ["a"])
        // A file with the number of one that was removed.
        let place = try #require(try await lines(log.follow()).last?.place)
        let other = FilePlace(place.file, 1, head: 7)
        #expect(try await texts(log.follow(after: other)) == ["a"])
    }

    // MARK: Documents

    private func host(_ log: Log, _ clock: TestClock) -> StreamHost {
        var host = StreamHost()
        host.registerLines(within: log.folder.path, clock: clock)
        return host
    }

    private func document(_ path: String, _ more: String = "") throws -> StreamDocument {
        try StreamDocument(parsing: #"{"source": {"lines": {"path": "\#(path)", "follow": true\#(more)}}}"#)
    }

    /// A run waits by the clock of the host, reports that it waits for a file, and continues after a checkpoint.
    @Test func aRunFollowsAndContinues() async throws {
        let (log, clock) = (try Log(), TestClock())
        let document = try document("app.log", #", "format": "json""#)
        let run = try LiveRun(document, host: host(log, clock), clock: TestClock())
        let first = Task { try await run.next() }
        await clock.sleepers(1)
        try log.append("{\"n\": 1}\n\n  \n{\"n\": 2}\n")
        clock.advance(by: LineFollower.interval)
        #expect(try await first.value?.value == ["n": 1])
        let checkpoint = try StreamCheckpoint(parsing: await run.checkpoint().text)
        #expect(try await run.next()?.value == ["n": 2])
        await run.close()
        try log.renameLog()
        try log.append("3\n")
        let other = try LiveRun(document, from: checkpoint, host: host(log, clock), clock: TestClock())
        #expect(try await other.next()?.value == ["n": 2])
        let last = Task { try await other.next() }
        await clock.sleepers(1)
        clock.advance(by: LineFollower.interval)
        #expect(try await last.value?.value == 3)
        await other.close()
    }

    /// A run that is killed before it has stored a line continues in the file that it has opened, which was renamed.
    @Test func aFileThatIsRenamedBeforeItsFirstLine() async throws {
        let (log, clock) = (try Log(), TestClock())
        let document = try document("app.log", #", "format": "json""#)
        try log.append("")
        let run = try LiveRun(document, host: host(log, clock), clock: TestClock())
        let first = Task { try await run.next() }
        await clock.sleepers(1)
        let checkpoint = try StreamCheckpoint(parsing: await run.checkpoint().text)
        first.cancel()
        await run.close()
        try log.append("1\n")
        try log.renameLog()
        try log.append("2\n")
        let other = try LiveRun(document, from: checkpoint, host: host(log, clock), clock: TestClock())
        #expect(try await other.next()?.value == 1)
        let last = Task { try await other.next() }
        for _ in 0..<2 {
            await clock.sleepers(1)
            clock.advance(by: LineFollower.interval)
        }
        #expect(try await last.value?.value == 2)
        await other.close()
    }

    /// A follower stays in its folder, whatever comes to be at its path.
    @Test(arguments: ["../out", "/etc/passwd", "link", "up/app.log", "folder", "-", ""])
    func itStaysInItsFolder(_ path: String) async throws {
        let (log, clock) = (try Log(), TestClock())
        try log.append("secret\n", to: "../out-\(log.folder.lastPathComponent)")
        defer { unlink(log.path("../out-\(log.folder.lastPathComponent)")) }
        try FileManager.default.createSymbolicLink(atPath: log.path("link"), withDestinationPath: "/etc/passwd")
        try FileManager.default.createSymbolicLink(atPath: log.path("up"), withDestinationPath: "..")
        #expect(mkdir(log.path("folder"), 0o700) == 0)
        await #expect(throws: (any Error).self) {
            for try await line in try document(path).values(host: host(log, clock), clock: TestClock()) {
                Issue.record("\(line)")
            }
        }
    }

    /// A link that takes the place of the file is refused too.
    @Test func aLinkInTheFilesPlaceIsRefused() async throws {
        let log = try Log()
        let file = log.follow()
        try log.append("a\n")
        #expect(try await texts(file) == ["a"])
        try log.renameLog()
        try FileManager.default.createSymbolicLink(atPath: log.path("app.log"), withDestinationPath: "/etc/passwd")
        await #expect(throws: StreamError.self) { try await texts(file) }
    }

    @Test(arguments: [
        ("a\n\u{1}{,}\n", "json", "the line at byte 0 is not JSON"),
        ("1\nx\n", "json", "the line at byte 2 is not JSON"),
    ])
    func aLineThatIsInvalidIsNamed(_ text: String, _ format: String, _ message: String) async throws {
        let (log, clock) = (try Log(), TestClock())
        try log.append(text)
        let error = await #expect(throws: StreamError.self) {
            for try await _ in try document("app.log", #", "format": "\#(format)""#)
                .values(host: host(log, clock), clock: TestClock())
            {}
        }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func aLineTooLongIsAnError() async throws {
        let log = try Log()
        let file = log.follow()
        try log.append("a\n")
        #expect(try await texts(file) == ["a"])
        try log.append(String(repeating: "b", count: LineSplitter.longestLine + 1))
        await #expect(throws: StreamError.self) { try await texts(file) }
    }
}

/// A small generator of random numbers with a seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
