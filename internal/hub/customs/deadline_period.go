package customs

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Names of deadlines that follow from the data set.
const (
	supplementaryDeadline = "supplementary"
	dischargeDeadline     = "discharge"
)

// daySupplementary is the day of the month after the tax point until which a supplementary declaration is due.
const daySupplementary = 10

// simplifiedTypes are the additional types (DE 1/2) of simplified declarations.
const simplifiedTypes = "B C E F"

// IsSimplified reports whether a declaration needs a supplementary one: a simplified import or export declaration, or a
// notification of presentation for an entry in the declarant's records.
func (d *Declaration) IsSimplified() bool {
	switch d.DataSet {
	case "I1", "C1", "C21I_EIDR", "C21E_EIDR":
		return true
	case "":
		return d.AdditionalType != "" && slices.Contains(strings.Fields(simplifiedTypes), d.AdditionalType)
	}
	return false
}

// warehousing are the requested procedures of customs warehousing (data set H2), which needs no supplementary declaration.
var warehousing = []string{"71", "78"}

// TaxPoint returns the day that the declaration states as its tax point or, without one, the given acceptance.
func (d *Declaration) TaxPoint(acceptedAt time.Time) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.ParseInLocation(layout, d.TaxPointAt, calendar.London()); err == nil {
			return at
		}
	}
	return acceptedAt
}

// dueSupplementary returns when the supplementary declaration of an accepted simplified one is due, unless customs has accepted
// it.
func dueSupplementary(d *Declaration, m filing.Metadata) []filing.Deadline {
	var done string
	m.Read(supplementedBy, &done)
	if !d.IsSimplified() || done != "" || m.Instant("acceptedAt").IsZero() || allUnder(d, warehousing) {
		return nil
	}
	return []filing.Deadline{{
		Name: supplementaryDeadline, Title: "Submit the supplementary declaration", WholeDay: true,
		DueAt:  calendar.OfNextMonth(d.TaxPoint(m.Instant("acceptedAt")), daySupplementary),
		Source: "HMRC, simplified declarations: the supplementary declaration is due by the 10th calendar day of the month after the tax point",
	}}
}

func allUnder(d *Declaration, requested []string) bool {
	return !slices.ContainsFunc(d.Items, func(i Item) bool { return !slices.Contains(requested, requestedProcedure(&i)) })
}

// special are the procedures that must be discharged in time, by requested procedure, with the type of their authorisation.
var special = map[string]struct{ authorisation, title string }{
	"53": {"TEA", "Discharge the temporary admission: re-export the goods or declare them for another procedure"},
	"51": {"IPO", "Discharge the inward processing: declare the processed goods for another procedure, and submit the bill of discharge"},
	"21": {"OPO", "Bring the goods of the outward processing back"},
	"22": {"OPO", "Bring the goods of the outward processing back"},
}

const dischargeSource = "The period for discharge of the authorisation, or of the statement in the declaration (GEN28, POD)"

// dueDischarge returns when the goods of a special procedure must leave it: by the day or period of a statement or, without
// one, by the period of the authorisation when the declaration was submitted.
func dueDischarge(d *Declaration, m filing.Metadata) []filing.Deadline {
	if d.IsSimplified() || m.Instant("acceptedAt").IsZero() {
		return nil
	}
	var held string
	m.Read(dischargePeriod, &held)
	from := d.TaxPoint(m.Instant("acceptedAt"))
	var first filing.Deadline
	for n := range d.Items {
		i := &d.Items[n]
		kind, ok := special[requestedProcedure(i)]
		if !ok {
			continue
		}
		at := d.dischargeDay(i, from)
		if p, err := calendar.ParsePeriod(held); at.IsZero() && err == nil {
			at = calendar.EndOfDay(p.After(from))
		}
		if !at.IsZero() && (first.DueAt.IsZero() || at.Before(first.DueAt)) {
			first = filing.Deadline{Name: dischargeDeadline, Title: kind.title, DueAt: at, WholeDay: true, Lapses: true, Source: dischargeSource}
		}
	}
	if first.DueAt.IsZero() {
		return nil
	}
	return []filing.Deadline{first}
}

