package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

// Verified is the state of one organisation's trail.
type Verified struct {
	OrganisationID tenant.ID `json:"organisationId"`
	Events         int64     `json:"events"`           // that were found good
	Behind         int64     `json:"behind,omitempty"` // sequence of the newest event that was removed for its age
	Erased         int64     `json:"erased,omitempty"` // personal values that were erased, of the good events
	Head           string    `json:"head"`             // hash of the newest good one
	Problem        string    `json:"problem,omitempty"`
	BrokenSequence int64     `json:"brokenSequence,omitempty"`     // of the first event that is not as it was written
	BrokenEventID  string    `json:"brokenEventId,omitempty"`      // empty for an event that is gone
	Removed        []string  `json:"removedCheckpoints,omitempty"` // kept heads of which the event was removed for its age

	Records *integrity.Report `json:"records,omitempty"` // compared with the trail; nil for an organisation that does not exist
}

// OK reports whether trail and records are as they were written.
func (v Verified) OK() bool { return v.Problem == "" && (v.Records == nil || v.Records.OK()) }

// VerifyAudit checks the trail of every organisation, or of one, against itself and
// against the checkpoints that were kept.
func (a *App) VerifyAudit(ctx context.Context, only tenant.ID, kept []audit.Checkpoint) ([]Verified, error) {
	orgs, err := a.verifiable(ctx, only, kept)
	if err != nil {
		return nil, err
	}
	all := []Verified{}
	for _, org := range orgs {
		chain := audit.Chain{Org: org, Kept: slices.DeleteFunc(slices.Clone(kept), func(c audit.Checkpoint) bool {
			return c.OrganisationID != "" && c.OrganisationID != org
		})}
		v := Verified{OrganisationID: org}
		var broken *audit.Broken
		err := chain.Follow(ctx, wide{a.Store}, func(int64) {})
		if err == nil {
			err = audit.VerifyTree(ctx, wide{a.Store}, org, chain.Kept)
		}
		if errors.As(err, &broken) {
			v.Problem, v.BrokenSequence, v.BrokenEventID = broken.Error(), broken.Sequence, broken.EventID
		} else if err != nil {
			return nil, fmt.Errorf("app: verify %s: %w", org, err)
		}
		v.Events, v.Behind, v.Erased, v.Head = chain.Good(), chain.Cut.Sequence, chain.Erased, chain.Last.Hash
		for _, c := range chain.Removed() {
			v.Removed = append(v.Removed, c.String())
		}
		if v.Records, err = integrity.Records(ctx, wide{a.Store}, org, kindNames()); err != nil {
			return nil, fmt.Errorf("app: %w", err)
		}
		all = append(all, v)
	}
	return all, nil
}

// kindNames are the kinds of all records, as events call them.
func kindNames() map[string]bool {
	names := map[string]bool{}
	for _, t := range everyKind(&reference.Library{}, &official.Library{}, nil) {
		names[t.Kind] = true
	}
	return names
}

// verifiable lists whose trails are to be checked: a checkpoint's organisation too,
// which may be gone altogether.
func (a *App) verifiable(ctx context.Context, only tenant.ID, kept []audit.Checkpoint) ([]tenant.ID, error) {
	orgs, err := a.Store.Organisations(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range kept {
		if c.OrganisationID != "" && !slices.Contains(orgs, c.OrganisationID) {
			orgs = append(orgs, c.OrganisationID)
		}
	}
	if only != "" {
		if !slices.Contains(orgs, only) {
			return nil, apierr.New(apierr.NotFound, "There is no organisation %s.", only)
		}
		orgs = []tenant.ID{only}
	}
	for _, c := range kept {
		switch {
		case c.OrganisationID == "" && len(orgs) != 1:
			return nil, apierr.New(apierr.InvalidRequest, "Say by --org whose checkpoint %s is.", c)
		case c.OrganisationID != "" && !ident.IsUUID(string(c.OrganisationID)):
			return nil, apierr.New(apierr.InvalidRequest, "%q in a checkpoint is not the id of an organisation.", c.OrganisationID)
		}
	}
	return orgs, nil
}

// compareRecords is the part of a background verification that looks at the records.
func (a *App) compareRecords(ctx context.Context, org tenant.ID) (audit.Compared, error) {
	r, err := integrity.Records(ctx, wide{a.Store}, org, kindNames())
	if err != nil {
		return audit.Compared{}, err
	}
	c := audit.Compared{Records: r.Compared + r.Partly, NotCovered: r.NotCovered, Faults: int64(len(r.Faults)) + r.More}
	for _, f := range r.Faults[:min(len(r.Faults), audit.MaxDiffering)] {
		c.Differing = append(c.Differing, f.String())
	}
	return c, nil
}
