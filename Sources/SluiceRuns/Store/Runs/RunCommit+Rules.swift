extension RunCommit {
    /// Returns a Boolean value that indicates whether this continues the run that is stored, rather than beginning one.
    ///
    /// - Parameters:
    ///   - current: the number of the stored run.
    ///   - last: the number of the last run that was removed; 0 if none was. No number is used twice.
    /// - Throws: ``StoreError`` unless it may be stored over the run with the number `current`.
    package func isContinuation(of current: Int?, after last: Int = 0) throws -> Bool {
        let current = isNewRun && current == nil && last > 0 ? last : current
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
