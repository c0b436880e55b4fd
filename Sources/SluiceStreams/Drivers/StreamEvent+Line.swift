public import SluiceJSON

extension StreamEvent<JSON> {
    /// The event as one line of JSON: `{"time": 1, "value": 1}`, at the end `{"time": 4, "completed": true}` or
    /// `{"time": 4, "error": "…"}`; for an item that was omitted `{"time": 2, "reported": "…"}`.
    public var line: String {
        var bytes: [UInt8] = []
        writeLine(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the bytes of ``line``, without an end of the line.
    package func writeLine(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"time": "#.utf8)
        bytes.append(contentsOf: time.description.utf8)
        let value: JSON
        switch kind {
        case .completed: return bytes.append(contentsOf: #", "completed": true}"#.utf8)
        case .value(let emitted):
            bytes.append(contentsOf: #", "value": "#.utf8)
            value = emitted
        case .reported(let error):
            bytes.append(contentsOf: #", "reported": "#.utf8)
            value = .string(error.description)
        case .failed(let error):
            bytes.append(contentsOf: #", "error": "#.utf8)
            value = .string(error.description)
        }
        var writer = JSONWriter()
        writer.value(value)
        writer.withBytes { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "}"))
    }
}
