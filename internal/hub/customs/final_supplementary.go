package customs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// dayFinal is the day of the month until which the final supplementary declaration of the month before is due.
const dayFinal = 11

// finalTypes are the types of authorisations whose holder submits a final supplementary declaration for each month, with the
// statement (DE 2/2) that reports their supplementary declarations (HMRC's samples TT_IM061a and TT_IM061b).
var finalTypes = map[string]string{"SDE": "FINSY", "EIR": "FINSZ"}

// monthlyHolder is the name of clients with such an authorisation.
const monthlyHolder = "client.final_supplementary"

// isMonthly reports whether the holder of an authorisation submits a final supplementary declaration for each month.
func isMonthly(a *terms.HeldAuthorisation) bool { return finalTypes[a.Type] != "" }

// typeFinal is the additional type (DE 1/2) of final supplementary declarations.
const typeFinal = "Q"

// finalName is the name of the accepted final supplementary declarations for a month.
func finalName(m calendar.Month) string { return "declaration.final_supplementary." + m.String() }

// nameFinal gives a final supplementary declaration that customs has accepted the name of the month that it is for: that of its tax
// point, which is at the latest the one before the acceptance.
func nameFinal(f *filing.Filing, accepted time.Time, step *filing.TransitionData) error {
	if accepted.IsZero() || !strings.Contains(string(f.Body), `"`+typeFinal+`"`) {
		return nil
	}
	var d Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return fmt.Errorf("customs: declaration: %w", err)
	}
	if d.AdditionalType != typeFinal {
		return nil
	}
	month := calendar.MonthOf(accepted).Previous()
	if stated := calendar.MonthOf(d.TaxPoint(accepted)); stated.Start().Before(month.Start()) {
		month = stated
	}
	step.OtherNames = append(step.OtherNames, filing.Key{Name: finalName(month), Value: f.ID})
	return nil
}

// FinalDeclarations has the days on which final supplementary declarations are due, for each authorisation of the organisation
// and of its clients. They are due too if there is nothing to report. They end when customs accepts the declaration. Nothing here
// shows that one was made elsewhere, so they lapse.
var FinalDeclarations = deadline.Calendar{
	Hub: HubID, Kind: "final_supplementary", Days: finalDays, ReadsMore: hasFinalHolders,
	Named: []deadline.NameQuery{{Kind: Clients.Kind, Name: monthlyHolder, Limit: maxHolders}},
}

// maxHolders is the number of clients whose authorisations are looked at, and of final supplementary declarations for a month.
const maxHolders = 1000

// finalHolder is a trader whose authorisations ask for final supplementary declarations.
type finalHolder struct {
	name, eori     string
	client         string // ID of the client; empty for the organisation
	authorisations []terms.HeldAuthorisation
}

// hasFinalHolders reports whether finalDays reads the reports of holders. Clients that cannot be read count as holders.
func hasFinalHolders(f *deadline.Facts) bool {
	holders, err := finalHolders(f)
	return err != nil || len(holders) > 0
}

func finalDays(v deadline.View, f *deadline.Facts, from, to time.Time) (days []deadline.Day, err error) {
	holders, err := finalHolders(f)
	if err != nil || len(holders) == 0 {
		return nil, err
	}
	for month := calendar.MonthOf(from).Previous(); ; month = month.Next() {
		due := calendar.OfNextMonth(month.Start(), dayFinal)
		if due.After(to) {
			return days, nil
		}
		if due.Before(from) {
			continue
		}
		reports, err := finalReports(v, month, holders)
		if err != nil {
			return nil, err
		}
		for i := range holders {
			days = append(days, holders[i].days(month, due, reports)...)
		}
	}
}

// finalHolders returns the organisation, if it holds such an authorisation, and the clients that do.
func finalHolders(f *deadline.Facts) (all []finalHolder, err error) {
	add := func(t *terms.Terms, h finalHolder) {
		if h.authorisations = t.Authorisations; slices.ContainsFunc(t.Authorisations, func(a terms.HeldAuthorisation) bool { return isMonthly(&a) }) {
			all = append(all, h)
		}
	}
	o := &f.Organisation
	add(&o.Profile.Terms, finalHolder{name: o.Name, eori: normalise(o.Profile.EORI)})
	clients := f.Named[monthlyHolder]
	for i := range clients {
		var c Client
		if err := json.Unmarshal(clients[i].Body, &c); err != nil {
			return nil, fmt.Errorf("customs: client: %w", err)
		}
		if clients[i].Status != lifecycle.Archived {
			add(&c.Terms, finalHolder{name: c.Name, eori: normalise(c.EORI), client: clients[i].ID})
		}
	}
	return all, nil
}

