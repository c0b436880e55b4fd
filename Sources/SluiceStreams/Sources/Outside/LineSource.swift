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
    public mutating func registerLines() {
        registerLines { try ReadableFile($0) }
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
    /// isn't regular, and standard input (`-`). Otherwise like ``registerLines()``.
    public mutating func registerLines(within folder: String) {
        registerLines { try ReadableFile($0, within: folder) }
    }

    private mutating func registerLines(_ open: @escaping @Sendable (String) throws -> ReadableFile) {
        register("lines", isRepeatable: { $0["path"]?.string != "-" }) { arguments, inlet in
            let file = try open(arguments["path"]?.string ?? "")
            if arguments["format"]?.string == LineFormat.json.rawValue {
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
