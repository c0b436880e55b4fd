#if Hub
import Foundation
import Logging
import Sluice
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
    /// Starts work that nobody waits for, in a task of its own.
    let perform: @Sendable (@escaping @Sendable () async -> Void) -> Void
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
        perform: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in Task { await work() } }
    ) {
        (self.bus, self.timer, self.store, self.settings) = (bus, timer, store, settings)
        (self.wallClock, self.perform) = (wallClock, perform)
        counters = HubCounters()
        runs = RunEnvironment(
            scheduler: scheduler,
            timer: runTimer ?? CallRunTimer(timer),
            store: store,
            publisher: HubPublisher(bus: bus, counters: counters),
            settings: RunSettings(settings),
            wallClock: wallClock,
            log: { [logger = settings.logger] text in logger.error("\(text)") },
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
