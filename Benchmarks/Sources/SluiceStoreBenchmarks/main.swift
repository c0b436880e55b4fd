import Foundation
import GRDB
import SluiceRuns
import SluiceStore
import SluiceStreams

// usage: SluiceStoreBenchmarks [--quick] [ROW]
//
// Commits of runs with one output each, on the disk that holds the temporary folder, against GRDB's own pool with the
// same statements, one transaction each: with a flush of the disk (FULL, as the store has it), and without (NORMAL). The
// rounds take turns, so that all have the same disk.

var arguments = Array(CommandLine.arguments.dropFirst())
var rounds = 5
var count = 400
if let at = arguments.firstIndex(of: "--quick") {
    (rounds, count) = (2, 100)
    arguments.remove(at: at)
}
let wanted = arguments.first

func isWanted(_ name: String) -> Bool { wanted.map { name.contains($0) } ?? true }

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-bench-\(UUID())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let time = try Time(folder)
print(columns("commits a second", "store", "bare, FULL", "ratio", "bare, NORMAL"))
for (name, writers) in [("alone", 1), ("8 at a time", 8), ("64 at a time", 64), ("512 at a time", 512)]
where isWanted(name) {
    var ours: [Double] = []
    var full: [Double] = []
    var normal: [Double] = []
    for _ in 0..<rounds {
        ours.append(try await time.rate(writers, count) { try await time.store.commit($0, of: $1) })
        full.append(try await time.rate(writers, count) { try await time.full.insert($0, of: $1) })
        normal.append(try await time.rate(writers, count) { try await time.normal.insert($0, of: $1) })
    }
    let (store, peer) = (median(ours), median(full))
    let ratio = String(format: "%.2f", store / peer)
    print(columns(name, "\(Int(store))", "\(Int(peer))", ratio, "\(Int(median(normal)))"))
}
if isWanted("10,000 streams") {
    let path = folder.appendingPathComponent("many.sqlite").path
    let text = #"{"id": "x", "source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"initialValue": 0}}]}"#
    do {
        let store = try SQLiteStreamStore(path: path)
        try await store.create((0..<10_000).map { StreamDraft(id: "\($0)", name: "stream \($0)", text: text) }, by: nil)
    }
    let clock = ContinuousClock()
    var (opening, listing, reading): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
        var store: SQLiteStreamStore?
        opening.append(try clock.measure { store = try SQLiteStreamStore(path: path) } / .milliseconds(1))
        listing.append(try await clock.measure { _ = try await store?.list() } / .milliseconds(1))
        let reads = try await clock.measure { for id in 0..<1000 { _ = try await store?.read("\(id)") } }
        reading.append(reads / .microseconds(1000))
    }
    print(
        "10,000 streams: opened in \(format(opening)) ms, listed in \(format(listing)) ms, one read in \(format(reading)) µs"
    )
}

func format(_ values: [Double]) -> String { String(format: "%.1f", median(values)) }
