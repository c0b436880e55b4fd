#if SQLite
import Foundation
import SluiceRuns
import SluiceStore
import SluiceStreams
import Testing

/// The laws of both stores for sinks.
@Suite struct SinkLawTests {
    func withStore(_ kind: StoreKind, _ body: (any SinkStore) async throws -> Void) async throws {
        try await kind.withStore { store in
            let store = try #require(store as? any SinkStore)
            try await store.create([StreamDraft(id: "a", name: nil, text: "{}")], by: nil)
            try await body(store)
        }
    }

    func sink(_ id: String = "hook", _ cursor: Int = 0, ahead: [Int] = [], delivered: Int = 0) -> StoredSink {
        StoredSink(
            stream: "a",
            id: id,
            cursor: OutputPlace(run: 1, sequence: cursor),
            acknowledged: ahead.map { OutputPlace(run: 1, sequence: $0) },
            delivered: delivered,
            fingerprint: delivered > 0 ? "f\(delivered)" : nil
        )
    }

    func delivery(_ sequence: Int, _ request: String = "{}", refusal: String? = nil) -> StoredDelivery {
        let place = OutputPlace(run: 1, sequence: sequence)
        return StoredDelivery(first: place, last: place, key: "k\(sequence)", request: request, refusal: refusal)
    }

    func letter(_ sequence: Int, sink: String = "hook") -> StoredDeadLetter {
        StoredDeadLetter(
            stream: "a",
            sink: sink,
            place: OutputPlace(run: 1, sequence: sequence),
            items: "[\(sequence)]",
            key: "k\(sequence)",
            request: "{\"n\": \(sequence)}",
            error: "404",
            time: Date(timeIntervalSince1970: 1_700_000_000.0004)
        )
    }

