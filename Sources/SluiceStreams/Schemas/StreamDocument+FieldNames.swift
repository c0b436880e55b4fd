import SluiceExpressions
import SluiceJSON

extension StreamDocument {
    /// Returns the fields that the expressions of the document may name, such as `x.price`, by the paths of the expressions,
    /// as far as they are known from the schemas of items.
    ///
    /// An element of a list has the index 0: `x.lines[0].sku`.
    package var fieldNames: [String: [String]] {
        guard text.contains("\"item\"") else { return [:] }
        let compiler = StreamCompiler()
        compiler.fieldNames = [:]
        do throws(JSONErrors) { _ = try compiled(compiler, [:]) } catch {
            // An expression that is being typed is no expression yet.
        }
        return compiler.fieldNames ?? [:]
    }
}

extension StreamCompiler {
    /// The limits of the fields that are listed.
    private enum FieldLimits {
        static let names = 200
        static let depth = 5
        static let expressions = 100
    }

    /// Records the fields of the variables of an expression, if they are wanted.
    func noteFields(of variables: [(String, CELType)], at path: JSONPath) {
        guard let known = fieldNames, known.count < FieldLimits.expressions else { return }
        var names: [String] = []
        for (name, type) in variables where type.hasShape {
            Self.list(type.shape, name, FieldLimits.depth, &names)
        }
        if !names.isEmpty { fieldNames?[path.description] = names }
    }

    private static func list(_ shape: CELShape, _ path: String, _ depth: Int, _ names: inout [String]) {
        guard depth > 0, names.count < FieldLimits.names else { return }
        if shape.kinds.contains(.list) { list(shape.element, path + "[0]", depth - 1, &names) }
        guard shape.kinds.contains(.map), let fields = shape.fields else { return }
        for (name, field) in fields.named.sorted(by: { $0.key < $1.key }) where names.count < FieldLimits.names {
            guard isPlain(name) else { continue }
            names.append("\(path).\(name)")
            list(field, "\(path).\(name)", depth - 1, &names)
        }
    }

    /// Returns a Boolean value that indicates whether a field can be written after a dot.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
