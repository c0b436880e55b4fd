#if SQLite
import Foundation
import GRDB
import SluiceRuns

/// Reads the columns of a row without trusting them, because the file may be damaged.
extension Row {
    func text(_ index: Int) throws -> String {
        guard let text = try optionalText(index) else { throw damage(index, "a text") }
        return text
    }

    func optionalText(_ index: Int) throws -> String? {
        let value: DatabaseValue = self[index]
        if value.isNull { return nil }
        guard let text = String.fromDatabaseValue(value) else { throw damage(index, "a text") }
        return text
    }

    func bytes(_ index: Int) throws -> Data {
        guard let bytes = Data.fromDatabaseValue(self[index] as DatabaseValue) else { throw damage(index, "bytes") }
        return bytes
    }

    func integer(_ index: Int) throws -> Int {
        guard let number = Int.fromDatabaseValue(self[index] as DatabaseValue) else {
            throw damage(index, "an integer")
        }
        return number
    }

    func number(_ index: Int) throws -> Double {
        guard let number = Double.fromDatabaseValue(self[index] as DatabaseValue) else {
            throw damage(index, "a number")
        }
        return number
    }

    func date(_ index: Int) throws -> Date { Date(milliseconds: Int64(try integer(index))) }

    func optionalDate(_ index: Int) throws -> Date? {
        (self[index] as DatabaseValue).isNull ? nil : try date(index)
    }

    private func damage(_ index: Int, _ expected: String) -> StoreError {
        let name = Array(columnNames).indices.contains(index) ? Array(columnNames)[index] : "\(index)"
        return StoreError(.damaged(reason: "\(name) is not \(expected)"))
    }
}

extension String {
    /// The text as a value of the database. A text that contains NUL is stored as bytes, since it would end there as
    /// text.
    var value: DatabaseValue {
        var text = self
        let hasNUL = text.withUTF8 { bytes in bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false }
        return hasNUL ? Data(utf8).databaseValue : databaseValue
    }
}

extension Database {
    /// Runs a statement that is cached for reuse.
    @discardableResult
    func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?] = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
        return changesCount
    }

    /// Returns the rows of a statement, each transformed by a closure.
    func rows<Element>(
        _ sql: String,
        _ arguments: [(any DatabaseValueConvertible)?] = [],
        _ make: (Row) throws -> Element
    ) throws -> [Element] {
        let cursor = try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
        var elements: [Element] = []
        while let row = try cursor.next() { elements.append(try make(row)) }
        return elements
    }
}
#endif
