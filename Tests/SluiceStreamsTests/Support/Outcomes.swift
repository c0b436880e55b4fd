import SluiceJSON
import SluiceStreams
import Testing

/// Returns the events of operators for one value, or for none, all at the start.
private func events(
    of value: String?,
    _ operators: String,
    limits: StreamLimits = StreamLimits()
) throws -> [StreamEvent<JSON>] {
    let source = value.map { #"{"values": [\#($0)]}"# } ?? #"{"empty": {}}"#
    let document = try StreamDocument(parsing: #"{"source": \#(source), "operators": \#(operators)}"#)
    return Array(try document.virtualEvents(limits: limits))
}

/// The only value that operators make of one.
func output(of value: String?, _ operators: String) throws -> JSON? {
    let values = try events(of: value, operators).compactMap(\.value)
    return values.count == 1 ? values[0] : nil
}

/// Returns the error of operators for one value, or for none; `nil` if they don't fail.
func failure(
    of value: String?,
    _ operators: String,
    limits: StreamLimits = StreamLimits()
) throws -> String? {
    guard case .failed(let error)? = try events(of: value, operators, limits: limits).last?.kind else { return nil }
    return error.description
}

/// Returns the errors of invalid operators, each with its path.
func errors(_ operators: String) -> [String] {
    do throws(JSONErrors) {
        _ = try StreamDocument(parsing: #"{"source": {"empty": {}}, "operators": \#(operators)}"#).flow()
        return []
    } catch {
        return error.errors.map { issue in
            "\(issue.path): \(issue.message)" + (issue.hint.map { " (\($0))" } ?? "")
        }
    }
}

/// Expects an operator to be written as a text, and read from it as it is.
func expect(_ item: Operator, isText text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try SluiceJSONEncoder().text(item) == text, sourceLocation: sourceLocation)
    #expect(try Operator(parsing: text) == item, sourceLocation: sourceLocation)
}
