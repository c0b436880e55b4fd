import Foundation
import SluiceJSON
import Testing

/// Deep texts and values on a thread with a stack of 512 KB, as threads of a pool have it.
struct StackTests {
    /// The size of a small stack. The frames of a sanitizer's build are several times as large.
    #if SLUICE_SANITIZER
    private static let smallStack = 16 << 20
    #else
    private static let smallStack = 512 << 10
    #endif

    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
        let result = Result()
        let thread = Thread {
            result.finish { try body() }
        }
        thread.stackSize = Self.smallStack
        thread.start()
        try result.wait()
    }

    /// The result of a thread. `@unchecked Sendable`: `error` is written before the semaphore is signaled and read
    /// after it.
    private final class Result: @unchecked Sendable {
        private var error: (any Error)?
        private let done = DispatchSemaphore(value: 0)
        func finish(_ body: () throws -> Void) {
            do { try body() } catch { self.error = error }
            done.signal()
        }
        func wait() throws {
            done.wait()
            if let error { throw error }
        }
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test func aMillionLevelsAreReadOrRefused() throws {
        try onSmallStack {
            let text = StackTests.nested(1_000_000)
            #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
            #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(JSON.self, from: text) }
            let document = try JSONDocument(parsing: text, limits: JSONLimits(maximumDepth: .max))
            #expect(document.root.byteRange.count == 2_000_000)
            #expect(throws: JSONError.self) { try document.root.json() }
            #expect(throws: JSONError.self) { try [[Int]](parsing: text, limits: JSONLimits(maximumDepth: .max)) }
            #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(JSON.self, from: document.root) }
            let objects = String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000)
            #expect(try JSONDocument(parsing: objects, limits: JSONLimits(maximumDepth: .max)).root["a"] != nil)
        }
    }

    @Test func theDeepestValueMayBeUsedInEveryWay() throws {
        try onSmallStack {
            let arrays = try JSON(parsing: StackTests.nested(JSONLimits.deepestValue))
            let depth = JSONLimits.deepestValue - 1
            let text = String(repeating: "{\"a\":", count: depth) + "[]" + String(repeating: "}", count: depth)
            for value in [arrays, try JSON(parsing: text)] {
                let other = try JSON(parsing: value.text(.pretty))
                #expect(other == value)
                #expect(other.hashValue == value.hashValue)
                #expect(try JSON(parsing: value.rfc8785()) == value)
                #expect(try SluiceJSONDecoder().decode(JSON.self, from: SluiceJSONEncoder().text(value)) == value)
            }
        }
    }

    struct Level: Codable {
        var next: [Level]?
    }

    /// The stack that a level of a Codable type takes depends on the type and the build: a text that is too deep is a
    /// clear error, never a crash.
    @Test(arguments: [60, 200, 512])
    func deepCodableValuesAreDecodedOrRefused(_ levels: Int) throws {
        try onSmallStack {
            let depth = levels / 2
            let text =
                String(repeating: "{\"next\":[", count: depth) + "{}" + String(repeating: "]}", count: depth)
            let result = Swift.Result { try SluiceJSONDecoder().decode(Level.self, from: text) }
            switch result {
            case .success(let value): if levels == 60 { #expect(try SluiceJSONEncoder().text(value) == text) }
            case .failure(let error as DecodingError):
                #expect(levels > 60)
                let message = error.jsonError?.message ?? ""
                #expect(
                    message == "The values are nested too deeply for the stack of this thread."
                        || message == "more than 512 levels of nesting"
                )
            case .failure(let error): throw error
            }
        }
    }

    @Test func aTextOf100MBIsRefusedOrReadInBoundedTime() throws {
        var bytes = [UInt8](repeating: UInt8(ascii: "7"), count: 100_000_000)
        for index in stride(from: 1, to: bytes.count, by: 2) { bytes[index] = UInt8(ascii: ",") }
        bytes[0] = UInt8(ascii: "[")
        bytes[1] = UInt8(ascii: "7")
        bytes[bytes.count - 2] = UInt8(ascii: "7")
        bytes[bytes.count - 1] = UInt8(ascii: "]")
        for index in stride(from: 2, to: bytes.count - 2, by: 2) {
            bytes[index] = UInt8(ascii: ",")
            bytes[index + 1] = UInt8(ascii: "7")
        }
        bytes[bytes.count - 2] = UInt8(ascii: "7")
        let refused = #expect(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
        #expect(
            refused?.description
                == "1:1: the text has 100000000 bytes, more than 67108864 (raise maximumByteCount in JSONLimits)"
        )
        let many = #expect(throws: JSONError.self) {
            try JSONDocument(parsing: bytes, limits: JSONLimits(maximumByteCount: .max))
        }
        #expect(many?.message == "more than 16777216 elements in one array")
    }
}
