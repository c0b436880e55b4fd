/// The number and size of the outputs and inputs that wait for the store.
struct RunLoad {
    var outputs = 0
    var inputs = 0
    /// The size of the texts, in bytes.
    var size = 0

    static func += (a: inout RunLoad, b: RunLoad) {
        a.outputs += b.outputs
        a.inputs += b.inputs
        a.size += b.size
    }

    static func -= (a: inout RunLoad, b: RunLoad) {
        a.outputs -= b.outputs
        a.inputs -= b.inputs
        a.size -= b.size
    }
}

/// A commit that waits for the store, with the load of its outputs and inputs.
struct PendingCommit {
    var commit: RunCommit
    var outputs: RunLoad
    var inputs: RunLoad
    var checkpointLoad = RunLoad()
    /// The ordinal of its first part.
    let first: Int
    /// The closures to call when the store has it.
    var notes: [@Sendable () -> Void] = []

    /// The load of all its parts.
    var load: RunLoad {
        var sum = outputs
        sum += inputs
        sum += checkpointLoad
        return sum
    }

    /// Merges the commit that follows, if the two may become one.
    ///
    /// - Returns: A Boolean value that indicates whether the commits were merged.
    mutating func absorb(_ next: PendingCommit) -> Bool {
        guard commit.run == next.commit.run, !next.commit.isNewRun else { return false }
        guard outputs.size + inputs.size < RunRecorder.commitSize else { return false }
        guard next.commit.checkpoint != nil || commit.checkpoint == nil else { return false }
        // A checkpoint holds what was taken before it.
        if next.commit.checkpoint != nil { (commit.inputs, inputs) = ([], RunLoad()) }
        commit.outputs += next.commit.outputs
        commit.inputs += next.commit.inputs
        outputs += next.outputs
        inputs += next.inputs
        notes += next.notes
        (commit.revision, commit.state, commit.isPaused) = (
            next.commit.revision, next.commit.state, next.commit.isPaused
        )
        (commit.speed, commit.error, commit.savedAt) = (next.commit.speed, next.commit.error, next.commit.savedAt)
        (commit.checkpoint, checkpointLoad) = (next.commit.checkpoint, next.checkpointLoad)
        if let documents = next.commit.documents { commit.documents = documents }
        return true
    }
}
