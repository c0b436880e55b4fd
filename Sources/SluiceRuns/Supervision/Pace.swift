package import SluiceStreams

/// The time of a run beside that of a timer: it passes at a speed, or is paused.
package struct Pace: Sendable, Equatable {
    /// The speeds that are allowed.
    package static let speeds = 0.01...100.0

    /// The seconds of the run that pass in one of the timer.
    package private(set) var speed: Double
    /// A Boolean value that indicates whether time is paused.
    package private(set) var isPaused: Bool
    /// The instant of the timer, in nanoseconds, at which the time of the run was `origin`.
    private var since: Int64
    private var origin: StreamTime

    /// Makes a pace at which the time of the run is `time` at `now`.
    package init(_ time: StreamTime = .zero, at now: Int64, speed: Double = 1, isPaused: Bool = false) {
        self.speed = speed
        self.isPaused = isPaused
        since = now
        origin = time
    }

    /// Returns the time of the run at `now`.
    package func time(at now: Int64) -> StreamTime {
        guard !isPaused, now > since else { return origin }
        return StreamTime(
            origin.duration + .nanoseconds(Int64(clamping: Double(now - since) * speed))
        )
    }

    /// Returns the instant at which the time of the run is `time`; `nil` while time is paused.
    package func instant(of time: StreamTime) -> Int64? {
        guard !isPaused else { return nil }
        let left = Double(max(0, time.nanoseconds - origin.nanoseconds)) / speed
        // Rounded up, so that the time has come when the timer wakes.
        return since.advanced(byClamping: Int64(clamping: left.rounded(.up)))
    }

    /// Pauses time.
    package mutating func pause(at now: Int64) {
        move(to: time(at: now), at: now)
        isPaused = true
    }

    /// Resumes time.
    package mutating func resume(at now: Int64) {
        move(to: time(at: now), at: now)
        isPaused = false
    }

    /// Changes the speed from now on.
    package mutating func change(speed: Double, at now: Int64) {
        move(to: time(at: now), at: now)
        self.speed = speed
    }

    /// Sets the time of the run to `time`.
    package mutating func move(to time: StreamTime, at now: Int64) {
        origin = time
        since = now
    }
}

extension Int64 {
    /// Makes the nearest integer that can be represented.
    fileprivate init(clamping value: Double) { self = value < 9.2e18 ? Int64(value) : .max }
}
