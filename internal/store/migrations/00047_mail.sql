-- +goose Up
-- Mails that wait to be sent, each by a job. The content is sealed with the master key,
-- since links in it let people in; a mail that was sent is removed.
CREATE TABLE mails (
    org_id     UUID    NOT NULL,
    id         UUID    NOT NULL,
    recipient  TEXT    NOT NULL,
    content    TEXT    NOT NULL,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- Sessions that an OWNER has ended for this organisation. They may still open others.
CREATE TABLE ended_sessions (
    org_id     UUID    NOT NULL REFERENCES organisations (org_id),
    session_id UUID    NOT NULL,
    ended_by   UUID    NOT NULL,
    ended_at   INSTANT NOT NULL,
    PRIMARY KEY (org_id, session_id)
);
