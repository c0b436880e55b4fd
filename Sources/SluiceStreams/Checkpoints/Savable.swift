import Sluice
import SluiceJSON

/// A value that a checkpoint can hold.
protocol Savable {
    /// Reads a value.
    ///
    /// - Throws: ``StreamError`` for an invalid value.
    init(saved json: JSON) throws

    /// The value as JSON, from which it can be restored exactly.
    var saved: JSON { get }
}

/// The state of an operator, with several fields, that a checkpoint can hold.
protocol SavableState {
    /// The fields that are saved; the others have the values that the operator gives them.
    static var fields: [SavedField<Self>] { get }

    /// Returns a Boolean value that indicates whether the state can replace the operator's initial state.
    func fits(_ initial: Self) -> Bool
}

extension SavableState {
    func fits(_ initial: Self) -> Bool { true }
}

/// A field of a state: its name, and the closures that write and read it.
struct SavedField<State> {
    let name: String
    let save: (State) -> JSON
    let restore: (inout State, JSON) throws -> Void

    init<Value: Savable>(_ name: String, _ path: WritableKeyPath<State, Value>) {
        self.name = name
        save = { $0[keyPath: path].saved }
        restore = { $0[keyPath: path] = try Value(saved: $1) }
    }
}

/// The conversion of operators' states of any type to and from JSON.
enum SavedState {
    /// Returns the state as JSON, or `nil` if its type cannot be saved.
    static func json<State>(_ state: State) -> JSON? {
        if let state = state as? any SavableState { return fields(of: state) }
        return (state as? any Savable)?.saved
    }

    /// Replaces a state with a saved one.
    ///
    /// - Throws: ``StreamError`` for an invalid state.
    static func restore<State>(_ state: inout State, _ json: JSON) throws {
        if let now = state as? any SavableState {
            if let restored = try restored(now, json) as? State { state = restored }
        } else if let type = State.self as? any Savable.Type, let restored = try type.init(saved: json) as? State {
            state = restored
        } else {
            throw StreamError(message: "a state of \(State.self) cannot be restored")
        }
    }

    private static func fields<State: SavableState>(of state: State) -> JSON {
        .object(JSON.Object(State.fields.map { ($0.name, $0.save(state)) }))
    }

    private static func restored<State: SavableState>(_ state: State, _ json: JSON) throws -> State {
        guard case .object(let object) = json else { throw StreamError.unreadable("an object", json) }
        var restored = state
        for field in State.fields {
            guard let json = object[field.name] else {
                throw StreamError(message: "the field \(JSON.string(field.name)) of a state is missing")
            }
            try field.restore(&restored, json)
        }
        guard restored.fits(state) else { throw StreamError(message: "the fields of a state do not fit each other") }
        return restored
    }
}

extension StreamError {
    /// Returns the error for a checkpoint with an unexpected value.
    static func unreadable(_ expected: String, _ json: JSON) -> StreamError {
        let text = "\(json)"
        return StreamError(message: "expected \(expected), found \(text.count > 60 ? text.prefix(60) + "…" : text)")
    }
}

// MARK: The types of states

extension Bool: Savable {
    init(saved json: JSON) throws {
        guard let value = json.bool else { throw StreamError.unreadable("true or false", json) }
        self = value
    }

    var saved: JSON { .bool(self) }
}

extension Int64: Savable {
    init(saved json: JSON) throws {
        guard case .int(let value) = json else { throw StreamError.unreadable("a whole number", json) }
        self = value
    }

    var saved: JSON { .int(self) }
}

extension Int: Savable {
    /// Reads a count or a place, which is neither negative nor so large that adding 1 would overflow.
    init(saved json: JSON) throws {
        guard case .int(let value) = json, value >= 0, value < Int64.max / 4 else {
            throw StreamError.unreadable("a count", json)
        }
        self = Int(value)
    }

    var saved: JSON { .int(Int64(self)) }
}

extension String: Savable {
    init(saved json: JSON) throws {
        guard let value = json.string else { throw StreamError.unreadable("a text", json) }
        self = value
    }

    var saved: JSON { .string(self) }
}

extension StreamTime: Savable {
    /// The longest saved time, so that sums with a document's durations fit into 64 bits.
    static let latest = StreamTime(nanoseconds: .max - 1)

    init(saved json: JSON) throws {
        let nanoseconds = try Int64(saved: json)
        guard nanoseconds >= 0, nanoseconds <= Self.latest.nanoseconds else {
            throw StreamError.unreadable("a time in nanoseconds", json)
        }
        let time = StreamTime(nanoseconds: nanoseconds)
        self = try SavedShift.current?.moved(time) ?? time
    }

    var saved: JSON { .int(nanoseconds) }
}

extension Optional: Savable where Wrapped: Savable {
    /// Reads `[]` or `[value]`, since a value may be `null` itself.
    init(saved json: JSON) throws {
        guard case .array(let elements) = json, elements.count <= 1 else {
            throw StreamError.unreadable("an array of one element or none", json)
        }
        self = try elements.first.map { try Wrapped(saved: $0) }
    }

    var saved: JSON { .array(map { [$0.saved] } ?? []) }
}

extension Array: Savable where Element: Savable {
    init(saved json: JSON) throws {
        guard case .array(let elements) = json else { throw StreamError.unreadable("an array", json) }
        self = try elements.map { try Element(saved: $0) }
    }

    var saved: JSON { .array(map(\.saved)) }
}

extension Deque: Savable where Element: Savable {
    init(saved json: JSON) throws {
        self.init()
        for element in try [Element](saved: json) { append(element) }
    }

    var saved: JSON { all.saved }
}

extension StreamError: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 2 else { throw StreamError.unreadable("an error", json) }
        self.init(path: try String(saved: parts[0]), message: try String(saved: parts[1]))
    }

    var saved: JSON { [.string(path), .string(message)] }
}
