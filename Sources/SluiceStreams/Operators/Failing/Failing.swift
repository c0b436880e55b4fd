extension OperatorKind {
    /// The family of operators that handle errors and the end.
    ///
    /// Combine's `setFailureType` has no equivalent here, since every stream may fail with any error.
    static let failing = [retry, `repeat`, `catch`, replaceError, mapError]
}