// days returns the deadlines of a holder for a month, apart from those that a report has met.
func (h *finalHolder) days(month calendar.Month, due time.Time, reports []finalReport) (days []deadline.Day) {
	first, last := month.Start().Format(time.DateOnly), month.End().In(calendar.London()).Format(time.DateOnly)
	for n := range h.authorisations {
		a := &h.authorisations[n]
		if !isMonthly(a) || a.ValidFrom > last || a.ValidUntil != "" && a.ValidUntil < first {
			continue
		}
		if slices.ContainsFunc(reports, func(r finalReport) bool { return r.covers(h, a) }) {
			continue
		}
		day := deadline.Day{Deadline: filing.Deadline{
			Name:  fmt.Sprintf("%s-%s-%d", cmp.Or(h.client, "own"), month, n+1),
			Title: fmt.Sprintf("Submit the final supplementary declaration for %s under %s of %s, also if there is nothing to report", month, named(a.Type, a.Number), h.name),
			DueAt: due, WholeDay: true, Lapses: true,
			Source: "HMRC, simplified declarations: the final supplementary declaration is due by the 11th calendar day of the month after, also as a nil return",
		}}
		if h.client != "" {
			day.ResourceType, day.ResourceID = Clients.Kind, h.client
		}
		days = append(days, day)
	}
	return days
}

// finalReport is a final supplementary declaration that customs has accepted.
type finalReport struct {
	location   string // its location of goods (DE 5/23), which contains the number of an authorisation, normalised
	statements map[string]bool
	client     string // ID
	eori       string // of the client
	named      string // the client that holds the authorisation in the location, or "own"; empty if none does
}

const ownHolder = "own"

// finalReports returns the accepted final supplementary declarations for a month.
func finalReports(v deadline.View, month calendar.Month, holders []finalHolder) (all []finalReport, err error) {
	found, err := v.RecordsNamed(DeclarationKind, finalName(month), maxHolders)
	if err != nil {
		return nil, err
	}
	for i := range found {
		if found[i].Status != lifecycle.Accepted && found[i].Status != Cleared {
			continue
		}
		r, err := readFinalReport(v, &found[i])
		if err != nil {
			return nil, err
		}
		for k := range holders {
			if h := &holders[k]; slices.ContainsFunc(h.authorisations, func(a terms.HeldAuthorisation) bool { return r.names(&a) }) {
				r.named = cmp.Or(h.client, ownHolder)
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// readFinalReport reads what a declaration reports, and for which client. Retention may have removed the shipment or the client.
func readFinalReport(v filing.View, f *filing.Filing) (r finalReport, err error) {
	var d Declaration
	if err := json.Unmarshal(f.Body, &d); err != nil {
		return r, fmt.Errorf("customs: declaration: %w", err)
	}
	r.statements = map[string]bool{}
	for _, statement := range d.AdditionalInformation {
		r.statements[statement.Code] = true
	}
	for i := range d.Items {
		for _, statement := range d.Items[i].AdditionalInformation {
			r.statements[statement.Code] = true
		}
	}
	var s Shipment
	if found, err := readBody(v, Shipments.Kind, d.ShipmentID, &s); err != nil || !found {
		return r, err
	}
	r.client, r.location = strings.ToLower(s.ClientID), normalise(s.GoodsLocation)
	if location := cmp.Or(d.Location, s.Location); location != nil {
		r.location = normalise(location.Name)
	}
	var c Client
	_, err = readBody(v, Clients.Kind, s.ClientID, &c)
	r.eori = normalise(c.EORI)
	return r, err
}

// readBody reads the body of a record, if there is one.
func readBody(v filing.View, kind, id string, body any) (found bool, err error) {
	f, err := v.Filing(kind, strings.ToLower(id))
	if apierr.Is(err, apierr.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(f.Body, body); err != nil {
		return false, fmt.Errorf("customs: %s: %w", kind, err)
	}
	return true, nil
}

// names reports whether the declaration names an authorisation as its location, such as FSDGBEIR553202734852I20190613093448.
func (r *finalReport) names(a *terms.HeldAuthorisation) bool {
	return isMonthly(a) && a.Number != "" && strings.Contains(r.location, normalise(a.Number))
}

// covers reports whether the declaration is the one for an authorisation of a holder: it names it, or it is the holder's and reports
// the supplementary declarations of its type. A declaration that names an authorisation is that holder's; any other one is that of
// its client, or of the organisation if both have the same EORI.
func (r *finalReport) covers(h *finalHolder, a *terms.HeldAuthorisation) bool {
	if r.names(a) {
		return true
	}
	own := r.client == h.client || h.client == "" && h.eori != "" && r.eori == h.eori
	if r.named != "" {
		own = r.named == cmp.Or(h.client, ownHolder)
	}
	return own && r.statements[finalTypes[a.Type]]
}
