package api

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Limits of the filters of a list.
const (
	maxFilterText      = 100 // characters of a reference
	maxMetadataFilters = 10
	maxRepeatedStatus  = 50
)

// metadataParam is the name of the query parameters metadata[key].
const metadataParam = "metadata"

// orders are the values of the parameter sort.
var orders = map[string]filing.Order{
	"createdAt": {Ascending: true}, "-createdAt": {}, "updatedAt": {ByUpdate: true, Ascending: true}, "-updatedAt": {ByUpdate: true},
}

// filter is a query parameter by which the list of a kind is filtered.
type filter struct {
	*huma.Param
	apply func(value string, s *filing.Selection) (problem string) // nil for parameters with several values
}

// filtersOf returns the filters of a kind, as its definition has the members that they filter by.
func filtersOf(t *filing.Type) []filter {
	all := []filter{statusFilter(t)}
	if t.Lifecycle.Archives() {
		all = append(all, archivedFilter())
	}
	for _, member := range []string{"mrn", "lrn"} {
		if t.HasAdded(member) {
			all = append(all, keyFilter(t, member))
		}
	}
	if t.RefersTo("shipmentId") {
		all = append(all, idFilter("shipmentId", "Only records of this shipment", func(s *filing.Selection) *string { return &s.ShipmentID }))
	}
	if t.RefersTo("clientId") {
		all = append(all, idFilter("clientId", "Only records of this client", func(s *filing.Selection) *string { return &s.ClientID }))
	}
	if t.ReferenceField != "" {
		all = append(all, referenceFilter(t), metadataFilter())
	}
	if t.Assignable() {
		all = append(all, assigneeFilter())
	}
	if t.Trait != nil && t.Trait.Parameter != "" {
		all = append(all, traitFilter(t.Trait))
	}
	if t.Quarterly {
		all = append(all, quarterFilter())
	}
	all = append(all, timeFilters()...)
	return append(all, sortParam())
}

func textParam(name, about string, example any) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: about, Schema: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(maxFilterText)}, Example: example}
}

// statusFilter takes several statuses, separated by commas or in repeated parameters.
func statusFilter(t *filing.Type) filter {
	return filter{Param: &huma.Param{
		Name: "status", In: "query", Style: "form", Explode: ptr(false),
		Description: "Only records with one of these statuses, separated by commas or in repeated parameters",
		Schema:      &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString, Enum: stateValues(t.Lifecycle.States)}},
	}}
}

// archivedFilter comes after the statuses. Without either, archived records are left out.
func archivedFilter() filter {
	p := &huma.Param{
		Name: "archived", In: "query", Description: "true: archived records only. Otherwise they are left out",
		Schema: &huma.Schema{Type: huma.TypeBoolean, Default: false},
	}
	return filter{p, func(value string, s *filing.Selection) string {
		switch {
		case value == "false":
			return ""
		case value != "true":
			return "must be true or false"
		case s.Statuses != nil && !slices.Equal(s.Statuses, []lifecycle.State{lifecycle.Archived}):
			return "must not be true with another status"
		}
		s.Statuses = []lifecycle.State{lifecycle.Archived}
		return ""
	}}
}

func keyFilter(t *filing.Type, member string) filter {
	about := "Only the record with this " + strings.ToUpper(member) + ", which may be of an earlier submission"
	return filter{textParam(member, about, nil), func(value string, s *filing.Selection) string {
		s.Keys = append(s.Keys, t.KeyOf(member, strings.ToUpper(value)))
		return ""
	}}
}

