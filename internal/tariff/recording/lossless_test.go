package recording_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// raw reads an answer as plain maps, in a way of its own: relationships are followed when something is read.
type raw struct {
	included map[string]map[string]any // by type and id
	said     map[string][]string       // details of the answer
	read     map[string]string         // details that were read
}

// node is an object with its attributes and relationships, or with both in one.
type node map[string]any

func (r *raw) at(n node, name string) any {
	if v, ok := n[name]; ok {
		return v
	}
	if attributes, ok := n["attributes"].(map[string]any); ok {
		if v, ok := attributes[name]; ok {
			return v
		}
	}
	return nil
}

func (r *raw) text(n node, name string) string {
	switch v := r.at(n, name).(type) {
	case nil:
		return ""
	case json.Number:
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}

// related returns the objects that a relationship names.
func (r *raw) related(n node, name string) (all []node) {
	value := n[name]
	if relationships, ok := n["relationships"].(map[string]any); ok {
		if related, ok := relationships[name].(map[string]any); ok {
			value = related["data"]
		}
	}
	list, many := value.([]any)
	if one, ok := value.(map[string]any); !many && ok {
		list = []any{one}
	}
	for _, item := range list {
		o := node(item.(map[string]any))
		if whole := r.included[fmt.Sprint(o["type"], "/", o["id"])]; whole != nil {
			o = whole
		}
		all = append(all, o)
	}
	return all
}

func (r *raw) components(n node, name string) (all []string) {
	for _, c := range r.related(n, name) {
		all = append(all, strings.Join([]string{
			r.text(c, "duty_expression_id"), number(r.text(c, "duty_amount")), r.text(c, "monetary_unit_code"), r.text(c, "measurement_unit_code"),
			r.text(c, "measurement_unit_qualifier_code"),
		}, "/"))
	}
	return all
}

func number(text string) string {
	if r, ok := new(big.Rat).SetString(text); ok {
		return r.RatString()
	}
	return ""
}

func componentsOf(list []measure.Component) (all []string) {
	for _, c := range list {
		amount := ""
		if c.Amount != nil {
			amount = c.Amount.RatString()
		}
		all = append(all, strings.Join([]string{c.Expression, amount, c.Currency, c.Unit, c.Qualifier}, "/"))
	}
	return all
}

func (r *raw) conditions(n node) (all []string) {
	for _, c := range r.related(n, "measure_conditions") {
		all = append(all, fmt.Sprint(r.text(c, "condition_code"), " ", r.text(c, "document_code"), " ", r.text(c, "action_code"), " ",
			number(r.text(c, "condition_duty_amount")), " ", r.components(c, "measure_condition_components")))
	}
	return all
}

// conditionsOf writes the conditions of a measure. An action that the answer does not state is left out.
func conditionsOf(m *measure.Measure, stated []string) (all []string) {
	for i := range m.Conditions {
		c := &m.Conditions[i]
		amount, action := "", c.Action
		if c.Threshold != nil {
			amount = c.Threshold.Amount.RatString()
		}
		if i < len(stated) && strings.Contains(stated[i], "  ") && strings.Split(stated[i], " ")[2] == "" {
			action = ""
		}
		all = append(all, fmt.Sprint(c.Code, " ", c.Document, " ", action, " ", amount, " ", componentsOf(c.Components)))
	}
	return all
}

func (r *raw) ids(n node, relation, name string) (all []string) {
	for _, o := range r.related(n, relation) {
		all = append(all, r.text(o, name))
	}
	return all
}

// tally counts what was compared.
type tally map[string]int

// Every measure, condition, component, footnote, act, order number, period of a quota, area and exclusion of a recorded
// answer is in what is read of it.
func TestNothingIsLost(t *testing.T) {
	found := tally{}
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
			name, _ := recording.ParseName(file)
			got, err := recording.Read(name, document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			r, top := parse(t, document)
			for relation, measures := range map[string][]measure.Measure{"import_measures": got.Import, "export_measures": got.Export} {
				all := r.related(top, relation)
				if len(all) != len(measures) {
					t.Errorf("%s: %d of %d %s", file, len(measures), len(all), relation)
					continue
				}
				for i := range all {
					r.compare(t, file, all[i], &measures[i], got, found)
				}
			}
			r.check(t, file)
		})
	}
	t.Log(found)
}

func parse(t *testing.T, document []byte) (*raw, node) {
	t.Helper()
	var top map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(document)))
	decoder.UseNumber()
	if err := decoder.Decode(&top); err != nil {
		t.Fatal(err)
	}
	r := &raw{included: map[string]map[string]any{}}
	if included, ok := top["included"].([]any); ok {
		for _, item := range included {
			o := item.(map[string]any)
			r.included[fmt.Sprint(o["type"], "/", o["id"])] = o
		}
		top = top["data"].(map[string]any)
	}
	return r, top
}

