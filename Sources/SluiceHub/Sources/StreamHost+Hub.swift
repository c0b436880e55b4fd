#if Hub
import SluiceHTTP
import SluiceStreams

extension HubSettings {
    /// Returns the host of the hub's streams: the sources that the program has registered, and the built-in ones within
    /// the limits of these settings.
    func outside(clock: any Clock<Duration> = .continuous, resolver: Resolver = .system) -> StreamHost {
        var host = host
        let taken = Set(host.names)
        if !taken.contains("poll") {
            let egress = Egress(allowedHosts, resolver: resolver, body: .whole(upTo: PollSource.longest))
            host.register("poll", PollSource(egress: egress, clock: clock).feed)
        }
        if !taken.contains("events") {
            let egress = Egress(allowedHosts, resolver: resolver, body: .streamed)
            host.register("events", hasPositions: true, EventsSource(egress: egress, clock: clock).feed)
        }
        guard !taken.contains("lines") else { return host }
        if let linesFolder {
            host.registerLines(within: linesFolder)
        } else {
            host.register("lines") { _, _ in
                throw StreamError(message: "this hub reads no files: --lines FOLDER says in which folder it may")
            }
        }
        return host
    }
}
#endif
