package customs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// generatedCount is the number of generated declarations: 500, and 5,000 in the long tests.
func generatedCount() int {
	if os.Getenv("TIDEWAITER_LONG") != "" {
		return 5000
	}
	return 500
}

// sample is a declaration that was made by the generator and stored by the service.
type sample struct {
	name string
	body map[string]any
	id   string
	xml  string
}

// create stores a record as the API does, and returns its ID.
func (e *env) create(tx *store.Tx, kind *filing.Type, body any) string {
	e.Helper()
	raw, err := json.Marshal(body)
	e.must(err)
	in, err := kind.Parse(raw, tx.Now())
	if refused, ok := apierr.As(err); ok {
		e.Fatalf("%v: %v", refused, refused.Details)
	}
	e.must(err)
	f, err := e.service.Filings.Create(tx, tenant.Call{Principal: tenant.Principal{Org: e.org, Role: tenant.Owner, Type: tenant.ByUser}}, kind, in)
	e.must(err)
	return f.ID
}

// records stores a client and shipments of which much and little is known.
func (e *env) records(tx *store.Tx) (shipments []string) {
	_, s, c, o := known()
	profile, err := tx.Organisation()
	e.must(err)
	profile.Profile = o.Profile
	e.must(tx.SaveOrganisation(profile))
	c.Terms.Guarantees = []terms.HeldGuarantee{{Type: "1", Reference: "GBCGU123456789000"}}
	clients, shipmentType := customs.Clients.Type(), customs.Shipments.Type()
	e.service.Filings.Types[clients.Kind], e.service.Filings.Types[shipmentType.Kind] = clients, shipmentType
	itself := customs.Client{Name: "Itself Ltd", EORI: "GB205672212000", VATNumber: "GB205672212", Representation: datamodel.Self, Terms: terms.Terms{PaymentMethod: "P", VATAccounting: terms.Postponed}}
	for _, client := range []customs.Client{c, {Name: "Unknown Ltd"}, itself} {
		id := e.create(tx, clients, client)
		s.ClientID = id
		shipments = append(shipments, e.create(tx, shipmentType, s))
		rich := s
		rich.TransportID, rich.CountryOfDispatch, rich.CountryOfDestination, rich.ExitOffice, rich.CarrierEORI = "9811000", "BD", "GB", "GB000060", "GB025115100010"
		rich.CounterpartyName, rich.CounterpartyCountry, rich.Containers, rich.Incoterm, rich.GoodsLocation = "Padma Knitwear", "BD", []string{"MSKU1234565"}, "FOB", "GBAUFXTFXTFXT"
		shipments = append(shipments, e.create(tx, shipmentType, rich))
	}
	return shipments
}

// generate stores declarations of all data sets.
func (e *env) generate(n int) (all []sample) {
	var shipments []string
	e.update(func(tx *store.Tx) error { shipments = e.records(tx); return nil })
	sets := dataset.All()
	for from := 0; from < n; from += 50 {
		e.update(func(tx *store.Tx) error {
			for seed := from; seed < min(n, from+50); seed++ {
				set, fill := sets[seed%len(sets)], []string{datamodel.FillNone, datamodel.FillKnown}[seed/len(sets)%2]
				g := sample{name: fmt.Sprintf("%d (%s, %s)", seed, set, fill)}
				g.body = declarationFor(uint64(seed), set, fill, shipments[seed%len(shipments)])
				g.id = e.create(tx, e.service.Type, g.body)
				var err error
				if g.xml, err = e.service.DocumentOf(tx, g.id); err != nil {
					e.Errorf("%s: %v", g.name, err)
					continue
				}
				all = append(all, g)
			}
			return nil
		})
	}
	return all
}

// schemaFaults returns what HMRC's schema finds wrong with documents, by their names.
func schemaFaults(t *testing.T, all []sample) map[string]string {
	t.Helper()
	schema, err := filepath.Abs("../../../../shared/customs/xsd/customs/wrapper_submit.xsd")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(schema); err != nil {
		t.Log("the schema is not beside the project")
		return nil
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Log("xmllint is not installed")
		return nil
	}
	dir, arguments := t.TempDir(), []string{"--noout", "--schema", schema}
	for n, g := range all {
		name := filepath.Join(dir, strconv.Itoa(n)+".xml")
		if err := os.WriteFile(name, []byte(g.xml), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, name)
	}
	output, _ := exec.Command("xmllint", arguments...).CombinedOutput() // it fails if any document does
	faults := map[string]string{}
	for n, g := range all {
		name := filepath.Join(dir, strconv.Itoa(n)+".xml")
		if !strings.Contains(string(output), name+" validates\n") {
			_, message, _ := strings.Cut(string(output), name)
			faults[g.name] = strings.SplitN(message, "\n", 2)[0]
		}
	}
	return faults
}

