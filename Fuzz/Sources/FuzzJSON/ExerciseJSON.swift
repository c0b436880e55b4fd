import SluiceJSON

// Shared by the fuzzer and by the tests that replay its corpus (a link in Tests/SluiceJSONTests/Fuzz).

private struct FuzzedShape: Codable, Equatable {
    var a: Int?
    var b: [String: Double]?
    var c: [FuzzedChoice]?
    var d: UInt8?
    var e: [FuzzedShape?]?
    var f: JSON?
}

private enum FuzzedChoice: Codable, Equatable {
    case one(String)
    case two(x: Int, y: Float?)
}

/// Does everything with the bytes that the module can, and says what is not as it must be.
func exerciseJSON(_ bytes: [UInt8]) -> [String] {
    var problems: [String] = []
    let isJSON = exerciseReading(bytes, &problems)
    exerciseCoding(bytes, isJSON, &problems)
    exerciseDialects(bytes, isJSON, &problems)
    exerciseEncodings(bytes, isJSON, &problems)
    exerciseFlow(bytes, isJSON, &problems)
    return problems
}

/// Decodes the bytes as JSON5, with trailing commas, and as members without braces: strict texts keep their values, and
/// every other value reads back from its strict text.
private func exerciseDialects(_ bytes: [UInt8], _ isJSON: Bool, _ problems: inout [String]) {
    let strict = try? SluiceJSONDecoder().decode(JSON.self, from: bytes)
    // Foundation's JSON5, and so ours, refuses this escape.
    let hasNull = String(decoding: bytes, as: UTF8.self).contains("\\u0000")
    for dialect in 1...7 {
        var decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = dialect & 1 != 0
        decoder.allowsTrailingCommas = dialect & 2 != 0
        decoder.assumesTopLevelDictionary = dialect & 4 != 0
        do {
            let value = try decoder.decode(JSON.self, from: bytes)
            if let strict, value != strict { problems.append("dialect \(dialect) reads another value: \(value)") }
            // Text without NaN and infinities, which are null there.
            let text = value.text()
            if (try? JSON(parsing: text))?.text() != text { problems.append("does not read back: \(text)") }
        } catch {
            let isMember = decoder.assumesTopLevelDictionary && strict?.object == nil
            if isJSON, !isMember, !(decoder.allowsJSON5 && hasNull) {
                problems.append("dialect \(dialect) refuses what is strict: \(error)")
            }
            if let error = (error as? DecodingError)?.jsonError,
                error.line < 1 || error.column < 1 || error.offset > bytes.count * 2
            {
                problems.append("bad position: \(error)")
            }
        }
        _ = try? decoder.decode(FuzzedShape.self, from: bytes)
        _ = try? decoder.decode(direct: [Double].self, from: bytes)
    }
}

/// Decodes the text in UTF-16 and UTF-32, and the bytes as if they were that.
private func exerciseEncodings(_ bytes: [UInt8], _ isJSON: Bool, _ problems: inout [String]) {
    let decoder = SluiceJSONDecoder()
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0]] as [[UInt8]] {
        _ = try? decoder.decode(JSON.self, from: mark + bytes)
    }
    guard isJSON, let value = try? decoder.decode(JSON.self, from: bytes) else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let big = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    let wide = text.unicodeScalars.flatMap { scalar in
        (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
    }
    for bytes in [big, [0xFE, 0xFF] + big, wide, [0xFF, 0xFE, 0, 0] + wide]
    where (try? decoder.decode(JSON.self, from: bytes)) != value {
        problems.append("another encoding has another value")
    }
}

