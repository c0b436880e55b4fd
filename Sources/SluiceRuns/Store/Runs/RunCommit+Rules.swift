extension RunCommit {
    /// Returns a Boolean value that indicates whether this continues the run that is stored, rather than beginning one.
    ///
    /// - Throws: ``StoreError`` unless it may be stored over the run with the number `current`.
    package func isContinuation(of current: Int?) throws -> Bool {
        let mayBeStored = isNewRun ? current.map { $0 < run } ?? true : current == run
        guard mayBeStored else { throw StoreError(.staleRun(stream: stream, run: run, current: current)) }
        return !isNewRun
    }

    /// Returns the outputs that are not stored yet.
    ///
    /// - Parameter count: how many of the run are stored.
    /// - Throws: ``StoreError`` when one is missing before another.
    package func newOutputs(after count: Int) throws -> ArraySlice<StoredOutput> {
        var last = min(count, max(1, outputs.first?.sequence ?? 1) - 1)
        for output in outputs {
            guard output.run == run, output.sequence == last + 1 else {
                throw StoreError(.outputGap(stream: stream, run: run, expected: last + 1, given: output.sequence))
            }
            last = output.sequence
        }
        return outputs.drop { $0.sequence <= count }
    }
}
