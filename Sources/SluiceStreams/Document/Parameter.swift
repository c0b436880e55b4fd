import SluiceJSON

/// A parameter of a kind of operator or source: a key of its object, and the form of its value.
struct Parameter: Sendable {
    /// The form of a value.
    enum Form: Sendable, Hashable {
        /// The text of an expression.
        case expression
        /// A text.
        case text
        /// One of several texts.
        case choice([String])
        /// A whole number from `least`.
        case count(least: Int)
        /// A number of seconds from a least one to ``StreamTime/maximumSeconds``.
        case seconds(LeastSeconds)
        /// `true` or `false`.
        case bool
        /// Any value.
        case value
        /// An array of any values.
        case values
        /// An object of any values.
        case object
        /// A filter stack, or the id of one.
        case stack
        /// A stream: a source, or an object of a source and operators.
        case source
        /// An array of streams.
        case sources
        /// An array of operators.
        case operators
        /// An array of items, each a value with operators of its own.
        case items
    }

    /// The lower bound of a number of seconds.
    enum LeastSeconds: Sendable, Hashable {
        case zero
        case aboveZero
        /// A bound above 0, which is allowed itself.
        case from(Double)
    }

    let name: String
    let form: Form
    var isRequired = true
    /// The description in the published schema.
    var meaning = ""
    /// The value of an absent argument, for documentation; `nil` without a default.
    var standard: JSON?
    /// The changes of the argument that reset the state of the operator.
    private(set) var reset = Reset.never

    /// A class of changes of an argument.
    enum Reset: Sendable {
        case never, always, whenRemoved
    }

    /// The parameter, with a change of which the operator's state is reset.
    var resetting: Parameter { resetting(.always) }
    /// The parameter, with whose removal the operator's state is reset.
    var resettingWhenRemoved: Parameter { resetting(.whenRemoved) }

    private func resetting(_ reset: Reset) -> Parameter {
        var parameter = self
        parameter.reset = reset
        return parameter
    }

    static func expression(_ name: String = "expression", isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .expression, isRequired: isRequired)
    }

    static func text(_ name: String, isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .text, isRequired: isRequired)
    }

    static func choice(_ name: String, _ choices: [String], isRequired: Bool = false) -> Parameter {
        Parameter(name: name, form: .choice(choices), isRequired: isRequired)
    }

    static func count(_ name: String = "count", least: Int = 0, isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .count(least: least), isRequired: isRequired)
    }

    static func seconds(_ name: String = "seconds", isPositive: Bool = false, isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .seconds(isPositive ? .aboveZero : .zero), isRequired: isRequired)
    }

    static func seconds(from least: Double) -> Parameter {
        Parameter(name: "seconds", form: .seconds(.from(least)))
    }

    /// Returns the parameter with a description.
    func meaning(_ text: String) -> Parameter {
        var copy = self
        copy.meaning = text
        return copy
    }

    /// Returns the parameter with a default.
    func standard(_ value: JSON) -> Parameter {
        var copy = self
        copy.standard = value
        return copy
    }

    static func bool(_ name: String) -> Parameter { Parameter(name: name, form: .bool, isRequired: false) }

    static func value(_ name: String = "value", isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .value, isRequired: isRequired)
    }

    static func values(_ name: String = "values", isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .values, isRequired: isRequired)
    }

    static func source(_ name: String = "source", isRequired: Bool = true) -> Parameter {
        Parameter(name: name, form: .source, isRequired: isRequired)
    }

    static let sources = Parameter(name: "sources", form: .sources)

    static func operators(isRequired: Bool = true) -> Parameter {
        Parameter(name: "operators", form: .operators, isRequired: isRequired)
    }

    /// The treatment of items for which the operator fails.
    static let onError = choice("onError", ErrorPolicy.allCases.map(\.rawValue))
}

/// The value at a parameter's key.
enum Argument: Sendable, Hashable {
    case json(JSON)
    case source(StreamSource)
    case sources([StreamSource])
    case operators([Operator])
    case items([StreamItem<JSON>])
}

extension Argument {
    static func string(_ value: String) -> Argument { .json(.string(value)) }
    static func int(_ value: Int) -> Argument { .json(.int(Int64(value))) }
    static func double(_ value: Double) -> Argument {
        .json(value == value.rounded() && abs(value) < 1e15 ? .int(Int64(value)) : .double(value))
    }
    static func bool(_ value: Bool) -> Argument { .json(.bool(value)) }
}

extension ErrorPolicy {
    /// The argument to write, which is `nil` for the default.
    var argument: Argument? { self == .fail ? nil : .string(rawValue) }
}
