/// An overload of a function: the types of its parameters and result, its cost, and its body.
struct Overload: Sendable {
    var name: String
    /// A Boolean value that indicates whether it is called as `x.name()`; the target is the first parameter.
    var isMember: Bool
    var parameters: [CELType]
    var result: CELType
    var cost: Cost
    var body: @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue
    /// A Boolean value that indicates whether the host declared it.
    var isHost = false
    /// A Boolean value that indicates whether its types contain no type parameter.
    let isMonomorphic: Bool

    init(
        name: String,
        isMember: Bool,
        parameters: [CELType],
        result: CELType,
        cost: Cost,
        isHost: Bool = false,
        body: @escaping @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue
    ) {
        self.isHost = isHost
        self.name = name
        self.isMember = isMember
        self.parameters = parameters
        self.result = result
        self.cost = cost
        self.body = body
        isMonomorphic = !result.hasParameter && !parameters.contains(where: \.hasParameter)
    }

    /// The cost of a call beyond the one unit of every node.
    enum Cost: Sendable {
        /// A fixed number of units for every call.
        case fixed(Int)
        /// A tenth of the bytes and a third of the elements of the arguments.
        case linear
        /// The linear cost, plus a fixed number of units for every call.
        case linearBeyond(Int)
        /// A tenth of the product of the first two arguments' sizes: each element of one against each of the other.
        case product
    }

    func accepts(_ arguments: [CELValue]) -> Bool {
        guard parameters.count == arguments.count else { return false }
        for index in arguments.indices where !parameters[index].accepts(arguments[index]) { return false }
        return true
    }

    private static func linear(_ arguments: [CELValue]) -> Int {
        var cost = 1
        for argument in arguments {
            switch argument {
            case .string(let value): cost += value.utf8.count / 10
            case .bytes(let value): cost += value.count / 10
            case .list(let value): cost += value.count / 3
            case .map(let value): cost += value.count / 3
            default: break
            }
        }
        return cost
    }

    func call(_ arguments: [CELValue], _ frame: inout Frame) throws(Fault) -> CELValue {
        switch cost {
        case .fixed(let cost): try frame.charge(cost)
        case .linear: try frame.charge(Overload.linear(arguments))
        case .linearBeyond(let cost): try frame.charge(cost + Overload.linear(arguments))
        case .product:
            let (size, overflow) = (1 + (arguments.first?.size ?? 0)).multipliedReportingOverflow(
                by: 1 + (arguments.dropFirst().first?.size ?? 0)
            )
            try frame.charge(overflow ? .max : 1 + size / 10)
        }
        return try body(arguments, &frame)
    }
}

extension CELValue {
    /// The number of bytes or elements; 1 for other values.
    var size: Int {
        switch self {
        case .string(let value): value.utf8.count
        case .bytes(let value): value.count
        case .list(let value): value.count
        case .map(let value): value.count
        default: 1
        }
    }
}

/// Functions by name.
struct Library: Sendable {
    private var functions: [String: [Overload]] = [:]
    private var members: [String: [Overload]] = [:]

    mutating func add(_ overload: Overload) {
        if overload.isMember {
            members[overload.name, default: []].append(overload)
        } else {
            functions[overload.name, default: []].append(overload)
        }
    }

    func overloads(_ name: String, isMember: Bool) -> [Overload] { (isMember ? members[name] : functions[name]) ?? [] }

    func has(_ name: String) -> Bool { functions[name] != nil || members[name] != nil }

    /// All overloads of all functions, by name.
    var all: [Overload] {
        (Array(functions.values) + Array(members.values)).flatMap { $0 }.sorted { $0.name < $1.name }
    }

    /// Returns the names of all functions, or of all member functions.
    func names(isMember: Bool) -> [String] { Array(isMember ? members.keys : functions.keys) }

    /// Adds a function that is called as `name(a, b)`.
    mutating func function(
        _ name: String,
        _ parameters: [CELType],
        _ result: CELType,
        cost: Overload.Cost = .fixed(0),
        _ body: @escaping @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue
    ) {
        add(Overload(name: name, isMember: false, parameters: parameters, result: result, cost: cost, body: body))
    }

    /// Adds a function that is called as `a.name(b)`.
    mutating func member(
        _ name: String,
        _ parameters: [CELType],
        _ result: CELType,
        cost: Overload.Cost = .fixed(0),
        _ body: @escaping @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue
    ) {
        add(Overload(name: name, isMember: true, parameters: parameters, result: result, cost: cost, body: body))
    }

    /// The functions of the language, and of the dialect in which an int that meets a double becomes a double.
    static let promoting: Library = {
        var library = standard
        library.addPromotions()
        return library
    }()

    /// The functions of the language and its extensions.
    static let standard: Library = {
        var library = Library()
        library.addOperators()
        library.addConversions()
        library.addTimes()
        library.addStrings()
        library.addFormat()
        library.addMath()
        library.addCollections()
        library.addOptionals()
        library.addNetwork()
        library.addRegularExpressions()
        return library
    }()
}
