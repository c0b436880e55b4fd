import SluiceJSON
import Testing

@testable import SluiceStreams

/// One mistake makes one error.
@Suite struct RepeatedErrorTests {
    private static let wrong: [JSON] = [
        nil, true, 12.5, -1, "no such thing", "x +", [], [1], [:], ["no such key": 1],
        .string(String(repeating: "(", count: 99)),
    ]

    private func errors(_ document: JSON) -> [String] {
        do {
            let document = try StreamDocument(parsing: document.description)
            _ = try CompiledDocument(document, in: StreamLibrary([document]))
            return []
        } catch { return error.errors.map { "\($0)" } }
    }

    private func expectDistinct(_ document: JSON) {
        let errors = errors(document)
        #expect(Set(errors).count == errors.count, "\(document): \(errors)")
    }

    /// Every parameter of every kind, with wrong values of all types.
    @Test func noErrorIsReportedTwice() {
        let sources = SourceKind.all.map { ($0.name, $0.parameters) }
        for (name, parameters) in sources {
            for parameter in parameters {
                for value in Self.wrong {
                    expectDistinct(["source": .object([name: .object([parameter.name: value])])])
                }
            }
        }
        for kind in OperatorKind.all {
            for parameter in kind.parameters {
                for value in Self.wrong {
                    let made: JSON = .object([kind.name: .object([parameter.name: value])])
                    expectDistinct(["source": ["values": [1]], "operators": [made]])
                }
            }
        }
        for kind in SinkKind.all {
            for parameter in kind.parameters {
                for value in Self.wrong {
                    let made: JSON = .object(["id": "s", kind.name: .object([parameter.name: value])])
                    expectDistinct(["source": ["values": [1]], "sinks": [made]])
                }
            }
        }
    }

    @Test func aWrongChoiceIsOneError() {
        let found = errors(["source": ["lines": ["path": "a.txt", "format": "jsn"]]])
        #expect(found.count == 1, "\(found)")
    }
}
