import Sluice
import SluiceJSON
import Testing

@testable import SluiceStreams

/// The source `subject` and the sink `publish` as parts of documents.
@Suite(.timeLimit(.minutes(20))) struct SubjectTests {
    private func errors(_ text: String) -> [String] {
        do {
            _ = try CompiledDocument(StreamDocument(parsing: text), in: StreamLibrary())
            return []
        } catch { return error.errors.map { "\($0.path): \($0.message)" } }
    }

    @Test(arguments: [
        #""orders.in""#, #""orders.*""#, #""orders.>""#, #"{"subject": "a", "format": "text", "as": "message"}"#,
        #"{"subject": "a", "from": "now", "consumer": "work-1", "buffer": {"size": 10}}"#, #""${s}""#,
    ])
    func aSourceIsAccepted(_ arguments: String) {
        #expect(errors(#"{"parameters": {"s": "a.b"}, "source": {"subject": \#(arguments)}}"#) == [])
    }

    @Test(arguments: [
        (#""a b""#, "is not a subject"), (#""a..b""#, "is not a subject"), (#""a.>.b""#, "is not a subject"),
        (#"{}"#, "subject"), (#"{"subject": "a", "format": "xml"}"#, "is not allowed here"),
        (#"{"subject": "a", "as": "x"}"#, "is not allowed here"),
        (#"{"subject": "a", "from": 7}"#, "expected a string"),
        (#"{"subject": "a", "consumer": "a b"}"#, "is not a name"),
        (#"{"subject": "a", "consumer": ""}"#, "is not a name"),
        (#"{"subject": "a", "other": 1}"#, "other"),
    ])
    func aWrongSourceIsRefused(_ arguments: String, _ reason: String) {
        let found = errors(#"{"source": {"subject": \#(arguments)}}"#)
        #expect(found.count == 1 && found[0].contains(reason), "\(found)")
    }

    @Test(
        arguments: [
            (#"{"subject": "a"}"#, nil), (#"{"subject": "a.b", "value": "x.total", "when": "x.total > 1"}"#, nil),
            (#"{"subject": "a.*"}"#, "is not a subject without wildcards"), (#"{"subject": ""}"#, "is not a subject"),
            (#"{}"#, "subject"), (#"{"subject": "a", "concurrency": 4, "key": "x"}"#, "must be 1"),
        ] as [(String, String?)]
    )
    func aSinkIsChecked(_ arguments: String, _ reason: String?) {
        let found = errors(#"{"source": {"values": [{"total": 1}]}, "sinks": [{"id": "s", "publish": \#(arguments)}]}"#)
        if let reason {
            #expect(found.count == 1 && found[0].contains(reason), "\(found)")
        } else {
            #expect(found == [])
        }
    }

    /// Workers find the subject in the short form, in the long one, and behind a parameter.
    @Test(arguments: [
        #"{"subject": "a.b"}"#, #"{"subject": {"subject": "a.b", "as": "message"}}"#, #"{"subject": "${s}"}"#,
        #"{"outside": {"name": "subject", "arguments": {"subject": "a.b"}}}"#,
    ])
    func theSubjectIsFound(_ source: String) throws {
        let document = try StreamDocument(parsing: #"{"parameters": {"s": "a.b"}, "source": \#(source)}"#)
        let found = try #require(document.outsideSource)
        #expect(found.name == "subject" && found.arguments["subject"] == "a.b")
    }

    @Test func textsAreTexts() throws {
        let text =
            #"{"source": {"subject": {"subject": "a", "format": "text"}}, "operators": [{"map": {"expression": "x + 1"}}]}"#
        #expect(errors(text).count == 1)
    }

    /// A run that nobody stores has taken an item for good; one that is stored has it when the store says so.
    @Test(arguments: [false, true]) func theCallComesWhenTheItemIsStored(_ isStored: Bool) async throws {
        let count = Locked(0)
        var host = StreamHost()
        host.register("subject", hasPositions: true) { _, inlet in
            try await inlet.send(1, at: "1")
            try await inlet.send(2, at: "2", awaitedBy: StreamDelivery { count.withLock { $0 += 1 } })
            let forever = AsyncStream<Never> { _ in }
            for await _ in forever {}
        }
        let document = try StreamDocument(parsing: #"{"source": {"subject": "a"}}"#)
        let ready = ReadySources()
        let inputs = OutsideInputs(host, ready)
        inputs.isStored = isStored
        let run = StreamRun(beginning: try CompiledDocument(document, in: StreamLibrary()), StreamLimits(), inputs)
        run.advance(to: .zero)
        var values: [JSON] = []
        while values.count < 2 {
            if let event = run.next() {
                values += [event.value].compactMap(\.self)
            } else if !run.letIn(at: .zero) {
                await Task.yield()
            }
        }
        #expect(values == [1, 2])
        let notes = run.takeStoreNotes()
        #expect(count.withLock { $0 } == (isStored ? 0 : 1) && notes.count == (isStored ? 1 : 0))
        for note in notes { note() }
        #expect(count.withLock { $0 } == 1 && run.takeStoreNotes().isEmpty)
    }
}
