extension OperatorKind {
    /// The family of operators that say what becomes of errors, and of the end.
    ///
    /// Combine's `setFailureType` has no meaning here: the failure of every stream is of any type.
    static let failing = [retry, `repeat`, `catch`, replaceError, mapError]
}
