import SluiceStreams

extension RunSupervisor {
    /// Returns the error of a run that holds more than it may. The state is measured whenever as much has passed through
    /// the stages as half of what the state may take.
    func excess(of run: StreamRun) -> StreamError? {
        let passed = watch.passedSize - measuredAt
        guard passed >= environment.settings.stateSize / 2 else { return nil }
        return excess(ofState: run.checkpoint().text.utf8.count)
    }

    /// Returns the error of a run whose state takes `size` bytes, where that is too much.
    func excess(ofState size: Int) -> StreamError? {
        let settings = environment.settings
        (measuredAt, stateSize) = (watch.passedSize, size)
        if size > settings.stateSize {
            let text = "the state takes \(size.inMegabytes), and may take \(settings.stateSize.inMegabytes)"
            return StreamError(message: text + ": hold less in operators such as scan, collect, and window")
        }
        if settings.memory.note(size + recorder.size, of: ObjectIdentifier(self)) { return nil }
        let text = "all runs together hold more than \(settings.memory.limit.inMegabytes), and this one "
        return StreamError(message: text + "\((size + recorder.size).inMegabytes): stop some, or raise --runs-memory")
    }
}
