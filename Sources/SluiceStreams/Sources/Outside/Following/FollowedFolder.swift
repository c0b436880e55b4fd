import Foundation

/// The folder of a file that is followed: the file at the path, and those that it was renamed to.
struct FollowedFolder: Sendable {
    /// The path, as the document has it.
    let path: String
    /// The folder in which the path stays; `nil` for any path of the process.
    let folder: String?

    /// The most files of a folder that are looked at.
    private static let longestListing = 10_000

    /// Returns the identity of the file at the path; `nil` if no file exists there.
    ///
    /// - Throws: ``StreamError`` for a path that can't be looked at.
    func identity() throws(StreamError) -> FilePlace.Identity? {
        try ifPresent { () throws(StreamError) in
            let place = try parent()
            defer { close(place.folder) }
            return identity(place.name, in: place.folder, following: folder == nil)
        }
    }

    private func ifPresent<Value>(_ body: () throws(StreamError) -> Value?) throws(StreamError) -> Value? {
        do throws(StreamError) { return try body() } catch {
            if error == ReadableFile.failure(path, ENOENT) { return nil }
            throw error
        }
    }

    /// Opens the file at the path; returns `nil` if no file exists there.
    ///
    /// - Throws: ``StreamError`` for a file that can't be read, or leads out of the folder.
    func open() throws(StreamError) -> OpenFile? {
        try ifPresent { () throws(StreamError) in
            if let folder { return try OpenFile(FolderFile.open(path, within: folder), path) }
            let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else { throw ReadableFile.failure(path, errno) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                close(file)
                throw StreamError(message: "cannot follow \(path): it isn't a regular file")
            }
            return try OpenFile(file, path)
        }
    }

    /// Opens the file with an identity, under any name in the folder; returns `nil` if it was removed.
    func open(_ identity: FilePlace.Identity) -> OpenFile? {
        guard let place = try? parent() else { return nil }
        defer { close(place.folder) }
        for name in names(in: place.folder) where self.identity(name, in: place.folder) == identity {
            return open(name, in: place.folder, identity)
        }
        return nil
    }

    /// Opens the file that came after one that was renamed, and was renamed itself: `NAME.1` came after `NAME.2`, and
    /// `NAME-20260102` after `NAME-20260101`. Returns `nil` if the file at the path is the next one.
    func successor(of identity: FilePlace.Identity) -> OpenFile? {
        guard let place = try? parent() else { return nil }
        defer { close(place.folder) }
        let rotated = names(in: place.folder).compactMap { RotatedName($0, of: place.name) }
        guard let own = rotated.first(where: { self.identity($0.name, in: place.folder) == identity }),
            let next = rotated.filter({ own < $0 }).min(),
            let identity = self.identity(next.name, in: place.folder)
        else { return nil }
        return open(next.name, in: place.folder, identity)
    }

    /// Opens a renamed file, at a place of the file at the path, if it is a copy that was made before that file was
    /// truncated: it begins alike, and is at least as long. Of several, the newest one is opened.
    ///
    /// - Parameter time: The time before which it can't have been written, in seconds since 1970.
    func copy(at copied: FilePlace, since time: Int) -> OpenFile? {
        guard copied.offset > 0, let place = try? parent() else { return nil }
        defer { close(place.folder) }
        for rotated in names(in: place.folder).compactMap({ RotatedName($0, of: place.name) }).sorted().reversed() {
            guard let identity = identity(rotated.name, in: place.folder),
                let copy = open(rotated.name, in: place.folder, identity), copy.time >= time,
                copy.move(to: FilePlace(identity, copied.offset, head: copied.head))
            else { continue }
            return copy
        }
        return nil
    }

    private func open(_ name: String, in folder: Int32, _ identity: FilePlace.Identity) -> OpenFile? {
        guard let file = try? FolderFile.open(name, in: folder, path) else { return nil }
        guard let opened = try? OpenFile(file, path) else { return nil }
        return opened.identity == identity ? opened : nil
    }

    private func parent() throws(StreamError) -> (folder: Int32, name: String) {
        if let folder { return try FolderFile.parent(of: path, within: folder) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, !name.isEmpty, !path.utf8.contains(0) else {
            throw ReadableFile.failure(path, EINVAL)
        }
        let parent = parts.dropLast().joined(separator: "/")
        let place = Foundation.open(
            parts.count == 1 ? "." : parent.isEmpty ? "/" : parent,
            O_RDONLY | O_DIRECTORY | O_CLOEXEC
        )
        guard place >= 0 else { throw ReadableFile.failure(path, errno) }
        return (place, String(name))
    }

    private func identity(_ name: String, in folder: Int32, following: Bool = false) -> FilePlace.Identity? {
        var status = stat()
        guard fstatat(folder, name, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FilePlace.Identity(status)
    }

    /// Returns the names of the files in a folder.
    private func names(in folder: Int32) -> [String] {
        // Reading a listing moves in it: a description of its own begins at the first name.
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let listing = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            return []
        }
        defer { closedir(listing) }
        var names: [String] = []
        while names.count < Self.longestListing, let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                bytes.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: bytes.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The name of a file that was renamed by a rotation, in the order in which the files were written.
struct RotatedName: Comparable {
    let name: String
    /// The number of a name such as `NAME.1`, of which the highest is the oldest; `nil` for a date.
    private let number: Int?
    private let suffix: Substring

    /// Reads a name: that of the file, a separator, and a number or a date; `nil` for any other name.
    init?(_ name: String, of file: String) {
        guard name.hasPrefix(file) else { return nil }
        suffix = name.dropFirst(file.count)
        guard let separator = suffix.first, ".-_".contains(separator), suffix.contains(where: \.isNumber),
            suffix.utf8.allSatisfy({ (48...57).contains($0) || ".-_:TZ".utf8.contains($0) })
        else { return nil }
        self.name = name
        let digits = suffix.dropFirst()
        number = digits.utf8.count <= 4 ? Int(digits) : nil
    }

    static func < (a: RotatedName, b: RotatedName) -> Bool {
        switch (a.number, b.number) {
        case (let a?, let b?): a > b
        case (nil, nil): a.suffix < b.suffix
        // Those of another scheme say nothing.
        default: false
        }
    }

    static func == (a: RotatedName, b: RotatedName) -> Bool { a.name == b.name }
}
