#if HTTP
public import SluiceHTTP

extension RecordingNode: Transport where Input == TransportRequest, Output == TransportResponse {}
#endif
