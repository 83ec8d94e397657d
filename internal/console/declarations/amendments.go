package declarations

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// amendments is what a page shows about requests, versions and corrections of a declaration.
type amendments struct {
	Requests    []customs.RequestShown // latest first
	Versions    []customs.Version      // latest first
	Corrections []customs.Correction   // oldest first
	Open        bool                   // customs has not decided an amendment yet
}

// changesPerRequest is the maximum number of changes of a request on the page.
const changesPerRequest = 50

// addAmendments adds the requests with their changes, the versions and the corrections.
func (s *declarationView) addAmendments(d customs.Details) {
	a := &s.Amendments
	a.Requests, a.Versions, a.Corrections = s.Added.Requests, slices.Clone(d.Versions), s.Added.Corrections
	if d.Requests != nil {
		a.Requests = d.Requests
	}
	a.Open = slices.ContainsFunc(a.Requests, func(r customs.RequestShown) bool { return r.Kind == "AMENDMENT" && r.Status == "REQUESTED" })
	a.Requests = slices.Clone(a.Requests)
	slices.Reverse(a.Requests)
	slices.Reverse(a.Versions)
}

// Any reports whether there is anything to show.
func (a *amendments) Any() bool { return a.Requests != nil || a.Corrections != nil }

// Shown returns the first changes of a request.
func (a *amendments) Shown(r customs.RequestShown) []customs.AmendedElement {
	return r.Changes[:min(len(r.Changes), changesPerRequest)]
}

// Hidden returns the number of changes that are not shown.
func (a *amendments) Hidden(r customs.RequestShown) int {
	return max(0, len(r.Changes)-changesPerRequest)
}

// Name returns the name of a field.
func (a *amendments) Name(field string) string { return form.Path(field) }

// Number returns the number of the version that a request made; 0 for none.
func (a *amendments) Number(request string) int {
	at := slices.IndexFunc(a.Versions, func(v customs.Version) bool { return v.RequestID != nil && *v.RequestID == request })
	if at < 0 {
		return 0
	}
	return a.Versions[at].Number
}

// Kind returns the kind of a request in words.
func (a *amendments) Kind(kind string) string {
	return map[string]string{"AMENDMENT": "Amendment", "CANCELLATION": "Cancellation", "PRESENTATION": "Presentation of the goods"}[kind]
}

// Colour returns the colour of a status.
func (a *amendments) Colour(status string) string {
	return map[string]string{"REQUESTED": "wait", "GRANTED": "good", "DENIED": "bad"}[status]
}

// Decision returns the words for a status.
func (a *amendments) Decision(status string) string {
	return map[string]string{"REQUESTED": "Not decided", "GRANTED": "Granted", "DENIED": "Denied"}[status]
}

// At parses an instant of the service.
func (a *amendments) At(text string) time.Time {
	at, _ := time.Parse(time.RFC3339, text) // written by the service, so it is valid
	return at
}

// Since returns when customs accepted the latest version; nil if it has not.
func (a *amendments) Since() *time.Time {
	if len(a.Versions) == 0 || a.Versions[0].AcceptedAt == nil {
		return nil
	}
	at := a.At(*a.Versions[0].AcceptedAt)
	return &at
}
