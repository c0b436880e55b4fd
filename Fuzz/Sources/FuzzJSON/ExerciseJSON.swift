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
    exerciseFlow(bytes, isJSON, &problems)
    return problems
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
        if !isJSON { problems.append("decodes what is no JSON") }
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
