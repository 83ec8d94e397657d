// Package decision enters what an authority decided about a record, for authorities that this service is not connected to: the
// authority's own reference, its time, its reason and its document, together with the mark that changes the state.
package decision

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// MaxDocument is the size limit of a document in bytes.
const MaxDocument = 10 << 20

// Entry is what a user enters. All of it is optional, apart from the reason of a rejection.
type Entry struct {
	Reference string // the authority's own
	DecidedAt time.Time
	Reason    string
	Document  *attachment.File
}

// Tx is a transaction that marks records and stores files.
type Tx interface {
	filing.Tx
	attachment.Tx
}

// Service enters decisions.
type Service struct {
	Filings     *filing.Service
	Attachments *attachment.Store
	Scanner     *attachment.Scanner // nil for none
}

// Check returns what is wrong with an entry, all of it, together with what its reader found. It takes time if the document is
// scanned, so no transaction may be open.
func (s *Service) Check(ctx context.Context, e *Entry, now time.Time, found ...apierr.Detail) error {
	details := found
	if e.DecidedAt.After(now) {
		details = append(details, apierr.Detail{Field: filing.DecidedAtMember, Message: "must not be in the future"})
	}
	if e.Document != nil {
		if wrong := attachment.Check(*e.Document, MaxDocument); wrong != "" {
			details = append(details, apierr.Detail{Field: "document", Message: wrong})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	if e.Document == nil {
		return nil
	}
	return s.Scanner.Examine(ctx, *e.Document)
}

// Mark marks a record with what the authority decided.
func (s *Service) Mark(tx Tx, call tenant.Call, t *filing.Type, id string, by lifecycle.Action, required filing.IfVersion, e Entry) (filing.Filing, error) {
	step := filing.TransitionData{If: required, OwnReference: e.Reference, Reason: e.Reason, Added: filing.Added{}, Data: filing.Added{}}
	if !e.DecidedAt.IsZero() {
		step.Added[filing.DecidedAtMember] = audit.Instant(e.DecidedAt)
		step.Data[filing.DecidedAtMember] = audit.Instant(e.DecidedAt)
	}
	if e.Reason != "" {
		step.Added["reason"], step.Data["reason"] = e.Reason, e.Reason
	}
	if e.Document != nil {
		stored, err := s.Attachments.Add(tx, call, id, []attachment.File{*e.Document})
		if err != nil {
			return filing.Filing{}, err
		}
		kept := stored[0].KeptFile()
		step.Added[filing.DecisionDocumentMember] = kept
		step.Data["documentId"], step.Data["documentSha256"] = kept.ID, kept.SHA256
	}
	return s.Filings.Transition(tx, call, t, id, by, step)
}
