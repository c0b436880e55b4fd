import Sluice

/// Notes what happens, from any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    func callAsFunction(_ element: Element) { storage.withLock { $0.append(element) } }
    var elements: [Element] { storage.withLock { $0 } }
}
