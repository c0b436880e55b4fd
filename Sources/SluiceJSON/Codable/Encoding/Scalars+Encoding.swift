// The standard library's scalars, as values of a generic type.

extension Bool: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension String: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int8: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int16: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int32: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int64: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Int128: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt8: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt16: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt32: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt64: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension UInt128: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) { encoder.encode(self) }
}
extension Double: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws { try encoder.encode(self) }
}
extension Float: PlannedEncodable {
    func encode(planned encoder: NodeEncoder) throws { try encoder.encode(self) }
}
