-- +goose Up
-- Calculations of many lines of goods, as they are and with a change. A piece has some of the lines: its input is emptied when
-- its output is stored, and pieces go when the what-if ends. Pages are the result in its order. The attempt is the fencing token
-- of the job that runs the what-if; the place says up to which record lines were gathered.
CREATE TABLE what_ifs (
    org_id      UUID    NOT NULL REFERENCES organisations (org_id),
    id          UUID    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    settings    TEXT    NOT NULL,
    total       BIGINT  NOT NULL,
    done        BIGINT  NOT NULL,
    failed      BIGINT  NOT NULL,
    problem     TEXT    NOT NULL,
    summary     TEXT    NOT NULL,
    sender      TEXT    NOT NULL,
    attempt     BIGINT  NOT NULL,
    place       TEXT    NOT NULL,
    gathered    BOOLEAN NOT NULL,
    created_at  INSTANT NOT NULL,
    finished_at INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX what_ifs_by_status ON what_ifs (org_id, status);
CREATE INDEX what_ifs_by_creation ON what_ifs (org_id, created_at, id);
CREATE INDEX what_ifs_by_end ON what_ifs (finished_at);

CREATE TABLE what_if_pieces (
    org_id     UUID   NOT NULL,
    what_if_id UUID   NOT NULL,
    position   BIGINT NOT NULL,
    lines      BIGINT NOT NULL,
    input      BYTES  NULL,
    output     BYTES  NULL,
    PRIMARY KEY (org_id, what_if_id, position),
    FOREIGN KEY (org_id, what_if_id) REFERENCES what_ifs (org_id, id)
);

CREATE TABLE what_if_pages (
    org_id     UUID   NOT NULL,
    what_if_id UUID   NOT NULL,
    position   BIGINT NOT NULL,
    content    BYTES  NOT NULL,
    PRIMARY KEY (org_id, what_if_id, position),
    FOREIGN KEY (org_id, what_if_id) REFERENCES what_ifs (org_id, id)
);
