import SluiceJSON

extension StreamHost {
    /// Lets streams read the lines of any file that the process may read, and of its standard input: `lines`.
    ///
    /// ```swift
    /// var host = StreamHost()
    /// host.registerLines()
    /// let document = try StreamDocument(parsing: #"{"source": {"lines": "numbers.txt"}}"#)
    /// for try await line in try document.values(host: host) { print(line) }
    /// ```
    ///
    /// A line is a text without its end, or, with `"format": "json"`, one JSON value; empty lines are left out then.
    /// A file that cannot be read, a line of more than a megabyte, one that is not UTF-8, and one that is no JSON where
    /// JSON is asked for fail the stream. Reading blocks a thread of its own, and none of those that tasks share; a
    /// reader that leaves ends it at once, a wait for input too.
    public mutating func registerLines() {
        registerLines { try ReadableFile($0) }
    }

    /// Lets streams read the lines of the files within a folder: `lines`, with paths that begin there.
    ///
    /// ```swift
    /// var host = StreamHost()
    /// host.registerLines(within: "/var/lib/streams")
    /// let document = try StreamDocument(parsing: #"{"source": {"lines": "numbers.txt"}}"#)
    /// ```
    ///
    /// A path with `..`, one that begins with `/`, one that leads over a symbolic link, and what is no regular file fail
    /// the stream, and so does standard input (`-`). Else it is as ``registerLines()``.
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
