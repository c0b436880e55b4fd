-- The tables of a store of schema 4. They are never edited.
CREATE TABLE stream (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    position INTEGER UNIQUE
);
CREATE TABLE revision (
    stream INTEGER NOT NULL REFERENCES stream,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    time INTEGER,
    author TEXT,
    name TEXT,
    text TEXT,
    UNIQUE (stream, revision)
);
CREATE TABLE clientGroup (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE assignment (
    place INTEGER PRIMARY KEY,
    clientGroup INTEGER NOT NULL REFERENCES clientGroup,
    stream INTEGER NOT NULL REFERENCES stream,
    UNIQUE (clientGroup, stream)
);
CREATE INDEX assignmentOfStream ON assignment (stream);
CREATE TABLE run (
    stream INTEGER PRIMARY KEY REFERENCES stream,
    run INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL,
    isPaused INTEGER NOT NULL,
    speed REAL NOT NULL,
    error TEXT,
    savedAt INTEGER NOT NULL,
    outputs INTEGER NOT NULL
);
CREATE TABLE checkpoint (
    stream INTEGER PRIMARY KEY REFERENCES stream,
    text TEXT NOT NULL
);
CREATE TABLE input (
    place INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES stream,
    source TEXT NOT NULL,
    time INTEGER NOT NULL,
    item TEXT NOT NULL
);
CREATE INDEX inputOfStream ON input (stream);
CREATE TABLE output (
    stream INTEGER NOT NULL REFERENCES stream,
    run INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    savedAt INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (stream, run, sequence)
) WITHOUT ROWID;
CREATE TABLE runDocument (
    stream INTEGER NOT NULL REFERENCES stream,
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    name TEXT,
    text TEXT,
    PRIMARY KEY (stream, place)
) WITHOUT ROWID;
CREATE INDEX runDocumentOfRevision ON runDocument (id, revision);
CREATE TABLE token (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    hash TEXT NOT NULL,
    created INTEGER NOT NULL
);
PRAGMA application_id = 1399616873;
PRAGMA user_version = 4;
