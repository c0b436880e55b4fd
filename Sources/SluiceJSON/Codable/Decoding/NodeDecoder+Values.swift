extension NodeDecoder {
    /// Returns a value of any type. For a class, `type` may be a subclass of `T`.
    @inline(__always)
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        if let stack = state.stack, stack.isReached { throw tooDeep() }
        guard let plan = TypePlan.plan(of: type).decoding else { return try type.init(from: self) }
        return try planned(type, plan)
    }

    @inline(never)
    private func tooDeep() -> DecodingError {
        corrupted("The values are nested too deeply for the stack of this thread.")
    }

    private func planned<T: Decodable>(_ type: T.Type, _ plan: DecodingPlan) throws -> T {
        try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer in
            // A capacity of 1 has an address; the plan of `type` initializes a `T` or a subclass of it there, or
            // throws.
            guard let target = buffer.baseAddress else { return try type.init(from: self) }
            try plan.decode(self, UnsafeMutableRawPointer(target))
            return target.move()
        }
    }

    /// Returns a value of a directly readable type; converts its errors to those that Codable code expects.
    func direct<T: JSONReadable>(_ type: T.Type) throws -> T {
        guard index >= 0 else { throw mismatch(type) }
        do {
            return try type.init(json: JSONNode(text: state.text, index: index))
        } catch let error as JSONError {
            let path = path == nil ? error.path.codingPath : codingPath
            let context = DecodingError.Context(
                codingPath: path,
                debugDescription: error.message,
                underlyingError: error
            )
            throw error.code == .wrongType ? DecodingError.typeMismatch(type, context) : .dataCorrupted(context)
        }
    }
}

extension Bool: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.bool() }
}
extension String: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.string() }
}
extension Double: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.double() }
}
extension Float: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.float() }
}
extension PlannedDecodable where Self: FixedWidthInteger {
    init(planned decoder: NodeDecoder) throws { self = try decoder.integer() }
}
extension Int: PlannedDecodable {}
extension Int8: PlannedDecodable {}
extension Int16: PlannedDecodable {}
extension Int32: PlannedDecodable {}
extension Int64: PlannedDecodable {}
extension UInt: PlannedDecodable {}
extension UInt8: PlannedDecodable {}
extension UInt16: PlannedDecodable {}
extension UInt32: PlannedDecodable {}
extension UInt64: PlannedDecodable {}
extension Int128: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.wideInteger() }
}
extension UInt128: PlannedDecodable {
    init(planned decoder: NodeDecoder) throws { self = try decoder.wideInteger() }
}
