/// What becomes of an item at which an operator fails.
///
/// In a document: `"onError": "drop"` among the operator's parameters.
public enum ErrorRoute: String, Sendable, Hashable, CaseIterable {
    /// The stream fails: the default everywhere.
    case fail
    /// The item is left out.
    case drop
    /// The item is left out, and the error is put out beside the values: ``StreamEvent/Kind/reported(_:)``.
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
