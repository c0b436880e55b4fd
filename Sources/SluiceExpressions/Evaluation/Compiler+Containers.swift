extension Compiler {
    func list(_ elements: [SyntaxElement]) -> Run<CELValue> {
        let parts = elements.map { (boxed($0.value), $0.isOptional, plan[$0.value].offset) }
        return { frame throws(Fault) in
            var list: [CELValue] = []
            list.reserveCapacity(parts.count)
            for (part, isOptional, offset) in parts {
                let value = try part(&frame)
                if isOptional {
                    guard case .optional(let content) = value else {
                        throw wrongType("optional_type", value, at: offset)
                    }
                    if let content { list.append(content) }
                } else {
                    list.append(value)
                }
            }
            return .list(list)
        }
    }

    func map(_ entries: [SyntaxEntry], at offset: Int) -> Run<CELValue> {
        let parts = entries.map { (boxed($0.key), boxed($0.value), $0.isOptional, plan[$0.key].offset) }
        return { frame throws(Fault) in
            var map = CELMap()
            for (keyPart, part, isOptional, offset) in parts {
                let key = try keyPart(&frame)
                var value = try part(&frame)
                if isOptional {
                    guard case .optional(let content) = value else {
                        throw wrongType("optional_type", value, at: offset)
                    }
                    guard let content else { continue }
                    value = content
                }
                try Compiler.insert(key, value, into: &map, &frame, at: offset)
            }
            return .map(map)
        }
    }

    static func insert(
        _ key: CELValue,
        _ value: CELValue,
        into map: inout CELMap,
        _ frame: inout Frame,
        at offset: Int
    ) throws(Fault) {
        guard CELMap.isKey(key) else {
            throw Fault(.invalidArgument, "\(key.typeName) is not a type of a map's key", at: offset)
        }
        try frame.charge(6 + (key.size) / 10, at: offset)
        guard map.insert(key, value) else {
            throw Fault(.invalidArgument, "the key \(key.shown) occurs twice", at: offset)
        }
    }

    func select(
        _ operand: @escaping Run<CELValue>,
        _ field: String,
        _ isOptional: Bool,
        at offset: Int
    ) -> Run<CELValue> {
        let key = CELValue.string(field)
        // The cost of the node includes looking up a short name.
        let length = field.utf8.count >= 40 ? field.utf8.count : 0
        return { frame throws(Fault) in
            let value = try operand(&frame)
            if length > 0 { try frame.charge(length / 20, at: offset) }
            if case .map(let map) = value, !isOptional {
                if let found = map[field] { return found }
                throw Fault.noKey(key, in: map).located(offset)
            }
            guard let content = try Compiler.content(of: value, isOptional) else { return .optional(nil) }
            guard case .map(let map) = content else {
                throw Fault(.noSuchOverload, "\(content.typeName) has no fields", at: offset)
            }
            return Compiler.wrapped(map[field])
        }
    }

    /// Returns the content of an optional, or the value itself if a `?` requires an optional result.
    static func content(of value: CELValue, _ isOptional: Bool) throws(Fault) -> CELValue? {
        if case .optional(let content) = value { return content }
        return value
    }

    /// Returns an optional of the value; a value that is already an optional is returned unchanged.
    static func wrapped(_ value: CELValue?) -> CELValue {
        if case .optional = value { return value ?? .null }
        return .optional(value)
    }

    func has(_ operand: @escaping Run<CELValue>, _ field: String, at offset: Int) -> Run<Bool> {
        let length = field.utf8.count >= 40 ? field.utf8.count : 0
        return { frame throws(Fault) in
            if length > 0 { try frame.charge(length / 20, at: offset) }
            guard let content = try Compiler.content(of: try operand(&frame), false) else { return false }
            guard case .map(let map) = content else {
                throw Fault(.noSuchOverload, "\(content.typeName) has no fields", at: offset)
            }
            return map[field] != nil
        }
    }

    func subscripted(
        _ operand: @escaping Run<CELValue>,
        _ key: @escaping Run<CELValue>,
        _ isOptional: Bool,
        at offset: Int
    ) -> Run<CELValue> {
        { frame throws(Fault) in
            let value = try operand(&frame)
            let key = try key(&frame)
            if !isOptional, case .list(let list) = value {
                let index = try Compiler.position(key, at: offset)
                guard index >= 0, index < Int64(list.count) else {
                    throw Fault.outOfRange(index, list.count).located(offset)
                }
                return list[Int(index)]
            }
            if !isOptional, case .map(let map) = value {
                try frame.chargeLookup(key)
                if let found = map[key] { return found }
                throw Fault.noKey(key, in: map).located(offset)
            }
            if !isOptional, case .optional = value {
            } else if !isOptional {
                throw Fault(.noSuchOverload, "\(value.typeName) has no elements", at: offset)
            }
            guard let content = try Compiler.content(of: value, isOptional) else { return .optional(nil) }
            switch content {
            case .list(let list):
                let index = try Compiler.position(key, at: offset)
                return Compiler.wrapped(index >= 0 && index < Int64(list.count) ? list[Int(index)] : nil)
            case .map(let map):
                try frame.chargeLookup(key)
                return Compiler.wrapped(map[key])
            default: throw Fault(.noSuchOverload, "\(content.typeName) has no elements", at: offset)
            }
        }
    }

    /// Returns a list's index: a whole number of any type.
    static func position(_ key: CELValue, at offset: Int) throws(Fault) -> Int64 {
        switch key {
        case .int(let index): return index
        case .uint(let index): return Int64(clamping: index)
        case .double(let index):
            if let whole = Int64(exactly: index) { return whole }
        default: break
        }
        throw Fault(.invalidArgument, "\(key.shown) is not an index of a list", at: offset)
    }
}
