#if SQLite
import GRDB
import SluiceRuns

extension StoreError {
    /// Makes an error of a store from an error of the database.
    init(_ error: DatabaseError, path: String?) {
        let text = error.message ?? "\(error.resultCode)"
        let kind: Kind =
            switch error.extendedResultCode {
            // The index of the log is made larger before it is used: that fails where there is no room.
            case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE: .full
            case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            case .SQLITE_NOTADB: .foreign(reason: text)
            case .SQLITE_CORRUPT, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_DATA, .SQLITE_IOERR_CORRUPTFS:
                .damaged(reason: text)
            default: .unavailable(reason: "\(text) (SQLite's code \(error.extendedResultCode.rawValue))")
            }
        self.init(kind, path: path)
    }

    /// Returns the error to throw for a lower-level error. Errors of the contents and cancellation are passed through.
    static func from(_ error: any Error, path: String?) -> any Error {
        switch error {
        case let error as DatabaseError: StoreError(error, path: path)
        case let error as StoreError where error.concernsFile: StoreError(error.kind, path: path)
        default: error
        }
    }

    private var concernsFile: Bool {
        switch kind {
        case .conflict, .taken, .missing, .missingGroup, .staleRun, .outputGap, .notJSON, .unshared: false
        case .full, .readOnly, .busy, .foreign, .newer, .moved, .damaged, .unavailable: true
        }
    }
}
#endif
