#if NATS
import Sluice
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct NATSBucketTests {
    private final class Flag: Sendable {
        private let value = Locked(false)
        var isRaised: Bool { value.withLock { $0 } }
        func raise() { value.withLock { $0 = true } }
    }

    @Test func keepsValuesWithTheirRevisions() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            var settings = NATSBucketSettings(name: "b")
            settings.history = 5
            let bucket = try connection.bucket(settings)
            #expect(try bucket.value(of: "a.b") == nil)
            #expect(try bucket.create([1], for: "a.b") == 1)
            #expect(throws: NATSError.self) { try bucket.create([2], for: "a.b") }
            #expect(try bucket.update([2], for: "a.b", ifRevision: 1) == 2)
            #expect(try bucket.put([], for: "c") == 3)
            let stale = #expect(throws: NATSError.self) { try bucket.update([3], for: "a.b", ifRevision: 1) }
            #expect(
                stale?.description
                    == "$KV.b.a.b was written meanwhile (wrong last sequence: 2): read it again"
            )
            #expect(try bucket.value(of: "a.b") == NATSEntry(key: "a.b", value: [2], revision: 2))
            #expect(try bucket.value(of: "c")?.value == [])
            #expect(try bucket.keys() == ["a.b", "c"])
            #expect(try bucket.keys("a.*") == ["a.b"])
            try bucket.delete("a.b")
            #expect(try bucket.value(of: "a.b") == nil)
            #expect(try bucket.history(of: "a.b").map(\.value) == [[1], [2], nil])
            #expect(try bucket.create([4], for: "a.b") == 5)
            try bucket.purge("a.b")
            #expect(try bucket.history(of: "a.b").map(\.value) == [nil])
            #expect(try bucket.keys() == ["c"])
            // It is opened as it is.
            #expect(try connection.bucket(NATSBucketSettings(name: "b")).keys() == ["c"])
        }
    }

    @Test func namesThatNATSCannotHaveAreRefused() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            for name in ["", "a.b", "a b", "ä", String(repeating: "a", count: 300)] {
                #expect(throws: NATSError.invalidName(what: "bucket", name: name)) {
                    try connection.bucket(NATSBucketSettings(name: name))
                }
            }
            let bucket = try connection.bucket(NATSBucketSettings(name: "b"))
            for key in ["", ".", "a.", "a..b", "*", ">", "a b", "ä", "a\0b", "a\r\nb"] {
                #expect(throws: NATSError.invalidName(what: "key", name: key)) { try bucket.put([], for: key) }
                #expect(throws: NATSError.invalidName(what: "key", name: key)) { try bucket.value(of: key) }
            }
        }
    }

    @Test func aValueThatTheServerWouldNotTakeIsRefusedWithItsSize() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            let bucket = try connection.bucket(NATSBucketSettings(name: "b"))
            #expect(throws: NATSError.tooLarge(subject: "$KV.b.a", size: 1 << 20, limit: 1 << 20)) {
                try bucket.put([UInt8](repeating: 0, count: 1 << 20), for: "a")
            }
            try bucket.put([UInt8](repeating: 0, count: 1_000_000), for: "a")
            #expect(try bucket.value(of: "a")?.value?.count == 1_000_000)
        }
    }

    @Test func aWatchSeesWhatIsThereThenWhatComes() async throws {
        let connected = try await Connected()
        let bucket = try await connected.connection.perform { connection in
            let bucket = try connection.bucket(NATSBucketSettings(name: "b"))
            try bucket.put([1], for: "a.x")
            try bucket.put([2], for: "b.x")
            return bucket
        }
        var events = try await connected.connection.perform { _ in try bucket.watch("a.*") }.events()
            .makeAsyncIterator()
        #expect(try await events.next() == .entry(NATSEntry(key: "a.x", value: [1], revision: 1)))
        #expect(try await events.next() == .current)
        let other = try await connected.another()
        try await other.perform { connection in
            let bucket = try connection.bucket(NATSBucketSettings(name: "b"))
            try bucket.put([3], for: "b.y")
            try bucket.put([4], for: "a.y")
            try bucket.delete("a.x")
        }
        #expect(try await events.next() == .entry(NATSEntry(key: "a.y", value: [4], revision: 4)))
        #expect(try await events.next() == .entry(NATSEntry(key: "a.x", value: nil, revision: 5)))
    }

    @Test func aWatchGoesOnAfterTheServerWasAway() async throws {
        let connected = try await Connected()
        let bucket = try await connected.connection.perform { connection in
            let bucket = try connection.bucket(NATSBucketSettings(name: "b"))
            try bucket.put([1], for: "a")
            return bucket
        }
        var events = try await connected.connection.perform { _ in try bucket.watch(">") }.events().makeAsyncIterator()
        #expect(try await events.next() == .entry(NATSEntry(key: "a", value: [1], revision: 1)))
        #expect(try await events.next() == .current)
        let server = try connected.server.restarted()
        try await NATSConnection.connect(connected.connection.settings).perform { connection in
            try connection.bucket(NATSBucketSettings(name: "b")).put([2], for: "a")
        }
        #expect(try await events.next() == .entry(NATSEntry(key: "a", value: [2], revision: 2)))
        withExtendedLifetime(server) {}
    }

    @Test func aWatchStops() async throws {
        let connected = try await Connected()
        let bucket = try await connected.connection.perform { try $0.bucket(NATSBucketSettings(name: "b")) }
        let watch = try await connected.connection.perform { _ in try bucket.watch(">") }
        let task = Task { try await watch.events().reduce(into: 0) { count, _ in count += 1 } }
        watch.stop()
        #expect(try await task.value <= 1)
    }

    /// Keys that are written without a pause, as those of workers are: each reading has all of them, and no removed one.
    @Test(arguments: [1, 8]) func noKeyIsPassedOver(_ history: Int) async throws {
        let connected = try await Connected()
        var settings = NATSBucketSettings(name: "b")
        settings.history = history
        let keys = (0..<12).map { "w.k\($0)" }
        let bucket = try await connected.connection.perform { [settings] connection in
            let bucket = try connection.bucket(settings)
            for key in keys + ["w.gone", "other"] { try bucket.put([0], for: key) }
            try bucket.delete("w.gone")
            return bucket
        }
        let isOver = Flag()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<4 {
                let another = try await connected.another()
                group.addTask {
                    let writer = try await another.perform { try $0.bucket(NATSBucketSettings(name: "b")) }
                    while !isOver.isRaised {
                        try await another.perform { _ in for key in keys { try writer.put([1], for: key) } }
                    }
                }
            }
            for _ in 0..<400 {
                let entries = try await connected.connection.perform { _ in try bucket.values(of: "w.*") }
                #expect(entries.map(\.key).sorted() == keys.sorted())
                #expect(entries == entries.sorted { $0.revision < $1.revision })
            }
            isOver.raise()
        }
    }

    /// Two keys that are always written in order: whoever reads both sees no second one without the first, and each key once.
    @Test func valuesAreThoseOfOneInstant() async throws {
        let connected = try await Connected()
        var settings = NATSBucketSettings(name: "b")
        settings.history = 8
        let bucket = try await connected.connection.perform { [settings] in try $0.bucket(settings) }
        let (another, isOver) = (try await connected.another(), Flag())
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                let writer = try await another.perform { try $0.bucket(NATSBucketSettings(name: "b")) }
                for number in 1...1500 {
                    try await another.perform { _ in
                        for key in ["first", "second"] { try writer.put(Array("\(number)".utf8), for: key) }
                    }
                }
                isOver.raise()
            }
            for _ in 0..<2 {
                group.addTask {
                    while !isOver.isRaised {
                        let (entries, missing) = try await connected.connection.perform { _ in
                            try bucket.instant(of: ">")
                        }
                        if !missing.isEmpty { continue }
                        #expect(Set(entries.map(\.key)).count == entries.count)
                        let numbers = entries.map {
                            (key: $0.key, number: Int(String(decoding: $0.value ?? [], as: UTF8.self)))
                        }
                        let values = Dictionary(numbers.map { ($0.key, $0.number ?? 0) }) { first, _ in first }
                        let (one, two) = (values["first"] ?? 0, values["second"] ?? 0)
                        #expect(one == two || one == two + 1, "\(one) \(two)")
                    }
                }
            }
        }
    }
}
#endif
