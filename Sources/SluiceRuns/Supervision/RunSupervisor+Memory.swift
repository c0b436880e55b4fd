import SluiceJSON
import SluiceStreams

extension RunSupervisor {
    /// Returns the error of a run that holds more than it may.
    ///
    /// The state is measured whenever half as much has passed through the stages as the state had before, or may have, but
    /// not for less than what keeps the sum of all runs within bounds.
    func excess(of run: StreamRun) -> StreamError? {
        let passed = watch.passedSize - measuredAt
        let settings = environment.settings
        guard passed >= min(settings.stateSize / 2, max(settings.memory.measuringInterval, stateSize / 2)) else {
            return sharedExcess
        }
        return excess(ofState: run.checkpoint().text)
    }

    /// Returns the error of a run whose checkpoint has a text, where its state takes too much.
    func excess(ofState text: String) -> StreamError? {
        let settings = environment.settings
        let size = text.utf8.count
        (measuredAt, stateSize) = (watch.passedSize, size)
        if size > settings.stateSize {
            let text = "the state takes \(size.inMegabytes), and may take \(settings.stateSize.inMegabytes)"
            return StreamError(message: text + ": hold less in operators such as scan, collect, and window")
        }
        settings.memory.note(Self.memory(ofState: text) + recorder.size, of: ObjectIdentifier(self)) { [weak self] in
            // A job comes before the turns of all runs: what is to be returned is returned soon.
            Task { await self?.failIfExcessive() }
        }
        return sharedExcess
    }

    private func failIfExcessive() {
        if let run, !isClosed, let error = sharedExcess { failNow(run, error) }
    }

    /// Ends the run with an error, whether or not there is room for its last outputs.
    func failNow(_ run: StreamRun, _ error: StreamError) {
        run.fail(error)
        var reports: [StreamEvent<JSON>] = []
        var isEnded = false
        while !isEnded, let event = run.next() {
            take(event, of: run, &reports)
            isEnded = event.isLast
        }
        publishValues(reports)
        if isEnded { finish() } else { requestTurn() }
    }

    /// The error of a run that has to fail because all runs together hold too much.
    private var sharedExcess: StreamError? {
        let memory = environment.settings.memory
        guard let size = memory.excess(of: ObjectIdentifier(self)) else { return nil }
        let reason = "all runs together hold more than \(memory.limit.inMegabytes), and this one \(size.inMegabytes)"
        return StreamError(message: reason + ": stop some, or raise --runs-memory")
    }

    /// Returns an estimate of the memory that a state takes, in bytes: as measured, an element of a list takes some 32
    /// bytes more than its text, and an object, such as the state of a group, some 384.
    private static func memory(ofState text: String) -> Int {
        text.utf8.withContiguousStorageIfAvailable { text in
            var (elements, objects) = (0, 0)
            for byte in text {
                if byte == UInt8(ascii: ",") { elements += 1 }
                if byte == UInt8(ascii: "{") { objects += 1 }
            }
            return text.count + elements * 32 + objects * 384
        } ?? text.utf8.count
    }
}
