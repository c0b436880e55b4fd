internal import SluiceJSON

extension StackKind {
    /// The filters that a document can name, in the order of the documentation.
    static let filters: [StackKind] = [
        StackKind("timeout", [.required("seconds", .seconds(isPositive: true))]),
        StackKind("deadline", []),
        StackKind(
            "retry",
            [
                .optional("maxAttempts", .count(1...1000), 3), .optional("backoff", .backoff),
                .optional("longestHint", .seconds(isPositive: false), 60), .optional("budget", .budget),
            ]
        ),
        StackKind("hedge", [.optional("extraLoad", .share, 0.01), .optional("budget", .budget)]),
        StackKind(
            "breaker",
            [
                .optional("opensOn", .list(.condition, atMost: 10)), .optional("backoff", .pause),
                .optional("probes", .count(1...10_000), 10), .optional("mode", .choice(modes), "automatic"),
            ]
        ),
        StackKind(
            "concurrency",
            [
                .required("limit", .concurrency), .optional("queue", .count(0...1_000_000), 0),
                .optional("wait", .seconds(isPositive: false)),
                .optional("order", .choice(["oldestFirst", "newestFirst"]), "oldestFirst"),
                .optional("busy", .seconds(isPositive: false)),
            ]
        ),
        StackKind(
            "rate",
            [
                .required("limit", .count(1...1_000_000_000)), .optional("seconds", .seconds(isPositive: true), 1),
                .optional("burst", .count(1...1_000_000_000), 1), .optional("wait", .seconds(isPositive: false), 0),
                .optional("by", .text), .optional("keys", .count(1...1_000_000)),
            ]
        ),
        StackKind(
            "shedding",
            [
                .optional("refused", .share, 0.5), .optional("seconds", .seconds(isPositive: true), 120),
                .optional("atMost", .share, 0.75), .optional("minimumRate", .count(0...1_000_000_000), 5),
            ]
        ),
        StackKind("singleFlight", [.required("by", .text)]),
        StackKind("fallback", [.required("value", .value)]),
        StackKind("debounce", [.required("seconds", .seconds(isPositive: true))]),
        StackKind("throttle", [.required("seconds", .seconds(isPositive: true))]),
        StackKind(
            "chaos",
            [
                .required("inject", .list(.injection, atMost: 100)), .optional("seed", .count(0...Int.max)),
                .optional("enabled", .bool, true),
            ]
        ),
        StackKind("use", [.required("name", .text)]),
    ]

    static let modes: [String] = [
        Breaker.Mode.automatic, .forcedOpen, .metricsOnly, .disabled,
    ].map(\.rawValue)

    static let budget: [StackParameter] = [
        .optional("ratio", .number(0...10), 0.2), .optional("minimumPerSecond", .count(0...100_000), 10),
        .optional("seconds", .number(1...60), 10),
    ]

    static let balancer: [StackParameter] = [
        .optional("policy", .choice(["roundRobin", "leastLoaded", "peakEWMA"]), "leastLoaded"),
        .optional("decay", .seconds(isPositive: true)),
        .required("endpoints", .list(.text, atMost: 10_000)),
        .optional("opensOn", .list(.condition, atMost: 10)),
        .optional("backoff", .pause),
        .optional("maximumShare", .share, 1),
        .optional("panicThreshold", .share, 0),
        .optional("slowStart", .seconds(isPositive: false), 0),
        .optional("filters", .filters),
    ]
}
