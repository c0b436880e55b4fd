import Sluice
import SluiceJSON
import SluiceStreams

@testable import SluiceRuns

extension RunSettings {
    /// Returns settings with a source `sensor` that gives three items each time it is opened, and fails after them the first
    /// time.
    static func unpluggedSensor(_ policy: RestartPolicy = .never) -> RunSettings {
        let openings = Locked(0)
        var settings = RunSettings()
        settings.restart = policy
        settings.host.register("sensor") { _, inlet in
            let opening = openings.withLock { count in
                count += 1
                return count
            }
            for number in 1...3 { try await inlet.send(.int(Int64(number))) }
            if opening == 1 { throw StreamError(message: "the sensor is unplugged") }
            for await _ in AsyncStream(Never.self, { _ in }) {}  // until the run ends
        }
        return settings
    }
}
