/// The treatment of an item for which an operator fails.
///
/// In a document: `"onError": "drop"` among the operator's parameters.
public enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
    /// The stream fails: the default for all operators.
    case fail
    /// The item is omitted.
    case drop
    /// The item is omitted, and the error is reported separately from the values: ``StreamEvent/Kind/reported(_:)``.
    case report

    /// Treats an error.
    @usableFromInline func take<Value>(_ error: any Error, _ scope: Scope, _ sink: Sink<Value>) {
        switch self {
        case .fail: sink.finish(.failed(error))
        case .drop: break
        case .report: scope.run.report(StreamError(error))
        }
    }
}
