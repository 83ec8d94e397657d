package duty_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// questions is the number of random questions of each of the two tests, which ask 10,000 in all; with TIDEWAITER_LONG
// 1,000,000.
func questions() int {
	if os.Getenv("TIDEWAITER_LONG") != "" {
		return 500_000
	}
	return 5_000
}

func (q *asked) ask() duty.Response {
	money := &duty.Money{Table: "T", Euro: duty.EuroRate{Rate: q.euro, Period: "2021-01"}, Monthly: func(c string) (duty.Rate, bool) {
		r := q.monthly[c]
		if r == nil {
			return duty.Rate{}, false
		}
		return duty.Rate{Units: quantity.MustNumber(r.FloatString(6)), Source: "HMRC_MONTHLY"}, true
	}}
	e := duty.Editions{ID: 1}
	if q.uk != nil {
		e.UK = q.uk
	}
	if q.xi != nil {
		e.XI = q.xi
	}
	return duty.Calculate(q.request, q.on, e, money)
}

// The engine and the oracle agree on random questions over generated tariffs.
func TestRandomTariffs(t *testing.T) {
	seen := askEach(t, func(n int, seen map[string]int) {
		d := dice{rand.New(rand.NewPCG(uint64(n), 22))}
		q := d.question()
		q.uk, q.xi = d.tariff(true), d.tariff(false)
		agree(t, fmt.Sprint("question ", n), q, seen, n%3 == 0)
	})
	if !t.Failed() {
		reached(t, seen)
	}
}

// askEach asks the random questions on all processors until one is answered differently, and counts what they reached.
func askEach(t *testing.T, ask func(n int, seen map[string]int)) map[string]int {
	t.Helper()
	counted := make([]map[string]int, runtime.GOMAXPROCS(0))
	var asked atomic.Int64
	var all sync.WaitGroup
	for at := range counted {
		counted[at] = map[string]int{}
		all.Go(func() {
			for n := at; n < questions() && !t.Failed(); n += len(counted) {
				ask(n, counted[at])
				asked.Add(1)
			}
		})
	}
	all.Wait()
	seen := map[string]int{}
	for _, some := range counted {
		for what, n := range some {
			seen[what] += n
		}
	}
	t.Logf("%d questions: %s", asked.Load(), summary(seen))
	return seen
}

func summary(seen map[string]int) string {
	var b strings.Builder
	for _, k := range sorted(seen) {
		fmt.Fprintf(&b, "%s %d, ", k, seen[k])
	}
	return b.String()
}

func sorted(m map[string]int) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}

// agree fails if the engine and the oracle answer a question differently.
func agree(t *testing.T, name string, q *asked, seen map[string]int, effects bool) {
	t.Helper()
	line := q.ask().Lines[0]
	want := q.answer()
	seen[line.Outcome]++
	seen["options"] += len(line.Options)
	seen["closed"] += len(line.Unavailable)
	classes(q, &line, seen)
	open, engineOpen := texts(want.open), written(line.Options)
	closed, engineClosed := texts(want.closed), written(line.Unavailable)
	noDuty := want.outcome == duty.NoDuty && line.Outcome == duty.NoDuty
	same := slices.Equal(keys(open), keys(engineOpen)) && slices.Equal(keys(closed), keys(engineClosed))
	if want.outcome != line.Outcome || !same && !noDuty {
		tariff, _ := json.Marshal(measuresOf(q))
		t.Errorf("%s: %v\noracle %s\n open   %s\n closed %s\nengine %s\n open   %s\n closed %s\n%s\nproblems %v", name, q, want.outcome,
			strings.Join(keys(open), "\n        "), strings.Join(keys(closed), "\n        "), line.Outcome,
			strings.Join(keys(engineOpen), "\n        "), strings.Join(keys(engineClosed), "\n        "), tariff, line.Problems)
		return
	}
	checkOrder(t, name, line.Options)
	if effects && line.Outcome != duty.NoDuty {
		checkEffects(t, name, q, want, line, seen)
	}
}

// measuresOf are the measures of the tariffs of a question.
func measuresOf(q *asked) []any {
	all := []any{q.uk.measures}
	if q.request.Destination == "NI" {
		all = append(all, q.xi.measures)
	}
	return all
}

// keys are sorted texts of options.
func keys(m []string) []string {
	sort.Strings(m)
	return m
}

// texts writes the options of the oracle.
func texts(all []*choiceOf) (list []string) {
	for _, c := range all {
		list = append(list, c.text())
	}
	return list
}

func (c *choiceOf) text() string {
	var b strings.Builder
	status := "AVAILABLE"
	switch {
	case c.reason != "":
		status = "UNAVAILABLE " + c.reason
	case c.conditional:
		status = "CONDITIONAL"
	}
	fmt.Fprint(&b, c.kind, " ", c.o.name, " ", status)
	if c.kind == "QUOTA" {
		fmt.Fprint(&b, " ", c.base.m.Order)
	}
	for i, l := range c.charges {
		fmt.Fprint(&b, " | ", l)
		if i == 0 && c.secured != nil {
			fmt.Fprint(&b, " | SECURED ", money(c.secured))
		}
	}
	if c.hasVAT {
		fmt.Fprint(&b, " | VAT ", money(c.vat))
		if c.o.q.request.VATAccounting == "POSTPONED" {
			fmt.Fprint(&b, " POSTPONED")
		}
	}
	fmt.Fprint(&b, " = ", money(c.total), " known ", money(c.known), " needs ", strings.Join(c.fields, " "))
	return b.String()
}

// written writes the options of the engine in the same way.
func written(all []duty.Option) (list []string) {
	for i := range all {
		list = append(list, writeOption(&all[i]))
	}
	return list
}

