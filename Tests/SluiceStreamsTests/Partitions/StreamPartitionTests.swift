import SluiceJSON
import Testing

@testable import SluiceStreams

@Suite struct StreamPartitionTests {
    private func text(_ partition: String) -> String { #"{"partition": \#(partition), "source": {"never": {}}}"# }

    @Test func itIsReadAndWritten() throws {
        let document = try StreamDocument(parsing: text(#"{"by": "x.user", "count": 16}"#))
        #expect(document.partition == StreamPartition(by: "x.user", count: 16))
        #expect(document.canonicalText.contains(#""partition": {"by":"x.user","count":16}"#))
        let built = StreamDocument(partition: document.partition, pipeline: document.pipeline)
        #expect(built.partition == document.partition && built.errors == nil)
        #expect(try StreamDocument(parsing: #"{"source": {"never": {}}}"#).partition == nil)
    }

    @Test(arguments: [
        (#"{"by": "x.user"}"#, "partition"), (#"{"count": 2}"#, "partition"),
        (#"{"by": "x", "count": 0}"#, "partition.count"),
        (#"{"by": "x", "count": 1025}"#, "partition.count"), (#"{"by": 1, "count": 2}"#, "partition.by"),
        (#"{"by": "x +", "count": 2}"#, "partition.by"), (#"{"by": "y", "count": 2}"#, "partition.by"),
        (#""x""#, "partition"), (#"{"by": "x", "count": 2, "of": 3}"#, "partition.of"),
    ])
    func anInvalidOneIsReportedAndKept(_ partition: String, _ path: String) throws {
        let document = try StreamDocument(preserving: Array(text(partition).utf8))
        #expect(document.errors?.errors.map(\.path.description) == [path])
        let kept = try StreamDocument(preserving: Array(document.canonicalText.utf8))
        #expect(kept.errors?.errors.map(\.path.description) == [path], "\(document.canonicalText)")
    }

    @Test func itHasNoEffectOnARunOfTheWhole() throws {
        let source = #""source": {"values": [1, 2, 3]}"#
        let whole = try StreamDocument(parsing: "{\(source)}").virtualEvents()
        let divided = try StreamDocument(parsing: #"{"partition": {"by": "x", "count": 3}, \#(source)}"#)
        #expect(try divided.virtualEvents().map(\.value) == whole.map(\.value))
    }
}

@Suite struct PartitionKeysTests {
    private func keys(_ by: String, _ count: Int, parameters: String = "{}") throws -> PartitionKeys {
        let partition = #"{"by": "\#(by)", "count": \#(count)}"#
        let text = #"{"parameters": \#(parameters), "partition": \#(partition), "source": {"never": {}}}"#
        let document = try StreamDocument(parsing: text)
        return try PartitionKeys(try #require(document.partition), in: document)
    }

    @Test func itemsOfOneKeyHaveOnePartition() throws {
        let keys = try keys("x.user", 16)
        var counts = [Int](repeating: 0, count: 16)
        for user in 0..<4_000 {
            let item: JSON = ["user": .string("user-\(user)"), "n": 1]
            let partition = keys.partition(of: item)
            #expect(keys.partition(of: ["n": 2, "user": .string("user-\(user)")]) == partition)
            counts[partition] += 1
        }
        // 250 on average; six standard deviations are 92.
        #expect(counts.allSatisfy { (158...342).contains($0) }, "\(counts)")
    }

    /// Computed by an independent program: FNV-1a of 64 bits and the finalizer of MurmurHash3, in Python.
    @Test(arguments: [(JSON.string("a"), 8), (.int(1), 6), (.null, 14), (.string(""), 7)])
    func theHashIsTheSameInEveryVersion(_ key: JSON, _ partition: Int) throws {
        #expect(try keys("x", 16).partition(of: key) == partition)
    }

    @Test func equalNumbersAreOneKey() throws {
        let keys = try keys("x", 1024)
        for number in [0, 1, -7, 1 << 40] {
            #expect(keys.partition(of: .int(Int64(number))) == keys.partition(of: .double(Double(number))))
        }
    }

    @Test func anItemWithoutKeyHasTheKeyNull() throws {
        let keys = try keys("x.user", 16)
        #expect(keys.partition(of: 7) == keys.partition(of: ["user": nil]))
    }

    @Test func theExpressionMayNameParameters() throws {
        let keys = try keys("x[${field}]", 64, parameters: #"{"field": "b"}"#)
        #expect(keys.partition(of: ["a": 1, "b": 2]) == keys.partition(of: ["a": 3, "b": 2]))
        #expect(keys.partition(of: ["a": 1, "b": 2]) != keys.partition(of: ["a": 1, "b": 3]))
    }
}
