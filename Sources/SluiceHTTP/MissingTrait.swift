#if !HTTP
#warning("SluiceHTTP is empty without the trait HTTP: .package(url: …, traits: [\"HTTP\"])")
#endif
