#if Hub
import Foundation
import Logging
import Sluice
import SluiceConnect
import SluiceFilters
import SluiceRuns
import SluiceStreams

/// The surroundings that the streams of a hub share: subscribers, time, storage, and settings.
struct HubEnvironment: Sendable {
    let bus: EventBus
    let timer: CallTimer
    let store: any StreamStore
    let settings: HubSettings
    /// Returns the time of day, for what is stored.
    let wallClock: @Sendable () -> Date
    let counters: HubCounters
    /// The webhooks that running streams read.
    let webhooks: WebhookDesk
    /// The subscriptions of running streams to others.
    let subscriptions: SubscriptionDesk
    /// The last output of each stream.
    let outputs: LastOutputs
    /// Starts work that nobody waits for, in a task of its own.
    let perform: TaskStarter
    /// The deliveries of all sinks; `nil` where nothing of the runs is stored.
    let deliveries: Deliveries?
    /// The part of it that runs see.
    let runs: RunEnvironment

    init(
        bus: EventBus,
        timer: CallTimer,
        store: any StreamStore,
        settings: HubSettings,
        wallClock: @escaping @Sendable () -> Date,
        scheduler: RunScheduler = RunScheduler(),
        runTimer: (any RunTimer)? = nil,
        perform: TaskStarter = TaskStarter()
    ) {
        var settings = settings
        // Another hub with the same settings has other stacks.
        settings.host.stacks = NamedStacks()
        (self.bus, self.timer, self.store, self.settings) = (bus, timer, store, settings)
        (self.wallClock, self.perform) = (wallClock, perform)
        counters = HubCounters()
        outputs = LastOutputs()
        let webhooks = WebhookDesk(secrets: settings.secrets)
        self.webhooks = webhooks
        var runSettings = RunSettings(settings)
        if !settings.host.names.contains("webhook") { runSettings.host.register("webhook", webhooks.feed) }
        let clock = runTimer ?? CallRunTimer(timer)
        let subscriptions = SubscriptionDesk(
            store: store,
            bus: bus,
            timer: clock,
            isDurable: settings.isDurable,
            shared: settings.sharedOutputs
        )
        self.subscriptions = subscriptions
        if !settings.host.names.contains("subscribe") {
            runSettings.host.register("subscribe", hasPositions: true, subscriptions.feed)
        }
        let log: @Sendable (String) -> Void = { [logger = settings.logger] text in logger.error("\(text)") }
        deliveries = (settings.isDurable ? store as? any SinkStore : nil).map { store in
            Deliveries(
                store: store,
                host: settings.host,
                timer: clock,
                wallClock: wallClock,
                log: log,
                perform: perform,
                onBlocked: subscriptions.noteBlocked
            )
        }
        runs = RunEnvironment(
            scheduler: scheduler,
            timer: clock,
            store: store,
            publisher: HubPublisher(
                bus: bus,
                counters: counters,
                deliveries: deliveries,
                subscriptions: subscriptions,
                outputs: outputs
            ),
            settings: runSettings,
            wallClock: wallClock,
            log: log,
            perform: perform
        )
    }
}

extension RunSettings {
    /// The part of a hub's settings that runs follow.
    init(_ settings: HubSettings) {
        self.init()
        restart = settings.restart
        isDurable = settings.isDurable
        host = settings.host
        limits = StreamLimits(
            eventsPerInstant: settings.limits.eventsPerInstant,
            valueSize: settings.limits.valueSize
        )
        stateSize = settings.limits.stateSize
        backlogSize = settings.limits.backlogSize
        memory = RunMemory(limit: settings.limits.runsMemory)
    }
}
#endif
