/// An error inside an evaluation: a message that the enclosing expression gives its place in the text.
///
/// It is a single reference, so that the frames of nested evaluations stay small.
struct Fault: Error {
    private let content: Content

    private final class Content: Sendable {
        let code: CELError.Code
        let message: String
        let hint: String?
        let missing: MissingKey?

        init(_ code: CELError.Code, _ message: String, _ hint: String?, _ missing: MissingKey?) {
            (self.code, self.message, self.hint, self.missing) = (code, message, hint, missing)
        }
    }

    private(set) var offset: Int

    init(
        _ code: CELError.Code,
        _ message: String,
        hint: String? = nil,
        missing: MissingKey? = nil,
        at offset: Int = -1
    ) {
        content = Content(code, message, hint, missing)
        self.offset = offset
    }

    var code: CELError.Code { content.code }
    var message: String { content.message }
    var hint: String? { content.hint }
    /// The key that was not found; a hint is made from it only when the error leaves the evaluation.
    var missing: MissingKey? { content.missing }

    /// A Boolean value that indicates whether the error ends the evaluation. Exceeded limits do; `&&` and `||` absorb
    /// all others.
    var isFinal: Bool { code == .limitExceeded }

    func located(_ place: Int) -> Fault {
        guard offset < 0 else { return self }
        var fault = self
        fault.offset = place
        return fault
    }

    static func noOverload(_ name: String, _ arguments: [CELValue]) -> Fault {
        let types = arguments.map(\.typeName).joined(separator: ", ")
        return Fault(.noSuchOverload, "no such overload: \(Operator.shownName(name))(\(types))")
    }

    static func overflow(_ operation: String) -> Fault { Fault(.overflow, "\(operation) overflows") }

    /// Returns the fault for a key that a map doesn't have.
    static func noKey(_ key: CELValue, in map: CELMap) -> Fault {
        Fault(.noSuchKey, "no such key: \(key.shown)", missing: MissingKey(key: key, map: map))
    }

    static func outOfRange(_ index: Int64, _ count: Int) -> Fault {
        Fault(.indexOutOfRange, "index \(index) is out of range: there are \(count)")
    }

    /// Returns the fault for an evaluation whose cost exceeds its limit.
    static func tooDear(_ maximum: Int) -> Fault {
        Fault(
            .limitExceeded,
            "the evaluation costs more than \(maximum)",
            hint: "go over fewer elements, filter them first, or compare shorter values"
        )
    }

    static func tooLarge(_ size: Int, _ maximum: Int) -> Fault {
        Fault(.limitExceeded, "a result has \(size) bytes or elements, the limit is \(maximum)")
    }
}

/// A key that a map doesn't have.
final class MissingKey: Sendable {
    let key: CELValue
    let map: CELMap

    init(key: CELValue, map: CELMap) { (self.key, self.map) = (key, map) }

    /// The key that was probably meant, among the first 100.
    var hint: String? {
        guard case .string(let name) = key, name.utf8.count <= 40 else { return nil }
        let names = map.prefix(100).compactMap { entry -> String? in
            if case .string(let name) = entry.key, name.utf8.count <= 40 { name } else { nil }
        }
        return nearest(to: name, among: names).map { "did you mean \($0)?" }
    }
}
