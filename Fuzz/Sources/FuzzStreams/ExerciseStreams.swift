import SluiceJSON
import SluiceStreams

// Shared by the fuzzer and by the tests that replay its corpus (a link in Tests/SluiceStreamsTests/Document).

/// Reads the bytes as a document, writes what was read, runs it, and says what is not as it must be.
func exerciseStreams(_ bytes: [UInt8]) -> [String] {
    let document: StreamDocument
    do throws(JSONErrors) { document = try StreamDocument(preserving: bytes) } catch { return check(error) }
    if let errors = document.errors { return check(errors) }
    var problems: [String] = []
    let text = document.canonicalText
    do throws(JSONErrors) {
        let again = try StreamDocument(parsing: text)
        if again.canonicalText != text { problems.append("is not stable: \(text)") }
        if again.pipeline != document.pipeline { problems.append("reads back differently: \(text)") }
        let identified = document.pipeline.identified()
        if identified.identified() != identified { problems.append("ids are not stable: \(text)") }
    } catch {
        problems.append("does not read back: \(error)")
    }
    do throws(JSONErrors) {
        let flow = try document.flow()
        let (first, second) = (run(flow), run(flow))
        if first != second { problems.append("runs differently: \(text)") }
        if zip(first, first.dropFirst()).contains(where: { $0.time > $1.time || $0.isLast }) {
            problems.append("is not in order: \(text)")
        }
        for event in first { _ = event.line }
    } catch {
        // A reference that leads nowhere: all else was checked when the document was read.
        problems += check(error)
        if document.pipeline.references.isEmpty { problems.append("checks and does not run: \(error)") }
    }
    return problems
}

/// The first events; little may happen at once, and little be held.
private func run(_ flow: Flow<JSON>) -> [StreamEvent<JSON>] {
    let limits = StreamLimits(eventsPerInstant: 300, heldItems: 300)
    return Array(flow.virtualEvents(until: StreamTime(seconds: 100), limits: limits).prefix(300))
}

private func check(_ errors: JSONErrors) -> [String] {
    if errors.errors.isEmpty { return ["errors without an error"] }
    return errors.errors.compactMap { error in
        error.message.isEmpty || error.position.line < 1 || error.position.column < 1 ? "bad place: \(error)" : nil
    }
}
