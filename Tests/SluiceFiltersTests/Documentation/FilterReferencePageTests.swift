import Foundation
import Sluice
import SluiceJSON
import Testing

@testable import SluiceFilters

/// A generator of `docs/stack-filters.md` from the declarations of the filters.
private enum FilterReferencePage {
    static let text: String = {
        var lines = [
            "# Filters of stack documents", "",
            "The filters that a [stack document](stacks.md) can name, in alphabetical order. This page is generated from the",
            "declarations by `Tests/SluiceFiltersTests/Documentation`; every example is a test. Times are in seconds.",
        ]
        for kind in FilterKinds.all.sorted(by: { $0.name < $1.name }) {
            lines += ["", "## \(kind.name)", "", "\(kind.summary).", ""]
            if !kind.parameters.isEmpty { lines += table(kind.parameters) + [""] }
            lines += ["```json"] + kind.examples.map(\.text) + ["```"]
        }
        lines += ["", "## Budgets", "", "The keys of each budget in `budgets`.", ""] + table(BudgetKeys.parameters)
        lines += ["", "## Balancer", "", "The keys of `balancer`.", ""] + table(BalancerKeys.parameters)
        return lines.joined(separator: "\n") + "\n"
    }()

    /// The words of documents, for the fuzzer.
    static let dictionary: String = {
        var words = Set(StackReader.keys + StackReader.besides)
        var kinds = FilterKinds.all.map { StackKind(name: $0.name, parameters: $0.parameters, isOfCalls: false) }
        kinds.append(StackKind(name: "budgets", parameters: BudgetKeys.parameters, isOfCalls: false))
        kinds.append(StackKind(name: "balancer", parameters: BalancerKeys.parameters, isOfCalls: false))
        func add(_ form: StackParameter.Form) {
            switch form {
            case .choice(let choices): words.formUnion(choices)
            case .oneOf(let more), .countOr(_, let more): kinds += more
            case .list(let form, _): add(form)
            default: break
            }
        }
        while let kind = kinds.popLast() {
            words.insert(kind.name)
            for parameter in kind.parameters {
                words.insert(parameter.name)
                add(parameter.form)
            }
        }
        return words.sorted().map { "\"\\\"\($0)\\\"\"\n" }.joined()
    }()

    private static func table(_ parameters: [StackParameter]) -> [String] {
        ["| key | value | default | meaning |", "|---|---|---|---|"]
            + parameters.map { parameter in
                let standard = parameter.isRequired ? "required" : parameter.standard.map { "`\($0.text())`" } ?? ""
                return "| `\(parameter.name)` | \(form(parameter.form)) | \(standard) | \(parameter.meaning) |"
            }
    }

