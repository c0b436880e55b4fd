#if Command
import ArgumentParser
import SluiceClient
import SluiceHub
import SluiceStreams

#if NATS
import SluiceNATS
#endif

/// The bounds of what runs may hold.
struct LimitArguments: ParsableArguments {
    @Option(help: "The largest value that a stage may pass on, in MB; a run fails at a larger one.")
    var valueSize = 1.0

    @Option(help: "The largest state of a run, in MB; a run fails beyond it.")
    var stateSize = 16.0

    @Option(help: "The largest backlog of a run that is not stored yet, in MB; a run waits at the bound.")
    var backlogSize = 16.0

    @Option(help: "The memory of all runs together, in MB; beyond it, runs fail that hold more than their share.")
    var runsMemory = 256.0

    func validate() throws {
        for (name, value) in [
            ("value-size", valueSize), ("state-size", stateSize), ("backlog-size", backlogSize),
            ("runs-memory", runsMemory),
        ] where !(value > 0 && value <= 1_000_000) {
            throw ValidationError("--\(name) takes a number of megabytes, above 0 and up to 1000000")
        }
    }

    /// Writes the bounds into the settings of a hub.
    func apply(to settings: inout HubSettings) {
        settings.limits.valueSize = bytes(valueSize)
        settings.limits.stateSize = bytes(stateSize)
        settings.limits.backlogSize = bytes(backlogSize)
        settings.limits.runsMemory = bytes(runsMemory)
    }

    /// Writes the bounds into the settings of a follower.
    func apply(to settings: inout GroupFollower<ContinuousClock>.Settings) {
        settings.limits.valueSize = bytes(valueSize)
        settings.stateSize = bytes(stateSize)
        settings.backlogSize = bytes(backlogSize)
        settings.runsMemory = bytes(runsMemory)
    }

    #if NATS
    /// Writes the bounds into the settings of a worker.
    func apply(to settings: inout ClusterWorker.Settings) {
        settings.limits.valueSize = bytes(valueSize)
        settings.stateSize = bytes(stateSize)
        settings.backlogSize = bytes(backlogSize)
        settings.runsMemory = bytes(runsMemory)
    }
    #endif

    private func bytes(_ megabytes: Double) -> Int { max(1, Int(megabytes * Double(1 << 20))) }
}
#endif