    @Test(arguments: StoreKind.allCases) func leasesOutliveTheirStream(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            #expect(try await store.leases() == [])
            try await store.storeLease(StoredLease(stream: "a", number: 1, group: "g", member: "m"))
            try await store.storeLease(StoredLease(stream: "a", number: 2, group: "g", member: nil))
            let last = StoredLease(stream: "a", number: 2, group: "g", member: nil)
            #expect(try await store.leases() == [last])
            await #expect(throws: StoreError(.missing(id: "b"))) {
                try await store.storeLease(StoredLease(stream: "b", number: 1, group: nil, member: nil))
            }
            try await store.remove("a", ifRevision: 1, by: nil)
            #expect(try await store.leases() == [last])
        }
    }

    @Test(arguments: StoreKind.allCases) func cursorsAndRequestsAreKept(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            #expect(try await store.sinks() == [])
            let first = SinkCommit(sink: sink(), fixed: [delivery(2), delivery(1, "{\"é\": 1}")])
            try await store.commit([first, SinkCommit(sink: sink("b", 7, ahead: [9, 12]))])
            #expect(try await store.sinks(of: "a") == [sink("b", 7, ahead: [9, 12]), sink()])
            #expect(try await store.deliveries(of: "a", sink: "hook") == [delivery(1, "{\"é\": 1}"), delivery(2)])
            let next = sink("hook", 1, ahead: [3], delivered: 2)
            try await store.commit([
                SinkCommit(
                    sink: next,
                    fixed: [delivery(2, "{}", refusal: "400")],
                    ended: [OutputPlace(run: 1, sequence: 1)]
                )
            ])
            #expect(try await store.sinks().last == next)
            #expect(try await store.deliveries(of: "a", sink: "hook") == [delivery(2, "{}", refusal: "400")])
            try await store.removeSink("hook", of: "a")
            #expect(try await store.sinks().map(\.id) == ["b"])
            #expect(try await store.deliveries(of: "a", sink: "hook") == [])
        }
    }

    @Test(arguments: StoreKind.allCases) func deadLettersHaveNumbers(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.commit([SinkCommit(sink: sink(), letters: [letter(1), letter(2), letter(3, sink: "b")])])
            let all = try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 10)
            #expect(all.map(\.items) == ["[1]", "[2]", "[3]"])
            #expect(all[0].time == Date(timeIntervalSince1970: 1_700_000_000))
            #expect(try await store.deadLetters(of: "a", sink: "b", after: 0, limit: 10) == [all[2]])
            #expect(try await store.deadLetters(of: "a", sink: nil, after: all[0].number, limit: 1) == [all[1]])
            #expect(try await store.deadLetterCounts(of: "a") == ["hook": 2, "b": 1])
            var second = all[1]
            (second.round, second.isResending, second.error, second.key) = (2, true, "no", "k2/2")
            try await store.replaceDeadLetter(second)
            #expect(try await store.deadLetter(second.number, of: "a") == second)
            #expect(try await store.deadLetter(second.number, of: "b") == nil)
            try await store.removeDeadLetter(all[2].number, of: "a")
            try await store.commit([SinkCommit(sink: sink(), letters: [letter(4)])])
            // No number is used twice.
            let newest = try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 10).last
            #expect(newest?.items == "[4]" && newest?.number ?? 0 > all[2].number)
        }
    }

    @Test(arguments: StoreKind.allCases) func lettersThatAreSentAgainAreFound(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.commit([SinkCommit(sink: sink(), letters: (1...9).map { letter($0) })])
            let letters = try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 99)
            for var letter in [letters[6], letters[2], letters[4]] {
                letter.isResending = true
                try await store.replaceDeadLetter(letter)
            }
            let numbers = [2, 4, 6].map { letters[$0].number }
            #expect(try await store.deadLettersToResend(of: "a", limit: 9) == numbers)
            #expect(try await store.deadLettersToResend(of: "a", limit: 2) == Array(numbers.prefix(2)))
            #expect(try await store.deadLettersToResend(of: "b", limit: 9) == [])
            try await store.removeDeadLetter(numbers[0], of: "a")
            #expect(try await store.deadLettersToResend(of: "a", limit: 9) == Array(numbers.dropFirst()))
        }
    }

    /// Pages of lists end at a size, and go on after it.
    @Test(arguments: StoreKind.allCases) func pagesAreBounded(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let pad = String(repeating: "a", count: 3 << 20)
            for sequence in 1...5 {
                let large = StoredOutput(
                    run: 1,
                    sequence: sequence,
                    time: StreamTime(nanoseconds: 0),
                    kind: .value,
                    text: "\"\(pad)\""
                )
                try await store.commit(RunCommit(isNew: sequence == 1, outputs: [large]))
                let letter = StoredDeadLetter(
                    stream: "a",
                    sink: "hook",
                    place: large.place,
                    items: "[]",
                    key: "k",
                    request: pad,
                    error: "",
                    time: Date(timeIntervalSince1970: 0)
                )
                try await store.commit([SinkCommit(sink: sink(), letters: [letter])])
            }
            let first = try await store.outputs(of: "a", run: nil, after: 0, limit: 9).map(\.sequence)
            #expect(first == [1, 2, 3])
            let after = try await store.outputs(of: "a", afterRun: 1, sequence: 3, limit: 9).map(\.sequence)
            #expect(after == [4, 5])
            let letters = try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 9)
            #expect(letters.count == 3)
            let rest = try await store.deadLetters(of: "a", sink: nil, after: letters.last?.number ?? 0, limit: 9)
            #expect(rest.map(\.place.sequence) == [4, 5])
        }
    }

    @Test(arguments: StoreKind.allCases) func commitsAreAllOrNone(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let lost = StoredSink(stream: "gone", id: "hook", cursor: .start)
            let commits = [SinkCommit(sink: sink()), SinkCommit(sink: lost)]
            await #expect(throws: StoreError(.missing(id: "gone"))) { try await store.commit(commits) }
            let stored = try await store.sinks()
            #expect(stored.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases) func runsHaveNamesOfTheirOwn(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let first = try await store.name(ofRun: 1, of: "a")
            let other = first.filter { !"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) }
            #expect(first.count == 26 && other.isEmpty)
            #expect(try await store.name(ofRun: 1, of: "a") == first)
            #expect(try await store.name(ofRun: 2, of: "a") != first)
            await #expect(throws: StoreError(.missing(id: "b"))) { try await store.name(ofRun: 1, of: "b") }
        }
    }

    @Test(arguments: StoreKind.allCases) func whatIsNotDeliveredIsNotTrimmed(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let outputs = (1...2000).map { StoredOutput($0) }
            try await store.commit(RunCommit(isNew: true, outputs: outputs))
            try await store.commit([SinkCommit(sink: sink("b", 1500)), SinkCommit(sink: sink("hook", 700))])
            try await store.trim(Retention(outputs: 10))
            let kept = try await store.outputs(of: "a", run: nil, after: 700, limit: 5000).map(\.sequence)
            #expect(kept == Array(701...2000))
            try await store.removeSink("hook", of: "a")
            try await store.commit([SinkCommit(sink: sink("b", 2000))])
            try await store.trim(Retention(outputs: 10))
            let newest = try await store.outputs(of: "a", run: nil, after: 0, limit: 5000).map(\.sequence)
            #expect(newest == Array(1991...2000))
        }
    }

    @Test(arguments: StoreKind.allCases) func removalTakesSinksAlong(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            try await store.commit(RunCommit(isNew: true, outputs: [StoredOutput(1)]))
            let name = try await store.name(ofRun: 1, of: "a")
            try await store.commit([SinkCommit(sink: sink(ahead: [2]), fixed: [delivery(1)], letters: [letter(1)])])
            try await store.forgetRun(of: "a")
            #expect(try await store.sinks() == [sink()])
            #expect(try await store.deliveries(of: "a", sink: "hook") == [])
            #expect(try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 9).count == 1)
            #expect(try await store.name(ofRun: 1, of: "a") != name)
            try await store.remove("a", ifRevision: 1, by: nil)
            try await store.create([StreamDraft(id: "a", name: nil, text: "{}")], by: nil)
            #expect(try await store.sinks() == [])
            #expect(try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 9) == [])
        }
    }
}
#endif
