package customs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// worked returns the bodies of the worked examples, by their heading.
func worked(t *testing.T) map[string][]json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("../../../../shared/spec/declaration-data.md")
	if err != nil {
		t.Skip("the specification is not beside the project")
	}
	_, rest, _ := strings.Cut(string(text), "## 3. Worked examples")
	rest, _, _ = strings.Cut(rest, "## 4.")
	all := map[string][]json.RawMessage{}
	for _, section := range strings.Split(rest, "\n### ")[1:] {
		heading, _, _ := strings.Cut(section, "\n")
		for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(section, -1) {
			all[heading] = append(all[heading], json.RawMessage(block[1]))
		}
	}
	return all
}

func decoded[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

// Each worked example can be submitted as it is printed: its document has no fault that customs would refuse.
func TestWorkedExamples(t *testing.T) {
	tried := 0
	for heading, bodies := range worked(t) {
		for n, raw := range bodies {
			if !strings.Contains(string(raw), `"dataSet"`) || !strings.Contains(string(raw), `"declarant"`) {
				continue // other records, and the example that takes over their values
			}
			d := decoded[customs.Declaration](t, raw)
			d.Supplements = ""
			o := access.Organisation{Profile: access.Profile{EORI: d.Declarant.EORI}}
			document, derived, err := customs.Filled(d, customs.Shipment{TransportMode: "SEA", Arrived: true}, customs.Client{}, o, fmt.Sprintf("TWS%019d", tried), testTime)
			if details := customs.CheckDeclaration(&d); details != nil {
				t.Errorf("%s, %d: %v", heading, n, details)
			}
			if f, ok := apierr.As(err); ok {
				for _, detail := range f.Details {
					t.Errorf("%s, %d: %s (%s, DE %s): %s", heading, n, detail.Field, detail.Code, detail.Element, detail.Message)
				}
			}
			if _, err := document.Encode(); err != nil {
				t.Errorf("%s, %d: %v", heading, n, err)
			}
			tried++
			for _, v := range derived {
				if v.From != "computed" {
					t.Errorf("%s, %d: %s = %s was taken from the %s, although the body states all", heading, n, v.Field, v.Value, v.From)
				}
			}
		}
	}
	if tried < 11 {
		t.Errorf("%d examples were tried, not 11 or more", tried)
	}
}

// The example whose facts are on four records takes over each from the record that holds it, and declares the same as the one
// that states all.
func TestInheritedExample(t *testing.T) {
	bodies := worked(t)["3.1 H1 with deferment and preference, split over the four resources"]
	if len(bodies) != 5 {
		t.Fatalf("%d bodies", len(bodies))
	}
	o := access.Organisation{Profile: decoded[access.Profile](t, bodies[0])}
	c, s := decoded[customs.Client](t, bodies[1]), decoded[customs.Shipment](t, bodies[2])
	document, derived, err := customs.Filled(decoded[customs.Declaration](t, bodies[3]), s, c, o, "TWS0000000000000000001", testTime)
	if err != nil {
		f, _ := apierr.As(err)
		t.Errorf("%v %+v", err, f.Details)
	}
	from := map[string]string{}
	for _, v := range derived {
		from[v.Field] = v.From
	}
	for field, source := range map[string]string{
		"declarant": "organisation", "representation": "client", "importer": "client", "deferredPayments": "client", "authorisations[0]": "client",
		"authorisations[1]": "client", "items[0].documents[2]": "client", "items[0].documents[3]": "client", "guarantees": "client", "items[0].taxLines": "client",
		"transport.border.mode": "shipment", "transport.border.nationality": "shipment", "transport.arrival": "shipment", "location": "shipment", "deliveryTerms": "shipment",
		"equipment": "shipment", "exporter": "shipment", "destination": "shipment", "dispatchCountry": "shipment", "containerised": "computed",
	} {
		if from[field] != source {
			t.Errorf("%s was taken from %q, not from %s", field, from[field], source)
		}
	}
	whole, _, err := customs.Filled(decoded[customs.Declaration](t, bodies[4]), customs.Shipment{TransportMode: "SEA"}, customs.Client{}, o, "TWS0000000000000000001", testTime)
	if err != nil {
		t.Error(err)
	}
	for _, d := range []*wco.Declaration{&document, &whole} {
		slices.SortFunc(d.AuthorisationHolder, func(a, b wco.AuthorisationHolder) int { return strings.Compare(a.CategoryCode, b.CategoryCode) })
		slices.SortFunc(d.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument, func(a, b wco.AdditionalDocument) int {
			return strings.Compare(a.CategoryCode+a.TypeCode, b.CategoryCode+b.TypeCode)
		})
	}
	was, _ := document.Encode()
	is, _ := whole.Encode()
	if string(was) != string(is) {
		t.Errorf("the two differ:\n%s\n%s", was, is)
	}
}
