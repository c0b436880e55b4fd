import GRDB

/// The tables, as a list of steps that only grows.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: streams") { database in
            try database.create(table: "stream") { table in
                table.primaryKey("id", .text)
                table.column("revision", .integer).notNull().check { $0 >= 1 }
                table.column("name", .text)
                table.column("text", .text).notNull()
            }
        }
        return migrator
    }
}
