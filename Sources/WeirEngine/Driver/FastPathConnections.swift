import WeirPackets

// The connections and openings of flows, apart from the packets that the fast path counts.

extension FastPaths {
    /// Discards the buffered data of a flow's stream and of its connection.
    mutating func discardAll(of state: FlowState) {
        state.forgetSides(&messageBudget)
        discard(state.connection)
    }

    /// Discards the buffered data of a connection.
    mutating func discard(_ connection: Int32) {
        connections[connection].discard(budget: &gapBudget)
    }

    /// Finishes the connection of an ignored flow.
    mutating func finish(_ connection: Int32) {
        connections[connection].finish()
        while next(connection) != nil {}
    }

    /// Marks a flow as ignored; it is not looked up again before the claims change.
    mutating func ignore(_ index: Int) {
        table.release(index)
        table[index].path.turn(to: .ignored)
        table[index].path.lookedUp = claims
        let connection = table[index].path.connection
        guard connection >= 0 else { return }
        if connections[connection].hasFIN(.clientToServer) { _ = table[index].path.finish(.clientToServer) }
        if connections[connection].hasFIN(.serverToClient) { _ = table[index].path.finish(.serverToClient) }
    }

    /// Creates the connection of a flow's answered opening, which ends.
    mutating func connect(_ index: Int) -> (opening: AnsweredOpening, connection: Int32, connected: Delivery.Place?) {
        let opening = endOpening(index)
        let (connection, connected) = opening.connection(budget: &gapBudget)
        return (opening, connections.insert(connection), connected)
    }

    /// Ignores the flow of an answered opening, whose first data is the latest packet, with these bytes.
    mutating func ignoreAnswered(_ index: Int, _ payload: RawSpan, _ info: FrameInfo) {
        if listsFlows {
            let connection = connect(index).connection
            _ = take(payload, unread.direction, connection, info)
            discard(connection)
            table[index].path.connection = connection
        } else {
            _ = endOpening(index)
            table[index].path.connection = FlowPath.untracked
        }
        ignore(index)
    }

    private mutating func endOpening(_ index: Int) -> AnsweredOpening {
        let number = table[index].path.opening
        table[index].path.turn(to: .open)
        openings.release(number)
        return openings[number]
    }

    /// Removes a flow, its connection and its fast path slot.
    mutating func removeFlow(_ index: Int) {
        let path = table[index].path
        if path.connection >= 0 {
            if path.slot >= 0 { paths[Int(path.number)].remove(path.slot) }
            discard(path.connection)
            connections.release(path.connection)
        }
        table.remove(index)
    }
}
