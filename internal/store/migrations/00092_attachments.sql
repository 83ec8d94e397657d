-- +goose Up
-- Files of records, whatever their kind. There is no reference to filings, so that releases before this one can go on
-- deleting records; retention deletes what they leave.
CREATE TABLE attachments (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    id         UUID    NOT NULL,
    record_id  UUID    NOT NULL,
    file_name  TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    size       BIGINT  NOT NULL,
    sha256     TEXT    NOT NULL,
    user_id    TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX attachments_by_record ON attachments (org_id, record_id, id);

CREATE TABLE attachment_chunks (
    org_id UUID   NOT NULL REFERENCES organisations (org_id),
    id     UUID   NOT NULL,
    number BIGINT NOT NULL,
    data   BYTES  NOT NULL,
    PRIMARY KEY (org_id, id, number)
);

-- Attachments of declarations that are sent to customs: how far each is. The id is that of the attachment, the batch that
-- of the files which were given together, the reference customs' own of the upload.
CREATE TABLE declaration_files (
    org_id          UUID    NOT NULL REFERENCES organisations (org_id),
    id              UUID    NOT NULL,
    filing_id       UUID    NOT NULL,
    batch_id        UUID    NOT NULL,
    position        BIGINT  NOT NULL,
    document_type   TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('REQUESTED', 'SENT', 'RECEIVED', 'REJECTED')),
    reason          TEXT    NOT NULL,
    demands         TEXT    NOT NULL,
    request         TEXT    NOT NULL,
    transmission_id UUID,
    forms           BIGINT  NOT NULL,
    form            TEXT,
    form_at         INSTANT,
    reference       TEXT,
    scanned_at      INSTANT,
    posting_since   INSTANT,
    sent_at         INSTANT,
    ended_at        INSTANT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX declaration_files_by_filing ON declaration_files (org_id, filing_id, batch_id, position);
CREATE UNIQUE INDEX declaration_files_by_reference ON declaration_files (reference);
