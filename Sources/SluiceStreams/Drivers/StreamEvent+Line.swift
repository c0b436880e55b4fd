public import SluiceJSON

extension StreamEvent<JSON> {
    /// The event as one line of JSON: `{"time": 1, "value": 1}`, at the end `{"time": 4, "completed": true}` or
    /// `{"time": 4, "error": "…"}`; for an item that was omitted `{"time": 2, "reported": "…"}`.
    public var line: String {
        switch kind {
        case .value(let value): #"{"time": \#(time), "value": \#(value)}"#
        case .completed: #"{"time": \#(time), "completed": true}"#
        case .reported(let error): #"{"time": \#(time), "reported": \#(JSON.string(error.description))}"#
        case .failed(let error): #"{"time": \#(time), "error": \#(JSON.string(error.description))}"#
        }
    }
}
