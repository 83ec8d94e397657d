package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// change is a change of a body and of its first item.
type change struct {
	name, code string
	header     map[string]any
	item       map[string]any
}

func list(entries ...any) []any { return entries }

func members(pairs ...any) map[string]any {
	all := map[string]any{}
	for n := 0; n < len(pairs); n += 2 {
		all[pairs[n].(string)] = pairs[n+1]
	}
	return all
}

func money(amount float64, currency string) map[string]any {
	return members("amount", amount, "currency", currency)
}

var deferment = list(members("category", "1", "account", "1108654", "type", "DAN"))

// wrongPlain are plain imports that customs refuses, with the code.
var wrongPlain = []change{
	{"commodity code of eight digits", "CDS10004", nil, members("commodityCode", "61091000")},
	{"net mass above the gross mass", "CDS11006", nil, members("grossMassKg", 100)},
	{"unknown currency", "CDS10020", nil, members("itemPrice", money(1850, "GGG"))},
	{"deferment without an account", "CDS12078", nil, members("taxLines", list(members("type", "A00", "methodOfPayment", "E")))},
	{"deferment without the authorisation DPO", "CDS12070", members("deferredPayments", deferment), members("taxLines", list(members("type", "A00", "methodOfPayment", "E")))},
	{"account that pays no tax", "CDS12102", members("deferredPayments", deferment), nil},
	{"preference without origin", "CDS12070", members("without", list("items[].preferentialOrigin")), members("preferenceCode", "300", "countryOfOrigin", "PT")},
	{"quota without its order number", "CDS12070", nil, members("preferenceCode", "120")},
	{"order number without a quota", "CDS12110", nil, members("quotaOrderNumber", "050001", "preferenceCode", "100")},
	{"location of an unknown type", "CDS12099", members("location", members("country", "GB", "type", "Q", "qualifier", "U", "name", "FXTFXTFXT")), nil},
	{"statement that excludes the representative", "CDS12056", nil, members("additionalInformation", list(members("code", "00500", "text", "IMPORTER")))},
	{"tax by hand without the statement OVR01", "CDS12139", nil, members("taxLines", list(members("type", "A00", "methodOfPayment", "P", "payable", money(222, "GBP"))))},
	{"valuation method without its document", "CDS40045", members("documents", list()), members("valuationMethod", "4")},
	{"warehouse entry without a warehouse", "CDS12070", nil, members("procedureCode", "7100")},
	{"inward processing without its authorisation", "CDS12070", nil, members("procedureCode", "5100")},
	{"postponed VAT that is paid", "CDS12079", members("fiscalReferences", list(members("id", "GB123456789", "role", "FR1"))), nil},
	{"licence without a number", "CDS77000", nil, members("documents", list(members("type", "N271", "status", "AC")))},
	{"waiver without a reason", "CDS77005", nil, members("documents", list(members("type", "Y900")))},
	{"licence that is written off twice", "CDS12151", nil, members("documents", list(
		members("type", "L001", "reference", "L1", "status", "EE", "writeOff", members("quantity", members("value", 1, "unit", "KGM"))),
		members("type", "L001", "reference", "L1", "status", "EE", "writeOff", members("quantity", members("value", 1, "unit", "KGM")))))},
	{"no additional procedure, and one", "CDS12149", nil, members("additionalProcedureCodes", list("000", "C07"))},
	{"additional procedure of another procedure", "CDS12056", nil, members("additionalProcedureCodes", list("D05"))},
	{"low value procedure", "CDS12152", nil, members("additionalProcedureCodes", list("1H7"))},
	{"buyer who is the importer", "CDS12117", members("buyer", members("eori", "GB123456789000")), nil},
	{"acceptance in the future", "CDS12016", members("taxPointAt", "2090-12-31T00:00:00Z"), nil},
	{"seven items that are one", "CDS11003", members("goodsItemCount", 7), nil},
	{"two natures of the transaction", "CDS12071", nil, members("transactionNature", "3")},
	{"two master references", "CDS12137", members("previousDocuments", list(members("category", "Z", "type", "MCR", "reference", "A:LON1"), members("category", "Z", "type", "MCR", "reference", "A:LON2"))), nil},
	{"not at risk, without the movement", "CDS40073", nil, members("additionalInformation", list(members("code", "NIREM", "text", "NIREM")))},
	{"deferment document without deferment", "CDS12148", nil, members("documents", list(members("type", "C506", "reference", "GBDPO1108654")))},
	{"country that is none", "CDS10020", members("dispatchCountry", "YY"), nil},
	{"export procedure", "CDS12104", nil, members("procedureCode", "1040")},
}

