extension RunCommit {
    /// The run that this goes on from; `nil` where it begins one.
    ///
    /// - Throws: ``StoreError`` unless it may be stored over the one that is stored.
    func base(_ stored: StoredRun?) throws -> StoredRun? {
        guard isNewRun else {
            guard let stored, stored.run == run else { throw staleRun(stored) }
            return stored
        }
        guard stored.map({ $0.run < run }) ?? true else { throw staleRun(stored) }
        return nil
    }

    private func staleRun(_ stored: StoredRun?) -> StoreError {
        StoreError(.staleRun(stream: stream, run: run, current: stored?.run))
    }

    /// The outputs that are not stored yet.
    ///
    /// - Throws: ``StoreError`` when one is missing before another.
    func newOutputs(after count: Int) throws -> ArraySlice<StoredOutput> {
        var last = min(count, max(1, outputs.first?.sequence ?? 1) - 1)
        for output in outputs {
            guard output.run == run, output.sequence == last + 1 else {
                throw StoreError(
                    .outputGap(stream: stream, run: run, expected: last + 1, given: output.sequence)
                )
            }
            last = output.sequence
        }
        return outputs.drop { $0.sequence <= count }
    }
}
