package erasure

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Queue is the queue of the jobs that erase the events of a person in an organisation.
const Queue = "erasure"

// commandTime is how long a command may process events before the job does.
const commandTime = 10 * time.Minute

// heldWait is the retry interval of a job that a legal hold delays.
const heldWait = 24 * time.Hour

// request is a requested erasure.
type request struct {
	userID string
	by     string // ByPerson, ByOwner, ByOperator or ByDeletion
	asked  string // ID of the user who requested it; empty for the operator
}

// subject encodes the request as the subject of a job.
func (r request) subject() string { return strings.Join([]string{r.userID, r.by, r.asked}, " ") }

func requestOf(subject string) request {
	parts := append(strings.SplitN(subject, " ", 3), "", "")
	return request{parts[0], parts[1], parts[2]}
}

// call returns the caller without an IP address, since events about erasures contain no personal values.
func (r request) call(org tenant.ID) tenant.Call {
	if r.asked == "" {
		return tenant.OperatorCall(org, tenant.SystemUser)
	}
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: r.asked, Role: tenant.Owner, Type: tenant.ByUser}}
}

// Do erases the events of a job's person, and writes the audit event.
func (s *Service) Do(ctx context.Context, j jobs.Job) error {
	r := requestOf(j.Subject)
	x, err := s.erase(ctx, j.Org, r)
	if err != nil {
		return err
	}
	return s.Store.UpdateErasure(ctx, j.Org, func(tx Tx) error {
		if x.Held > 0 {
			return tx.RetryJob(j, tx.Now().Add(heldWait), "A legal hold protects some events.")
		}
		if err := s.record(tx, r, x); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

// Finish does the work of the job at once, for a command that can run with or without a server. Events under a legal
// hold are left to the job.
func (s *Service) Finish(ctx context.Context, org tenant.ID, userID, by string) (x Extent, err error) {
	r := request{userID, by, actorOf(userID, by)}
	if x, err = s.erase(ctx, org, r); err != nil || x.Held > 0 {
		return x, err
	}
	return x, s.Store.UpdateErasure(ctx, org, func(tx Tx) error {
		if err := s.record(tx, r, x); err != nil {
			return err
		}
		return tx.DropJob(Queue, r.subject())
	})
}

func (s *Service) erase(ctx context.Context, org tenant.ID, r request) (Extent, error) {
	w := walker{service: s, org: org, userID: r.userID, email: invitee(r.userID), erases: true}
	return w.run(ctx)
}

// record writes the audit event, which contains IDs and counts but no personal values.
func (s *Service) record(tx Tx, r request, x Extent) error {
	fields := map[string]any{"by": r.by, "values": x.Values, "olderEvents": x.Older}
	if x.Older > 0 {
		fields["keptUntil"], fields["legalGround"] = audit.Instant(x.Until), x.Ground
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return tx.Record(audit.By(r.call(tx.Org()), audit.Event{
		ID: s.IDs.UUID(), Hub: access.FoundationalHub, Type: access.UserErased, ResourceType: userResource, ResourceID: r.userID, Data: data,
	}))
}
