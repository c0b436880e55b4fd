#if Hub
import HTTPTypes
import SluiceJSON

extension HubRoutes {
    /// The streams side by side.
    var overviewOperations: [Operation] {
        [
            Operation(
                method: .get,
                path: "/overview",
                id: "overview",
                role: .read,
                summary: "What all streams are doing: their connections, figures, and last outputs",
                result: .json("Overview")
            ) { _, context in .json(await hub.overview(for: context.identity)) }
        ]
    }
}
#endif
