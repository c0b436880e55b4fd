/// What an evaluation throws inside: a message that knows its place in the text as soon as an expression has added it.
struct Fault: Error {
    var code: CELError.Code
    var message: String
    var offset: Int = -1

    init(_ code: CELError.Code, _ message: String, at offset: Int = -1) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// Limits end an evaluation whatever stands around them; all other faults are absorbed by `&&` and `||`.
    var isFinal: Bool { code == .limitExceeded }

    func located(_ place: Int) -> Fault { offset >= 0 ? self : Fault(code, message, at: place) }

    static func noOverload(_ name: String, _ arguments: [CELValue]) -> Fault {
        let types = arguments.map(\.typeName).joined(separator: ", ")
        return Fault(.noSuchOverload, "no such overload: \(Operator.shownName(name))(\(types))")
    }

    static func overflow(_ operation: String) -> Fault { Fault(.overflow, "\(operation) overflows") }
    static func noKey(_ key: CELValue) -> Fault { Fault(.noSuchKey, "no such key: \(key)") }
    static func outOfRange(_ index: Int64, _ count: Int) -> Fault {
        Fault(.indexOutOfRange, "index \(index) is out of range: there are \(count)")
    }
}
