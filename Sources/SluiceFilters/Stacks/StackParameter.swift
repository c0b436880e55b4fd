internal import SluiceJSON

/// A key of an object in a stack document: its name, the form of its value, and its default.
struct StackParameter: Sendable {
    /// The form of a value.
    indirect enum Form: Sendable {
        /// A number of seconds, up to a hundred years; greater than 0 if `isPositive`.
        case seconds(isPositive: Bool)
        /// A whole number.
        case count(ClosedRange<Int>)
        /// A number.
        case number(ClosedRange<Double>)
        /// A text that is not empty.
        case text
        /// One of several texts.
        case choice([String])
        /// `true` or `false`.
        case bool
        /// Any value.
        case value
        /// The name of a budget of the document.
        case budget
        /// An object with exactly one key, which names the kind of the value.
        case oneOf([StackKind])
        /// A whole number, or an object with one key that names the kind of the value.
        case countOr(ClosedRange<Int>, [StackKind])
        /// From one to a maximum number of values.
        case list(Form, atMost: Int)
        /// The filters of each endpoint.
        case filters
    }

    /// A rule about another key of the same object, for a key that a document contains.
    struct Rule: Sendable {
        enum Condition: Sendable {
            /// The other key is in the document.
            case present
            /// The other key is not in the document.
            case absent
            /// The other key has a value, be it by default.
            case equal(String)
        }

        let other: String
        let condition: Condition
        let message: String
        let hint: String
    }

    let name: String
    let form: Form
    /// The meaning, for the documentation.
    var meaning = ""
    /// The default; `nil` is no value, or an error if the key is required.
    var standard: JSON?
    var isRequired = false
    var rule: Rule?
}

/// A name with its parameters.
struct StackKind: Sendable {
    let name: String
    let parameters: [StackParameter]
    /// A Boolean value that indicates whether it is a rate, which is taken over a number of calls or over the calls in
    /// a time span.
    let isOfCalls: Bool
}
