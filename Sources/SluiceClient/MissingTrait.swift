#if !HTTP
#warning("SluiceClient is empty without the trait HTTP: .package(url: …, traits: [\"HTTP\"])")
#endif
