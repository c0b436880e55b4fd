internal import SluiceJSON

/// A parameter of a filter kind in a stack document: a key, the form of its value, and its default.
struct StackParameter: Sendable {
    /// The form of a value.
    indirect enum Form: Sendable {
        /// A number of seconds, up to a hundred years; greater than 0 if `isPositive`.
        case seconds(isPositive: Bool)
        /// A whole number.
        case count(ClosedRange<Int>)
        /// A number.
        case number(ClosedRange<Double>)
        /// A text that is not empty.
        case text
        /// One of several texts.
        case choice([String])
        /// `true` or `false`.
        case bool
        /// Any value.
        case value
        /// The name of a budget of the document.
        case budget
        /// An object.
        case object([StackParameter])
        /// An object with exactly one key, which names the kind of the value.
        case oneOf([StackKind])
        /// A whole number, or an object with one key that names the kind of the value.
        case countOr(ClosedRange<Int>, [StackKind])
        /// From one to a maximum number of values.
        case list(Form, atMost: Int)
        /// The filters of each endpoint.
        case filters
    }

    let name: String
    let form: Form
    /// The default; `nil` is no value, or an error if the parameter is required.
    var standard: JSON?
    var isRequired = false

    static func required(_ name: String, _ form: Form) -> StackParameter {
        StackParameter(name: name, form: form, isRequired: true)
    }

    static func optional(_ name: String, _ form: Form, _ standard: JSON? = nil) -> StackParameter {
        StackParameter(name: name, form: form, standard: standard)
    }
}

/// A name with its parameters.
struct StackKind: Sendable {
    let name: String
    let parameters: [StackParameter]
    /// A Boolean value that indicates whether it is a rate, which is taken over a number of calls or over the calls in
    /// a time span.
    let isOfCalls: Bool

    init(_ name: String, _ parameters: [StackParameter], isOfCalls: Bool = false) {
        self.name = name
        self.parameters = parameters
        self.isOfCalls = isOfCalls
    }
}

extension StackParameter.Form {
    static let share = StackParameter.Form.number(0...1)
    private static let jitter = StackParameter.Form.choice(["none", "equal", "full"])

    /// The waits of a ``Backoff`` between attempts.
    static let backoff = waits(jitter: "none")

    /// The waits of a ``Backoff`` as pauses of a breaker or of an endpoint, which have jitter unless a document says
    /// otherwise.
    static let pause = waits(jitter: "equal")

    private static func waits(jitter standard: JSON) -> StackParameter.Form {
        .oneOf([
            StackKind(
                "constant",
                [.required("seconds", .seconds(isPositive: false)), .optional("jitter", jitter, standard)]
            ),
            StackKind(
                "linear",
                [
                    .required("from", .seconds(isPositive: false)), .required("by", .seconds(isPositive: false)),
                    .required("to", .seconds(isPositive: false)), .optional("jitter", jitter, standard),
                ]
            ),
            StackKind(
                "exponential",
                [
                    .required("from", .seconds(isPositive: false)), .optional("factor", .number(1...1000), 2),
                    .required("to", .seconds(isPositive: false)), .optional("jitter", jitter, "full"),
                ]
            ),
            StackKind(
                "decorrelated",
                [.required("from", .seconds(isPositive: false)), .required("to", .seconds(isPositive: false))]
            ),
        ])
    }

    /// The conditions that open a breaker or take an endpoint out: a ``TripCondition``.
    static let condition = StackParameter.Form.oneOf([
        StackKind("failureRate", [.required("rate", .share)] + window, isOfCalls: true),
        StackKind(
            "slowRate",
            [.required("rate", .share), .required("over", .seconds(isPositive: false))] + window,
            isOfCalls: true
        ),
        StackKind("consecutiveFailures", [.optional("count", .count(1...1_000_000), 5)]),
        StackKind(
            "averageSuccess",
            [
                .optional("below", .share, 0.8), .optional("seconds", .seconds(isPositive: true), 30),
                .optional("minimumCalls", .count(1...1_000_000), 5),
            ]
        ),
    ])

    /// Either a number of calls or a time span.
    private static let window: [StackParameter] = [
        .optional("calls", .count(1...100_000)), .optional("seconds", .seconds(isPositive: true)),
        .optional("slices", .count(1...100)), .optional("minimumCalls", .count(1...1_000_000)),
    ]

    static let injection = StackParameter.Form.oneOf([
        StackKind(
            "latency",
            [
                .required("rate", .share), .required("from", .seconds(isPositive: false)),
                .optional("to", .seconds(isPositive: false)),
            ]
        ),
        StackKind("fault", [.required("rate", .share), .optional("message", .text, "injected fault")]),
        StackKind("answer", [.required("rate", .share), .required("value", .value)]),
    ])

    static let concurrency = StackParameter.Form.countOr(
        1...1_000_000,
        [
            StackKind(
                "aimd",
                bounds + [
                    .optional("backoff", .number(0.5...1), 0.9), .optional("slow", .seconds(isPositive: true), 5),
                ]
            ),
            StackKind(
                "gradient2",
                bounds + [.optional("tolerance", .number(1...100), 1.5), .optional("queue", .count(0...1_000_000), 4)]
            ),
            StackKind("vegas", bounds),
        ]
    )

    /// The bounds of a concurrency limit that adapts.
    private static let bounds: [StackParameter] = [
        .optional("initial", .count(1...1_000_000)), .optional("from", .count(1...1_000_000), 20),
        .optional("to", .count(1...1_000_000), 200),
    ]
}