// compare compares one measure with what is read of it.
func (r *raw) compare(t *testing.T, file string, n node, m *measure.Measure, got *recording.Recording, found tally) {
	t.Helper()
	same := func(what string, want, got any) {
		found[what]++
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("%s: measure %d: %s is %v, not %v", file, m.SID, what, got, want)
		}
	}
	day := func(name string) string { date, _, _ := strings.Cut(r.text(n, name), "T"); return date }
	end := ""
	if m.To != 0 {
		end = m.To.String()
	}
	sid := r.text(n, "id")
	if nested, ok := n["attributes"].(map[string]any); ok {
		sid = fmt.Sprint(nested["id"])
	}
	same("sid", sid, m.SID)
	same("first day", day("effective_start_date"), m.From.String())
	same("last day", day("effective_end_date"), end)
	same("type", r.ids(n, "measure_type", "id"), []string{m.Type})
	same("area", r.ids(n, "geographical_area", "id"), []string{m.Area})
	same("exclusions", r.ids(n, "excluded_countries", "id"), m.Excluded)
	same("footnotes", r.ids(n, "footnotes", "code"), m.Footnotes)
	same("acts", len(r.related(n, "legal_acts")), len(m.Acts))
	same("additional code", strings.Join(r.ids(n, "additional_code", "code"), ""), m.Additional)
	same("order number", strings.Join(r.ids(n, "order_number", "number"), ""), m.Order)
	same("components", r.components(n, "measure_components"), componentsOf(m.Components))
	conditions := r.conditions(n)
	same("conditions", conditions, conditionsOf(m, conditions))
	found["single conditions"] += len(conditions)
	if reduction := r.text(n, "reduction_indicator"); reduction != "" {
		same("reduction indicator", reduction, m.Reduction)
	}
	r.details(t, n, m, got, found)
}

// details compares what the measure names. Answers that were edited by hand say different things of one code: what is read
// must be one of them.
func (r *raw) details(t *testing.T, n node, m *measure.Measure, got *recording.Recording, found tally) {
	t.Helper()
	said := func(what, key string, want, got any) {
		found[what]++
		if r.said == nil {
			r.said = map[string][]string{}
			r.read = map[string]string{}
		}
		r.said[what+" "+key] = append(r.said[what+" "+key], fmt.Sprint(want))
		r.read[what+" "+key] = fmt.Sprint(got)
	}
	for i, a := range r.related(n, "legal_acts") {
		act := got.Details.Acts[m.Acts[i]]
		said("act", m.Acts[i], []string{r.text(a, "regulation_code"), r.text(a, "regulation_url"), r.text(a, "description")},
			[]string{act.Code, act.URL, act.Description})
	}
	for _, f := range r.related(n, "footnotes") {
		said("footnote", r.text(f, "code"), r.text(f, "description"), got.Details.Footnotes[r.text(f, "code")])
	}
	for _, a := range append(r.related(n, "geographical_area"), r.related(n, "excluded_countries")...) {
		id := r.text(a, "id")
		if members := r.ids(a, "children_geographical_areas", "id"); len(members) > 0 {
			said("members", id, members, got.Groups[id])
		}
		said("name of area", id, r.text(a, "description"), got.Details.Areas[id])
	}
	for _, c := range r.related(n, "measure_conditions") {
		if code := r.text(c, "document_code"); code != "" && r.text(c, "certificate_description") != "" {
			said("document", code, r.text(c, "certificate_description"), got.Details.Documents[code])
		}
	}
	for _, o := range r.related(n, "order_number") {
		for _, d := range r.related(o, "definition") {
			from, _, _ := strings.Cut(r.text(d, "validity_start_date"), "T")
			at := slices.IndexFunc(got.Quotas, func(q measure.Quota) bool { return q.Order == m.Order && q.From.String() == from })
			if at < 0 {
				t.Errorf("measure %d: no period of the quota %s from %s", m.SID, m.Order, from)
				continue
			}
			q := got.Quotas[at]
			said("quota", m.Order, []string{number(r.text(d, "initial_volume")), number(r.text(d, "balance")), strings.ToUpper(r.text(d, "status")), "KGM"},
				[]string{q.Initial.RatString(), q.Balance.RatString(), q.Status, q.Unit}) // all recorded ones are in kilograms
		}
	}
}

// check fails for details that the answer does not say.
func (r *raw) check(t *testing.T, file string) {
	t.Helper()
	for key, got := range r.read {
		if !slices.Contains(r.said[key], got) {
			t.Errorf("%s: %s is %.300s, not %.300s", file, key, got, r.said[key][0])
		}
	}
}

// Headings and the categories of goods for Northern Ireland are no answers for a code with its measures.
func TestOtherAnswersAreNotRecordings(t *testing.T) {
	files := 0
	for _, archive := range []string{"headings.tar.gz", "green_lanes.tar.gz"} {
		recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
			files++
			if recording.IsRecording(document) {
				t.Errorf("%s: it has no measures of a code", file)
			}
		})
	}
	t.Logf("%d answers hold no measures of a code that can be declared: headings with the codes below them, categories", files)
}