// dischargeDay returns the day that a statement of an item or of the header gives for the discharge; zero for none.
func (d *Declaration) dischargeDay(i *Item, from time.Time) time.Time {
	for _, s := range slices.Concat(i.AdditionalInformation, d.AdditionalInformation) {
		if !isDischarge(&s) {
			continue
		}
		if at := statedDay(s.Text, from); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// HasDischarge reports whether an item under a special procedure states a day or period for discharge, and the type of
// authorisation that could.
func (d *Declaration) HasDischarge(i *Item, at time.Time) (authorisation string, stated bool) {
	kind := special[requestedProcedure(i)]
	return kind.authorisation, !d.dischargeDay(i, at).IsZero()
}

// isDischarge reports whether a statement (DE 2/2) gives the period for discharge. GEN28 states the duration of a temporary
// admission and the day of re-export; POD stands for the period of discharge, as code or at the beginning of the text.
func isDischarge(s *datamodel.Statement) bool {
	return s.Code == "GEN28" || strings.HasPrefix(s.Code, "POD") || strings.HasPrefix(strings.ToUpper(strings.TrimSpace(s.Text)), "POD")
}

// Forms of days and periods in a statement: 30112022, 30/11/2022, 2022-11-30; 28 days, 6 months, P6M.
var (
	statedDate   = lazyregexp.New(`\b([0-3][0-9])[./ -]?([01][0-9])[./ -]?(20[0-9]{2})\b`)
	statedISO    = lazyregexp.New(`\b20[0-9]{2}-[01][0-9]-[0-3][0-9]\b`)
	statedPeriod = lazyregexp.New(`(?i)\b([0-9]{1,4})\s*(day|week|month|year)s?\b`)
	statedCode   = lazyregexp.New(`\bP[0-9]{1,3}[YMWD]\b`)
)

// statedDay returns the end of the day that a text names or, without one, of the day a period after an instant; zero if the text
// has neither.
func statedDay(text string, from time.Time) time.Time {
	if d := statedDate.FindStringSubmatch(text); d != nil {
		if at, err := time.ParseInLocation("02012006", d[1]+d[2]+d[3], calendar.London()); err == nil {
			return calendar.EndOfDay(at)
		}
	}
	if at, err := time.ParseInLocation(time.DateOnly, statedISO.FindString(text), calendar.London()); err == nil {
		return calendar.EndOfDay(at)
	}
	if p, err := calendar.ParsePeriod(statedCode.FindString(text)); err == nil {
		return calendar.EndOfDay(p.After(from))
	}
	p := statedPeriod.FindStringSubmatch(text)
	if p == nil {
		return time.Time{}
	}
	n, _ := strconv.Atoi(p[1]) // digits
	switch strings.ToLower(p[2]) {
	case "week":
		return calendar.EndOfDay(from.AddDate(0, 0, 7*n))
	case "month":
		return calendar.EndOfDay(from.AddDate(0, n, 0))
	case "year":
		return calendar.EndOfDay(from.AddDate(n, 0, 0))
	}
	return calendar.EndOfDay(from.AddDate(0, 0, n))
}

// heldPeriod returns the period for discharge of the authorisation for the declaration's special procedure; empty for none.
func (d *documentData) heldPeriod() string {
	day := d.now.In(calendar.London()).Format(time.DateOnly)
	for n := range d.declaration.Items {
		i := &d.declaration.Items[n]
		kind, ok := special[requestedProcedure(i)]
		if !ok {
			continue
		}
		for _, t := range []*terms.Terms{&d.client.Terms, &d.organisation.Profile.Terms} {
			if held := t.Holds(kind.authorisation, day, requestedProcedure(i), i.CommodityCode); held != nil && held.DischargePeriod != "" {
				return held.DischargePeriod
			}
		}
	}
	return ""
}

// dueDeparture returns when the goods of an accepted export must have left, unless customs has reported their exit.
func dueDeparture(d *Declaration, m filing.Metadata) []filing.Deadline {
	var stage string
	m.Read("stage", &stage)
	left := stage == stageExited || !m.Instant(exitedAt).IsZero()
	if d.DeclarationType != Export || left || m.Status != lifecycle.Accepted && m.Status != Cleared {
		return nil
	}
	return after(m.Instant("acceptedAt"), daysToDepart, filing.Deadline{
		Name: "departure", Title: "Let the goods of the accepted export leave the United Kingdom",
		Source: "HMRC, customs declarations for export: one whose goods have not departed within 150 days expires",
	})
}

// Members that the service adds for deadlines.
const (
	supplementedBy  = "supplementedBy"
	dischargePeriod = "dischargePeriod"
	exitedAt        = "exitedAt"
)