func idFilter(name, about string, field func(*filing.Selection) *string) filter {
	p := &huma.Param{Name: name, In: "query", Description: about, Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"}}
	return filter{p, func(value string, s *filing.Selection) string {
		id, ok := canonicalUUID(value)
		if !ok {
			return "must be a UUID"
		}
		*field(s) = id
		return ""
	}}
}

func referenceFilter(t *filing.Type) filter {
	about, key := "Only records with this reference of your own", ""
	if t.HasAdded("reference") {
		about, key = about+", or the record with this reference of the authority or the service", t.KeyOf("reference", "").Name
	}
	return filter{textParam("reference", about, "PO-2026-0042"), func(value string, s *filing.Selection) string {
		s.Reference, s.ReferenceKey = value, key
		return ""
	}}
}

// metadataFilter takes parameters such as metadata[branch]=Dover; a record has all of them.
func metadataFilter() filter {
	return filter{Param: &huma.Param{
		Name: metadataParam, In: "query", Style: "deepObject", Explode: ptr(true),
		Description: "Only records with these metadata, such as metadata[branch]=Dover",
		Schema:      &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString, MaxLength: ptr(filing.MaxMetadataValue)}},
	}}
}

func traitFilter(trait *filing.Trait) filter {
	values := make([]any, len(trait.Values))
	for i, value := range trait.Values {
		values[i] = value
	}
	p := &huma.Param{Name: trait.Parameter, In: "query", Description: trait.About, Schema: &huma.Schema{Type: huma.TypeString, Enum: values}}
	return filter{p, func(value string, s *filing.Selection) string {
		if !slices.Contains(trait.Values, value) {
			return "must be one of " + strings.Join(trait.Values, ", ")
		}
		s.Metadata = slices.Insert(s.Metadata, 0, filing.TraitFilter(value)) // the most selective first
		return ""
	}}
}

func quarterFilter() filter {
	p := textParam("quarter", "Only records created in this quarter (UTC)", "2026-Q4")
	p.Schema.MaxLength = ptr(len("2026-Q4"))
	return filter{p, func(value string, s *filing.Selection) string {
		q, ok := calendar.ParseQuarter(value)
		if !ok {
			return "must be a year and a quarter, such as 2026-Q4"
		}
		from, until := q.UTC()
		s.Created = intersect(s.Created, filing.Period{From: from, Until: until})
		return ""
	}}
}

// intersect returns the time that two periods have in common.
func intersect(a, b filing.Period) filing.Period {
	if b.From.After(a.From) {
		a.From = b.From
	}
	if a.Until.IsZero() || !b.Until.IsZero() && b.Until.Before(a.Until) {
		a.Until = b.Until
	}
	return a
}

func timeFilters() (all []filter) {
	add := func(name, about string, period func(*filing.Selection, time.Time)) {
		p := &huma.Param{Name: name, In: "query", Description: about, Schema: &huma.Schema{Type: huma.TypeString, Format: "date-time"}, Example: "2026-11-01T00:00:00Z"}
		all = append(all, filter{p, func(value string, s *filing.Selection) string {
			at, err := time.Parse(time.RFC3339, value)
			if err != nil || at.Year() < 1 || at.Year() > 9998 {
				return "must be a date and time such as 2026-11-21T09:00:00Z, with + as %2B"
			}
			period(s, at.UTC())
			return ""
		}})
	}
	add("createdAfter", "Only records created at this instant or later", func(s *filing.Selection, at time.Time) {
		s.Created = intersect(s.Created, filing.Period{From: roundUp(at)})
	})
	add("createdBefore", "Only records created before this instant", func(s *filing.Selection, at time.Time) {
		s.Created = intersect(s.Created, filing.Period{Until: roundUp(at)})
	})
	add("updatedAfter", "Only records last changed at this instant or later", func(s *filing.Selection, at time.Time) { s.Updated.From = roundUp(at) })
	add("updatedBefore", "Only records last changed before this instant", func(s *filing.Selection, at time.Time) { s.Updated.Until = roundUp(at) })
	return all
}

// roundUp returns the first instant of the store's precision, a millisecond, that is not before another.
func roundUp(at time.Time) time.Time {
	if whole := at.Truncate(time.Millisecond); whole.Before(at) {
		return whole.Add(time.Millisecond)
	}
	return at
}

