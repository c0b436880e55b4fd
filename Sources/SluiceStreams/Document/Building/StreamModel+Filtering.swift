public import SluiceJSON

// Filtering. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Keeps the values that match an expression; see ``Operator/filter(_:onError:)``.
    public func filter(_ expression: String, onError: ErrorPolicy = .fail) -> StreamModel {
        applying(.filter(expression, onError: onError))
    }

    /// Keeps the first `count` values and completes with the last of them; completes immediately if `count` is 0; see
    /// ``Operator/prefix(_:)``.
    public func prefix(_ count: Int) -> StreamModel { applying(.prefix(count)) }

    /// Keeps values as long as an expression is true, and completes at the first value for which it is false; see
    /// ``Operator/prefixWhile(_:inclusive:onError:)``.
    public func prefixWhile(_ expression: String, inclusive: Bool = false, onError: ErrorPolicy = .fail) -> StreamModel
    {
        applying(.prefixWhile(expression, inclusive: inclusive, onError: onError))
    }

    /// Emits the last `count` values, at the completion; completes immediately if `count` is 0; see
    /// ``Operator/suffix(_:)``.
    public func suffix(_ count: Int) -> StreamModel { applying(.suffix(count)) }

    /// Drops the first `count` values; see ``Operator/dropFirst(_:)``.
    public func dropFirst(_ count: Int = 1) -> StreamModel { applying(.dropFirst(count)) }

    /// Drops the last `count` values: each value waits for `count` later ones; see ``Operator/dropLast(_:)``.
    public func dropLast(_ count: Int = 1) -> StreamModel { applying(.dropLast(count)) }

    /// Drops values as long as an expression is true, and keeps all values from the first for which it is false; see
    /// ``Operator/dropWhile(_:onError:)``.
    public func dropWhile(_ expression: String, onError: ErrorPolicy = .fail) -> StreamModel {
        applying(.dropWhile(expression, onError: onError))
    }

    /// Drops each value that is equal to the previous one, by the expression language's `==`: `1` equals `1.0`; see
    /// ``Operator/removeDuplicates(_:onError:)``.
    public func removeDuplicates(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> StreamModel {
        applying(.removeDuplicates(expression, onError: onError))
    }

    /// Drops each value that is equal to an earlier one, by the expression language's `==`: `1` equals `1.0`; see
    /// ``Operator/distinct(_:limit:whenFull:onError:)``.
    public func distinct(
        _ expression: String? = nil,
        limit: Int? = nil,
        whenFull: FullMemory = .fail,
        onError: ErrorPolicy = .fail
    ) -> StreamModel { applying(.distinct(expression, limit: limit, whenFull: whenFull, onError: onError)) }

    /// Emits the first value and completes; see ``Operator/first(default:)``.
    public func first(default value: JSON? = nil) -> StreamModel { applying(.first(default: value)) }

    /// Emits the first value that matches an expression, and completes; see
    /// ``Operator/firstWhere(_:default:onError:)``.
    public func firstWhere(_ expression: String, default value: JSON? = nil, onError: ErrorPolicy = .fail)
        -> StreamModel
    { applying(.firstWhere(expression, default: value, onError: onError)) }

    /// Emits the last value at the completion; see ``Operator/last(default:)``.
    public func last(default value: JSON? = nil) -> StreamModel { applying(.last(default: value)) }

    /// Emits the last value that matches an expression, at the completion; see
    /// ``Operator/lastWhere(_:default:onError:)``.
    public func lastWhere(_ expression: String, default value: JSON? = nil, onError: ErrorPolicy = .fail) -> StreamModel
    { applying(.lastWhere(expression, default: value, onError: onError)) }

    /// Emits the only value, at the completion; a second value, or none at all, is an error; see ``Operator/single``.
    public func single() -> StreamModel { applying(.single) }

    /// Emits the value at an index, from 0, and completes; see ``Operator/outputAt(_:default:)``.
    public func outputAt(_ index: Int, default value: JSON? = nil) -> StreamModel {
        applying(.outputAt(index, default: value))
    }

    /// Keeps `count` values from the index `from` on, which counts from 0, and completes with the last of them; without
    /// a count, keeps all values from there on; see ``Operator/outputIn(from:count:)``.
    public func outputIn(from: Int, count: Int? = nil) -> StreamModel { applying(.outputIn(from: from, count: count)) }

    /// Drops all values and passes on only the end; see ``Operator/ignoreOutput``.
    public func ignoreOutput() -> StreamModel { applying(.ignoreOutput) }
}
