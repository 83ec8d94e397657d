package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/verify"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// Limits of a quick examination; a deep one has none.
const (
	pagesTimeout   = 3 * time.Second
	sampledOrgs    = 20
	sampledEvents  = 200 // of each organisation
	verifiedMaxAge = 31 * 24 * time.Hour
)

const (
	pagesName      = "database, pages"
	trailsName     = "audit trail"
	deepCommand    = "run tidewaiter doctor --deep"
	restoreAdvice  = "keep a copy of the file, and restore a backup (docs/operating.md, Backup and restore)"
	tamperedAdvice = "find out who changed it, and compare with a backup (docs/operating.md, The audit trail)"
)

// databasePages looks for damage in the database.
func (e *examination) databasePages(ctx context.Context) []check.Result {
	if !e.deep {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, pagesTimeout)
		defer cancel()
	}
	p, err := e.store.CheckPages(ctx, e.env.Database(e.config), e.deep)
	switch {
	case err != nil:
		return []check.Result{check.Warning(pagesName, "run doctor again", "they cannot be checked: %v", err)}
	case p.Damage != "":
		return []check.Result{check.Failed(pagesName, restoreAdvice, "the database is damaged: %s", p.Damage)}
	case e.config.DatabaseURL != "" && p.Checksums:
		return []check.Result{check.Passed(pagesName, "PostgreSQL has found no damage by its checksums")}
	case e.config.DatabaseURL != "":
		return []check.Result{check.Passed(pagesName, "PostgreSQL has reported no damage; it keeps no checksums")}
	case e.deep:
		return []check.Result{check.Passed(pagesName, "all pages of %d tables are undamaged", p.Total)}
	case p.Checked < p.Total:
		return []check.Result{check.Passed(pagesName, "%d of %d tables are undamaged; the others take longer than %s: %s", p.Checked, p.Total, pagesTimeout, deepCommand)}
	}
	return []check.Result{check.Passed(pagesName, "%d tables are undamaged", p.Total)}
}

// sampledAuditTrails verifies the newest events of the audit trail, or all of it in a deep examination.
func (e *examination) sampledAuditTrails(ctx context.Context) []check.Result {
	if e.deep {
		return e.wholeAuditTrails(ctx)
	}
	orgs, err := e.store.Organisations(ctx)
	if err != nil {
		return []check.Result{check.Warning(trailsName, "run tidewaiter migrate, then doctor again", "it cannot be read: %v", err)}
	}
	events := 0
	for _, org := range orgs[:min(len(orgs), sampledOrgs)] {
		valid, err := audit.Sample(ctx, adapter.Of(e.store), org, sampledEvents)
		var broken *audit.Broken
		if errors.As(err, &broken) {
			return []check.Result{check.Failed(trailsName, tamperedAdvice, "organisation %s: %s", org, broken.What)}
		}
		if err != nil {
			return []check.Result{check.Warning(trailsName, "run doctor again", "it cannot be read: %v", err)}
		}
		events += valid
	}
	text := fmt.Sprintf("the newest %d events of %d organisations are unbroken", events, min(len(orgs), sampledOrgs))
	at, err := installation.Time(ctx, e.store, installation.LastVerification)
	switch {
	case err != nil || at.IsZero():
		return []check.Result{check.Passed(trailsName, "%s", text)}
	case e.env.Now().Sub(at) > verifiedMaxAge:
		return []check.Result{check.Warning(trailsName, "run tidewaiter audit verify, every week by a timer", "%s; the whole trail was last verified on %s", text, at.Format(time.DateOnly))}
	}
	return []check.Result{check.Passed(trailsName, "%s; the whole trail was last verified on %s", text, at.Format(time.DateOnly))}
}

func (e *examination) wholeAuditTrails(ctx context.Context) []check.Result {
	all, err := verify.Trails(ctx, e.store, e.env.Kinds(), "", nil)
	if err != nil {
		return []check.Result{check.Warning(trailsName, "run tidewaiter audit verify", "it cannot be verified: %v", err)}
	}
	events := int64(0)
	for _, r := range all {
		if !r.OK() {
			return []check.Result{check.Failed(trailsName, tamperedAdvice, "organisation %s: events or records were changed; tidewaiter audit verify names them", r.OrganisationID)}
		}
		events += r.Events
	}
	return []check.Result{check.Passed(trailsName, "all %d events of %d organisations are unbroken", events, len(all))}
}
