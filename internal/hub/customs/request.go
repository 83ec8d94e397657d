package customs

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Kinds and statuses of requests about a declaration.
const (
	requestOfCancellation = "CANCELLATION"
	requestOfPresentation = "PRESENTATION"
	requestOfAmendment    = "AMENDMENT"

	requestOpen    = "REQUESTED"
	requestGranted = "GRANTED"
	requestDenied  = "DENIED"
)

// requestKinds are the kinds by the purpose of the transmission. The service lists only these.
var requestKinds = map[string]string{toCancel: requestOfCancellation, toPresent: requestOfPresentation, toAmend: requestOfAmendment}

// RequestShown is a request about a declaration, as the API shows it.
type RequestShown struct {
	ID             string `json:"id" format:"uuid" doc:"Id of the request"`
	Kind           string `json:"kind" enum:"CANCELLATION,PRESENTATION,AMENDMENT" doc:"What was requested"`
	ReasonCode     string `json:"reasonCode,omitempty" doc:"Reason code of customs" example:"3"`
	Reason         string `json:"reason,omitempty" doc:"Reason in words" example:"The goods were sold to another customer before they arrived."`
	PresentedAt    string `json:"presentedAt,omitempty" format:"date-time" doc:"When the goods were presented, if the caller said so"`
	RequestedAt    string `json:"requestedAt" format:"date-time" doc:"When it was requested"`
	ConversationID string `json:"conversationId" doc:"Identifies the request in every message from customs"`
	Status         string `json:"status" enum:"REQUESTED,GRANTED,DENIED" doc:"Decision of customs"`

	Changes  []AmendedElement `json:"changes,omitempty" doc:"What an amendment changes; absent in lists and events"`
	Errors   []CustomsError   `json:"errors,omitempty" doc:"Why customs rejected it"`
	Findings []rules.Finding  `json:"findings,omitempty" doc:"What is worth knowing about the request"`
}

// CancellationBody is the body of a request for cancellation.
type CancellationBody struct {
	ReasonCode string `json:"reasonCode" enum:"1,2,3" doc:"1: no longer required, 2: duplicate, 3: other" example:"3"`
	Reason     string `json:"reason" minLength:"1" maxLength:"512" doc:"Reason in words; for a cleared declaration the ground in law" example:"The goods were sold to another customer before they arrived."`
}

// check returns an error for a form that the schema has not checked.
func (b *CancellationBody) check() error {
	switch {
	case !slices.Contains([]string{wco.CancelNotRequired, wco.CancelDuplicate, wco.CancelOther}, b.ReasonCode):
		return apierr.Invalid(apierr.Detail{Field: "reasonCode", Message: "must be 1, 2 or 3"})
	case strings.TrimSpace(b.Reason) == "" || len([]rune(b.Reason)) > maxReason:
		return apierr.Invalid(apierr.Detail{Field: "reason", Message: "must have 1 to 512 characters"})
	}
	return nil
}

// maxReason is the schema's limit of a reason in characters.
const maxReason = 512

// PresentationBody is the body of a notification that goods were presented.
type PresentationBody struct {
	PresentedAt string             `json:"presentedAt,omitempty" format:"date-time" doc:"When the goods were presented, for the record; customs uses the time of the request" example:"2026-12-01T09:00:00.000Z"`
	Location    *PresentedLocation `json:"location,omitempty" doc:"Where the goods are, if that has changed (DE 5/23)"`
}

// PresentedLocation is a location of goods.
type PresentedLocation struct {
	Country   string `json:"country" pattern:"^[A-Z]{2}$" doc:"Country" example:"GB"`
	Type      string `json:"type" pattern:"^[A-Z0-9]{1,3}$" doc:"A designated, B authorised, C approved, D other" example:"A"`
	Qualifier string `json:"qualifier" pattern:"^[A-Z0-9]{1,3}$" doc:"U UN/LOCODE, Y authorisation, Z free text" example:"U"`
	Name      string `json:"name" minLength:"1" maxLength:"256" doc:"The code or authorisation after the first four characters" example:"FXTFXTFXT"`
}

func (l *PresentedLocation) encode() *wco.GoodsLocation {
	if l == nil {
		return nil
	}
	g := &wco.GoodsLocation{Name: l.Name, TypeCode: l.Type}
	g.Address.CountryCode, g.Address.TypeCode = l.Country, l.Qualifier
	return g
}

// withoutReason is the reason of a cancellation for which the caller gave none.
var withoutReason = RequestDetail{ReasonCode: wco.CancelNotRequired, Reason: "The declaration is no longer required."}

// requestsOf lists the requests that customs received, with its decisions.
func requestsOf(ts []Transmission, messages []Message, d decision) (all []RequestShown) {
	for i := range ts {
		if t := &ts[i]; requestKinds[t.Purpose] != "" && t.State == outbox.Sent && !isSuperseded(ts, i) {
			all = append(all, shownOf(t, messages, d))
		}
	}
	return all
}

