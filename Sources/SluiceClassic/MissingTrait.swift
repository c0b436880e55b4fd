#if !HTTP
#warning("SluiceClassic is empty without the trait HTTP: .package(url: …, traits: [\"HTTP\"])")
#endif
