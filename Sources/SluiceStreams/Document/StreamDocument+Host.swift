package import SluiceJSON

extension StreamDocument {
    /// Returns an error for each source of the document that only a hub has, where a host has none of that name.
    package func missingSources(in host: StreamHost) -> [JSONError] {
        let names = Set(host.names)
        let hints = [
            "webhook": (
                "a webhook is received by a hub, and not here",
                "have a hub run the stream, or read what it puts out with subscribe"
            ),
            "subscribe": ("no hub is known here whose streams could be read", "name it with --hub"),
        ]
        return pipeline.sourceNames.filter { !names.contains($0) }.compactMap { name in
            guard let (reason, hint) = hints[name] else { return nil }
            let start = JSONPosition(line: 1, column: 1, offset: 0)
            return JSONError(.invalidValue, "\(name): \(reason)", hint: hint, at: start)
        }
    }
}
