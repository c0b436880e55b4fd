import Foundation

/// Reads under load, of two stores: wrk asks the hub and the bare server in turns.
func measureReads(_ folder: URL, rounds: Int, seconds: Int, _ bounds: BoundCheck) throws {
    guard let wrk = Wrk() else {
        print("\nreads: skipped, there is no wrk on this machine")
        return
    }
    for (name, store) in [("12 streams", "few"), ("10,000 streams", "many")] {
        let (hub, bare) = try servers(folder, store)
        defer {
            hub.stop()
            bare.stop()
        }
        var report = Report()
        for _ in 0..<rounds {
            // As many bytes at once as a client would have under way; a list of 10,000 is more than a megabyte.
            for (path, connections) in [("/streams/\(Sample.id)", 32), ("/streams", store == "few" ? 32 : 4)] {
                let ours = try wrk.load(hub, path, seconds: seconds, connections: connections)
                let theirs = try wrk.load(bare, path, seconds: seconds, connections: connections)
                report.add("\(path), a second", hub: ours.rate, bare: theirs.rate)
                report.add("\(path), µs used", hub: ours.processor, bare: theirs.processor)
            }
        }
        report.show("wrk, \(name)")
        for path in ["/streams/\(Sample.id)", "/streams"] {
            bounds.note("hub/reads/\(path), \(name)", ratio: 1 / report.ratio("\(path), µs used"))
        }
    }
}
