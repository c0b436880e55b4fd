#if HTTP
import HTTPTypes
import Sluice

/// The file format of an entry: a mark, a checksum of everything that follows, and the fields in order, each text
/// preceded by its length. A truncated or changed file is invalid.
enum EntryCoding {
    private static let mark = Array("sluice.cache/2\n".utf8)

    static func encode(_ entry: CacheEntry) -> [UInt8] {
        var content = Writer()
        content.write(entry.key)
        content.write(entry.partition)
        content.write(entry.vary.count)
        for field in entry.vary {
            content.write(field.name.rawName)
            content.write(field.value == nil ? 0 : field.isHashed ? 2 : 1)
            content.write(field.value ?? "")
        }
        content.write(entry.status.code)
        content.write(entry.status.reasonPhrase)
        content.write(entry.headers.count)
        for field in entry.headers {
            content.write(field.name.rawName)
            content.write(field.value)
        }
        content.write(entry.requestTime.bitPattern)
        content.write(entry.responseTime.bitPattern)
        content.write(entry.body.count)
        content.bytes += entry.body
        var file = Writer()
        file.bytes = mark
        file.write(Checksum.of(content.bytes[...]))
        return file.bytes + content.bytes
    }

    /// Decodes the bytes that ``encode(_:)`` wrote; returns `nil` for any others.
    static func decode(_ bytes: [UInt8]) -> CacheEntry? {
        guard bytes.starts(with: mark) else { return nil }
        var reader = Reader(rest: bytes[mark.count...])
        guard let sum: UInt64 = reader.number(), sum == Checksum.of(reader.rest), let key = reader.text(),
            let partition = reader.text(),
            let vary = reader.list({ reader in
                reader.name().flatMap { name in
                    reader.count().flatMap { kind in
                        reader.text().map {
                            CacheEntry.VaryField(name: name, value: kind == 0 ? nil : $0, isHashed: kind == 2)
                        }
                    }
                }
            }),
            let code = reader.count(), (100...999).contains(code), let reason = reader.text(),
            let fields = reader.list({ reader in
                reader.name().flatMap { name in reader.text().map { HTTPField(name: name, value: $0) } }
            }),
            let requestTime = reader.number().map(Double.init(bitPattern:)), requestTime.isFinite,
            let responseTime = reader.number().map(Double.init(bitPattern:)), responseTime.isFinite,
            let count = reader.count(), count == reader.rest.count
        else { return nil }
        return CacheEntry(
            key: key,
            partition: partition,
            vary: vary,
            status: HTTPResponse.Status(code: code, reasonPhrase: reason),
            headers: HTTPFields(fields),
            body: Array(reader.rest),
            requestTime: requestTime,
            responseTime: responseTime
        )
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func write(_ number: UInt64) {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        mutating func write(_ number: Int) { write(UInt64(number)) }
        mutating func write(_ text: String) {
            write(text.utf8.count)
            bytes += text.utf8
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        mutating func count() -> Int? { number().flatMap { Int(exactly: $0) } }
        mutating func text() -> String? {
            guard let count = count(), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return String(validating: rest.prefix(count), as: UTF8.self)
        }
        mutating func name() -> HTTPField.Name? { text().flatMap { HTTPField.Name($0) } }
        mutating func list<Element>(_ element: (inout Reader) -> Element?) -> [Element]? {
            guard let count = count(), count <= rest.count else { return nil }
            var elements: [Element] = []
            for _ in 0..<count {
                guard let next = element(&self) else { return nil }
                elements.append(next)
            }
            return elements
        }
    }
}

/// The checksum of entries and the names of their files (``Sluice/FNV1a``), which detect accidental truncation or changes;
/// they give no protection against attacks.
enum Checksum {
    static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = FNV1a()
        bytes.withUnsafeBytes { hash.add($0) }
        return hash.value
    }

    /// Returns a name for a text, 32 hexadecimal digits.
    static func name(_ text: String) -> String { FNV1a(text).text + FNV1a(text, basis: 0x9e37_79b9_7f4a_7c15).text }
}
#endif
