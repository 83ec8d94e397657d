// Package verify compares audit trails with themselves, with checkpoints that were kept elsewhere, and with the
// records.
package verify

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
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// Result is the state of one organisation's audit trail and records.
type Result struct {
	OrganisationID tenant.ID `json:"organisationId"`
	Events         int64     `json:"events"`           // valid events
	Behind         int64     `json:"behind,omitempty"` // sequence of the newest event that was removed because of its age
	Erased         int64     `json:"erased,omitempty"` // erased personal values of the valid events
	Head           string    `json:"head"`             // hash of the newest valid event
	Problem        string    `json:"problem,omitempty"`
	BrokenSequence int64     `json:"brokenSequence,omitempty"`     // of the first event that was changed
	BrokenEventID  string    `json:"brokenEventId,omitempty"`      // empty for a missing event
	Removed        []string  `json:"removedCheckpoints,omitempty"` // checkpoints whose event was removed because of its age

	Records *integrity.Report `json:"records,omitempty"` // compared with the trail; nil for an organisation that does not exist
}

// OK reports whether trail and records are as they were written.
func (r Result) OK() bool { return r.Problem == "" && (r.Records == nil || r.Records.OK()) }

// Trails verifies the trail of every organisation, or of one if only is set. Kinds are the kinds of all records.
func Trails(ctx context.Context, s *store.Store, kinds map[string]bool, only tenant.ID, kept []audit.Checkpoint) ([]Result, error) {
	orgs, err := Organisations(ctx, s, only, kept)
	if err != nil {
		return nil, err
	}
	all := []Result{}
	for _, org := range orgs {
		r, err := trail(ctx, s, org, kept)
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", org, err)
		}
		if r.Records, err = integrity.Records(ctx, adapter.Of(s), org, kinds); err != nil {
			return nil, fmt.Errorf("verify %s: %w", org, err)
		}
		all = append(all, r)
	}
	return all, nil
}

func trail(ctx context.Context, s *store.Store, org tenant.ID, kept []audit.Checkpoint) (r Result, err error) {
	chain := audit.Chain{Org: org, Checkpoints: slices.DeleteFunc(slices.Clone(kept), func(c audit.Checkpoint) bool {
		return c.OrganisationID != "" && c.OrganisationID != org
	})}
	r.OrganisationID = org
	if err = chain.Verify(ctx, adapter.Of(s), func(int64) {}); err == nil {
		err = audit.VerifyTree(ctx, adapter.Of(s), org, chain.Checkpoints)
	}
	var broken *audit.Broken
	if errors.As(err, &broken) {
		r.Problem, r.BrokenSequence, r.BrokenEventID = broken.Error(), broken.Sequence, broken.EventID
	} else if err != nil {
		return r, err
	}
	r.Events, r.Behind, r.Erased, r.Head = chain.Valid(), chain.Truncation.Sequence, chain.Erased, chain.Last.Hash
	for _, c := range chain.Removed() {
		r.Removed = append(r.Removed, c.String())
	}
	return r, nil
}

// Organisations lists all organisations, or one if only is set. It includes those of checkpoints, because an
// attacker may have removed an organisation completely.
func Organisations(ctx context.Context, s *store.Store, only tenant.ID, kept []audit.Checkpoint) ([]tenant.ID, error) {
	orgs, err := s.Organisations(ctx)
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
			return nil, apierr.New(apierr.InvalidRequest, "The checkpoint %s names no organisation. Name it with --org.", c)
		case c.OrganisationID != "" && !ident.IsUUID(string(c.OrganisationID)):
			return nil, apierr.New(apierr.InvalidRequest, "A checkpoint has %q as its organisation, which is not an organisation's id.", c.OrganisationID)
		}
	}
	return orgs, nil
}

// Compare compares an organisation's records with its trail, for the verification in the background.
func Compare(ctx context.Context, s *store.Store, kinds map[string]bool, org tenant.ID) (audit.Compared, error) {
	r, err := integrity.Records(ctx, adapter.Of(s), org, kinds)
	if err != nil {
		return audit.Compared{}, err
	}
	c := audit.Compared{Records: r.Compared + r.ComparedInPart, NotCovered: r.NotCovered, Faults: int64(len(r.Differences)) + r.More}
	for _, f := range r.Differences[:min(len(r.Differences), audit.MaxDiffering)] {
		c.Differing = append(c.Differing, f.String())
	}
	return c, nil
}
