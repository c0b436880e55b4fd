/// How a call ended.
enum Ending<Value: Sendable>: Sendable {
    case value(Value)
    case error(any Error)
    case canceled

    /// The same, for those who know two ends.
    var result: Result<Value, any Error> {
        switch self {
        case .value(let value): .success(value)
        case .error(let error): .failure(error)
        case .canceled: .failure(CancellationError())
        }
    }
}
