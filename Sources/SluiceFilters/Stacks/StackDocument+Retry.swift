package import SluiceJSON

extension StackDocument {
    /// The settings of the `retry` that is in effect, for programs that repeat attempts by themselves; `nil` without one.
    package var retry: (maxAttempts: Int, backoff: Backoff)? {
        guard let entry = filters.first(where: { $0.kind == RetryKind.name && !$0.isDisabled }) else { return nil }
        return (entry.settings[RetryKind.maxAttempts], entry.settings[RetryKind.backoff])
    }

    /// The document without its `retry`.
    package var withoutRetry: StackDocument { filtered { $0.kind != RetryKind.name } }
}

extension StackDocument.Entry {
    /// The path of the filter in the document.
    package var place: JSONPath { path.appending(kind) }

    /// The position of the filter in the text.
    package var start: JSONPosition { position }

    /// Returns a Boolean value that indicates whether the document gives a value for a key, other than the default.
    package func gives(_ key: String) -> Bool { text[key] != nil }

    /// The size of the windows that the conditions of a breaker keep: the numbers of calls, of slices of time, and of probes.
    package var windowSize: Int {
        let probes = settings.json["probes"]?.int ?? 1
        return (settings.json["opensOn"]?.array ?? []).reduce(0) { size, condition in
            let keys = condition.object?.first?.value
            return size + probes + (keys?["calls"]?.int ?? 16 * (keys?["slices"]?.int ?? 1))
        }
    }
}
