import SluiceExpressions

extension OperatorKind {
    static let decode = OperatorKind(
        "decode",
        summary: "Decodes each text to a value",
        [.choice("format", TextFormat.allCases.map(\.rawValue), isRequired: true), .onError]
    ) { stage in
        let format = stage.textFormat
        stage.item = format == .base64 ? .string : .dyn
        return stage.formatted(format.value)
    }
}

extension Operator {
    /// Emits the value of each text: the value of its JSON, or the text of its base64.
    ///
    /// A value that isn't a string, or is invalid JSON, invalid base64, or the base64 of invalid UTF-8, is an error;
    /// for bytes use `map` with `base64.decode(x)`.
    ///
    /// ```marbles
    /// -'aGk='-|
    /// {"decode": {"format": "base64"}}
    /// -'hi'-|
    /// ```
    ///
    /// ```marbles
    /// -'"[1, 2]"'-|
    /// [{"decode": {"format": "json"}}, {"map": {"expression": "x[1]"}}]
    /// -2-|
    /// ```
    public static func decode(_ format: TextFormat, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.decode, ["format": .string(format.rawValue), "onError": onError.argument])
    }
}
