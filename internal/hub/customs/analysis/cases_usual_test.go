package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	wcocheck "github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func unchanged(*body) {}

// leaveOut makes a declaration of six different items, some of which, counted from 0, have no gross mass.
func leaveOut(places ...int) change {
	return func(c *body) {
		for n := range 6 {
			i := *first(imported())
			i.NetMassKg = mass([]string{"101", "102", "103", "104", "105", "106"}[n])
			if slices.Contains(places, n) {
				i.GrossMassKg = nil
			}
			c.Declaration.Items = append(c.Declaration.Items[:n], i)
		}
	}
}

// toHMRC sends the declaration to HMRC.
func toHMRC(c *body) { c.Simulated = false }

func deferring(c *body) { c.Trader.DefermentAccount = "7654321" }

var usualCases = []testCase{
	check("usual procedure", imported, unchanged, "DEC-201 warning items[0].procedureCode"),
	check("procedure that is stated", imported, under("4000")),
	check("no Incoterm", imported, func(c *body) { c.Shipment.Incoterm = "" }, "DEC-202 warning deliveryTerms.incoterm"),
	check("no place of delivery", imported, unchanged, "DEC-203 warning deliveryTerms.place"),
	check("no valuation method", imported, unchanged, "DEC-204 warning items[0].valuationMethod"),
	check("no valuation indicators", imported, unchanged, "DEC-205 warning items[0].valuationIndicators"),
	check("no preference is stated", imported, func(c *body) { first(c).PreferenceCode = "" }, "DEC-206 warning items[0].preferenceCode"),
	check("no preference at HMRC", imported, both(toHMRC, func(c *body) { first(c).PreferenceCode = "" }), "DEC-206 warning items[0].preferenceCode"),
	check("nature of an import", imported, unchanged, "DEC-207 warning transactionNature"),
	check("nature of an export", exported, unchanged, "DEC-207 warning items[0].transactionNature"),
	check("no gross mass of some items", imported, leaveOut(1, 3), "DEC-033 info items", "DEC-208 warning items[1].grossMassKg"),
	check("no number of packages", imported, func(c *body) { first(c).PackageCount = nil }, "DEC-209 warning items[0].packageCount"),
	check("no kind of packages", imported, func(c *body) { first(c).PackageType = "" }, "DEC-210 warning items[0].packageType"),
	check("no marks", imported, unchanged, "DEC-211 warning items[0].packages[0].marks"),
	check("document without a status", exported, unchanged, "DEC-212 warning items[0].documents[0].status"),
	check("location of the port", imported, unchanged, "DEC-213 warning location"),
	check("no location at HMRC", imported, both(toHMRC, func(c *body) { c.Shipment.PortOfEntry = "GBDVR" }), "DEC-214 blocker location"),
	check("no destination", imported, unchanged, "DEC-215 warning destination.country"),
	check("dispatched from the origin", imported, func(c *body) {
		c.Shipment.CountryOfDispatch, c.Shipment.CounterpartyCountry = "", ""
	}, "DEC-005 warning shipment.counterpartyCountry", "DEC-216 warning dispatchCountry"),
	check("no means of transport", imported, func(c *body) { c.Shipment.TransportID, c.Shipment.VesselName = "", "" }, "DEC-011 warning shipment.transportId", "DEC-217 warning transport.arrival"),
	check("flight or aircraft", exported, unchanged, "DEC-218 warning transport.border.idType"),
	check("no nationality", exported, unchanged, "DEC-219 warning transport.border.nationality"),
	check("no office of exit", exported, func(c *body) { c.Shipment.ExitOffice = "" }, "DEC-017 warning shipment.exitOffice", "DEC-220 warning exitOffice"),
	check("no payment of the transport", exported, unchanged, "DEC-221 warning security.transportCharges"),
	check("no route", exported, unchanged, "DEC-222 warning security.itinerary"),
	check("no method of payment", imported, unchanged, "DEC-223 warning items[0].taxLines"),
	check("no guarantee", imported, unchanged, "DEC-224 warning guarantees"),
	check("guarantee that is excluded", imported, func(c *body) { c.Declaration.Without = []string{"guarantees"} }),
	check("deferment", imported, deferring, "DEC-223 warning items[0].taxLines", "DEC-224 warning guarantees", "DEC-225 warning authorisations", "DEC-226 warning items[0].documents[1]",
		"DEC-226 warning items[0].documents[2]"),
	check("no representation", imported, unchanged, "DEC-227 warning representation"),
	check("method of payment at HMRC", imported, toHMRC, "DEC-223 blocker items[0].taxLines", "DEC-213 blocker location"),
}

var refusalCases = []testCase{
	check("type that is none", imported, func(c *body) { c.Declaration.AdditionalType = "V" }, "DEC-301 blocker additionalType"),
	check("what no export has", exported, func(c *body) { first(c).CUSCode, first(c).PreferentialOrigin = "", "US" }, "DEC-302 blocker items[0].countryOfOrigin"),
	check("currency that is none", imported, func(c *body) {
		sum := quantity.MustSum("1850")
		first(c).ItemPrice = &datamodel.Amount{Amount: &sum, Currency: "GGG"}
	}, "DEC-303 blocker items[0].itemPrice"),
	check("two natures of the transaction", imported, func(c *body) { c.Declaration.TransactionNature, first(c).TransactionNature = "1", "3" }, "DEC-304 blocker items[0].transactionNature"),
	check("preference without origin", imported, both(claim("300"), from("PT"), with("U116"), func(c *body) { c.Declaration.Without = []string{"items[].preferentialOrigin"} }),
		"DEC-305 blocker items[0].countryOfOrigin"),
	check("code that no tariff has", imported, func(c *body) {
		c.Customs.Goods = func(string, string) wcocheck.Commodity {
			return wcocheck.Commodity{Complete: true, Edition: "the tariff"}
		}
	}, "DEC-306 blocker items[0].commodityCode"),
	check("data set of another procedure", imported, func(c *body) { c.Declaration.DataSet, c.Declaration.Fill = "H3", datamodel.FillUsual }, "DEC-307 blocker dataSet"),
}

// A finding about a usual value says which value, and adds little to the risk; other warnings add more.
func TestUsualValues(t *testing.T) {
	plain := judged(imported())
	for _, f := range plain.Findings {
		if strings.HasPrefix(f.Code, "DEC-2") && (f.Value == "" || f.Severity != rules.Warning) {
			t.Errorf("%+v", f)
		}
	}
	other := imported()
	first(other).Description = "Goods"
	if risk := judged(other).RiskScore; plain.RiskScore > 0.2 || risk < plain.RiskScore+0.1 {
		t.Errorf("the risk of a correct declaration is %v, that of a vague one %v", plain.RiskScore, risk)
	}
}
