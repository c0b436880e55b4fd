import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// A generator of `docs/sinks.md` from the declarations of the sinks.
struct SinkPage {
    private static let head = """
        # Sinks

        A sink delivers the outputs of a stream to a receiver. A document lists its sinks under `"sinks"`, beside its
        source and operators. This page is generated from the declarations in `Sources/SluiceStreams/Sinks`.

        ```json
        {
          "source": {"poll": {"url": "https://api.example.com/price", "seconds": 5}},
          "operators": [{"id": "big", "filter": {"expression": "x.price > 10.0"}}],
          "sinks": [
            {"id": "hook", "post": {"url": "https://hooks.example.com/T1", "body": "{'text': 'price is ' + string(x.price)}"}}
          ]
        }
        ```

        A sink is an object with one key that names its kind, optionally with `id`, `note`, and `disabled`. Its id is its
        identity through all edits: with it a sink keeps its cursor. Ids are unique within a document, operators included.
        `disabled` holds deliveries back: the outputs wait. The sinks of a stream that another one refers to (`ref`) are no
        part of the reference.

        ## Delivery

        The hub delivers what is stored, so that an output is delivered through kills, outages, and edits:

        - **At least once, in order.** Each sink has a cursor of its own, which is stored after the receiver has acknowledged
          the output. With `concurrency`, outputs of one `key` are in order, and at most 1,024 outputs are acknowledged while an
          earlier one is not. While the store takes no acknowledgments, no further attempt begins.
        - **One request for each output.** Expressions are evaluated before an output is first attempted. The request is stored
          before it is sent, and each further attempt repeats it, also after a kill and after an edit. Requests are made ahead
          of the attempts, up to 4 MB for a sink. Streams evaluate by turns: expensive expressions delay their own stream alone.
        - **A key for each request.** `Idempotency-Key: "STREAM/RUN/SINK/SEQUENCE"` names the delivery in all its attempts. RUN
          is an identifier (a ULID) that no other run of any hub has. A batch has the SEQUENCE of its first output. A receiver
          that ignores a key that it has seen processes each output exactly once.
        - **Retries without end.** A failed attempt is repeated after 1 second to 5 minutes, with exponential backoff and full
          jitter, and not before the time that `Retry-After` names. A failure that repeating can't mend is final: an
          answer from 400 to 499 except 408, 425, and 429, an address that the hub may not reach, or an expression that fails.
          A [`stack`](stacks.md#stacks-of-sources-and-sinks) sets other waits, a number of attempts after which a failure is
          final, and filters such as a timeout or a rate.
        - **`onFailure`** decides what follows a final failure. `block` (the default) stops the sink at this output, and shows
          the request and the answer; an edit of the sink, `retry`, or `skip` continues it. An edit renders the output
          again, under a key that ends with `/2`. `skip` moves the output to the dead letters. `fail` fails the run; when it
          is resumed, the output is attempted again.
        - **Dead letters** are listed, inspected, sent again, and dropped ([API](hub-api.md#sinks), `sluice dead-letters`). A
          letter that is sent again is rendered again, under a key that ends with `/2`, `/3`, and so on. Of one stream, 16
          letters are sent at the same time, and the others wait. A stream has at most 10,000 dead letters. A sink that skips
          another output is blocked then, says so in its error, and continues when a letter was dropped or delivered.
        - **Nothing is dropped.** An output is kept until every sink has it. While 10,000 outputs or 64 MB wait for a sink, the
          stream waits and its sources are not read.
        - **A new sink** begins where `from` says. An edited sink keeps its cursor, also if its kind changes. A sink that is
          dropped loses it. The [plan](streams-live.md#the-plan) of an edit says which sinks are kept, added, and dropped. What
          a stream has put out is delivered after its run has ended too; `reset` deletes what was not delivered.

        Sinks deliver where a hub runs the stream, where a member of a group (`sluice follow`) holds its
        [lease](hub-clients.md#streams-with-sinks), on [workers](cluster.md#workers), and in `sluice run`. Only the
        last keeps nothing: it ends when every sink has all outputs, with 69 when one is blocked, and what it has not
        delivered is lost with it. `--no-sinks` delivers nothing, as `--virtual` does. A program has the same as
        `LocalDeliveries`. Tests of documents deliver nothing; a [test](tests.md#deliveries) says what would be
        delivered.

        ## Parameters of every sink

        """

    var text: String {
        var lines = [Self.head]
        lines += table(SinkRules.parameters)
        lines += [
            "",
            "`when` and `key` see one output as `x`. In the other expressions, `x` is the output, or the list of a batch.",
            "`batch` and `concurrency` can't be combined.",
        ]
        for kind in SinkKind.all {
            lines += ["", "## \(kind.name)", "", kind.summary, ""] + table(kind.own) + ["", kind.documentation]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func table(_ parameters: [Parameter]) -> [String] {
        ["| parameter | default | |", "|---|---|---|"]
            + parameters.map { parameter in
                let standard = parameter.standard.map { "`\($0.string ?? $0.description)`" }
                return
                    "| `\(parameter.name)` | \(parameter.isRequired ? "required" : standard ?? "") | \(parameter.meaning) |"
            }
    }
}

@Suite struct SinkPageTests {
    /// Compares the page with the declarations; `SLUICE_UPDATE_DOCS=1` updates the page.
    @Test func isWhatTheDeclarationsSay() throws {
        let url = DiagramTests.root.appending(path: "docs/sinks.md")
        let text = SinkPage().text
        if ProcessInfo.processInfo.environment["SLUICE_UPDATE_DOCS"] != nil {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let page = try? String(contentsOf: url, encoding: .utf8)
        #expect(page == text, "docs/sinks.md differs from the declarations; SLUICE_UPDATE_DOCS=1 updates it")
    }

    @Test func everySinkIsDescribed() {
        for kind in SinkKind.all {
            #expect(!kind.summary.isEmpty && kind.documentation.contains("```json"), "\(kind.name)")
            for parameter in kind.parameters { #expect(!parameter.meaning.isEmpty, "\(kind.name).\(parameter.name)") }
        }
    }

    /// The examples of the page are sinks of valid documents.
    @Test func everyExampleIsValid() throws {
        for kind in SinkKind.all {
            let example = try #require(kind.documentation.split(separator: "```").first { $0.hasPrefix("json\n") })
            let document = #"{"source": {"values": [1]}, "sinks": [\#(example.dropFirst(5))]}"#
            #expect(try StreamDocument(parsing: document).sinks.map(\.name) == [kind.name])
        }
    }
}
