internal import SluiceJSON

/// A key of a filter's object in a document.
protocol FilterKey: Sendable {
    var parameter: StackParameter { get }
}

/// A key of a filter's object with its form, its default, and the Swift value that it gives.
struct StackKey<Value: Sendable>: FilterKey {
    private(set) var parameter: StackParameter
    fileprivate let read: @Sendable (JSON?) -> Value

    /// Declares a required key.
    init(_ name: String, _ form: StackForm<Value>, _ meaning: String = "") {
        parameter = StackParameter(name: name, form: form.shape, meaning: meaning, isRequired: true)
        read = { $0.flatMap(form.value) ?? form.absent }
    }

    /// Declares a key with a default.
    init(_ name: String, _ form: StackForm<Value>, default standard: Value, _ meaning: String = "") {
        parameter = StackParameter(name: name, form: form.shape, meaning: meaning, standard: form.json(standard))
        read = { $0.flatMap(form.value) ?? standard }
    }

    /// Declares a key that may be absent.
    init<Wrapped>(optional name: String, _ form: StackForm<Wrapped>, _ meaning: String = "")
    where Value == Wrapped? {
        parameter = StackParameter(name: name, form: form.shape, meaning: meaning)
        read = { $0.flatMap(form.value) }
    }

    /// Returns the key with a rule about another key of the same object.
    func requiring(_ rule: StackParameter.Rule) -> StackKey {
        var key = self
        key.parameter.rule = rule
        return key
    }
}

extension StackSettings {
    /// The value at a key: that of the document, otherwise the default.
    subscript<Value>(key: StackKey<Value>) -> Value { key.read(json[key.parameter.name]) }
}

/// The form of a value in a document, and the Swift value that it becomes.
struct StackForm<Value: Sendable>: Sendable {
    let shape: StackParameter.Form
    /// The value of a required key that is missing, which only an unchecked object is.
    let absent: Value
    let value: @Sendable (JSON) -> Value?
    /// Returns a value as it is written; `nil` for values that are never defaults.
    var json: @Sendable (Value) -> JSON? = { _ in nil }
}

extension StackForm where Value == Duration {
    /// A number of seconds; a default is whole or a decimal fraction.
    static var seconds: StackForm { seconds(isPositive: false) }
    /// A number of seconds that is greater than 0.
    static var positiveSeconds: StackForm { seconds(isPositive: true) }

    private static func seconds(isPositive: Bool) -> StackForm {
        StackForm(
            shape: .seconds(isPositive: isPositive),
            absent: .zero,
            // In whole nanoseconds.
            value: { $0.double.map { .nanoseconds(Int64(($0 * 1e9).rounded())) } },
            json: { JSON(number: Double($0.nanoseconds) / 1e9) }
        )
    }

    /// A number of seconds within bounds.
    static func seconds(in range: ClosedRange<Double>) -> StackForm {
        StackForm(shape: .number(range), absent: .zero, value: seconds.value, json: seconds.json)
    }
}

extension StackForm where Value == Int {
    /// A whole number.
    static func count(_ range: ClosedRange<Int>) -> StackForm {
        StackForm(shape: .count(range), absent: range.lowerBound, value: \.int, json: { JSON($0) })
    }
}

extension StackForm where Value == Double {
    /// A share from 0 to 1.
    static var share: StackForm { number(0...1) }

    /// A number.
    static func number(_ range: ClosedRange<Double>) -> StackForm {
        StackForm(shape: .number(range), absent: range.lowerBound, value: \.double, json: { JSON(number: $0) })
    }
}

extension StackForm where Value == Bool {
    /// `true` or `false`.
    static var bool: StackForm { StackForm(shape: .bool, absent: false, value: \.bool, json: { .bool($0) }) }
}

extension StackForm where Value == JSON {
    /// Any value.
    static var value: StackForm { StackForm(shape: .value, absent: .null, value: { $0 }, json: { $0 }) }
}

extension StackForm where Value == String {
    /// A text that is not empty.
    static var text: StackForm { text(.text) }
    /// The name of a budget of the document.
    static var budget: StackForm { text(.budget) }

    /// One of several texts.
    static func choice(_ choices: [String]) -> StackForm { text(.choice(choices)) }

    private static func text(_ shape: StackParameter.Form) -> StackForm {
        StackForm(shape: shape, absent: "", value: \.string, json: { .string($0) })
    }
}

extension StackForm {
    /// One of the values of a type, by name.
    static func choice(_ choices: [Value], default absent: Value) -> StackForm
    where Value: RawRepresentable<String> {
        StackForm(
            shape: .choice(choices.map(\.rawValue)),
            absent: absent,
            value: { $0.string.flatMap(Value.init) },
            json: { .string($0.rawValue) }
        )
    }

    /// An object with exactly one key, which names one of several choices.
    static func oneOf(_ choices: [StackChoice<Value>], absent: Value) -> StackForm {
        StackForm(shape: .oneOf(choices.map(\.kind)), absent: absent, value: { $0.chosen(from: choices) })
    }

    /// From one to a number of values.
    static func list<Element>(_ form: StackForm<Element>, atMost count: Int) -> StackForm where Value == [Element] {
        StackForm(shape: .list(form.shape, atMost: count), absent: [], value: { $0.array?.compactMap(form.value) })
    }
}

/// One of the choices of a form: its name, its keys, and the value that they make.
struct StackChoice<Value: Sendable>: Sendable {
    let kind: StackKind
    let make: @Sendable (StackSettings) -> Value

    init(
        _ name: String,
        _ keys: [any FilterKey] = [],
        isOfCalls: Bool = false,
        make: @escaping @Sendable (StackSettings) -> Value
    ) {
        kind = StackKind(name: name, parameters: keys.map(\.parameter), isOfCalls: isOfCalls)
        self.make = make
    }
}

extension JSON {
    /// Returns the value of a choice that this object names.
    func chosen<Value>(from choices: [StackChoice<Value>]) -> Value? {
        guard let member = object?.first else { return nil }
        return choices.first { $0.kind.name == member.key }?.make(StackSettings(json: member.value))
    }
}