func sortParam() filter {
	p := &huma.Param{
		Name: "sort", In: "query", Description: "Order; with a minus sign, the newest first",
		Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"createdAt", "-createdAt", "updatedAt", "-updatedAt"}, Default: "-createdAt"},
	}
	return filter{p, func(value string, s *filing.Selection) string {
		order, known := orders[value]
		if !known {
			return "must be one of createdAt, -createdAt, updatedAt, -updatedAt"
		}
		s.Order = order
		return ""
	}}
}

// parseFilters reads the filters of a list from its query. The second result identifies filters and order; it is empty
// without any.
func parseFilters(t *filing.Type, filters []filter, query url.Values) (s filing.Selection, name string, errs []error) {
	canonical := url.Values{}
	for _, f := range filters {
		switch {
		case f.Name == metadataParam:
			errs = append(errs, parseMetadata(query, &s, canonical)...)
		case f.apply == nil:
			errs = append(errs, parseStatuses(t, query[f.Name], &s, canonical)...)
		case len(query[f.Name]) > 1:
			errs = append(errs, paramError(f.Name, "must be sent once"))
		case query.Get(f.Name) != "":
			value, problem := query.Get(f.Name), "must have at most 100 characters"
			if len([]rune(value)) <= maxFilterText {
				problem = f.apply(value, &s)
			}
			if problem != "" {
				errs = append(errs, paramError(f.Name, problem))
			}
			if f.Name != "sort" || s.Order != (filing.Order{}) {
				canonical.Set(f.Name, value)
			}
		}
	}
	if s.Statuses == nil && t.Lifecycle.Archives() {
		s.Statuses = []lifecycle.State{t.Lifecycle.Listed()}
	}
	s.Kind = t.Kind
	return s, canonical.Encode(), errs
}

func parseStatuses(t *filing.Type, sent []string, s *filing.Selection, canonical url.Values) []error {
	for status := range strings.SplitSeq(strings.Join(sent, ","), ",") {
		state := lifecycle.State(strings.TrimSpace(status))
		switch {
		case state == "" || slices.Contains(s.Statuses, state):
		case !slices.Contains(t.Lifecycle.States, state) || len(s.Statuses) == maxRepeatedStatus:
			return []error{paramError("status", "must be one of "+joinStates(t.Lifecycle.States))}
		default:
			s.Statuses = append(s.Statuses, state)
		}
	}
	slices.Sort(s.Statuses)
	for _, state := range s.Statuses {
		canonical.Add("status", string(state))
	}
	return nil
}

func parseMetadata(query url.Values, s *filing.Selection, canonical url.Values) (errs []error) {
	for name, values := range query {
		key, ok := metadataKey(name)
		if !ok {
			continue
		}
		if n := len([]rune(key)); n == 0 || n > filing.MaxMetadataKey || len(values) != 1 || len([]rune(values[0])) > filing.MaxMetadataValue {
			errs = append(errs, paramError(name, fmt.Sprintf("must be sent once, with a key of 1 to %d and a value of at most %d characters", filing.MaxMetadataKey, filing.MaxMetadataValue)))
			continue
		}
		s.Metadata = append(s.Metadata, filing.Key{Name: key, Value: values[0]})
		canonical.Set(name, values[0])
	}
	if len(s.Metadata) > maxMetadataFilters {
		errs = append(errs, paramError(metadataParam, fmt.Sprintf("must have at most %d entries", maxMetadataFilters)))
	}
	slices.SortFunc(s.Metadata, func(a, b filing.Key) int { return strings.Compare(a.Name, b.Name) })
	return errs
}

// metadataKey returns the key of a query parameter such as metadata[branch].
func metadataKey(name string) (string, bool) {
	within, ok := strings.CutPrefix(name, metadataParam+"[")
	if !ok || !strings.HasSuffix(within, "]") {
		return "", false
	}
	return within[:len(within)-1], true
}
