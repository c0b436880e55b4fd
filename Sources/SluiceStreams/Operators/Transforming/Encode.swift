import SluiceExpressions

extension OperatorKind {
    static let encode = OperatorKind(
        "encode",
        summary: "Encodes each value as text",
        [.choice("format", TextFormat.allCases.map(\.rawValue), isRequired: true), .onError]
    ) { stage in
        let format = stage.textFormat
        stage.item = .string
        return stage.formatted(format.text)
    }
}

extension Operator {
    /// Emits the text of each value: its JSON, or the base64 of a string or of bytes.
    ///
    /// ```marbles
    /// -'{"a": 1}'-|
    /// [{"encode": {"format": "json"}}, {"map": {"expression": "size(x)"}}]
    /// -7-|
    /// ```
    ///
    /// ```marbles
    /// -'hi'-|
    /// {"encode": {"format": "base64"}}
    /// -'aGk='-|
    /// ```
    public static func encode(_ format: TextFormat, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.encode, ["format": .string(format.rawValue), "onError": onError.argument])
    }
}
