#if HTTP
import AsyncHTTPClient
import Testing
import Tracing

@testable import SluiceHTTP

@Suite struct HTTPTransportSettingsTests {
    /// The client describes requests to the tracer that the program has set up, and to none otherwise.
    @Test func requestsAreDescribedOnlyToATracer() {
        let configuration = HTTPTransport.Settings().configuration(nil, proxy: nil, pins: nil)
        #expect((configuration.tracing.tracer == nil) == (InstrumentationSystem.tracer is NoOpTracer))
    }
}
#endif
