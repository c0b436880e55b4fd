import SluiceFilters
import SluiceStreams

/// How the time of a run goes along that of a timer: at a speed, or not at all.
struct Pace: Sendable, Equatable {
    /// What speeds there are.
    static let speeds = 0.01...100.0

    /// How many seconds of the run pass in one.
    private(set) var speed: Double
    /// Whether time stands still.
    private(set) var isPaused: Bool
    /// When it was what time, in nanoseconds of the timer.
    private var since: Int64
    private var origin: StreamTime

    /// A pace at which it is `time` at `now`.
    init(_ time: StreamTime = .zero, at now: Int64, speed: Double = 1, isPaused: Bool = false) {
        self.speed = speed
        self.isPaused = isPaused
        since = now
        origin = time
    }

    /// The time of the run at `now`.
    func time(at now: Int64) -> StreamTime {
        guard !isPaused, now > since else { return origin }
        return StreamTime(origin.duration + .nanoseconds(Int64(clamping: Double(now - since) * speed)))
    }

    /// When it will be `time`; `nil` while time stands still.
    func instant(of time: StreamTime) -> Int64? {
        guard !isPaused else { return nil }
        let left = Double(max(0, time.nanoseconds - origin.nanoseconds)) / speed
        // Rounded up, so that the time has come when the timer wakes.
        return since.advanced(byClamping: Int64(clamping: left.rounded(.up)))
    }

    /// Stops time.
    mutating func pause(at now: Int64) {
        move(to: time(at: now), at: now)
        isPaused = true
    }

    /// Lets time go on.
    mutating func resume(at now: Int64) {
        move(to: time(at: now), at: now)
        isPaused = false
    }

    /// Has time go at another speed from now on.
    mutating func change(speed: Double, at now: Int64) {
        move(to: time(at: now), at: now)
        self.speed = speed
    }

    /// Makes it `time` now.
    mutating func move(to time: StreamTime, at now: Int64) {
        origin = time
        since = now
    }
}

extension Int64 {
    /// The nearest integer that there is.
    fileprivate init(clamping value: Double) { self = value < 9.2e18 ? Int64(value) : .max }
}
