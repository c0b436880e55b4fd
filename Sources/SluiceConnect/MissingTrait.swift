#if !HTTP
#warning("SluiceConnect is empty without the trait HTTP: .package(url: …, traits: [\"HTTP\"])")
#endif
