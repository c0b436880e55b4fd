internal import SluiceJSON

/// The settings of one filter, budget, or balancer in a document, including defaults, by key.
///
/// A ``StackReader`` has checked them, so that required values are present and in range.
struct StackSettings: Sendable, Hashable {
    let json: JSON

    func int(_ key: String) -> Int? { json[key]?.int }
    func double(_ key: String) -> Double? { json[key]?.double }
    func text(_ key: String) -> String? { json[key]?.string }
    func bool(_ key: String) -> Bool? { json[key]?.bool }

    /// Returns a time, in whole nanoseconds.
    func seconds(_ key: String) -> Duration? {
        double(key).map { .nanoseconds(Int64(($0 * 1e9).rounded())) }
    }

    /// Returns the name and the settings of the single member of the object at a key.
    func named(_ key: String) -> (name: String, settings: StackSettings)? { json[key].flatMap(Self.named) }

    /// Returns the name and the settings of each element of an array.
    func list(_ key: String) -> [(name: String, settings: StackSettings)] {
        (json[key]?.array ?? []).compactMap(Self.named)
    }

    private static func named(_ json: JSON) -> (name: String, settings: StackSettings)? {
        guard let member = json.object?.first else { return nil }
        return (member.key, StackSettings(json: member.value))
    }

    /// Returns these settings without some of their keys.
    func without(_ keys: [String]) -> StackSettings {
        guard let object = json.object else { return self }
        return StackSettings(json: .object(JSON.Object(object.filter { !keys.contains($0.key) })))
    }
}

extension StackSettings {
    func backoff(_ key: String) -> Backoff? {
        guard let (name, settings) = named(key) else { return nil }
        let from = settings.seconds("from") ?? .zero
        let to = settings.seconds("to") ?? .zero
        let jitter: Backoff.Jitter =
            switch settings.text("jitter") {
            case "equal": .equal
            case "full": .full
            default: .none
            }
        return switch name {
        case "constant": .constant(settings.seconds("seconds") ?? .zero, jitter: jitter)
        case "linear": .linear(from: from, by: settings.seconds("by") ?? .zero, to: to, jitter: jitter)
        case "exponential": .exponential(from: from, by: settings.double("factor") ?? 2, to: to, jitter: jitter)
        default: .decorrelated(from: from, to: to)
        }
    }

    /// Returns the conditions at a key, of which at least one has to be true.
    func conditions(_ key: String) -> TripCondition? {
        let conditions = list(key).map { Self.condition($0, $1) }
        guard let first = conditions.first else { return nil }
        return conditions.dropFirst().reduce(first) { $0.or($1) }
    }

    private static func condition(_ name: String, _ settings: StackSettings) -> TripCondition {
        let rate = settings.double("rate") ?? 1
        let over = settings.seconds("over") ?? .zero
        let (calls, minimum) = (settings.int("calls"), settings.int("minimumCalls"))
        let (span, slices) = (settings.seconds("seconds") ?? .seconds(30), settings.int("slices") ?? 10)
        switch name {
        case "failureRate":
            if let calls { return .failureRate(rate, ofLast: calls, minimumCalls: minimum) }
            return .failureRate(rate, within: span, slices: slices, minimumCalls: minimum ?? 20)
        case "slowRate":
            if let calls { return .slowRate(rate, over: over, ofLast: calls, minimumCalls: minimum) }
            return .slowRate(rate, over: over, within: span, slices: slices, minimumCalls: minimum ?? 20)
        case "consecutiveFailures": return .consecutiveFailures(settings.int("count") ?? 5)
        default: return .averageSuccess(below: settings.double("below") ?? 0.8, over: span, minimumCalls: minimum ?? 5)
        }
    }

    /// The limit of a concurrency filter.
    var concurrencyLimit: ConcurrencyLimit {
        guard let (name, limit) = named("limit") else { return .fixed(int("limit") ?? 1) }
        let initial = limit.int("initial")
        let least = limit.int("from") ?? 20
        let bounds = least...max(limit.int("to") ?? 200, least)
        switch name {
        case "vegas": return .vegas(initial: initial, in: bounds)
        case "gradient2":
            let (tolerance, queue) = (limit.double("tolerance") ?? 1.5, limit.int("queue") ?? 4)
            return .gradient2(initial: initial, in: bounds, tolerance: tolerance, queue: queue)
        default:
            let (backoff, slow) = (limit.double("backoff") ?? 0.9, limit.seconds("slow") ?? .seconds(5))
            return .aimd(initial: initial, in: bounds, backoff: backoff, slow: slow)
        }
    }

    /// The order in which waiting calls of a concurrency filter begin.
    var waitingOrder: WaitingOrder {
        guard text("order") == "newestFirst" else { return .oldestFirst }
        return seconds("busy").map { .newestFirst(whenBusyFor: $0) } ?? .newestFirst()
    }

    /// The time in which an endpoint that is new or returns gets its full share.
    var slowStart: SlowStart { SlowStart(over: seconds("slowStart") ?? .zero) }

    /// The bounds within which a balancer takes endpoints out.
    var ejectionLimits: EjectionLimits {
        EjectionLimits(maximumShare: double("maximumShare") ?? 1, panicThreshold: double("panicThreshold") ?? 0)
    }

    /// The policy by which an endpoint is chosen.
    var policy: BalancingPolicy {
        switch text("policy") {
        case "roundRobin": .roundRobin
        case "peakEWMA": .peakEWMA(decay: seconds("decay") ?? .seconds(10))
        default: .leastLoaded
        }
    }
}
