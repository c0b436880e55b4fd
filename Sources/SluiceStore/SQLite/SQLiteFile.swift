import Foundation
import GRDB
import SluiceRuns

/// A file as it is opened: to be written where that may be, to be read otherwise.
struct SQLiteFile {
    let database: any DatabaseWriter
    let isReadOnly: Bool
    private let lock: FileLock?

    /// How many pages the log may have before they go to the file: 1 MiB. On a disk that becomes full the file cannot grow,
    /// and a log may have taken the room that it would need.
    private static let logPages = 256

    /// Opens the file, makes it if it is not there, and brings it to the newest schema.
    ///
    /// - Parameters:
    ///   - isExclusive: whether nobody else may have it who wants it to himself too.
    ///   - patience: how long a lock of another process is waited for.
    /// - Throws: ``StoreError``.
    init(path: String, isExclusive: Bool, patience: Duration) throws {
        // Absolute, so that no path is taken for a URI or a name of SQLite's.
        let file = URL(fileURLWithPath: path)
        var isFolder = ObjCBool(false)
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), isFolder.boolValue {
            throw StoreError(.unavailable(reason: "is a folder: name a file in it"), path: path)
        }
        do {
            // Where it cannot be made, opening the file says so.
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            // A look before anything is changed: what is not ours stays as it is.
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
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            let reason = "cannot be opened: it has to be a file in a folder that is there and can be written"
            throw StoreError(.unavailable(reason: reason), path: path)
        } catch {
            throw StoreError.from(error, path: path)
        }
    }

    private static func writer(_ file: URL, _ patience: Duration) throws -> DatabasePool {
        for path in [file.path, file.deletingLastPathComponent().path] where access(path, F_OK) == 0 {
            guard access(path, W_OK) == 0 else { throw DatabaseError(resultCode: .SQLITE_READONLY) }
        }
        let pool = try DatabasePool(path: file.path, configuration: configuration(patience))
        try pool.writeWithoutTransaction { database in
            // What is committed is on the disk: GRDB's own setting leaves the last transactions to the kernel.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(logPages)")
            try Schema.migrate(database)
        }
        return pool
    }

    /// Opens a file that is there, so that nothing can be written.
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
    /// Whether the file may not be written, or not be opened for that.
    fileprivate var isForbidden: Bool { [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM].contains(resultCode) }
}
