import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// A generator of `docs/operators.md` from the sources: kinds, parameters, and the comments with their diagrams.
struct ReferencePage {
    /// The comments of declarations, by the name declared: of the factories of operators and of the kinds of sources.
    private var comments: [String: [String]] = [:]
    /// The declarations of kinds, in the order of the sources.
    private(set) var kinds: [String] = []

    init() throws {
        let folder = DiagramTests.root.appending(path: "Sources/SluiceStreams")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for file in files.sorted() where file.hasSuffix(".swift") {
            guard file.hasPrefix("Operators/") || file.hasPrefix("Sources/") else { continue }
            read(try String(contentsOf: folder.appending(path: file), encoding: .utf8))
        }
    }

    /// Stores the comment above each declaration, or above the first of several overloads.
    private mutating func read(_ text: String) {
        var comment: [String] = []
        var isOperator = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.trimmingCharacters(in: .whitespaces)
            if content.hasPrefix("extension ") { isOperator = content.hasPrefix("extension Operator {") }
            if content.hasPrefix("///") {
                comment.append(String(content.dropFirst(content.hasPrefix("/// ") ? 4 : 3)))
                continue
            }
            if let kind = content.firstMatch(of: /static let `?(\w+)`? = (Operator|Source)Kind\(/) {
                kinds.append("\(kind.2) \(kind.1)")
            }
            if !comment.isEmpty, let name = content.firstMatch(of: /static (?:func|let|var) `?(\w+)`?/) {
                let isKind = content.contains("SourceKind(")
                if isOperator || isKind {
                    let key = (isKind ? "source " : "operator ") + name.1
                    if comments[key] == nil { comments[key] = comment }
                }
            }
            if !content.hasPrefix("@") { comment = [] }
        }
    }

