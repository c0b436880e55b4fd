#if Hub
import SluiceConnect
import SluiceStreams

extension HubSettings {
    /// Returns the host of the hub's streams: the sources that the program has registered, and the connectors within the
    /// limits of these settings.
    func outside(clock: any Clock<Duration> = .continuous) -> StreamHost {
        var connect = ConnectSettings()
        connect.allowedHosts = allowedHosts
        connect.filesFolder = filesFolder
        connect.secrets = secrets
        return connect.host(adding: host, clock: clock)
    }
}
#endif
