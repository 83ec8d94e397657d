package consent

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// HMRC ends the chain of refresh tokens so many months after consent. The service reminds so many days before.
const (
	lifeMonths   = 18
	expiringDays = 60
)

// Status is the status of a consent.
type Status = lifecycle.State

// CustomsKind is the kind of consents at customs, and the prefix of their event types.
const CustomsKind = "customs.consent"

// All statuses. None and Pending are not stored before a consent was given once.
const (
	None     Status = "NONE"    // no consent, or an OWNER has removed it
	Pending  Status = "PENDING" // begun and not completed
	Granted  Status = "GRANTED"
	Expiring Status = "EXPIRING" // it ends within 60 days
	Expired  Status = "EXPIRED"
	Revoked  Status = "REVOKED" // HMRC no longer accepts it
	Failed   Status = "FAILED"  // it cannot be used, and the service does not try
)

// Actions of a consent.
const (
	renew      lifecycle.Action = "renew"
	remind     lifecycle.Action = "remind"
	expire     lifecycle.Action = "expire"
	revoke     lifecycle.Action = "revoke"
	fail       lifecycle.Action = "fail"
	disconnect lifecycle.Action = "disconnect"
)

// Record is a consent that was given, without its tokens.
type Record struct {
	Authority  string `json:"authority,omitempty" doc:"Authority; absent for customs" example:"gvms"`
	EORI       string `json:"eori,omitempty" doc:"EORI number; absent with identifier" example:"GB123456789000"`
	Identifier string `json:"identifier,omitempty" doc:"Identifier at an authority that has consents by another one than the EORI, such as the excise number (ERN)" example:"GBWK002281023"`
	GrantedAt  string `json:"grantedAt" format:"date-time" doc:"When consent was given"`
	GrantedBy  string `json:"grantedBy" format:"uuid" doc:"User who gave consent"`
	ExpiresAt  string `json:"expiresAt" format:"date-time" doc:"When it expires"`
}

// Subject returns the identifier that the consent is for.
func (r *Record) Subject() string { return cmp.Or(r.Identifier, r.EORI) }

// expires returns when the consent ends; zero if the record is damaged.
func (r *Record) expires() time.Time {
	at, _ := time.Parse(time.RFC3339, r.ExpiresAt)
	return at
}

// Adds are the members that the service adds.
type Adds struct {
	Reason string `json:"reason,omitempty" doc:"Why the consent cannot be used"`
}

func states(s ...Status) []Status { return s }

var consentLifecycle = lifecycle.Table{
	Initial: Granted,
	States:  states(Granted, Expiring, Expired, Revoked, Failed, None),
	Created: "granted",
	Ended:   states(Expired, Revoked, Failed, None),
	Edges: []lifecycle.Edge{
		{From: states(Granted, Expiring, Expired, Revoked, Failed, None), Action: renew, To: Granted, Guard: lifecycle.Owner, Event: "granted", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
		{From: states(Granted), Action: remind, To: Expiring, Guard: lifecycle.System, Event: "expiring"},
		{From: states(Granted, Expiring), Action: expire, To: Expired, Guard: lifecycle.System, Event: "expired"},
		{From: states(Granted, Expiring), Action: revoke, To: Revoked, Guard: lifecycle.System, Event: "revoked"},
		{From: states(Granted, Expiring), Action: fail, To: Failed, Guard: lifecycle.System, Event: "failed"},
		{From: states(Granted, Expiring, Expired, Revoked, Failed), Action: disconnect, To: None, Guard: lifecycle.Owner, Event: "removed"},
	},
}

// Definition returns the kind of consents. There is one record for each authority and identifier.
func Definition(hub, kind, tag string) filing.Definition[Record] {
	return filing.Definition[Record]{
		Kind: kind, Hub: hub, Singular: "consent", Plural: "consents", Tag: tag, Adds: Adds{}, Lifecycle: consentLifecycle,
		Description: "A consent with which the service acts for the organisation at HMRC. It is given on HMRC's page and lasts 18 months.",
		MainFields:  []string{"eori", "identifier", "grantedAt", "expiresAt"},
		Period:      func(r *Record) string { return periodOf(r.Authority, r.Subject()) },
		Deadlines:   deadlines, Timer: timer,
	}
}

// periodOf returns the unique key of the consent for an identifier at an authority; the authority is empty for customs.
func periodOf(authority, identifier string) string {
	if authority == "" {
		return identifier
	}
	return authority + " " + identifier
}

// isUsable reports whether a consent in a state has tokens.
func isUsable(s Status) bool { return s == Granted || s == Expiring }

// timer reminds 60 days before the end of the consent, and ends it.
func timer(r *Record, m filing.Metadata) filing.Timer {
	switch {
	case r.expires().IsZero():
		return filing.Timer{}
	case m.Status == Granted:
		return filing.Timer{Action: remind, After: calendar.AddDays(r.expires(), -expiringDays)}
	case m.Status == Expiring:
		return filing.Timer{Action: expire, After: r.expires()}
	}
	return filing.Timer{}
}

// deadlines are 60, 30 and 7 days before the end of the consent.
func deadlines(r *Record, m filing.Metadata) (all []filing.Deadline) {
	end := r.expires()
	if end.IsZero() || !isUsable(m.Status) {
		return nil
	}
	title := fmt.Sprintf("Renew the consent at HMRC for %s, which ends on %s", strings.TrimSpace(r.Subject()+" "+strings.ToUpper(r.Authority)), end.In(calendar.London()).Format("2 January 2006"))
	for _, d := range []struct {
		name string
		days int
	}{{"consent_sixty_days", expiringDays}, {"consent_thirty_days", 30}, {"consent_seven_days", 7}} {
		all = append(all, filing.Deadline{
			Name: d.name, Title: title, DueAt: calendar.AddDays(end, -d.days), Lapses: true,
			Source: "HMRC developer hub, user-restricted endpoints: authority lasts 18 months, and the user must grant it again",
		})
	}
	return all
}
