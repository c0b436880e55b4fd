#if SQLite
import Foundation
import GRDB
import SluiceRuns

/// A database file that is opened for writing if that is permitted, and for reading otherwise.
struct SQLiteFile {
    let database: any DatabaseWriter
    let isReadOnly: Bool
    /// The file as it was opened.
    let identity: FileIdentity
    private let lock: FileLock?

    /// The number of pages in the log before they are moved to the file: 1 MiB. On a disk that fills up the file can't
    /// grow, and a longer log may have taken the space that it would need.
    private static let logPages = 256

    /// Opens the file, creates it if it is not there, and brings it to the newest schema. Only its owner can read and
    /// write a file that is created.
    ///
    /// - Parameters:
    ///   - isExclusive: a Boolean value that indicates whether to refuse a file that another has opened exclusively.
    ///   - patience: the longest wait for a lock of another process.
    /// - Throws: ``SluiceRuns/StoreError``.
    init(path: String, isExclusive: Bool, patience: Duration) throws {
        // Absolute, so that no path is taken for a URI or a name of SQLite's.
        let file = URL(fileURLWithPath: path)
        var isFolder = ObjCBool(false)
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
            throw StoreError(.unavailable(reason: "is a folder: name a file in it"), path: path)
        }
        do {
            // If the folder can't be created, opening the file fails with the reason.
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            Self.create(file.path)
            // Checks before it changes anything: a file of another program is not touched.
            let reader = Self.size(file.path) > 0 ? try Self.reader(file.path, patience) : nil
            let version = try reader?.read(Schema.version)
            lock = isExclusive ? try FileLock(path: file.path + "-lock", patience: patience) : nil
            do {
                database = try Self.writer(file, patience)
                isReadOnly = false
            } catch let error as DatabaseError where error.isForbidden {
                guard let reader, version == Schema.newest else { throw error }
                database = reader
                isReadOnly = true
            }
            identity = FileIdentity(path: file.path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            let reason = "cannot be opened: it has to be a file in a folder that is there and can be written"
            throw StoreError(.unavailable(reason: reason), path: path)
        } catch {
            throw StoreError.from(error, path: path)
        }
    }

    /// Creates an empty file that only its owner can read and write; SQLite gives the log and its index the same mode.
    ///
    /// Nothing happens where the file is there, or can't be created: opening it says so. A file that is there is not even
    /// opened, because closing it would take away the locks that others in this process have on it.
    private static func create(_ path: String) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    private static func writer(_ file: URL, _ patience: Duration) throws -> DatabasePool {
        for path in [file.path, file.deletingLastPathComponent().path] where access(path, F_OK) == 0 {
            guard access(path, W_OK) == 0 else { throw DatabaseError(resultCode: .SQLITE_READONLY) }
        }
        let pool = try pool(file.path, patience)
        try pool.writeWithoutTransaction { database in
            // A commit is on the disk: with GRDB's default the last transactions would be left to the kernel.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(logPages)")
            try Schema.migrate(database)
        }
        return pool
    }

    /// Opens a file for writing, and has it use a log.
    ///
    /// SQLite doesn't wait while another process makes the same change, since each of both has a lock that the other one
    /// needs: the attempt is repeated.
    private static func pool(_ path: String, _ patience: Duration) throws -> DatabasePool {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration(patience))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Opens an existing file for reading only.
    private static func reader(_ path: String, _ patience: Duration) throws -> DatabaseQueue {
        var configuration = configuration(patience)
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN && size(path + "-wal") == 0 {
            // The index of the log cannot be made in a folder that cannot be written. Without a log none is needed.
            let allowed = CharacterSet.urlPathAllowed.subtracting(["?", "#", "%"])
            guard let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) else { throw error }
            return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        }
    }

    private static func configuration(_ patience: Duration) -> Configuration {
        var configuration = Configuration()
        configuration.label = "SluiceStore"
        configuration.busyMode = .timeout(patience / .seconds(1))
        return configuration
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}

extension DatabaseError {
    /// Returns a Boolean value that indicates whether the file can't be written, or can't be opened for writing.
    fileprivate var isForbidden: Bool { [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM].contains(resultCode) }
}
#endif
