import SluiceJSON

/// The rules of delivery that a sink declares, which are the same for every kind.
package struct SinkRules: Sendable, Hashable {
    /// The treatment of an output whose delivery has failed for good.
    package enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
        /// The sink stops at the output until it is edited, or asked to retry or to skip.
        case block
        /// The output goes to the dead letters.
        case skip
        /// The run fails.
        case fail
    }

    /// The outputs with which a new sink begins.
    package enum Start: Sendable, Hashable {
        /// Those that come after the sink was added.
        case now
        /// All that are kept.
        case start
        /// Those after an output of a run.
        case after(run: Int, sequence: Int)
    }

    /// The largest number of outputs that are delivered at the same time.
    package var concurrency = 1
    /// The largest number of outputs in one delivery; 1 for no batches.
    package var batchCount = 1
    /// The longest time for which a batch collects outputs, in seconds; `nil` for no limit.
    package var batchSeconds: Double?
    /// The outputs with which a new sink begins.
    package var start = Start.now
    /// The treatment of an output whose delivery has failed for good.
    package var onFailure = FailurePolicy.block

    /// The filter stack of the attempts.
    package var stack: ConnectorStack?

    /// Creates the default rules.
    package init() {}

    /// The largest batch.
    static let largestBatch = 1000
    /// The largest concurrency.
    static let largestConcurrency = 256

    /// The parameters that every sink has.
    static let parameters: [Parameter] = [
        .expression("when", isRequired: false).meaning("a condition; outputs for which it is false are not delivered"),
        Parameter(name: "batch", form: .object, isRequired: false)
            .meaning(
                "`{\"count\": N, \"seconds\": S}`: outputs are collected up to a count or a time, and `x` is the list"
            ),
        .count("concurrency", least: 1, isRequired: false).standard(1)
            .meaning("the number of outputs that are delivered at the same time, up to 256"),
        .expression("key", isRequired: false)
            .meaning("with `concurrency`: outputs of the same key are delivered one after the other, in order"),
        .text("from", isRequired: false).standard("now")
            .meaning("where a new sink begins: `now`, `start`, or the cursor of an output, such as `2-17`"),
        .choice("onFailure", FailurePolicy.allCases.map(\.rawValue)).standard("block")
            .meaning("the treatment of an output whose delivery has failed for good"),
        .stack,
    ]
}

extension SinkRules.Start {
    /// Reads `now`, `start`, or a cursor such as `2-17`; `nil` for any other text.
    init?(_ text: String) {
        switch text {
        case "now": self = .now
        case "start": self = .start
        default:
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let run = Int(parts[0]), let sequence = Int(parts[1]), run > 0, sequence >= 0,
                text == "\(run)-\(sequence)"
            else { return nil }
            self = .after(run: run, sequence: sequence)
        }
    }
}
