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

// commandTime is what a command has to go through the events before the job does.
const commandTime = 10 * time.Minute

// heldWait is how long a job waits that a legal hold keeps from erasing everything.
const heldWait = 24 * time.Hour

// request is an erasure that was asked for.
type request struct {
	userID string
	by     string // ByPerson, ByOwner, ByOperator or ByDeletion
	asked  string // id of the user who asked; empty for the operator
}

// subject is the request as a job carries it.
func (r request) subject() string { return strings.Join([]string{r.userID, r.by, r.asked}, " ") }

func requestOf(subject string) request {
	parts := append(strings.SplitN(subject, " ", 3), "", "")
	return request{parts[0], parts[1], parts[2]}
}

// call is who asks, without an address: what is recorded of an erasure holds no personal value.
func (r request) call(org tenant.ID) tenant.Call {
	if r.asked == "" {
		return tenant.OperatorCall(org, tenant.SystemUser)
	}
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: r.asked, Role: tenant.Owner, Type: tenant.ByUser}}
}

// Do erases the events that a job is about, and records it.
func (s *Service) Do(ctx context.Context, j jobs.Job) error {
	r := requestOf(j.Subject)
	x, err := s.erase(ctx, j.Org, r)
	if err != nil {
		return err
	}
	return s.Store.UpdateErasure(ctx, j.Org, func(tx Tx) error {
		if x.Held > 0 {
			return tx.RetryJob(j, tx.Now().Add(heldWait), "A legal hold keeps some events as they are.")
		}
		if err := s.record(tx, r, x); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
}

// Finish does at once what the job of an erasure would do, for a command that may run beside a server or without one.
// Events under a legal hold are left to the job.
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

// record leaves an event that holds ids and counts, and no personal value.
func (s *Service) record(tx Tx, r request, x Extent) error {
	told := map[string]any{"by": r.by, "values": x.Values, "olderEvents": x.Older}
	if x.Older > 0 {
		told["keptUntil"], told["legalGround"] = audit.Instant(x.Until), x.Ground
	}
	data, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return tx.Record(audit.By(r.call(tx.Org()), audit.Event{
		ID: s.IDs.UUID(), Hub: access.FoundationalHub, Type: access.UserErased, ResourceType: userResource, ResourceID: r.userID, Data: data,
	}))
}
