public import SluiceJSON

// Filtering. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// ``Operator/filter(_:onError:)``.
    public func filter(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.filter(expression, onError: onError))
    }

    /// ``Operator/prefix(_:)``.
    public func prefix(_ count: Int) -> StreamModel { applying(.prefix(count)) }

    /// ``Operator/prefixWhile(_:inclusive:onError:)``.
    public func prefixWhile(_ expression: String, inclusive: Bool = false, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.prefixWhile(expression, inclusive: inclusive, onError: onError))
    }

    /// ``Operator/suffix(_:)``.
    public func suffix(_ count: Int) -> StreamModel { applying(.suffix(count)) }

    /// ``Operator/dropFirst(_:)``.
    public func dropFirst(_ count: Int = 1) -> StreamModel { applying(.dropFirst(count)) }

    /// ``Operator/dropLast(_:)``.
    public func dropLast(_ count: Int = 1) -> StreamModel { applying(.dropLast(count)) }

    /// ``Operator/dropWhile(_:onError:)``.
    public func dropWhile(_ expression: String, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.dropWhile(expression, onError: onError))
    }

    /// ``Operator/removeDuplicates(_:onError:)``.
    public func removeDuplicates(_ expression: String? = nil, onError: ErrorRoute = .fail) -> StreamModel {
        applying(.removeDuplicates(expression, onError: onError))
    }

    /// ``Operator/distinct(_:limit:whenFull:onError:)``.
    public func distinct(
        _ expression: String? = nil,
        limit: Int? = nil,
        whenFull: FullMemory = .fail,
        onError: ErrorRoute = .fail
    ) -> StreamModel { applying(.distinct(expression, limit: limit, whenFull: whenFull, onError: onError)) }

    /// ``Operator/first(default:)``.
    public func first(default value: JSON? = nil) -> StreamModel { applying(.first(default: value)) }

    /// ``Operator/firstWhere(_:default:onError:)``.
    public func firstWhere(_ expression: String, default value: JSON? = nil, onError: ErrorRoute = .fail) -> StreamModel
    { applying(.firstWhere(expression, default: value, onError: onError)) }

    /// ``Operator/last(default:)``.
    public func last(default value: JSON? = nil) -> StreamModel { applying(.last(default: value)) }

    /// ``Operator/lastWhere(_:default:onError:)``.
    public func lastWhere(_ expression: String, default value: JSON? = nil, onError: ErrorRoute = .fail) -> StreamModel
    { applying(.lastWhere(expression, default: value, onError: onError)) }

    /// ``Operator/single``.
    public func single() -> StreamModel { applying(.single) }

    /// ``Operator/outputAt(_:default:)``.
    public func outputAt(_ index: Int, default value: JSON? = nil) -> StreamModel {
        applying(.outputAt(index, default: value))
    }

    /// ``Operator/outputIn(from:count:)``.
    public func outputIn(from: Int, count: Int? = nil) -> StreamModel { applying(.outputIn(from: from, count: count)) }

    /// ``Operator/ignoreOutput``.
    public func ignoreOutput() -> StreamModel { applying(.ignoreOutput) }
}
