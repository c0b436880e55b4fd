package import SluiceJSON

extension SourceKind {
    /// Reads what another stream gives: one run, which any number of streams read.
    ///
    /// `stream` is the id of that stream. `of` is
    ///
    /// - `outputs` (the default): its values.
    /// - `errors`: the errors that its operators report (`"onError": "report"`), and with which its runs fail, as
    ///   `{"kind": "reported", "error": "…", "run": 1, "sequence": 7}`; `kind` is `reported` or `failed`.
    /// - `states`: its states, as `{"stream": "a", "run": 1, "state": "waiting", "reason": "…"}`. `state` is that of the run
    ///   (`running`, `paused`, `completed`, `failed`, and so on); in place of `running` it is `blocked` where a sink is
    ///   blocked, `waiting` where a source can't be reached, and `behind` where the run is late. The first one is the
    ///   present state. Without `stream` it reads the states of all other streams, so that one stream can alert about all:
    ///   first those that need attention (`failed`, `restarting`, `blocked`, `waiting`, `behind`), also after a crash, and
    ///   then every change. While it is slow, the newest state of each stream waits for it.
    ///
    /// `from` is the place where a new subscription begins: `now` (the default), `start` for everything that is kept, or the
    /// cursor of an output, such as `2-17`. A subscription survives the end, the reset, and the restart of what it reads,
    /// and goes on with the next run. A stream that doesn't exist is waited for. A slow reader delays nobody else.
    ///
    /// Hubs and workers that share NATS read each other's streams: a stream that does not run on this hub is read from whoever
    /// runs it, its outputs and errors, and not its states.
    ///
    /// Outputs that are no longer kept when it is their turn fail the stream with their number, or are left out if `missing`
    /// is `skip`. A member of a group, `sluice run --hub`, and a program with a `HubClient` read the streams of their hub in the
    /// same way. A stream can't subscribe to itself, nor to one that reads it in turn, by subscriptions or references.
    ///
    /// In virtual time it fails, unless an input of a test replaces it:
    ///
    /// ```marbles
    /// {"subscribe": "orders"}
    /// #
    /// ```
    ///
    /// - **Retries**: nothing is requested. If the store can't be read, the stream waits, and tries again.
    /// - **After a crash**: continues after the last output that was stored. Of `states`, those of the time in which the hub
    ///   didn't run are lost.
    static let subscribe = SourceKind(
        "subscribe",
        summary: "Reads the outputs, the errors, or the states of another stream of the hub",
        [
            .text("stream", isRequired: false), .choice("of", StreamSubscription.Subject.allCases.map(\.rawValue)),
            .text("from", isRequired: false), .choice("missing", StreamSubscription.Missing.allCases.map(\.rawValue)),
        ],
        bare: "stream"
    ) { stage in
        if stage.written("stream")?.string?.contains("${") ?? false {
            stage.note("stream", "name the stream itself: a parameter could close a cycle of subscriptions")
        }
        if let text = stage.text("from"), SinkRules.Start(text) == nil {
            stage.note(
                "from",
                "expected now, start, or the cursor of an output, such as 2-17, found \(JSON.string(text))"
            )
        }
        if !stage.has("stream"), stage.choice("of") != StreamSubscription.Subject.states.rawValue {
            stage.note("stream", "name the stream to read; only the states are read of all (\"of\": \"states\")")
        }
        if stage.choice("of") == StreamSubscription.Subject.states.rawValue {
            for name in ["from", "missing"] where stage.has(name) {
                stage.note(name, "states have no cursor: leave this out")
            }
        }
        if let stream = stage.text("stream"), let cycle = stage.compiler.cycles[stream] {
            stage.note("stream", "a cycle of subscriptions: \(cycle)")
        }
        return stage.outside("subscribe", standingFor: "stream")
    }
}

/// The subscription of a stream to another one.
package struct StreamSubscription: Sendable, Hashable {
    /// The part of a stream that is read.
    package enum Subject: String, Sendable, CaseIterable {
        case outputs, errors, states
    }

    /// The treatment of outputs that are no longer kept.
    package enum Missing: String, Sendable, CaseIterable {
        case fail, skip
    }

    /// The id of the stream that is read; `nil` for the states of all.
    package let stream: String?
    package let subject: Subject
    /// The place where a new subscription begins.
    package let start: SinkRules.Start
    package let missing: Missing

    /// Reads the arguments of the source `subscribe`.
    ///
    /// - Throws: ``StreamError`` for invalid arguments.
    package init(_ arguments: JSON) throws(StreamError) {
        let stream = arguments["stream"]?.string
        guard let subject = Subject(rawValue: arguments["of"]?.string ?? Subject.outputs.rawValue),
            let start = SinkRules.Start(arguments["from"]?.string ?? "now"),
            let missing = Missing(rawValue: arguments["missing"]?.string ?? Missing.fail.rawValue),
            stream != nil || subject == .states
        else { throw StreamError(message: "invalid arguments of subscribe: \(arguments)") }
        (self.stream, self.subject, self.start, self.missing) = (stream, subject, start, missing)
    }
}

extension StreamPipeline {
    /// The ids of the streams that it subscribes to, in the order of the document.
    package var subscriptions: [String] { texts(of: "stream", ofSource: SourceKind.subscribe.name) }
}
