/// Accessors for arguments whose types dispatch has checked; the elements of containers are checked here.
extension [CELValue] {
    func int(_ index: Int) throws(Fault) -> Int64 {
        if index < count, case .int(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func uint(_ index: Int) throws(Fault) -> UInt64 {
        if index < count, case .uint(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func double(_ index: Int) throws(Fault) -> Double {
        if index < count, case .double(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func string(_ index: Int) throws(Fault) -> String {
        if index < count, case .string(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func bytes(_ index: Int) throws(Fault) -> [UInt8] {
        if index < count, case .bytes(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func list(_ index: Int) throws(Fault) -> [CELValue] {
        if index < count, case .list(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func optional(_ index: Int) throws(Fault) -> CELValue? {
        if index < count, case .optional(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func duration(_ index: Int) throws(Fault) -> CELDuration {
        if index < count, case .duration(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func timestamp(_ index: Int) throws(Fault) -> CELTimestamp {
        if index < count, case .timestamp(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func address(_ index: Int) throws(Fault) -> CELAddress {
        if index < count, case .address(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }

    func network(_ index: Int) throws(Fault) -> CELNetwork {
        if index < count, case .network(let value) = self[index] { return value }
        throw .noOverload("call", self)
    }
}