// isSuperseded reports whether a request was sent again, with the same reference, and customs received the repetition.
func isSuperseded(ts []Transmission, at int) bool {
	return slices.ContainsFunc(ts[at+1:], func(t Transmission) bool {
		return t.Purpose == ts[at].Purpose && t.Reference == ts[at].Reference && t.State == outbox.Sent
	})
}

// shownOf returns a request with the decision about it, without the list of its changes.
func shownOf(t *Transmission, messages []Message, d decision) RequestShown {
	at := t.CompletedAt
	if at.IsZero() {
		at = t.CreatedAt
	}
	r := RequestShown{
		ID: t.ID, Kind: requestKinds[t.Purpose], ReasonCode: t.Detail.ReasonCode, Reason: t.Detail.Reason, PresentedAt: t.Detail.PresentedAt,
		RequestedAt: audit.Instant(at), ConversationID: t.ConversationID, Status: statusOf(t, messages, d),
	}
	if t.Purpose == toAmend && r.Status == requestDenied {
		r.Errors = refusedFor(t, messages)
	}
	if t.Detail.Amendment != nil && t.Detail.Amendment.NoReason {
		r.Findings = []rules.Finding{defaultedReason}
	}
	return r
}

// withChanges adds the changes of amendments to the requests of a declaration.
func withChanges(all []RequestShown, ts []Transmission) []RequestShown {
	for i := range all {
		at := slices.IndexFunc(ts, func(t Transmission) bool { return t.ID == all[i].ID })
		if at >= 0 && ts[at].Detail.Amendment != nil {
			all[i].Changes = ts[at].Detail.Amendment.Changes
		}
	}
	return all
}

// refusedFor returns why customs refused a request.
func refusedFor(t *Transmission, messages []Message) (all []CustomsError) {
	for _, m := range messages {
		if m.answers(t) && m.Notification.FunctionCode == notification.DMSREJ {
			all = append(all, customsErrors(m.Notification.Errors)...)
		}
	}
	return all
}

// statusOf returns customs' decision about a request: its answer, or the consequence of granting it.
func statusOf(t *Transmission, messages []Message, d decision) string {
	status := requestOpen
	for _, m := range messages {
		switch n := &m.Notification; {
		case !m.answers(t):
		case isGrant(n):
			return requestGranted
		case n.FunctionCode == notification.DMSREQ && n.StatusCode() == cancellationDenied, n.FunctionCode == notification.DMSREJ && refuses(t, n):
			status = requestDenied
		}
	}
	if status != requestOpen {
		return status
	}
	if t.Purpose == toCancel && d.State == lifecycle.Cancelled || t.Purpose == toPresent && !d.Accepted.Time.IsZero() {
		return requestGranted
	}
	return requestOpen
}

// repetition are the error codes of a request that customs has already.
var repetition = []string{codeDuplicateLRN, "CDS12036"}

// refuses reports whether a rejection decides a request. If the request may have been sent twice, a rejection of its repetition
// only proves that customs has it.
func refuses(t *Transmission, n *notification.Notification) bool {
	if t.Purpose != toAmend {
		return len(n.Errors) > 0
	}
	return !t.Repeated || slices.ContainsFunc(n.Errors, func(e notification.Error) bool { return !slices.Contains(repetition, e.Code) })
}

// isAnswer reports whether a message in the conversation of a request concerns the request alone.
func isAnswer(code string) bool {
	return code == notification.DMSRCV || code == notification.DMSREQ || code == notification.DMSREJ
}

// acceptRequest stores that CDS received a request.
func (s *Service) acceptRequest(tx Tx, t Transmission) error {
	f, err := tx.Filing(s.Type.Kind, t.FilingID)
	if err != nil {
		return err
	}
	a, err := addedOf(&f)
	if err != nil {
		return err
	}
	ts, err := tx.Transmissions(t.FilingID)
	if err != nil {
		return err
	}
	messages, err := tx.Messages(t.FilingID)
	if err != nil {
		return err
	}
	current, repeated := ofLRN(messages, a.LRN), isRepeated(ts, a.LRN)
	all := requestsOf(ts, messages, reduceMessages(current, repeated))
	at := slices.IndexFunc(all, func(r RequestShown) bool { return r.ID == t.ID })
	if t.Purpose == toAmend {
		a.answerQueries(tx.Now())
	}
	step := filing.TransitionData{Added: filing.Added{"requests": all}, Data: filing.Added{"conversationId": t.ConversationID, "sentSha256": digest(t.Body)}}
	now := s.progressOf(current, ts, a)
	now.addTo(step.Added)
	action := requestPresentation
	switch t.Purpose {
	case toAmend:
		action = requestAmendment
		step.Data["requestId"], step.Data["reasonCode"], step.Data["reason"] = t.ID, t.Detail.ReasonCode, t.Detail.Reason
		step.Data["changes"] = len(t.Detail.Amendment.Changes)
	case toCancel:
		action = requestCancellation
		step.Added["cancellation"] = Cancellation{RequestedAt: audit.Instant(tx.Now()), ConversationID: t.ConversationID, Status: requestOpen}
		step.Data["reasonCode"], step.Data["reason"] = cmp.Or(t.Detail.ReasonCode, wco.CancelNotRequired), t.Detail.Reason
	}
	if _, err = s.Filings.Transition(tx, t.Request.Call, s.Type, t.FilingID, action, step); ignoreInvalidState(err) != nil || !t.Detail.Answered {
		return ignoreInvalidState(err)
	}
	return storeRequestAnswer(tx, t.Request, withChanges(all[at:at+1], ts)[0])
}

