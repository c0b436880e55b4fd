import Sluice
import SluiceFilters
import SluiceJSON

// Shared by the fuzzer and by the tests that replay its corpus (a link in Tests/SluiceFiltersTests/Stacks).

/// Reads the bytes as a stack document, writes it, makes its filters, and returns the violated invariants.
func exerciseStacks(_ bytes: [UInt8]) -> [String] {
    let document: StackDocument
    do throws(JSONErrors) { document = try StackDocument(parsing: bytes) } catch { return check(error) }
    var problems: [String] = []
    let text = document.canonicalText
    do throws(JSONErrors) {
        let again = try StackDocument(parsing: text)
        if again.canonicalText != text { problems.append("is not stable: \(text)") }
        if again.lint().map(\.rule) != document.lint().map(\.rule) { problems.append("has other findings: \(text)") }
    } catch {
        problems.append("does not read back: \(error)")
    }
    let bindings = StackBindings<Int, Int>(keys: ["a": { "\($0)" }], answer: { $0.int ?? 0 })
    do throws(JSONErrors) {
        let stack = try StackFilter(document, bindings: bindings)
        let change = stack.plan(document)
        if !change.reset.isEmpty || !change.added.isEmpty || !change.dropped.isEmpty {
            problems.append("changes itself: \(change)")
        }
    } catch {
        problems += check(error)
    }
    return problems
}

private func check(_ errors: JSONErrors) -> [String] {
    if errors.errors.isEmpty { return ["errors without an error"] }
    return errors.errors.compactMap { error in
        error.message.isEmpty || error.position.line < 1 || error.position.column < 1 ? "bad place: \(error)" : nil
    }
}
