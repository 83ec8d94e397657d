-- +goose Up
-- Test organisations. live_org is the organisation whose members they share; it is null for a sandbox that
-- has not been claimed, which ends at expires_at and is claimed with the token that has the hash. clock is the
-- time at which the test clock stands; null for real time. After a return to real time at held_since, events up to
-- held_until have that time, because the times of events never go back.
CREATE TABLE test_organisations (
    org_id     UUID NOT NULL REFERENCES organisations (org_id),
    live_org   UUID,
    clock      INSTANT,
    held_since INSTANT,
    held_until INSTANT,
    expires_at INSTANT,
    claim_hash TEXT,
    created_at INSTANT NOT NULL,
    PRIMARY KEY (org_id)
);
CREATE UNIQUE INDEX test_organisations_by_live ON test_organisations (live_org);
CREATE UNIQUE INDEX test_organisations_by_claim ON test_organisations (claim_hash);
CREATE INDEX test_organisations_by_expiry ON test_organisations (expires_at);
