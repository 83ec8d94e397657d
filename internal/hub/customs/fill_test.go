package customs_test

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// known is an import in data set H1 of a client that defers, filed by a broker.
func known() (customs.Declaration, customs.Shipment, customs.Client, access.Organisation) {
	d := customs.Declaration{DeclarationType: customs.Import, Header: datamodel.Header{DataSet: "H1"}, Items: []customs.Item{{CommodityCode: "6109100010", ProcedureCode: "4000"}}}
	s := customs.Shipment{PortOfEntry: "GBFXT", TransportMode: "SEA", Arrived: true}
	c := customs.Client{Name: "Mill Lane Textiles", EORI: "GB123456789000", VATNumber: "GB123456789", Representation: "DIRECT", DefermentAccount: "1108654", Terms: terms.Terms{
		DefermentAuthority: terms.Standing, PaymentMethod: "E", XIEORI: "XI123456789000", RepresentationAuthority: &terms.WrittenAuthority{Until: "2999-12-31"},
		Authorisations: []terms.HeldAuthorisation{{Type: "DPO", Number: "GBDPO1108654"}, {Type: "CGU", ValidUntil: "2020-01-01"}, {Type: "CWP"}},
	}}
	return d, s, c, access.Organisation{Profile: access.Profile{EORI: "GB987654312000", DefermentAccount: "7654321"}}
}

func valueOf(derived []filing.Derived, field string) string {
	at := slices.IndexFunc(derived, func(d filing.Derived) bool { return d.Field == field })
	if at < 0 {
		return ""
	}
	return string(derived[at].Value)
}