func writeOption(o *duty.Option) string {
	var b strings.Builder
	fmt.Fprint(&b, o.Kind, " ", o.Tariff, " ", o.Status)
	if o.Reason != nil {
		fmt.Fprint(&b, " ", *o.Reason)
	}
	if o.Order != nil {
		fmt.Fprint(&b, " ", *o.Order)
	}
	for _, c := range o.Charges {
		sid := int64(0)
		if c.SID != nil {
			sid = *c.SID
		}
		amount := fixed(c.Amount)
		switch {
		case c.Payable == duty.Secured:
			fmt.Fprint(&b, " | SECURED ", amount)
		case c.TaxType == "B00":
			fmt.Fprint(&b, " | VAT ", amount)
			if c.Payable == duty.Postponed {
				fmt.Fprint(&b, " POSTPONED")
			}
		default:
			fmt.Fprint(&b, " | ", *c.TypeID, " ", sid, " ", amount)
		}
	}
	var fields []string
	for _, f := range o.FactsNeeded {
		fields = append(fields, f.Field)
	}
	fmt.Fprint(&b, " = ", fixed(o.Totals.Total), " known ", o.Totals.Known.Fixed(), " needs ", strings.Join(fields, " "))
	return b.String()
}

func fixed(m *quantity.Money) string {
	if m == nil {
		return "null"
	}
	return m.Fixed()
}

// checkOrder fails if options are not in the order of the contract.
func checkOrder(t *testing.T, name string, all []duty.Option) {
	t.Helper()
	for i := 1; i < len(all); i++ {
		a, b := &all[i-1], &all[i]
		if !inOrder(a, b) {
			t.Errorf("%s: %s before %s", name, writeOption(a), writeOption(b))
		}
	}
}

func inOrder(a, b *duty.Option) bool {
	if a.Totals.Complete != b.Totals.Complete {
		return a.Totals.Complete
	}
	if c := a.Totals.Known.Cmp(b.Totals.Known); c != 0 {
		return c < 0
	}
	if a.Status != b.Status {
		return a.Status == duty.Available
	}
	str := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	if c := strings.Compare(str(a.PreferenceCode), str(b.PreferenceCode)); c != 0 {
		return c < 0
	}
	if c := strings.Compare(str(a.Order), str(b.Order)); c != 0 {
		return c < 0
	}
	return a.SID == nil || b.SID == nil || *a.SID <= *b.SID
}

// checkEffects fails if an effect of a fact is not what the oracle answers with that fact.
func checkEffects(t *testing.T, name string, q *asked, want answerOf, line duty.ResponseLine, seen map[string]int) {
	t.Helper()
	open, answers := texts(want.open), map[[2]string]answerOf{}
	for i := range line.Options {
		o := &line.Options[i]
		at := slices.Index(open, writeOption(o))
		if slices.Contains(open[at+1:], open[at]) {
			continue // it cannot be told from its twin
		}
		for _, f := range o.FactsNeeded {
			for _, e := range f.Effects {
				seen["effects"]++
				fact := [2]string{f.Field, e.Value}
				if _, answered := answers[fact]; !answered {
					answers[fact] = q.with(f.Field, e.Value).answer()
				}
				total := answers[fact].become(want.open[at])
				if money(total) != fixed(e.Total) {
					t.Errorf("%s: %v\n%s: %s = %s: total %s, not %s", name, q, writeOption(o), f.Field, e.Value, fixed(e.Total), money(total))
				}
			}
		}
	}
}

// become is the total of the option that another one becomes: the same duty, one that a code chooses, or the cheapest.
func (a answerOf) become(c *choiceOf) *big.Rat {
	if a.outcome == duty.NoDuty {
		return new(big.Rat)
	}
	for _, same := range []func(d *choiceOf) bool{
		func(d *choiceOf) bool {
			if c.base == nil || d.base == nil {
				return c.base == d.base
			}
			return d.kind == c.kind && d.o.name == c.o.name && d.base.m == c.base.m && d.base.text == c.base.text
		},
		func(d *choiceOf) bool {
			return c.base != nil && c.base.choice && d.base != nil && d.kind == c.kind && d.o.name == c.o.name && d.base.m.Type == c.base.m.Type && d.base.m.Additional != ""
		},
	} {
		if at := slices.IndexFunc(a.open, same); at >= 0 {
			return a.open[at].total
		}
	}
	if len(a.open) > 0 {
		return a.open[0].total
	}
	return nil
}

// with returns the question with one more answer.
func (q *asked) with(field, value string) *asked {
	n, r := *q, *q.request
	l := r.Lines[0]
	f := &l.Facts
	name := strings.TrimPrefix(field, "lines[0].")
	switch {
	case strings.HasPrefix(name, "facts.documents["):
		code := strings.TrimSuffix(strings.TrimPrefix(name, "facts.documents["), "]")
		if value == "HELD" {
			f.Documents = append(slices.Clone(f.Documents), duty.Document{Code: code})
		} else {
			f.DocumentsAbsent = append(slices.Clone(f.DocumentsAbsent), code)
		}
	case name == "facts.proofOfOrigin":
		f.ProofOfOrigin = value
	case name == "facts.deMinimisAid":
		f.DeMinimisAid = truth(value == "true")
	case name == "additionalCodes":
		l.AdditionalCodes = append([]string{value}, l.AdditionalCodes...)
	case name == "exciseCode":
		l.ExciseCode = value
	case name == "vatChoice":
		l.VATChoice = value
	default:
		panic(field)
	}
	r.Lines = []duty.RequestLine{l}
	n.request = &r
	return &n
}
