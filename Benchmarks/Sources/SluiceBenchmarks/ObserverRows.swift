import Sluice

/// Returns the costs of an observer; the first peer is a bare task.
func observerRows() -> [Row] {
    [
        Row(
            group: "observer",
            name: "start to value",
            bytes: 0,
            peers: [
                Peer(name: "Task") {
                    runInTask {
                        var value = 0
                        for _ in 0..<calls {
                            let task = Task { [value] in try await Leaf().process(value) }
                            value = (try? await task.value) ?? 0
                        }
                        keep(value)
                    }
                },
                Peer(name: "Sluice") {
                    runInTask {
                        var value = 0
                        for _ in 0..<calls { value = (try? await Leaf().start(value).value) ?? 0 }
                        keep(value)
                    }
                },
            ],
            operations: calls
        )
    ]
}
