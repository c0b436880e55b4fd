import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Plays a diagram with a `frame` of seconds for each character (0.001 by default); each subscription plays it from
    /// its start.
    ///
    /// ```marbles
    /// {"marbles": {"text": "-a-'x y'-3|", "frame": 1, "values": {"a": 7}}}
    /// -7-'x y'-3|
    /// ```
    ///
    /// `hot` (the default for a diagram with a `^`): plays it once in a run, from its start or from the `^`, for all
    /// subscribers.
    ///
    /// ```marbles
    /// {"marbles": {"text": "1-^2-3|", "frame": 1}}
    /// -2-3|
    /// ```
    static let marbles = SourceKind(
        "marbles",
        summary: "Emits the values of a marble diagram",
        [
            .text("text"), .seconds("frame", isPositive: true, isRequired: false), .bool("hot"),
            Parameter(name: "values", form: .object, isRequired: false),
        ],
        bare: "text"
    ) { stage in
        guard let text = stage.text("text") else { return .never }
        let isHot = stage.bool("hot", default: text.contains("^"))
        var values = JSON.Object()
        for (key, value) in stage.object("values") { values[key] = value }
        do throws(MarbleError) {
            let frame = stage.optionalSeconds("frame") ?? Marbles.defaultFrame
            let marbles = try Marbles(parsing: text, isHot ? .hot : .cold, frame: frame, values: values)
            let timeline = try Timeline(marbles)
            return isHot ? .hot(timeline, number: stage.compiler.nextHot()) : .cold(timeline)
        } catch {
            stage.note("text", error.message, hint: error.hint)
            return .never
        }
    }
}

extension Timeline<CELValue> {
    /// Creates the timeline of a diagram's subscriber.
    init(_ marbles: Marbles) throws(MarbleError) {
        var entries: [Entry] = []
        for event in marbles.received {
            switch event.kind {
            case .value(let json):
                do throws(CELError) { entries.append(Entry(time: event.time, event: .value(try CELValue(json)))) } catch
                {
                    throw MarbleError(message: error.issues.first?.message ?? "\(error)")
                }
            case .completed: entries.append(Entry(time: event.time, event: .completed))
            case .failed(let error): entries.append(Entry(time: event.time, event: .failed(error)))
            case .reported: break
            }
        }
        self.entries = entries
    }
}
