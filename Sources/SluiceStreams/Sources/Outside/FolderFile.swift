import Foundation

/// Opens files in one folder, and none outside of it.
enum FolderFile {
    /// Opens a regular file. Each part of the path is opened within the one before, without following symbolic links,
    /// so that nothing that is moved or linked meanwhile leads out of the folder.
    ///
    /// - Throws: ``StreamError`` that names the path.
    static func open(_ path: String, within folder: String) throws(StreamError) -> Int32 {
        if path == "-" { throw StreamError(message: "standard input is not read here: name a file") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !path.isEmpty, path.utf8.count <= 4096, !path.utf8.contains(0),
            !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
        else { throw refusal(path, "a path begins in the folder of lines, and stays there") }
        var place = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw ReadableFile.failure(path, errno) }
        defer { close(place) }
        for part in parts.dropLast() {
            let next = openat(place, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw failure(path, errno) }
            close(place)
            place = next
        }
        // A pipe without a writer would block here.
        let file = openat(place, parts.last ?? "", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
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
