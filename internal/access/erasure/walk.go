package erasure

import (
	"context"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	pageSize           = 200 // events per transaction
	previewPages       = 50  // maximum pages of a preview
	invitationsAtOne   = 50  // invitations whose events are read per transaction
	eventsOfInvitation = 4   // an invitation is created, and used or withdrawn

	userResource       = "user"
	invitationResource = "invitation"
)

// walker processes the events of a person in an organisation, one page per transaction: events that the person caused,
// events about the person, and events about invitations of the person. Repeating it changes nothing, so an interrupted
// walk starts again.
type walker struct {
	service *Service
	org     tenant.ID
	userID  string
	email   string // in invitations
	erases  bool
	most    int // pages; 0 for all

	invitations []string // ids
	extent      Extent
	pages       int
}

func (w *walker) run(ctx context.Context) (Extent, error) {
	for _, part := range []func(context.Context) error{w.caused, w.about, w.invited} {
		if err := part(ctx); err != nil {
			return w.extent, err
		}
	}
	return w.extent, nil
}

func (w *walker) caused(ctx context.Context) error {
	after := audit.Event{}
	return w.each(ctx, func(tx Tx) (page []audit.Event, full bool, err error) {
		if page, err = tx.EventsBy(w.userID, after, pageSize); len(page) > 0 {
			after = page[len(page)-1]
		}
		return page, len(page) == pageSize, err
	})
}

func (w *walker) about(ctx context.Context) error {
	before := int64(0)
	return w.each(ctx, func(tx Tx) (page []audit.Event, full bool, err error) {
		if page, err = tx.EventsAbout(w.userID, before, pageSize); len(page) > 0 {
			before = page[len(page)-1].Sequence
		}
		full = len(page) == pageSize
		return slices.DeleteFunc(page, func(e audit.Event) bool { return e.ActorUserID == w.userID }), full, err
	})
}

// invited processes the events of invitations, of which each has a few.
func (w *walker) invited(ctx context.Context) error {
	if w.email == "" {
		return nil
	}
	err := w.service.Store.ViewErasure(ctx, w.org, func(tx Tx) (err error) {
		w.invitations, err = tx.InvitationsOf(w.email, maxInvitations)
		return err
	})
	if err != nil {
		return err
	}
	left := w.invitations
	return w.each(ctx, func(tx Tx) (page []audit.Event, more bool, err error) {
		some := left[:min(len(left), invitationsAtOne)]
		left = left[len(some):]
		for _, id := range some {
			events, err := tx.EventsAbout(id, 0, eventsOfInvitation)
			if err != nil {
				return nil, false, err
			}
			page = append(page, events...)
		}
		return page, len(left) > 0, nil
	})
}

// each calls read for page after page while there are more.
func (w *walker) each(ctx context.Context, read func(Tx) (page []audit.Event, more bool, err error)) error {
	open := w.service.Store.ViewErasure
	if w.erases {
		open = w.service.Store.UpdateErasure
	}
	for more := true; more; {
		if w.pages++; w.most > 0 && w.pages > w.most {
			w.extent.More = true
			return nil
		}
		var found Extent
		err := open(ctx, w.org, func(tx Tx) error {
			page, further, err := read(tx)
			if err != nil {
				return err
			}
			more = further
			found, err = w.page(tx, page)
			return err
		})
		if err != nil {
			return err
		}
		w.extent.add(found)
	}
	return nil
}

func (w *walker) page(tx Tx, page []audit.Event) (found Extent, err error) {
	ids := make([]string, 0, len(page))
	for i := range page {
		ids = append(ids, page[i].ResourceID)
	}
	held, err := tx.RecordsOnHold(ids)
	for i := range page {
		if err == nil {
			err = w.event(tx, &page[i], held[page[i].ResourceID], &found)
		}
	}
	return found, err
}

// event erases the personal values of one event that belong to the person, or counts them.
func (w *walker) event(tx Tx, e *audit.Event, held bool, found *Extent) error {
	before := e.Personal
	e.Personal = append([]audit.Personal(nil), before...)
	n := e.Erase(func(p *audit.Personal) bool { return w.owns(e, p) })
	switch {
	case w.older(e):
		found.Older++
		if until := w.service.KeptFor(e.OccurredAt); until.After(found.Until) {
			found.Until = until
		}
	case n > 0 && held:
		found.Held++
		return nil
	}
	if !w.erases {
		found.Values += n
		return nil
	}
	found.Values += w.countErased(e)
	if n == 0 {
		return nil
	}
	return tx.SavePersonal(e)
}

// countErased counts the person's values that were erased, now or by an earlier walk.
func (w *walker) countErased(e *audit.Event) (n int64) {
	for i := range e.Personal {
		if p := &e.Personal[i]; p.Erased() && w.owns(e, p) {
			n++
		}
	}
	return n
}

// owns reports whether a value belongs to the person: the IP address of the person's actions or of failed sign-ins to
// the account, and data about the person.
func (w *walker) owns(e *audit.Event, p *audit.Personal) bool {
	about := e.ResourceType == userResource && e.ResourceID == w.userID ||
		e.ResourceType == invitationResource && slices.Contains(w.invitations, e.ResourceID)
	if p.IsAddress() {
		return e.ActorUserID == w.userID || about && e.ActorType == tenant.BySystem
	}
	return about
}

// older reports whether an event of an older version contains a value of the person in clear text.
func (w *walker) older(e *audit.Event) bool {
	address := audit.Personal{Name: audit.PersonalAddress}
	if e.HasPlainAddress() && w.owns(e, &address) {
		return true
	}
	member := access.PersonalMember(e.Type)
	inData := audit.DataMember(member, "")
	return member != "" && w.owns(e, &inData) && e.PersonalHash(inData.Name) == ""
}
