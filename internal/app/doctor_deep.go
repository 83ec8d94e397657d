package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
)

// Limits of a quick look at pages and trails; with --deep there are none.
const (
	pagesPatience = 3 * time.Second
	sampledOrgs   = 20
	sampledEvents = 200
	verifiedWorry = 31 * 24 * time.Hour
)

const (
	pagesName      = "database, pages"
	trailsName     = "audit trail"
	deepCommand    = "run tidewaiter doctor --deep"
	restoreAdvice  = "keep the file aside, and restore a backup (docs/operating.md, Backup and restore)"
	tamperedAdvice = "see docs/operating.md, The audit trail: find out who changed it, and compare with a backup"
)

// pages looks for damage in the database.
func (e *examination) pages(ctx context.Context) []doctor.Check {
	if !e.deep {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, pagesPatience)
		defer cancel()
	}
	p, err := e.store.CheckPages(ctx, databaseOf(e.config, e.deps), e.deep)
	switch {
	case err != nil:
		return []doctor.Check{doctor.Worry(pagesName, "run doctor again", "they could not be checked: %v", err)}
	case p.Damage != "":
		return []doctor.Check{doctor.Ill(pagesName, restoreAdvice, "the database is damaged: %s", p.Damage)}
	case e.config.DatabaseURL != "" && p.Checksums:
		return []doctor.Check{doctor.Well(pagesName, "PostgreSQL has found no damage by its checksums")}
	case e.config.DatabaseURL != "":
		return []doctor.Check{doctor.Well(pagesName, "PostgreSQL has reported no damage; it keeps no checksums")}
	case e.deep:
		return []doctor.Check{doctor.Well(pagesName, "every page of %d tables is sound", p.Of)}
	case p.Checked < p.Of:
		return []doctor.Check{doctor.Well(pagesName, "%d of %d tables are sound; the others take longer than %s: %s", p.Checked, p.Of, pagesPatience, deepCommand)}
	}
	return []doctor.Check{doctor.Well(pagesName, "%d tables are sound", p.Of)}
}

// trails verifies the audit trail: its newest events, or with --deep all of it.
func (e *examination) trails(ctx context.Context) []doctor.Check {
	a := &App{Store: e.store}
	if e.deep {
		return e.wholeTrails(ctx, a)
	}
	orgs, err := e.store.Organisations(ctx)
	if err != nil {
		return []doctor.Check{doctor.Worry(trailsName, "run tidewaiter migrate, then doctor again", "it cannot be read: %v", err)}
	}
	events := 0
	for _, org := range orgs[:min(len(orgs), sampledOrgs)] {
		good, err := audit.Sample(ctx, wide{e.store}, org, sampledEvents)
		var broken *audit.Broken
		if errors.As(err, &broken) {
			return []doctor.Check{doctor.Ill(trailsName, tamperedAdvice, "organisation %s: %s", org, broken.What)}
		}
		if err != nil {
			return []doctor.Check{doctor.Worry(trailsName, "run doctor again", "it cannot be read: %v", err)}
		}
		events += good
	}
	text := fmt.Sprintf("the newest %d events of %d organisations are unbroken", events, min(len(orgs), sampledOrgs))
	at, err := noted(ctx, e.store, lastVerification)
	switch {
	case err != nil || at.IsZero():
		return []doctor.Check{doctor.Well(trailsName, "%s", text)}
	case e.deps.Now().Sub(at) > verifiedWorry:
		return []doctor.Check{doctor.Worry(trailsName, "run tidewaiter audit verify, every week by a timer", "%s; the whole trail was verified last on %s", text, at.Format(time.DateOnly))}
	}
	return []doctor.Check{doctor.Well(trailsName, "%s; the whole trail was verified last on %s", text, at.Format(time.DateOnly))}
}

func (e *examination) wholeTrails(ctx context.Context, a *App) []doctor.Check {
	all, err := a.VerifyAudit(ctx, "", nil)
	if err != nil {
		return []doctor.Check{doctor.Worry(trailsName, "run tidewaiter audit verify", "it cannot be verified: %v", err)}
	}
	events := int64(0)
	for _, v := range all {
		if !v.OK() {
			return []doctor.Check{doctor.Ill(trailsName, tamperedAdvice, "organisation %s: trail or records are not as they were written: tidewaiter audit verify names what", v.OrganisationID)}
		}
		events += v.Events
	}
	return []doctor.Check{doctor.Well(trailsName, "all %d events of %d organisations are unbroken", events, len(all))}
}
