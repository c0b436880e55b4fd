import SluiceJSON

/// The source `lines` with `"follow": true`. An item has the place after its line as position.
struct LineFollower: Sendable {
    let path: String
    /// The folder in which the path stays; `nil` for any path of the process.
    let folder: String?
    let isJSON: Bool
    let clock: any Clock<Duration>

    /// The time between two looks at a file that has nothing new.
    static let interval = Duration.milliseconds(500)

    func feed(_ inlet: StreamInlet<JSON>) async throws {
        guard path != "-" else { throw StreamError(message: "standard input can't be followed: name a file") }
        let file = FollowedFile(
            FollowedFolder(path: path, folder: folder),
            after: inlet.position.flatMap(FilePlace.init)
        )
        while true {
            switch try await file.look() {
            case .opened(let place):
                try await inlet.mark(at: place.text)
                continue
            case .lines(let lines):
                for line in lines {
                    if let item = try item(line) { try await inlet.send(item, at: line.place.text) }
                }
                try Task.checkCancellation()
                continue
            case .idle: inlet.report(waiting: nil)
            case .missing: inlet.report(waiting: "\(path) does not exist")
            }
            try await clock.sleep(for: Self.interval)
        }
    }

    /// Returns the item of a line; `nil` for an empty line among lines of JSON.
    private func item(_ line: OpenFile.Line) throws(StreamError) -> JSON? {
        guard isJSON else {
            guard let text = String(validating: line.bytes, as: UTF8.self) else {
                throw StreamError(message: "\(path): the line at byte \(line.offset) is not UTF-8")
            }
            return .string(text)
        }
        if line.bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return nil }
        do { return try JSON(parsing: line.bytes) } catch {
            throw StreamError(message: "\(path): the line at byte \(line.offset) is not JSON: \(error)")
        }
    }
}