    private static func form(_ form: StackParameter.Form) -> String {
        switch form {
        case .seconds(let isPositive): isPositive ? "seconds, more than 0" : "seconds"
        case .count(let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number, \(JSON(number: range.lowerBound)) to \(JSON(number: range.upperBound))"
        case .text: "a text"
        case .choice(let choices): choices.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .bool: "`true` or `false`"
        case .value: "any value"
        case .budget: "the name of a budget"
        case .oneOf(let kinds): "one of " + kinds.map(kind).joined(separator: ", ")
        case .countOr(let range, let kinds): "\(self.form(.count(range))), or \(self.form(.oneOf(kinds)))"
        case .list(let form, let most): "a list of up to \(most): \(self.form(form))"
        case .filters: "filters"
        }
    }

    private static func kind(_ kind: StackKind) -> String {
        let keys = kind.parameters.map { parameter in
            let standard = parameter.standard.map { ": \($0.text())" } ?? ""
            return parameter.isRequired ? "**\(parameter.name)**" : "\(parameter.name)\(standard)"
        }
        return "`\(kind.name)` (\(keys.joined(separator: ", ")))"
    }
}

@Suite struct FilterReferencePageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Compares the generated documents with the declarations; `SLUICE_UPDATE_DOCS=1` updates them.
    @Test(arguments: [
        ("docs/stack-filters.md", FilterReferencePage.text),
        ("docs/stack.schema.json", StackDocument.jsonSchema.text(.pretty) + "\n"),
        ("Fuzz/Dictionaries/stacks", FilterReferencePage.dictionary),
    ]) func isCurrent(_ path: String, _ text: String) throws {
        let url = Self.root.appending(path: path)
        if ProcessInfo.processInfo.environment["SLUICE_UPDATE_DOCS"] != nil {
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let found = try String(contentsOf: url, encoding: .utf8)
        #expect(found == text, "\(path) is outdated; SLUICE_UPDATE_DOCS=1 updates it")
    }

    /// Replays the fuzzer's corpus, and damages each of its documents.
    @Test func corpusHoldsTheInvariants() throws {
        let folder = Self.root.appending(path: "Fuzz/Corpus/stacks")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 6)
        let random = RandomSource(seed: 1)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(exerciseStacks(bytes).isEmpty, "\(file.lastPathComponent)")
            for _ in 0..<200 {
                var damaged = bytes
                let index = Int(random.below(UInt64(damaged.count)))
                damaged[index] = UInt8(random.below(128))
                let problems = exerciseStacks(damaged)
                #expect(problems.isEmpty, "\(String(decoding: damaged, as: UTF8.self)): \(problems)")
            }
        }
    }

    /// A kind that is declared but not listed would not be found in documents.
    @Test func everyDeclarationIsListed() throws {
        let folder = Self.root.appending(path: "Sources/SluiceFilters")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var declared: [String] = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            declared += text.matches(of: /enum (\w+): FilterKind \{/).map { String($0.1) }
        }
        #expect(FilterKinds.all.map { "\($0)" }.sorted() == declared.sorted(), "run bin/generate")
        #expect(Set(FilterKinds.all.map { $0.name }).count == declared.count, "two kinds have the same name")
    }

    private static let examples = FilterKinds.all.flatMap { kind in kind.examples.map { (kind.name, $0) } }

    private static func text(_ filter: String) -> String { #"{"budgets": {"extra": {}}, "filters": [\#(filter)]}"# }

    private static func stack(_ filter: String) throws -> StackFilter<String, String> {
        let bindings = StackBindings<String, String>(
            keys: ["user": { $0 }],
            answer: { $0.string ?? "" },
            filters: ["log in": AnyFilter("log in") { try await $1.process($0) }]
        )
        return try StackFilter(parsing: text(filter), bindings: bindings)
    }

    @Test(arguments: examples) func anExampleMakesItsFilter(_ name: String, _ example: FilterExample) throws {
        let stack = try Self.stack(example.text)
        #expect(stack.description == example.description)
        #expect(stack.document.filters.map(\.kind) == [name])
        // The document and the filter that it makes have the same role.
        let role = try #require(stack.core.stages.first.map { LintStage("", of: $0).role })
        #expect(stack.document.lintStages.map(\.role) == [role])
        // The text is canonical but for spaces.
        let canonical = try StackDocument(parsing: stack.document.canonicalText)
        #expect(canonical == stack.document)
    }

    /// Every kind has a summary, and an example with each of its keys.
    @Test func examplesHaveEveryKey() throws {
        for kind in FilterKinds.all {
            #expect(kind.summary.first?.isUppercase == true && !kind.summary.hasSuffix("."), "\(kind.name)")
            let objects = try kind.examples.compactMap { try JSON(parsing: $0.text)[kind.name]?.object }
            #expect(objects.count == kind.examples.count && !objects.isEmpty, "\(kind.name)")
            for parameter in kind.parameters {
                #expect(objects.contains { $0[parameter.name] != nil }, "\(kind.name).\(parameter.name)")
                #expect(!parameter.meaning.isEmpty, "\(kind.name).\(parameter.name)")
            }
        }
    }

    /// A filter without its keys equals the one that its initializer makes without arguments, as far as its fields can be
    /// read: those of the shedding filter are behind a lock.
    @Test func defaultsAreThoseOfTheInitializers() throws {
        let filters: [(String, any SimpleFilter<String, String>)] = [
            (#"{"retry": {}}"#, RetryFilter<String, String>(backoff: .none)),
            (#"{"hedge": {}}"#, HedgeFilter<String, String>()),
            (#"{"concurrency": {"limit": 3}}"#, ConcurrencyFilter<String, String>(3)),
            (#"{"rate": {"limit": 3}}"#, RateFilter<String, String>(3, per: .seconds(1))),
        ]
        for (text, filter) in filters {
            let made = try #require(Self.stack(text).core.stages.first)
            #expect(Self.fields(of: made) == Self.fields(of: filter), "\(text)")
            #expect(!Self.fields(of: made).isEmpty)
        }
        let budget = RetryBudget(StackSettings.defaults, clock: .continuous)
        #expect(Self.fields(of: budget) == Self.fields(of: RetryBudget()))
    }

    /// Returns the stored values of a filter that are numbers, times, or enumerations, by path.
    private static func fields(of value: Any, _ path: String = "", _ depth: Int = 0) -> [String] {
        if value is any Numeric || value is Duration || value is Backoff { return ["\(path) = \(value)"] }
        // Under the thread sanitizer, a mutex has an address.
        guard depth < 4, !["timer", "random", "now", "mutex"].contains(where: path.contains) else { return [] }
        return Mirror(reflecting: value).children.enumerated().flatMap { index, child in
            fields(of: child.value, "\(path).\(child.label ?? "\(index)")", depth + 1)
        }
    }
}
