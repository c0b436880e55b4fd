import Foundation

/// Opens files in one folder, and none outside of it.
enum FolderFile {
    /// Opens a regular file. Each part of the path is opened within the one before, without following symbolic links,
    /// so that nothing that is moved or linked meanwhile leads out of the folder.
    ///
    /// - Throws: ``StreamError`` that names the path.
    static func open(_ path: String, within folder: String) throws(StreamError) -> Int32 {
        let (place, name) = try parent(of: path, within: folder)
        defer { close(place) }
        return try open(name, in: place, path)
    }

    /// Opens the folder of a path; returns it with the name of the file in it. Nothing on the way is a symbolic link.
    ///
    /// - Throws: ``StreamError`` that names the path.
    static func parent(of path: String, within folder: String) throws(StreamError) -> (folder: Int32, name: String) {
        if path == "-" { throw StreamError(message: "standard input is not read here: name a file") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !path.isEmpty, path.utf8.count <= 4096, !path.utf8.contains(0),
            !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
        else { throw refusal(path, "a path begins in the folder of lines, and stays there") }
        var place = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw ReadableFile.failure(path, errno) }
        for part in parts.dropLast() {
            let next = openat(place, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let number = errno
            close(place)
            guard next >= 0 else { throw failure(path, number) }
            place = next
        }
        return (place, parts.last ?? "")
    }

    /// Opens a regular file in a folder, without following a symbolic link.
    ///
    /// - Parameter path: The path that an error names.
    /// - Throws: ``StreamError`` that names the path.
    static func open(_ name: String, in folder: Int32, _ path: String) throws(StreamError) -> Int32 {
        // A pipe without a writer would block here.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path, errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw refusal(path, "it isn't a regular file")
        }
        return file
    }

    /// Returns the error for a part that cannot be opened, such as a link.
    private static func failure(_ path: String, _ number: Int32) -> StreamError {
        number == ELOOP ? refusal(path, "it leads over a symbolic link") : ReadableFile.failure(path, number)
    }

    private static func refusal(_ path: String, _ reason: String) -> StreamError {
        StreamError(message: "cannot read \(path): \(reason)")
    }
}