/// Reads, writes and reads again; whether the bytes are JSON.
private func exerciseReading(_ bytes: [UInt8], _ problems: inout [String]) -> Bool {
    var check = JSONValidator(limit: 20)
    let document: JSONDocument
    do throws(JSONError) {
        document = try JSONDocument(parsing: bytes, duplicateKeys: .lastWins)
    } catch {
        if error.line < 1 || error.column < 1 || error.offset > bytes.count {
            problems.append("bad position: \(error)")
        }
        return false
    }
    // A member that another one with its key hides is not found by its path.
    let hasDuplicates = (try? JSONDocument(parsing: bytes)) == nil
    walk(document.root, &check, hasDuplicates, &problems)
    if document.bytes != bytes { problems.append("the bytes are not kept") }
    guard let value = try? document.root.json() else {
        problems.append("a text within the limits is no value")
        return true
    }
    for style in [JSON.TextStyle.canonical, .pretty] {
        let text = value.text(style)
        guard let again = try? JSON(parsing: text) else {
            problems.append("does not read back: \(text)")
            continue
        }
        if again != value || again.hashValue != value.hashValue || again.text(style) != text {
            problems.append("reads back differently: \(text)")
        }
    }
    if let text = try? value.rfc8785(), (try? JSON(parsing: text).rfc8785()) != text {
        problems.append("RFC 8785 is not stable: \(text)")
    }
    return true
}

private func walk(_ root: JSONNode, _ check: inout JSONValidator, _ hasDuplicates: Bool, _ problems: inout [String]) {
    var nodes = [root]
    var steps = 0
    while let node = nodes.popLast(), steps < 200 {
        steps += 1
        _ = check.object(node, keys: ["a", "value", "operators"], required: ["id"])
        _ = (node.int, node.unsigned, node.double, node.string, node.bool, node.source)
        if !hasDuplicates, node.document[node.path]?.byteRange != node.byteRange {
            problems.append("no node at its own path \(node.path)")
        }
        let range = node.byteRange
        if node.position != node.document.position(ofByte: range.lowerBound) { problems.append("bad position") }
        nodes.append(contentsOf: node.elements)
        for member in node.members { nodes.append(member.value) }
    }
    _ = check.errorsByPosition.map { $0.diagnostic(file: "f") }
}

private func exerciseCoding(_ bytes: [UInt8], _ isJSON: Bool, _ problems: inout [String]) {
    let decoder = SluiceJSONDecoder()
    let encoder = SluiceJSONEncoder()
    func check<T: Codable & Equatable>(_ type: T.Type) {
        guard let value = try? decoder.decode(type, from: bytes) else { return }
        // Only the decoder reads UTF-16 and UTF-32, whose first two bytes have a zero or belong to a mark.
        let isWide = bytes.prefix(2).contains { $0 == 0 || $0 >= 0xFE }
        if !isJSON, !isWide { problems.append("decodes what is no JSON") }
        guard let text = try? encoder.bytes(value), let again = try? decoder.decode(type, from: text), again == value
        else {
            problems.append("\(type) does not come back")
            return
        }
    }
    check(FuzzedShape.self)
    check([FuzzedShape].self)
    check([FuzzedChoice].self)
    check([String: JSON].self)
    check([Double].self)
    check([[Int64]].self)
    check([String?].self)
    check(JSON.self)
    _ = try? [String: [Int]](parsing: bytes)
    do { _ = try decoder.decode(FuzzedShape.self, from: bytes) } catch let error as DecodingError {
        _ = error.jsonError?.description
    } catch {}
}

private func exerciseFlow(_ bytes: [UInt8], _ isJSON: Bool, _ problems: inout [String]) {
    var splitter = JSONTextSplitter(framing: .concatenated, duplicateKeys: .lastWins)
    let size = Int(bytes.first ?? 1) % 7 + 1
    var texts = 0
    var failed = false
    var rest = bytes[...]
    while !rest.isEmpty {
        splitter.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        do { while try splitter.next() != nil { texts += 1 } } catch { failed = true }
    }
    splitter.finish()
    do { while try splitter.next() != nil { texts += 1 } } catch { failed = true }
    // A byte order mark belongs to a text alone.
    if isJSON, failed || texts != 1, bytes.first != 0xEF { problems.append("one text flows as \(texts), \(failed)") }
}