// plainForm returns a document without its LRN, with numbers in one form and classifications and origins in one order.
func plainForm(t testing.TB, d wco.Declaration) string {
	t.Helper()
	d.FunctionalReferenceID = "LRN"
	d.GoodsShipment.GovernmentAgencyGoodsItem = slices.Clone(d.GoodsShipment.GovernmentAgencyGoodsItem)
	for n := range d.GoodsShipment.GovernmentAgencyGoodsItem {
		i := &d.GoodsShipment.GovernmentAgencyGoodsItem[n]
		i.Commodity.Classification, i.Origin = slices.Clone(i.Commodity.Classification), slices.Clone(i.Origin)
		slices.SortStableFunc(i.Commodity.Classification, func(a, b wco.Classification) int {
			return cmp.Or(cmp.Compare(a.IdentificationTypeCode, b.IdentificationTypeCode), cmp.Compare(a.ID, b.ID))
		})
		slices.SortStableFunc(i.Origin, func(a, b wco.Origin) int { return cmp.Compare(a.TypeCode, b.TypeCode) })
	}
	raw, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`>(-?\d+)\.(\d*?)0*<`).ReplaceAllString(string(raw), ">$1.$2<")
	return strings.ReplaceAll(strings.ReplaceAll(text, ".<", "<"), "><", ">\n<")
}

// elementsOf returns the names of the elements in documents, each with that of its parent.
func elementsOf(all []sample) map[string]bool {
	seen := map[string]bool{}
	for _, g := range all {
		var open []string
		for _, tag := range regexp.MustCompile(`<(/?)([A-Za-z]+)[^>]*?(/?)>`).FindAllStringSubmatch(g.xml, -1) {
			if tag[1] != "" {
				open = open[:len(open)-1]
				continue
			}
			parent := ""
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			seen[parent+"/"+tag[2]] = true
			if tag[3] == "" {
				open = append(open, tag[2])
			}
		}
	}
	return seen
}

// difference returns the first lines in which two texts differ.
func difference(a, b string) string {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	for n := range min(len(was), len(is)) {
		if was[n] != is[n] {
			return fmt.Sprintf("%s and %s", was[n], is[n])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(was), len(is))
}

// Declarations of every data set with all kinds of members are stored and encoded: HMRC's schema accepts the documents, and a
// document becomes a body and the same document again. Every value of those with fill KNOWN is in the body or in derived: the
// body with the derived values, to which nothing is added, declares the same.
func TestGeneratedDeclarations(t *testing.T) {
	e := &env{TB: t, sender: &sender{}, org: orgID}
	e.open(storetest.SQLite(t))
	all := e.generate(generatedCount())
	if n := len(elementsOf(all)); n < 190 {
		t.Errorf("only %d elements of the schema are declared", n)
	}
	faults := schemaFaults(t, all)
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		t.Errorf("%s is not valid: %s", name, faults[name])
	}
	for _, g := range all {
		document, err := wco.Decode([]byte(g.xml))
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		want := plainForm(t, document)
		body, err := datamodel.Decode(&document)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		raw, _ := json.Marshal(body)
		var again datamodel.Body
		e.must(json.Unmarshal(raw, &again))
		if got := plainForm(t, datamodel.Encode(again)); got != want {
			t.Errorf("%s is another document after the round trip: %s", g.name, difference(want, got))
		}
		if g.body["fill"] == datamodel.FillKnown {
			e.compareDerived(g, want)
		}
	}
}

// compareDerived adds the derived values of a declaration to its body, and compares what it declares without filling.
func (e *env) compareDerived(g sample, want string) {
	e.Helper()
	var derived []filing.Derived
	e.must(e.store.View(e.Context(), e.org, func(tx *store.Tx) (err error) { derived, err = customs.DerivedOf(tx, g.id); return err }))
	body := withDerived(e.TB, g.body, derived)
	body["fill"] = datamodel.FillNone
	raw, err := json.Marshal(body)
	e.must(err)
	var d customs.Declaration
	e.must(json.Unmarshal(raw, &d))
	document, more, _ := customs.Filled(d, customs.Shipment{}, customs.Client{}, access.Organisation{}, "LRN", testTime)
	if got := plainForm(e.TB, document); got != want || len(more) > 0 {
		e.Errorf("%s has a value that is neither in the body nor derived: %s (added again: %v)", g.name, difference(want, got), more)
	}
}

// withDerived returns a body with derived values in their places. The documents of the header go with each item, before those
// that were added.
func withDerived(t testing.TB, body map[string]any, derived []filing.Derived) map[string]any {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	out := exactJSON(t, raw).(map[string]any)
	if documents, ok := out["documents"].([]any); ok {
		for _, i := range out["items"].([]any) {
			item := i.(map[string]any)
			own, _ := item["documents"].([]any)
			item["documents"] = append(slices.Clone(own), documents...)
		}
		delete(out, "documents")
	}
	for _, d := range derived {
		path := strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(d.Field, "[", ".#"), "]", ""), func(r rune) bool { return r == '.' })
		out = put(out, path, exactJSON(t, d.Value)).(map[string]any)
	}
	return out
}

// exactJSON reads JSON and keeps all digits of its numbers.
func exactJSON(t testing.TB, raw []byte) (v any) {
	t.Helper()
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// put sets a value at a path, whose indices begin with #.
func put(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	digits, isIndex := strings.CutPrefix(path[0], "#")
	if !isIndex {
		object, _ := in.(map[string]any)
		if object == nil {
			object = map[string]any{}
		}
		object[path[0]] = put(object[path[0]], path[1:], value)
		return object
	}
	list, _ := in.([]any)
	n, _ := strconv.Atoi(digits)
	for len(list) <= n {
		list = append(list, nil)
	}
	list[n] = put(list[n], path[1:], value)
	return list
}