// RequestCancellation asks customs to cancel a declaration.
func (s *Service) RequestCancellation(ctx context.Context, r Request, id string, body CancellationBody) (RequestShown, error) {
	return s.request(ctx, r, id, func(tx Tx, single bool) (string, error) {
		if err := body.check(); err != nil {
			return "", err
		}
		f, err := tx.Filing(s.Type.Kind, id)
		if err != nil {
			return "", err
		}
		a, err := addedOf(&f)
		if err != nil {
			return "", err
		}
		if f.Status == lifecycle.Draft || a.waits(&f) {
			return "", apierr.New(apierr.InvalidState, "Customs does not have this declaration yet. Cancel it with DELETE.")
		}
		d := RequestDetail{ReasonCode: body.ReasonCode, Reason: body.Reason, Answered: true}
		_, transmission, err := s.prepareCancel(tx, r, id, d, single)
		if err == nil && transmission == "" {
			err = errInProgress
		}
		return transmission, err
	})
}

// errInProgress is the error of a request while another one of its kind is open.
var errInProgress = apierr.New(apierr.RequestInProgress, "Customs has not answered the last request of this kind yet. Wait for its answer.")

// RequestPresentation tells customs that the goods of a pre-lodged declaration have arrived.
func (s *Service) RequestPresentation(ctx context.Context, r Request, id string, body PresentationBody) (RequestShown, error) {
	return s.request(ctx, r, id, func(tx Tx, single bool) (string, error) {
		return s.preparePresentation(tx, r, id, body, single)
	})
}

// request prepares a transmission, sends it and returns the request. A request with a key that is repeated has its effect
// once.
func (s *Service) request(ctx context.Context, r Request, id string, prepare func(tx Tx, single bool) (string, error)) (shown RequestShown, err error) {
	single, err := s.Consents.HasSingle(ctx)
	if err != nil {
		return shown, err
	}
	var transmission string
	err = s.Store.UpdateCustoms(ctx, r.Call.Org, func(tx Tx) (err error) { transmission, err = prepare(tx, single); return err })
	if err != nil {
		return shown, err
	}
	if _, err := s.outcome(ctx, r, transmission); err != nil {
		return shown, err
	}
	err = s.Store.ViewCustoms(ctx, r.Call.Org, func(tx Tx) error {
		ts, err := tx.Transmissions(id)
		if err != nil {
			return err
		}
		messages, err := tx.Messages(id)
		if at := slices.IndexFunc(ts, func(t Transmission) bool { return t.ID == transmission }); at >= 0 {
			d := reduceMessages(ofLRN(messages, ts[at].LRN), isRepeated(ts, ts[at].LRN))
			shown = withChanges([]RequestShown{shownOf(&ts[at], messages, d)}, ts)[0]
		}
		return err
	})
	return shown, err
}

// preparePresentation stores the notification that the goods have arrived, and returns its transmission.
func (s *Service) preparePresentation(tx Tx, r Request, id string, body PresentationBody, single bool) (string, error) {
	f, err := tx.Filing(s.Type.Kind, id)
	if err != nil {
		return "", err
	}
	if err := r.If.Check(f.Version); err != nil {
		return "", err
	}
	a, err := addedOf(&f)
	if err != nil {
		return "", err
	}
	ts, err := tx.Transmissions(id)
	if err != nil {
		return "", err
	}
	if f.Status != lifecycle.Submitted || !a.Prelodged || a.MRN == nil {
		return "", apierr.New(apierr.InvalidState, "Goods are presented for a pre-lodged declaration that customs has registered and not accepted. This one is %s.", f.Status)
	}
	if last, ok := latest(ts, toPresent); ok && last.State == outbox.Pending && last.LRN == a.LRN || hasOpen(a.Requests, requestOfPresentation) {
		return "", errInProgress
	}
	if err := s.checkConsent(tx, single); err != nil {
		return "", err
	}
	parts, err := gather(tx, &f)
	if err != nil {
		return "", err
	}
	reference := s.IDs.LRN()
	document, err := encodeXML(wco.Presentation(reference, *a.MRN, parts.declarant(), body.Location.encode()))
	if err != nil {
		return "", err
	}
	t := Transmission{Purpose: toPresent, Reference: reference, LRN: a.LRN, Body: document, Detail: RequestDetail{PresentedAt: body.PresentedAt, Answered: true}}
	t.FilingID, t.Request = id, r
	return s.dispatch(tx, t, filing.NoApproval())
}

// hasOpen reports whether customs has not decided a request of a kind yet.
func hasOpen(all []RequestShown, kind string) bool {
	return slices.ContainsFunc(all, func(r RequestShown) bool { return r.Kind == kind && r.Status == requestOpen })
}
