import Foundation

/// The start, the memory and single reads, with few streams and with 10,000.
func measureStarts(_ folder: URL, rounds: Int, reads: Int) throws {
    for (name, store) in [("12 streams", "few"), ("10,000 streams", "many")] {
        var report = Report()
        for _ in 0..<rounds {
            let (hub, bare) = try servers(folder, store)
            defer {
                hub.stop()
                bare.stop()
            }
            report.add("start, ms", hub: hub.start, bare: bare.start)
            report.add("memory, MB", hub: hub.memory / 1024, bare: bare.memory / 1024)
            for (path, count) in [("/streams/\(Sample.id)", reads), ("/streams", store == "few" ? reads : reads / 20)] {
                let ours = try latency(hub, path, count)
                let theirs = try latency(bare, path, count)
                report.add("\(path), µs", hub: ours, bare: theirs)
            }
            report.add("memory then, MB", hub: hub.memory / 1024, bare: bare.memory / 1024)
        }
        report.show(name)
    }
}

/// The median time of one read after the other, in microseconds.
private func latency(_ server: ServerProcess, _ path: String, _ count: Int) throws -> Double {
    let connection = try Connection(port: server.port)
    return median(
        try (0..<max(10, count)).map { _ in
            try ContinuousClock().measure { _ = try connection.get(path) } / .microseconds(1)
        }
    )
}
