package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Filter narrows down the events of an endpoint: all parts must hold. An event that does not match makes no delivery.
type Filter struct {
	Hub    []string    `json:"hub,omitempty" maxItems:"50" doc:"Hubs of the event; none for all" example:"[\"customs\"]"`
	Status []string    `json:"status,omitempty" maxItems:"100" doc:"Statuses of the record after the event; none for all" example:"[\"REJECTED\"]"`
	Where  []Condition `json:"where,omitempty" maxItems:"20" doc:"Conditions on the body of the event, all of which must hold"`
}

// Condition is a condition on one member of the body of an event.
type Condition struct {
	Path  string `json:"path" minLength:"1" maxLength:"200" doc:"Names of members, with full stops between; a whole number is a place in a list" example:"data.object.reference"`
	Op    string `json:"op" enum:"eq,ne,in,exists,prefix,gt,lt" doc:"eq, ne: equal or not; in: one of a list; exists; prefix: begins with; gt, lt: more or less, by number or text, such as dates"`
	Value any    `json:"value,omitempty" doc:"What to compare with: text, a number, true or false; for in a list of them; for exists true (the default) or false" example:"\"Dover\""`
}

// Limits of the values of a condition.
const (
	maxFilterText   = 500 // bytes
	maxFilterValues = 100 // of in
)

// orNil returns nil for a filter that matches every event.
func (f *Filter) orNil() *Filter {
	if f == nil || len(f.Hub)+len(f.Status)+len(f.Where) == 0 {
		return nil
	}
	return f
}

// check returns what is wrong with a filter.
func (f *Filter) check(c Catalogue) (details []apierr.Detail) {
	if f == nil {
		return nil
	}
	hubs, statuses := c.hubs(), c.statuses()
	for i, hub := range f.Hub {
		if !slices.Contains(hubs, hub) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("filter.hub[%d]", i), Message: "is not a Hub with events"})
		}
	}
	for i, status := range f.Status {
		if !slices.Contains(statuses, status) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("filter.status[%d]", i), Message: "is not a status of any record"})
		}
	}
	for i, where := range f.Where {
		field := fmt.Sprintf("filter.where[%d].", i)
		if slices.Contains(strings.Split(where.Path, "."), "") {
			details = append(details, apierr.Detail{Field: field + "path", Message: "must be names separated by full stops, such as data.object.status"})
		}
		if problem := where.problem(); problem != "" {
			details = append(details, apierr.Detail{Field: field + "value", Message: problem})
		}
	}
	return details
}

// problem returns what is wrong with the value; empty if nothing is.
func (w Condition) problem() string {
	switch _, text := w.Value.(string); w.Op {
	case "exists":
		if _, boolean := w.Value.(bool); w.Value != nil && !boolean {
			return "must be true or false"
		}
	case "prefix":
		if !text {
			return "must be text"
		}
	case "in":
		list, ok := w.Value.([]any)
		if !ok || len(list) == 0 || len(list) > maxFilterValues || !allScalars(list) {
			return fmt.Sprintf("must be a list of 1 to %d texts, numbers or true or false", maxFilterValues)
		}
		return ""
	case "gt", "lt":
		if _, number := w.Value.(float64); !text && !number {
			return "must be text or a number"
		}
	}
	if w.Op != "exists" && !allScalars([]any{w.Value}) {
		return fmt.Sprintf("must be text of at most %d bytes, a number, or true or false", maxFilterText)
	}
	return ""
}

func allScalars(values []any) bool {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if len(v) > maxFilterText {
				return false
			}
		case float64, bool:
		default:
			return false
		}
	}
	return true
}

// accepts reports whether an event matches. The body is called only for a filter with conditions.
func (f *Filter) accepts(hub, status string, body func() (string, error)) (bool, error) {
	if len(f.Hub) > 0 && !slices.Contains(f.Hub, hub) || len(f.Status) > 0 && !slices.Contains(f.Status, status) {
		return false, nil
	}
	if len(f.Where) == 0 {
		return true, nil
	}
	text, err := body()
	if err != nil {
		return false, err
	}
	var event any
	in := json.NewDecoder(bytes.NewReader([]byte(text)))
	in.UseNumber()
	if err := in.Decode(&event); err != nil {
		return false, fmt.Errorf("webhook: body of an event: %w", err)
	}
	for _, w := range f.Where {
		if !w.holds(event) {
			return false, nil
		}
	}
	return true, nil
}

// holds evaluates the condition. A member that does not exist, or is null, equals nothing.
func (w Condition) holds(event any) bool {
	v, found := lookUp(event, strings.Split(w.Path, "."))
	switch w.Op {
	case "exists":
		wanted, given := w.Value.(bool)
		return found == (wanted || !given)
	case "eq":
		return found && equal(v, w.Value)
	case "ne":
		return !found || !equal(v, w.Value)
	case "in":
		list, _ := w.Value.([]any)
		return found && slices.ContainsFunc(list, func(one any) bool { return equal(v, one) })
	case "prefix":
		text, ok := v.(string)
		start, _ := w.Value.(string)
		return ok && strings.HasPrefix(text, start)
	}
	order, comparable := compare(v, w.Value)
	return comparable && (w.Op == "gt" && order > 0 || w.Op == "lt" && order < 0)
}

// lookUp returns a member that is not null.
func lookUp(v any, path []string) (any, bool) {
	for _, name := range path {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			place, err := strconv.Atoi(name)
			if err != nil || place < 0 || place >= len(in) {
				return nil, false
			}
			v = in[place]
		default:
			return nil, false
		}
	}
	return v, v != nil
}

func equal(member, value any) bool {
	if b, ok := member.(bool); ok {
		return value == b
	}
	order, comparable := compare(member, value)
	return comparable && order == 0
}

// compare compares two texts, or two numbers by their exact decimal values.
func compare(member, value any) (order int, comparable bool) {
	switch v := member.(type) {
	case string:
		text, ok := value.(string)
		return strings.Compare(v, text), ok
	case json.Number:
		number, ok := value.(float64)
		left, leftOK := new(big.Rat).SetString(v.String())
		right, rightOK := new(big.Rat).SetString(strconv.FormatFloat(number, 'f', -1, 64))
		if !ok || !leftOK || !rightOK {
			return 0, false
		}
		return left.Cmp(right), true
	}
	return 0, false
}
