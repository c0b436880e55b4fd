extension CELExpression: Codable {
    /// Reads an expression from its text; every name that the language doesn't define is a variable of type `dyn`.
    ///
    /// ```swift
    /// let program = try CELExpression(dynamic: "x > 1 && y.size() > 2")
    /// print(program.variables.keys.sorted())   // ["x", "y"]
    /// ```
    ///
    /// - Throws: ``CELError`` with all errors.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        dynamic text: String,
        promotesInts: Bool = false,
        limits: CELLimits = CELLimits()
    ) throws(CELError) {
        let source = SourceText(text)
        let budget = CompilationBudget(for: limits)
        let tree = try Program.parse(source, limits, budget)
        var checker = Checker(
            tree: tree,
            source: source,
            library: promotesInts ? .promoting : .standard,
            variables: [:],
            container: [],
            isStrict: false,
            fuel: limits.maximumTypeSteps
        )
        _ = checker.check()
        var variables: [String: CELType] = [:]
        for name in checker.undeclaredNames { variables[name] = .dyn }
        program = try Program(
            source,
            tree,
            variables: variables,
            functions: [],
            container: [],
            promotesInts: promotesInts,
            isChecked: true,
            limits: limits,
            budget: budget
        )
    }

    /// Reads the text of an expression, as ``init(dynamic:promotesInts:limits:)`` does.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(dynamic: try container.decode(String.self))
        } catch let error as CELError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the original text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension CELExpression: Equatable {
    /// Returns a Boolean value that indicates whether both have the same text, variables, number handling, and limits.
    public static func == (left: CELExpression, right: CELExpression) -> Bool {
        left.text == right.text && left.variables == right.variables && left.limits == right.limits
            && left.promotesInts == right.promotesInts
    }
}
