import SluiceJSON

extension StreamHost {
    /// Registers the source `lines`, with which streams read the lines of any file that the process may read, and of
    /// its standard input.
    ///
    /// ```swift
    /// var host = StreamHost()
    /// host.registerLines()
    /// let document = try StreamDocument(parsing: #"{"source": {"lines": "numbers.txt"}}"#)
    /// for try await line in try document.values(host: host) { print(line) }
    /// ```
    ///
    /// A line is a text without its end or, with `"format": "json"`, one JSON value; then empty lines are omitted. The
    /// stream fails for a file that cannot be read, a line of more than a megabyte, a line that is not UTF-8, and, with
    /// that format, a line that isn't valid JSON. Reading blocks a thread of its own, and none of those that tasks
    /// share; canceling ends it immediately, even while it waits for input.
    ///
    /// With `"follow": true`, the lines that are written later follow, also after the file was renamed and created, or
    /// truncated. A file that doesn't exist is waited for.
    ///
    /// - Parameter clock: The clock by which a file that is followed is looked at, twice a second.
    public mutating func registerLines(clock: any Clock<Duration> = .continuous) {
        registerLines(clock, within: nil) { try ReadableFile($0) }
    }

    /// Registers the source `lines`, with which streams read the lines of the files in a folder. Paths begin there.
    ///
    /// ```swift
    /// var host = StreamHost()
    /// host.registerLines(within: "/var/lib/streams")
    /// let document = try StreamDocument(parsing: #"{"source": {"lines": "numbers.txt"}}"#)
    /// ```
    ///
    /// The stream fails for a path with `..`, a path that begins with `/`, a path over a symbolic link, a file that
    /// isn't regular, and standard input (`-`). Otherwise like ``registerLines(clock:)``.
    public mutating func registerLines(within folder: String, clock: any Clock<Duration> = .continuous) {
        registerLines(clock, within: folder) { try ReadableFile($0, within: folder) }
    }

    private mutating func registerLines(
        _ clock: any Clock<Duration>,
        within folder: String?,
        _ open: @escaping @Sendable (String) throws -> ReadableFile
    ) {
        @Sendable func isFollowed(_ arguments: JSON) -> Bool { arguments["follow"]?.bool ?? false }
        register(
            "lines",
            isRepeatable: { $0["path"]?.string != "-" && !isFollowed($0) },
            hasPositions: isFollowed
        ) { arguments, inlet in
            let path = arguments["path"]?.string ?? ""
            let isJSON = arguments["format"]?.string == LineFormat.json.rawValue
            if isFollowed(arguments) {
                return try await LineFollower(path: path, folder: folder, isJSON: isJSON, clock: clock).feed(inlet)
            }
            let file = try open(path)
            if isJSON {
                for try await text in file.jsonTexts(framing: .lines) { try await inlet.send(text.root.json()) }
                return
            }
            var splitter = LineSplitter()
            for try await bytes in file {
                for line in try splitter.lines(adding: bytes) { try await inlet.send(.string(line)) }
            }
            if let line = try splitter.last() { try await inlet.send(.string(line)) }
        }
    }
}