    var text: String {
        var lines = [
            "# Operators and sources", "",
            "The operators and sources of stream documents. This page is generated from the sources by",
            "`Tests/SluiceStreamsTests/Documentation`; every diagram in it is a test. One character of a diagram is a second.",
            "",
            "Names and parameters are those of Combine and the standard library if they have the operator, otherwise ReactiveX's.",
            "The names of the other families are accepted as synonyms; canonical text uses ours. Unless stated otherwise, time,",
            "completion, and errors are as in RxJS 7.8.", "",
        ]
        lines.append("## Names")
        lines += ["", "| name | synonyms |", "|---|---|"]
        let all = OperatorKind.all.map { ($0.name, $0.synonyms) } + SourceKind.all.map { ($0.name, $0.synonyms) }
        for (name, synonyms) in all.sorted(by: { $0.0 < $1.0 }) where !synonyms.isEmpty {
            lines.append("| `\(name)` | " + synonyms.map { "`\($0)`" }.joined(separator: ", ") + " |")
        }
        for (title, kinds) in Self.families {
            lines += ["", "## \(title)"]
            for kind in kinds { lines += section(kind.name, kind.synonyms, kind.parameters, "operator \(kind.name)") }
        }
        lines += ["", "## Sources"]
        for kind in SourceKind.all {
            lines += section(
                kind.name,
                kind.synonyms,
                kind.parameters,
                "source \(Self.declared[kind.name] ?? kind.name)"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The sources whose declaration has another name.
    private static let declared = ["fail": "failure", "ref": "reference", "outside": "registered"]

    private func section(_ name: String, _ synonyms: [String], _ parameters: [Parameter], _ key: String) -> [String] {
        var lines = ["", "### \(name)", ""]
        if !parameters.isEmpty {
            lines += [
                parameters.map { "`\($0.name)` \($0.form.words)\($0.isRequired ? "" : ", optional")" }
                    .joined(separator: "; ") + ".", "",
            ]
        }
        // Links are for readers of the sources. A fence begins with two backquotes too.
        lines += (comments[key] ?? []).map { $0.hasPrefix("```") ? $0 : $0.replacing("``", with: "`") }
        return lines
    }

    private static let families: [(String, [OperatorKind])] = [
        ("Transforming", OperatorKind.transforming), ("Filtering", OperatorKind.filtering),
        ("Aggregating", OperatorKind.aggregating), ("Timing", OperatorKind.timing),
        ("Windows and groups", OperatorKind.windowing), ("Signals", OperatorKind.signaling),
        ("Combining", OperatorKind.combining), ("Flattening", OperatorKind.flattening),
        ("Sharing", OperatorKind.sharing), ("Failing and repeating", OperatorKind.failing),
    ]

    /// The words of documents, for the fuzzer.
    static var dictionary: String {
        var words = Set(DocumentReader.keys + DocumentReader.besides + ["value"])
        words.formUnion(OperatorKind.names + SourceKind.names)
        for parameter in OperatorKind.all.flatMap(\.parameters) + SourceKind.all.flatMap(\.parameters) {
            words.insert(parameter.name)
            if case .choice(let choices) = parameter.form { words.formUnion(choices) }
        }
        let fragments = [#"{\"source\":"#, #"\"operators\":["#, "x > 1", "acc + x", "${"]
        let quoted = words.sorted().map { #"\"\#($0)\""# } + fragments
        return quoted.map { "\"\($0)\"\n" }.joined()
    }

    /// The kinds without a comment.
    var undocumented: [String] {
        OperatorKind.all.map { "operator \($0.name)" }.filter { !hasDiagram($0) }
            + SourceKind.all.map { "source \(Self.declared[$0.name] ?? $0.name)" }.filter { comments[$0] == nil }
    }

    private func hasDiagram(_ key: String) -> Bool { comments[key]?.contains("```marbles") ?? false }
}

extension Parameter.Form {
    fileprivate var words: String {
        switch self {
        case .expression: "(an expression)"
        case .text: "(a text)"
        case .choice(let choices): "(" + choices.map { "`\"\($0)\"`" }.joined(separator: ", ") + ")"
        case .count(let least): "(a whole number from \(least))"
        case .seconds(.zero): "(from 0)"
        case .seconds(.aboveZero): "(more than 0)"
        case .seconds(.from(let least)): "(from \(least))"
        case .bool: "(`true` or `false`)"
        case .value: "(any value)"
        case .values: "(an array of values)"
        case .object: "(an object)"
        case .stack: "(an object, or an id)"
        case .source: "(a stream)"
        case .sources: "(an array of streams)"
        case .operators: "(operators)"
        case .items: "(items)"
        }
    }
}

@Suite struct ReferencePageTests {
    /// Compares the generated documents with the declarations; `SLUICE_UPDATE_DOCS=1` updates them.
    @Test func isWhatTheSourcesSay() throws {
        try expect("docs/operators.md", ReferencePage().text)
        try expect("docs/stream.schema.json", StreamDocument.jsonSchema.text(.pretty) + "\n")
        try expect("Fuzz/Dictionaries/streams", ReferencePage.dictionary)
    }

    private func expect(_ path: String, _ text: String) throws {
        let url = DiagramTests.root.appending(path: path)
        if ProcessInfo.processInfo.environment["SLUICE_UPDATE_DOCS"] != nil {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOf: url, encoding: .utf8)
        #expect(found == text, "\(path) differs from the sources; SLUICE_UPDATE_DOCS=1 updates it")
    }

    @Test func everyDiagramIsInACodeBlock() throws {
        let lines = try ReferencePage().text.split(separator: "\n")
        #expect(lines.contains("```marbles"))
        #expect(lines.filter { $0.hasPrefix("``") && !$0.hasPrefix("```") } == [])
    }

    /// Each source of the outside world says how it retries, and what survives a crash.
    @Test func sourcesOfTheOutsideSayWhatSurvives() throws {
        let names = SourceKind.outside.map(\.name) + ["schedule"]
        let sections = try ReferencePage().text.split(separator: "\n### ")
        for name in names {
            let section = try #require(
                sections.first { $0.hasPrefix("`\(name)`") || $0.hasPrefix("\(name)\n") },
                "\(name)"
            )
            #expect(section.contains("**Retries**"), "\(name)")
            #expect(section.contains("**After a crash**") || section.contains("what survives a crash"), "\(name)")
        }
    }

    @Test func everyOperatorHasItsDiagram() throws {
        #expect(try ReferencePage().undocumented == [])
    }

    /// A kind that is declared but not listed would not be found in documents.
    @Test func everyDeclarationIsListed() throws {
        let page = try ReferencePage()
        #expect(page.kinds.count == OperatorKind.all.count + SourceKind.all.count, "run bin/generate")
        #expect(page.kinds.count == Set(page.kinds).count)
    }

    /// Editors show the summaries.
    @Test func everyKindHasASummary() {
        for (name, summary) in OperatorKind.all.map({ ($0.name, $0.summary) })
            + SourceKind.all.map({ ($0.name, $0.summary) })
        {
            #expect(summary.first?.isUppercase == true && !summary.hasSuffix("."), "\(name)")
        }
    }
}
