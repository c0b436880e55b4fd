/// Overloads that put a stack of filters around a node from the inside out, whichever way the stack was composed.
///
/// Two stacks that differ only in their parentheses behave the same. But a call through `Stacked<Stacked<A, B>, C>`
/// nests a type for the next stage at each level, and at some depth the optimizer stops specializing.
/// `Filtered<A, Filtered<B, Filtered<C, N>>>` has the types of its stages from the beginning, so that ten filters cost
/// as much as ten nested functions. The compiler picks the overload with the most filters. In a stack of more than
/// twelve, the outermost filters stay together.
extension Stacked {
    /// Puts these two filters around a node.
    @inlinable
    public func andThen<N: Node>(
        _ node: N
    ) -> Filtered<A, Filtered<B, N>>
    where N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(outer, Filtered(inner, node))
    }

    /// Puts these three filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, N: Node>(
        _ node: N
    ) -> Filtered<F1, Filtered<F2, Filtered<B, N>>>
    where A == Stacked<F1, F2>, N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(outer.outer, Filtered(outer.inner, Filtered(inner, node)))
    }

    /// Puts these four filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, F3: Filter, N: Node>(
        _ node: N
    ) -> Filtered<F1, Filtered<F2, Filtered<F3, Filtered<B, N>>>>
    where A == Stacked<Stacked<F1, F2>, F3>, N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(outer.outer.outer, Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node))))
    }

    /// Puts these five filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, F3: Filter, F4: Filter, N: Node>(
        _ node: N
    ) -> Filtered<F1, Filtered<F2, Filtered<F3, Filtered<F4, Filtered<B, N>>>>>
    where A == Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(
            outer.outer.outer.outer,
            Filtered(outer.outer.outer.inner, Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node))))
        )
    }

    /// Puts these six filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, F3: Filter, F4: Filter, F5: Filter, N: Node>(
        _ node: N
    ) -> Filtered<F1, Filtered<F2, Filtered<F3, Filtered<F4, Filtered<F5, Filtered<B, N>>>>>>
    where A == Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(
            outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.inner,
                    Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                )
            )
        )
    }

    /// Puts these seven filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, F3: Filter, F4: Filter, F5: Filter, F6: Filter, N: Node>(
        _ node: N
    ) -> Filtered<F1, Filtered<F2, Filtered<F3, Filtered<F4, Filtered<F5, Filtered<F6, Filtered<B, N>>>>>>>
    where
        A == Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, N.Input == RequestOut,
        N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.inner,
                        Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                    )
                )
            )
        )
    }

    /// Puts these eight filters around a node.
    @inlinable
    public func andThen<F1: Filter, F2: Filter, F3: Filter, F4: Filter, F5: Filter, F6: Filter, F7: Filter, N: Node>(
        _ node: N
    ) -> Filtered<
        F1, Filtered<F2, Filtered<F3, Filtered<F4, Filtered<F5, Filtered<F6, Filtered<F7, Filtered<B, N>>>>>>>
    >
    where
        A == Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, F7>, N.Input == RequestOut,
        N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.outer.inner,
                        Filtered(
                            outer.outer.outer.inner,
                            Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                        )
                    )
                )
            )
        )
    }

    /// Puts these nine filters around a node.
    @inlinable
    public func andThen<
        F1: Filter,
        F2: Filter,
        F3: Filter,
        F4: Filter,
        F5: Filter,
        F6: Filter,
        F7: Filter,
        F8: Filter,
        N: Node
    >(
        _ node: N
    ) -> Filtered<
        F1,
        Filtered<F2, Filtered<F3, Filtered<F4, Filtered<F5, Filtered<F6, Filtered<F7, Filtered<F8, Filtered<B, N>>>>>>>>
    >
    where
        A == Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, F7>, F8>,
        N.Input == RequestOut, N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.outer.outer.inner,
                        Filtered(
                            outer.outer.outer.outer.inner,
                            Filtered(
                                outer.outer.outer.inner,
                                Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                            )
                        )
                    )
                )
            )
        )
    }

    /// Puts these ten filters around a node.
    @inlinable
    public func andThen<
        F1: Filter,
        F2: Filter,
        F3: Filter,
        F4: Filter,
        F5: Filter,
        F6: Filter,
        F7: Filter,
        F8: Filter,
        F9: Filter,
        N: Node
    >(
        _ node: N
    ) -> Filtered<
        F1,
        Filtered<
            F2,
            Filtered<
                F3, Filtered<F4, Filtered<F5, Filtered<F6, Filtered<F7, Filtered<F8, Filtered<F9, Filtered<B, N>>>>>>>
            >
        >
    >
    where
        A == Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, F7>, F8>, F9>,
        N.Input == RequestOut, N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.outer.outer.outer.inner,
                        Filtered(
                            outer.outer.outer.outer.outer.inner,
                            Filtered(
                                outer.outer.outer.outer.inner,
                                Filtered(
                                    outer.outer.outer.inner,
                                    Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                                )
                            )
                        )
                    )
                )
            )
        )
    }

    /// Puts these eleven filters around a node.
    @inlinable
    public func andThen<
        F1: Filter,
        F2: Filter,
        F3: Filter,
        F4: Filter,
        F5: Filter,
        F6: Filter,
        F7: Filter,
        F8: Filter,
        F9: Filter,
        F10: Filter,
        N: Node
    >(
        _ node: N
    ) -> Filtered<
        F1,
        Filtered<
            F2,
            Filtered<
                F3,
                Filtered<
                    F4,
                    Filtered<F5, Filtered<F6, Filtered<F7, Filtered<F8, Filtered<F9, Filtered<F10, Filtered<B, N>>>>>>>
                >
            >
        >
    >
    where
        A == Stacked<
            Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, F7>, F8>, F9>,
            F10
        >, N.Input == RequestOut, N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.outer.outer.outer.outer.inner,
                        Filtered(
                            outer.outer.outer.outer.outer.outer.inner,
                            Filtered(
                                outer.outer.outer.outer.outer.inner,
                                Filtered(
                                    outer.outer.outer.outer.inner,
                                    Filtered(
                                        outer.outer.outer.inner,
                                        Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                                    )
                                )
                            )
                        )
                    )
                )
            )
        )
    }

    /// Puts these twelve filters around a node.
    @inlinable
    public func andThen<
        F1: Filter,
        F2: Filter,
        F3: Filter,
        F4: Filter,
        F5: Filter,
        F6: Filter,
        F7: Filter,
        F8: Filter,
        F9: Filter,
        F10: Filter,
        F11: Filter,
        N: Node
    >(
        _ node: N
    ) -> Filtered<
        F1,
        Filtered<
            F2,
            Filtered<
                F3,
                Filtered<
                    F4,
                    Filtered<
                        F5,
                        Filtered<
                            F6, Filtered<F7, Filtered<F8, Filtered<F9, Filtered<F10, Filtered<F11, Filtered<B, N>>>>>>
                        >
                    >
                >
            >
        >
    >
    where
        A == Stacked<
            Stacked<
                Stacked<
                    Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<Stacked<F1, F2>, F3>, F4>, F5>, F6>, F7>, F8>, F9
                >, F10
            >, F11
        >, N.Input == RequestOut, N.Output == ResponseIn
    {
        Filtered(
            outer.outer.outer.outer.outer.outer.outer.outer.outer.outer.outer,
            Filtered(
                outer.outer.outer.outer.outer.outer.outer.outer.outer.outer.inner,
                Filtered(
                    outer.outer.outer.outer.outer.outer.outer.outer.outer.inner,
                    Filtered(
                        outer.outer.outer.outer.outer.outer.outer.outer.inner,
                        Filtered(
                            outer.outer.outer.outer.outer.outer.outer.inner,
                            Filtered(
                                outer.outer.outer.outer.outer.outer.inner,
                                Filtered(
                                    outer.outer.outer.outer.outer.inner,
                                    Filtered(
                                        outer.outer.outer.outer.inner,
                                        Filtered(
                                            outer.outer.outer.inner,
                                            Filtered(outer.outer.inner, Filtered(outer.inner, Filtered(inner, node)))
                                        )
                                    )
                                )
                            )
                        )
                    )
                )
            )
        )
    }
}
