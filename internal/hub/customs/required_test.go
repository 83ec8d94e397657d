package customs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

type goodsItem = wco.GovernmentAgencyGoodsItem

// atItem takes something out of the first item.
func atItem(out func(*goodsItem)) func(*wco.Declaration) {
	return func(d *wco.Declaration) { out(checktest.Item(d)) }
}

// untyped stands for no additional type, because a document cannot lack it.
const untyped = "V"

// lacks takes each data element out of a declaration, and names the member that is then missing.
var lacks = map[string]struct {
	out   func(*wco.Declaration)
	field string
}{
	"1/2":  {func(d *wco.Declaration) { d.TypeCode = d.TypeCode[:2] + untyped }, "additionalType"},
	"1/9":  {func(d *wco.Declaration) { d.GoodsItemQuantity = "" }, "goodsItemCount"},
	"1/10": {atItem(func(g *goodsItem) { g.GovernmentProcedure[0] = wco.GovernmentProcedure{} }), "items[0].procedure"},
	"1/11": {atItem(func(g *goodsItem) { g.GovernmentProcedure = g.GovernmentProcedure[:1] }), "items[0].additionalProcedureCodes"},
	"2/1":  {func(d *wco.Declaration) { d.GoodsShipment.PreviousDocument = nil }, "previousDocuments"},
	"2/3":  {atItem(func(g *goodsItem) { g.AdditionalDocument = nil }), "items[0].documents"},
	"2/7":  {func(d *wco.Declaration) { d.GoodsShipment.Warehouse = wco.Warehouse{} }, "warehouse"},
	"3/18": {func(d *wco.Declaration) { d.Declarant = wco.Trader{} }, "declarant.eori"},
	"3/39": {func(d *wco.Declaration) { d.AuthorisationHolder = nil }, "authorisations"},
	"4/16": {atItem(func(g *goodsItem) { g.CustomsValuation.MethodCode = "" }), "items[0].valuationMethod"},
	"4/17": {atItem(func(g *goodsItem) { g.Commodity.DutyTaxFee[0].DutyRegimeCode = "" }), "items[0].taxLines[0].preferenceCode"},
	"5/8":  {func(d *wco.Declaration) { d.GoodsShipment.Destination = wco.Destination{} }, "destination"},
	"5/12": {func(d *wco.Declaration) { d.ExitOffice.ID = "" }, "exitOffice"},
	"5/14": {func(d *wco.Declaration) { d.GoodsShipment.ExportCountry.ID = "" }, "dispatchCountry"},
	"5/23": {func(d *wco.Declaration) { d.GoodsShipment.Consignment.GoodsLocation = wco.GoodsLocation{} }, "location"},
	"6/1":  {atItem(func(g *goodsItem) { g.Commodity.GoodsMeasure.NetNetWeightMeasure = wco.Measure{} }), "items[0].netMassKg"},
	"6/5":  {atItem(func(g *goodsItem) { g.Commodity.GoodsMeasure.GrossMassMeasure = wco.Measure{} }), "totalGrossMassKg"},
	"6/8":  {atItem(func(g *goodsItem) { g.Commodity.Description = "" }), "items[0].description"},
	"6/9":  {atItem(func(g *goodsItem) { g.Packaging[0].TypeCode = "" }), "items[0].packages[0].type"},
	"6/10": {atItem(func(g *goodsItem) { g.Packaging[0].QuantityQuantity = "" }), "items[0].packages[0].count"},
	"6/11": {atItem(func(g *goodsItem) { g.Packaging[0].MarksNumbersID = "" }), "items[0].packages[0].marks"},
	"6/14": {atItem(func(g *goodsItem) { g.Commodity.Classification = nil }), "items[0].commodityCode"},
	"6/15": {atItem(func(g *goodsItem) { g.Commodity.Classification = g.Commodity.Classification[:1] }), "items[0].commodityCode"},
	"6/18": {func(d *wco.Declaration) { d.TotalPackageQuantity = "" }, "totalPackages"},
	"7/2":  {func(d *wco.Declaration) { d.GoodsShipment.Consignment.ContainerCode = "" }, "containerised"},
	"7/4":  {func(d *wco.Declaration) { d.BorderTransportMeans.ModeCode = "" }, "transport.border.mode"},
	"8/5":  {func(d *wco.Declaration) { d.GoodsShipment.TransactionNatureCode = "" }, "transactionNature"},
}

// byService are the elements that the service always declares: the type follows from declarationType, the number of an item is
// its position, and the LRN is its own.
var byService = []string{"1/1", "1/6", "2/5"}

// submitted returns the details with which the submission of a document is refused. The service adds nothing to it.
func submitted(t *testing.T, set dataset.Set, d *wco.Declaration) []apierr.Detail {
	t.Helper()
	decoded, err := datamodel.Decode(d)
	if err != nil {
		t.Fatal(err)
	}
	body := customs.Declaration{DeclarationType: decoded.Direction, Header: *decoded.Header, Items: decoded.Items}
	body.DataSet, body.Fill = string(set), datamodel.FillNone
	body.AdditionalType = strings.TrimPrefix(body.AdditionalType, untyped)
	s := customs.Shipment{PortOfEntry: "GBFXT", TransportMode: "SEA", Arrived: true}
	refused := customs.Incomplete(body, s, customs.Client{}, access.Organisation{}, testTime, true)
	if refused == nil {
		return nil
	}
	found, ok := apierr.As(refused)
	if !ok || found.Code != apierr.DeclarationIncomplete {
		t.Fatal(refused)
	}
	return found.Details
}

// Each element that HMRC publishes as mandatory in a data set is required at submission: without it the answer names the member
// and the data element, with a code, a message and a remedy. With all of them nothing is refused.
func TestEveryPublishedRequirement(t *testing.T) {
	tried := 0
	for _, set := range dataset.All() {
		for _, e := range dataset.Elements() {
			if set.Required(e.Number, "2026-11-24") != dataset.Mandatory || slices.Contains(byService, e.Number) {
				continue
			}
			whole, out := checktest.Sets[set], lacks[e.Number]
			if whole == nil {
				if set == dataset.C21IEIDR || set == dataset.H7 || set == dataset.FSD {
					continue // derived from C21I and H1, whose letters are tried
				}
				t.Errorf("%s has no declaration without a fault", set)
				continue
			}
			if out.out == nil {
				t.Errorf("%s, DE %s: the test does not take it out", set, e.Number)
				continue
			}
			d := whole()
			if details := submitted(t, set, &d); details != nil {
				t.Fatalf("%s: a declaration without a fault is refused: %+v", set, details)
			}
			d = whole()
			out.out(&d)
			tried++
			details := submitted(t, set, &d)
			named := slices.ContainsFunc(details, func(d apierr.Detail) bool {
				return d.Element == e.Number && strings.HasPrefix(d.Field, out.field) && d.Code != "" && d.Message != "" && d.Remedy != ""
			})
			if !named {
				t.Errorf("%s without DE %s (%s): %+v", set, e.Number, e.Name, details)
			}
		}
	}
	if tried < 67 {
		t.Errorf("only %d requirements were tried", tried)
	}
}
