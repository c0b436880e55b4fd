internal import Sluice
internal import SluiceJSON

/// A builder of filters from a document's entries that records errors for missing bindings.
struct StackBuilder<Request: Sendable, Response: Sendable> {
    typealias ErasedFilter = any SimpleFilter<Request, Response>

    let bindings: StackBindings<Request, Response>
    let budgets: [String: RetryBudget]
    var errors: [JSONError] = []

    private var classify: Classifier<Request, Response> {
        bindings.classify ?? RequestSemantics<Request, Response>.classifier() ?? { ResponseClass.of($1) }
    }

    /// Returns the filter of an entry, or `nil` if something is missing; `breaker` is the existing breaker to keep.
    mutating func filter(_ entry: StackDocument.Entry, breaker: Breaker?) -> ErasedFilter? {
        let settings = entry.settings
        let clock = bindings.clock
        switch entry.kind {
        case "timeout": return TimeoutFilter<Request, Response>(settings.seconds("seconds") ?? .zero, clock: clock)
        case "deadline": return DeadlineFilter<Request, Response>(clock: clock)
        case "retry": return retry(settings)
        case "hedge":
            return HedgeFilter<Request, Response>(
                extraLoad: settings.double("extraLoad") ?? 0,
                budget: settings.text("budget").flatMap { budgets[$0] },
                isIdempotent: bindings.isIdempotent,
                classify: classify,
                clock: clock
            )
        case "breaker":
            return BreakerFilter<Request, Response>(breaker ?? self.breaker(settings), classify: bindings.classify)
        case "concurrency":
            return ConcurrencyFilter<Request, Response>(
                settings.concurrencyLimit,
                queue: settings.int("queue") ?? 0,
                wait: settings.seconds("wait"),
                order: settings.waitingOrder,
                priority: bindings.priority,
                classify: bindings.classify,
                clock: clock
            )
        case "rate": return rate(settings, entry)
        case "shedding":
            return SheddingFilter<Request, Response>(
                refused: settings.double("refused") ?? 0.5,
                over: settings.seconds("seconds") ?? .zero,
                atMost: settings.double("atMost") ?? 0,
                minimumRate: settings.int("minimumRate") ?? 0,
                random: bindings.random,
                clock: clock
            )
        case "singleFlight":
            return key(settings, entry).map { SingleFlightFilter<Request, Response>(key: $0, clock: clock) }
        case "fallback":
            return answer(settings.json["value"], entry).map { answer in FallbackFilter { _, _ in answer } }
        case "debounce":
            return DebounceFilter<Request, Response>(delay: settings.seconds("seconds") ?? .zero, clock: clock)
        case "throttle":
            return ThrottleFilter<Request, Response>(delay: settings.seconds("seconds") ?? .zero, clock: clock)
        case "chaos": return chaos(settings, entry)
        default: return used(settings, entry)
        }
    }

    func breaker(_ settings: StackSettings) -> Breaker {
        let backoff = settings.backoff("backoff") ?? .constant(.seconds(60))
        let probes = settings.int("probes") ?? 10
        guard let condition = settings.conditions("opensOn") else {
            return Breaker(backoff: backoff, probes: probes, clock: bindings.clock, random: bindings.random)
        }
        return Breaker(
            opensOn: condition,
            backoff: backoff,
            probes: probes,
            clock: bindings.clock,
            random: bindings.random
        )
    }

    private func retry(_ settings: StackSettings) -> ErasedFilter {
        RetryFilter<Request, Response>(
            maxAttempts: settings.int("maxAttempts") ?? 3,
            backoff: settings.backoff("backoff") ?? .none,
            longestHint: settings.seconds("longestHint") ?? .zero,
            budget: settings.text("budget").flatMap { budgets[$0] },
            isIdempotent: bindings.isIdempotent,
            classify: classify,
            clock: bindings.clock,
            random: bindings.random
        )
    }

    private mutating func rate(_ settings: StackSettings, _ entry: StackDocument.Entry) -> ErasedFilter? {
        let limit = settings.int("limit") ?? 1
        let period = settings.seconds("seconds") ?? .seconds(1)
        let (burst, wait) = (settings.int("burst") ?? 1, settings.seconds("wait") ?? .zero)
        guard settings.text("by") != nil else {
            return RateFilter<Request, Response>(limit, per: period, burst: burst, wait: wait, clock: bindings.clock)
        }
        guard let key = key(settings, entry) else { return nil }
        return RateFilter<Request, Response>(
            limit,
            per: period,
            burst: burst,
            wait: wait,
            keys: settings.int("keys") ?? 10_000,
            clock: bindings.clock,
            by: key
        )
    }

    private mutating func chaos(_ settings: StackSettings, _ entry: StackDocument.Entry) -> ErasedFilter? {
        var injections: [ChaosInjection<Request, Response>] = []
        for (name, settings) in settings.list("inject") {
            let rate = settings.double("rate") ?? 0
            switch name {
            case "latency":
                let from = settings.seconds("from") ?? .zero
                injections.append(.latency(rate: rate, from...max(settings.seconds("to") ?? from, from)))
            case "fault":
                let error = InjectedError(message: settings.text("message") ?? "")
                injections.append(.fault(rate: rate) { _ in error })
            default:
                guard let answer = answer(settings.json["value"], entry) else { return nil }
                injections.append(.answer(rate: rate) { _ in answer })
            }
        }
        let isEnabled = settings.bool("enabled") ?? true
        return ChaosFilter(
            injections,
            isEnabled: { isEnabled },
            clock: bindings.clock,
            random: settings.int("seed").map { RandomSource(seed: UInt64($0)) } ?? bindings.random
        )
    }

    private mutating func used(_ settings: StackSettings, _ entry: StackDocument.Entry) -> ErasedFilter? {
        let name = settings.text("name") ?? ""
        if let filter = bindings.filters[name] { return filter }
        note(entry, "there is no filter \(JSON.string(name)) here", hint: known(bindings.filters.keys))
        return nil
    }

    private mutating func key(
        _ settings: StackSettings,
        _ entry: StackDocument.Entry
    ) -> (@Sendable (Request) -> String)? {
        let name = settings.text("by") ?? ""
        if let key = bindings.keys[name] { return key }
        note(entry, "there is no key \(JSON.string(name)) here", hint: known(bindings.keys.keys))
        return nil
    }

    private mutating func answer(_ json: JSON?, _ entry: StackDocument.Entry) -> Response? {
        guard let answer = bindings.answer else {
            note(entry, "answers cannot be made of a document here", hint: "give `answer:` to StackBindings")
            return nil
        }
        do { return try answer(json ?? .null) } catch {
            note(entry, "this isn't a valid response: \(error)")
            return nil
        }
    }

    private func known(_ names: some Sequence<String>) -> String? {
        let names = names.sorted()
        return names.isEmpty ? nil : "known: " + names.joined(separator: ", ")
    }

    private mutating func note(_ entry: StackDocument.Entry, _ message: String, hint: String? = nil) {
        let path = entry.path.appending(entry.kind)
        errors.append(JSONError(.invalidValue, message, hint: hint, path: path, at: entry.position))
    }
}