// A declaration takes over from its client what it needs and what is valid, and nothing that it excludes.
func TestKnownValues(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*customs.Declaration, *customs.Shipment, *customs.Client, *access.Organisation)
		field  string
		want   string
	}{
		"account of the client":         {nil, "deferredPayments", `[{"category":"1","account":"1108654","type":"DAN"}]`},
		"authorisation that is valid":   {nil, "authorisations[0]", `{"holder":"GB123456789000","type":"DPO"}`},
		"authorisation that has ended":  {nil, "authorisations[1]", ""},
		"document of the authorisation": {nil, "items[0].documents[0]", `{"type":"C506","reference":"GBDPO1108654"}`},
		"no constant":                   {nil, "deliveryTerms.incoterm", ""},
		"duty and VAT":                  {nil, "items[0].taxLines", `[{"type":"A00","methodOfPayment":"E"},{"type":"B00","methodOfPayment":"E"}]`},
		"VAT that the client postpones": {func(_ *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.VATAccounting = terms.Postponed
		}, "items[0].taxLines", `[{"type":"A00","methodOfPayment":"E"}]`},
		"its reference": {func(_ *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.VATAccounting = terms.Postponed
		}, "fiscalReferences", `[{"id":"GB123456789","role":"FR1"}]`},
		"VAT that the client pays": {func(_ *customs.Declaration, _ *customs.Shipment, c *customs.Client, o *access.Organisation) {
			c.VATAccounting, o.Profile.PostponedVAT = terms.Paid, true
		}, "fiscalReferences", ""},
		"VAT at the rate zero": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Items[0].NationalAdditionalCodes = []string{"VATZ"}
		}, "items[0].taxLines", `[{"type":"A00","methodOfPayment":"E"}]`},
		"account without authority": {func(_ *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.DefermentAuthority = terms.NoAuthority
		}, "deferredPayments", `[{"category":"1","account":"7654321","type":"DAN"}]`},
		"EORI for Northern Ireland": {func(_ *customs.Declaration, s *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			s.PortOfEntry = "GBBEL"
		}, "importer", `{"eori":"XI123456789000"}`},
		"EORI for a location in Northern Ireland": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Location = &datamodel.Location{Country: "GB", Type: "A", Qualifier: "U", Name: "BELBELBEL"}
		}, "importer", `{"eori":"XI123456789000"}`},
		"EORI for a statement": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Items[0].AdditionalInformation = []datamodel.Statement{{Code: "NIDOM"}}
		}, "importer", `{"eori":"XI123456789000"}`},
		"UKIMS of goods not at risk": {func(d *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.UKIMS, d.Items[0].AdditionalInformation = "XIUKIM1", []datamodel.Statement{{Code: "NIREM"}}
		}, "items[0].documents[1]", `{"type":"1UKI","reference":"XIUKIM1","status":"AC"}`},
		"UKIMS of the organisation": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, o *access.Organisation) {
			o.Profile.UKIMS, d.Items[0].AdditionalInformation = "XIUKIM2", []datamodel.Statement{{Code: "NIREM"}}
		}, "items[0].documents[1]", `{"type":"1UKI","reference":"XIUKIM2","status":"AC"}`},
		"UKIMS of goods in free circulation": {func(_ *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.UKIMS = "XIUKIM1"
		}, "items[0].documents[1]", ""},
		"statement of H8": {func(d *customs.Declaration, _ *customs.Shipment, c *customs.Client, _ *access.Organisation) {
			c.UKIMS, d.DataSet = "XIUKIM1", "H8"
		}, "items[0].additionalInformation[0]", `{"code":"NIREM"}`},
		"EORI for Great Britain": {nil, "importer", `{"eori":"GB123456789000"}`},
		"what the body excludes": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Without = []string{"items[].taxLines"}
		}, "items[0].taxLines", ""},
		"an empty list": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Authorisations = []datamodel.Authorisation{}
		}, "authorisations[0]", ""},
		"nothing with NONE": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Fill = datamodel.FillNone
		}, "importer", ""},
		"the declarant with NONE": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Fill = datamodel.FillNone
		}, "declarant", `{"eori":"GB987654312000"}`},
		"warehouse without its place": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.DataSet, d.Items[0].ProcedureCode = "H2", "7100"
		}, "warehouse", ""},
		"authorisation of the procedure": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.DataSet, d.Items[0].ProcedureCode = "H2", "7100"
		}, "authorisations[0]", `{"holder":"GB123456789000","type":"CWP"}`},
		"authorisation of the previous procedure": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.Items[0].ProcedureCode = "4071"
		}, "authorisations[1]", `{"holder":"GB123456789000","type":"CWP"}`},
		"no authorisation for a clearance request": {func(d *customs.Declaration, _ *customs.Shipment, _ *customs.Client, _ *access.Organisation) {
			d.DataSet, d.AdditionalType, d.Items[0].ProcedureCode = "C21I", "J", "0071"
		}, "authorisations[0]", ""},
	} {
		d, s, client, o := known()
		if c.change != nil {
			c.change(&d, &s, &client, &o)
		}
		_, derived, _ := customs.Filled(d, s, client, o, "TWS0000000000000000001", testTime)
		if got := valueOf(derived, c.field); got != c.want {
			t.Errorf("%s: %s is %s, not %s", name, c.field, got, c.want)
		}
	}
}

// What the client has not authorised blocks the submission.
func TestUnauthorised(t *testing.T) {
	for field, change := range map[string]func(*customs.Declaration, *customs.Client){
		"representation": func(_ *customs.Declaration, c *customs.Client) { c.RepresentationAuthority.Until = "2020-01-01" },
		"deferredPayments[0].account": func(d *customs.Declaration, c *customs.Client) {
			d.DeferredPayments, c.DefermentAuthority = []datamodel.DeferredPayment{{Account: "1108654"}}, terms.NoAuthority
		},
		"representation.type": func(_ *customs.Declaration, c *customs.Client) { c.Representation = "" },
		"items[0].taxLines":   func(_ *customs.Declaration, c *customs.Client) { c.PaymentMethod = "" },
	} {
		has := func(change func(*customs.Declaration, *customs.Client)) bool {
			d, s, c, o := known()
			if change != nil {
				change(&d, &c)
			}
			_, _, err := customs.Filled(d, s, c, o, "TWS0000000000000000001", testTime)
			f, _ := apierr.As(err)
			return f != nil && slices.ContainsFunc(f.Details, func(d apierr.Detail) bool { return d.Field == field })
		}
		if has(nil) || !has(change) {
			t.Errorf("%s: reported without the change: %t, with it: %t", field, has(nil), has(change))
		}
	}
}