// errorsOf returns the codes with which customs rejected a declaration.
func (a answer) errorsOf(at ...string) (codes []string) {
	all, _ := a.in(at...).([]any)
	for _, e := range all {
		codes = append(codes, fmt.Sprint(e.(map[string]any)["code"]))
	}
	return codes
}

// blocks reports whether a review has a blocker for each code with which customs rejected a declaration. Some are reported by
// rules that have no code of customs.
func (a answer) blocks(t *testing.T, name string, codes []string) {
	t.Helper()
	var own int
	found := map[string]bool{}
	list, _ := a.in("findings").([]any)
	for _, f := range list {
		if f := f.(map[string]any); f["severity"] == "blocker" {
			code, _ := f["customsCode"].(string)
			found[code] = true
			if code == "" {
				own++
			}
		}
	}
	for _, code := range codes {
		if !found[code] && own == 0 {
			t.Errorf("%s: customs rejects it with %s, and the review has no blocker: %s", name, code, a.text)
		}
	}
}

// What customs would refuse is refused, each with its code, and the review says so before.
func TestWrongPlainDeclarations(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		var ids []string
		for _, w := range wrongPlain {
			body := stated(goods(shipment, "INV-"+w.name[:min(8, len(w.name))]))
			maps.Copy(body, w.header)
			maps.Copy(body["items"].([]any)[0].(map[string]any), w.item)
			ids = append(ids, c.call("POST", declarationsPath, body).want(t, 201).id())
			c.submit(ids[len(ids)-1]).want(t, 200)
		}
		for n, w := range wrongPlain {
			codes := c.waitForStatus(ids[n], "REJECTED").errorsOf("declaration", "errors")
			if !slices.Contains(codes, w.code) {
				t.Errorf("%s: rejected with %v, not with %s", w.name, codes, w.code)
			}
			c.analyse(ids[n]).want(t, 200).blocks(t, w.name, codes)
		}
	})
}

// uncreatable are wrong documents that the schema of the body does not allow, so that their creation is a 400.
var uncreatable = []string{"CDS10003", "CDS77001"}

// asBody returns the body that states a document and lets the service add nothing.
func asBody(t *testing.T, d *wco.Declaration, shipment string) map[string]any {
	t.Helper()
	decoded, err := datamodel.Decode(d)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(customs.Declaration{ShipmentID: shipment, DeclarationType: decoded.Direction, Header: *decoded.Header, Items: decoded.Items})
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{}
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatal(err)
	}
	body["fill"] = "NONE"
	delete(body, "dataSet")
	return body
}

// wrongDocuments are the documents that deserve each code of the checks.
func wrongDocuments() map[string]wco.Declaration {
	all := map[string]wco.Declaration{}
	for code, change := range checktest.WrongImports {
		d := checktest.Import()
		change(&d)
		all[code] = d
	}
	for code, change := range checktest.WrongExports {
		d := checktest.Export()
		change(&d)
		all[code] = d
	}
	return all
}

// With a data set, what customs would refuse is not sent: the answer is 422 with the code. The same body without a data set is
// sent, and rejected with the codes that the review reported.
func TestWrongDocuments(t *testing.T) {
	documents := wrongDocuments()
	codes := slices.Sorted(maps.Keys(documents))
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.bareShipment()
		sent := map[string]string{}
		for _, code := range codes {
			d := documents[code]
			body := asBody(t, &d, shipment)
			if slices.Contains(uncreatable, code) {
				c.call("POST", declarationsPath, body).refused(t, 400, "invalid_request")
				continue
			}
			sent[code] = c.call("POST", declarationsPath, body).want(t, 201).id()
			c.submit(sent[code]).want(t, 200)
			set, ok := dataset.Of(&d)
			if body["dataSet"] = string(set); !ok {
				body["dataSet"] = "H1"
			}
			held := c.call("POST", declarationsPath, body).want(t, 201).id()
			if a := c.submit(held); a.status != 422 || !slices.Contains(a.errorsOf("details"), code) {
				t.Errorf("%s with data set %s: %d %s", code, set, a.status, a.text)
			}
			c.analyse(held).want(t, 200).blocks(t, code+" with a data set", []string{code})
		}
		for code, id := range sent {
			found := c.waitForStatus(id, "REJECTED").errorsOf("declaration", "errors")
			if !slices.Contains(found, code) {
				t.Errorf("%s: rejected with %s", code, strings.Join(found, " "))
			}
			c.analyse(id).want(t, 200).blocks(t, code, found)
		}
	})
}
