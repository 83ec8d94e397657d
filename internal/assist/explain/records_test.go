package explain_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/pointer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// stored is a stored declaration.
func stored() *explain.Records {
	return &explain.Records{
		DeclarationID: "d1", ShipmentID: "s1", ClientID: "c1",
		Declaration: []byte(`{"declarationType":"IMPORT","items":[{"commodityCode":"6109100010","netMassKg":131.50,"grossMassKg":120,"description":"T-shirts\u202e\n<b>","countryOfOrigin":"BD"},
			{"commodityCode":"4202","netMassKg":1,"additionalProcedureCodes":["000","1H7"]}],"documents":[{"type":"N935","reference":"INV-1"},{"type":"N271","reference":"P-1","status":"ZZ"}]}`),
		Shipment:     []byte(`{"portOfEntry":"GBFXT","transportMode":"SEA","containers":["MSKU1234565"],"counterpartyName":"Ningbo Cotton Works"}`),
		Client:       []byte(`{"name":"Harbour Textiles Ltd","eori":"GB123"}`),
		Organisation: []byte(`{"representation":"direct"}`),
		Assigned:     []byte(`{"lrn":"TW1","mrn":null}`),
		Document: []byte(`<md:MetaData xmlns:md="m"><Declaration><FunctionalReferenceID>TW1</FunctionalReferenceID><GoodsShipment><TransactionNatureCode>1</TransactionNatureCode>` +
			`<GovernmentAgencyGoodsItem><Commodity><GoodsMeasure/></Commodity></GovernmentAgencyGoodsItem>` +
			`<GovernmentAgencyGoodsItem><GovernmentProcedure><CurrentCode>40</CurrentCode></GovernmentProcedure><GovernmentProcedure><CurrentCode>000</CurrentCode></GovernmentProcedure></GovernmentAgencyGoodsItem>` +
			`</GoodsShipment></Declaration></md:MetaData>`),
	}
}

// The field of an error is shown with its current value, also if the service set it, and with
// the request that changes it.
func TestThePresentValueIsShown(t *testing.T) {
	for _, c := range []struct{ place, field, value, request string }{
		{"42A.67A.68A[1].23A.65A.128", "items[0].netMassKg", "131.50", "PATCH /api/declarations/d1"},
		{"42A.67A.68A[2].23A.21A[1].145", "items[1].commodityCode", "4202", "PATCH /api/declarations/d1"},
		{"42A.67A.68A[2].70A[3].166", "items[1].additionalProcedureCodes[1]", "1H7", "PATCH /api/declarations/d1"},
		{"42A.67A.68A[1].23A.137", "items[0].description", "T-shirts <b>", "PATCH /api/declarations/d1"},
		{"42A.67A.68A[1].02A[2].360", "documents[1].status", "ZZ", "PATCH /api/declarations/d1"},
		{"42A.228", "items", "2", "PATCH /api/declarations/d1"},
		{"42A.67A.74A.R038", "client.eori", "GB123", "PATCH /api/clients/c1"},
		{"42A.57A.R031", "shipment.counterpartyName", "Ningbo Cotton Works", "PATCH /api/shipments/s1"},
		{"42A.67A.28A.31B[1].159", "shipment.containers[0]", "MSKU1234565", "PATCH /api/shipments/s1"},
		{"42A.05A.102", "organisation.representation", "direct", "PATCH /api/organisation"},
		{"42A.D026", "lrn", "TW1", ""},
		{"42A.67A.103", "transactionNatureCode", "1", ""},
		{"42A.67A.68A[2].70A[1].166", "items[1].procedureCode", "40", "PATCH /api/declarations/d1"},
	} {
		e := explain.Explain(explain.Question{Errors: []explain.ReportedError{at(t, "CDS10020", c.place)}, Records: stored()}).Errors[0]
		if e.Value == nil || *e.Value != c.value || e.Field != c.field || e.ChangeWith != c.request || !strings.Contains(e.PlainEnglish, "“"+c.value+"” at present") {
			t.Errorf("%s: %s is %v, %q: %q", c.place, e.Field, e.Value, e.ChangeWith, e.PlainEnglish)
		}
	}
}

// An empty field is called empty, unless that is the error. A place with fields below it has
// no value.
func TestEmptyFields(t *testing.T) {
	explained := func(code, place string) explain.Explanation {
		return explain.Explain(explain.Question{Errors: []explain.ReportedError{at(t, code, place)}, Records: stored()}).Errors[0]
	}
	if e := explained("CDS10010", "42A.67A.68A[1].02A[1].360"); e.Value != nil || !strings.Contains(e.PlainEnglish, "is empty at present") {
		t.Errorf("%+v", e)
	}
	if e := explained("CDS10001", "42A.67A.68A[2].92A[1].063"); e.Value != nil || strings.Contains(e.PlainEnglish, "at present") {
		t.Errorf("%+v", e)
	}
	if e := explained("CDS13000", "42A.67A.68A[1]"); e.Value != nil || e.FieldName != "item 1" || strings.Contains(e.PlainEnglish, "at present") {
		t.Errorf("%+v", e)
	}
	if e := explained("CDS10020", "42A.67A.68A[998].23A.137"); e.Value != nil {
		t.Errorf("%+v", e)
	}
}

// Records that cannot be read cost only the values.
func TestBrokenRecords(t *testing.T) {
	r := &explain.Records{Declaration: []byte(`{"items":`), Document: []byte("<a><b>")}
	e := explain.Explain(explain.Question{Errors: []explain.ReportedError{at(t, "CDS10020", "42A.67A.68A[1].23A.137")}, Records: r}).Errors
	if len(e) != 1 || e[0].Value != nil {
		t.Errorf("%+v", e)
	}
}

// The inputs are the fields that callers fill in, and pointers can lead to all of them.
func TestInputsAreWhatCallersFillIn(t *testing.T) {
	known := map[string]bool{}
	collect(known, "", reflect.TypeFor[customs.Declaration]())
	collect(known, "shipment.", reflect.TypeFor[customs.Shipment]())
	collect(known, "client.", reflect.TypeFor[customs.Client]())
	collect(known, "organisation.", reflect.TypeFor[access.Profile]())
	for field := range known {
		indexed := strings.ReplaceAll(field, "[]", "[0]")
		if p, reachable := pointer.To(indexed); reachable && !explain.IsInput(p.Field()) {
			t.Errorf("%s is an input", field)
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "hmrc", "wco", "pointer", "fields.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^[0-9]\S+ +(\S+)$`).FindAllStringSubmatch(string(text), -1) {
		field := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(m[1], "0")
		name := regexp.MustCompile(`\[0\]`).ReplaceAllString(field, "[]")
		whole := map[string]bool{"items": true, "items[]": true, "shipment": true, "client": true, "organisation": true}
		if is := explain.IsInput(field); is != (known[name] || whole[name]) {
			t.Errorf("%s: said to be an input: %t", field, is)
		}
	}
}

// collect adds the members of a struct as paths.
func collect(known map[string]bool, prefix string, of reflect.Type) {
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		kind := of.Field(i).Type
		known[prefix+name] = true
		if kind.Kind() == reflect.Slice {
			known[prefix+name+"[]"] = true
			if kind.Elem().Kind() == reflect.Struct {
				collect(known, prefix+name+"[].", kind.Elem())
			}
		}
	}
}

// Every pointer in CDS's published messages leads to a named field and to its value in the
// declaration that was sent.
func TestPointersOfPublishedMessages(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "customs")
	files, _ := filepath.Glob(filepath.Join(folder, "notifications", "*.xml"))
	if files == nil {
		t.Skip("the published messages are not beside the project")
	}
	sent := declarations(t, folder)
	errors, valued := 0, 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		messages, err := notification.Decode(body)
		if err != nil {
			continue
		}
		for _, n := range messages {
			q := explain.Question{Errors: explain.ReportedErrors(n.Errors)}
			if document := sent[scenario.FindString(file)]; document != nil {
				q.Records = &explain.Records{Document: document}
			}
			for _, e := range explain.Explain(q).Errors {
				errors++
				if !e.Known || e.Pointer == "" || e.Field == "declaration" || e.FieldName == "" || strings.Contains(e.PlainEnglish, "a detail") {
					t.Errorf("%s: %+v", filepath.Base(file), e)
				}
				if e.Value != nil {
					valued++
				} else if q.Records != nil {
					t.Logf("%s: no value at %s (%s)", filepath.Base(file), e.Pointer, e.FieldName)
				}
			}
		}
	}
	t.Logf("%d errors, %d with the value that was sent", errors, valued)
	if errors < 15 || valued < 2 {
		t.Errorf("%d errors, %d with a value", errors, valued)
	}
}

// scenario matches the scenario in the names of published files.
var scenario = regexp.MustCompile(`TT_[A-Z]{2}[0-9]+[a-z]`)

func declarations(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(folder, "submissions", "*.xml"))
	sent := map[string][]byte{}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name := scenario.FindString(filepath.Base(file)); name != "" && sent[name] == nil {
			sent[name] = body
		}
	}
	return sent
}

// Every element of a real declaration is found by its pointer.
func TestEveryElementOfARealDeclarationHasItsValue(t *testing.T) {
	file := filepath.Join("..", "..", "..", "..", "shared", "customs", "minimal", "h1_4000_IMA_agent_deferment.xml")
	body, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the published declarations are not beside the project")
	}
	for place, want := range map[string]string{
		"42A.67A.103": "TransactionNatureCode", "42A.67A.68A[1].23A.137": "Description", "42A.67A.68A[1].23A.21A[2].145": "ID", "42A.67A.68A[1].23A.65A.128": "NetNetWeightMeasure",
		"42A.57B.R123": "ID", "42A.67A.74A.R038": "ID", "42A.67A.28A.64A.L016": "Name", "42A.67A.68A[1].70A[2].166": "CurrentCode",
	} {
		e := explain.Explain(explain.Question{Errors: []explain.ReportedError{at(t, "CDS10020", place)}, Records: &explain.Records{Document: body}}).Errors[0]
		if e.Value == nil || !strings.Contains(string(body), *e.Value+"</") || !strings.Contains(string(body), "<"+want) {
			t.Errorf("%s: %v", place, e.Value)
		}
	}
}

func rejection(t testing.TB) explain.Question {
	var q explain.Question
	for _, p := range []string{"42A.67A.68A[1].23A.65A.128", "42A.67A.68A[2].23A.65A.128", "42A.67A.68A[1].02A[2].360", "42A.67A.74A.R038", "42A.67A.103"} {
		parsed, err := pointer.Parse(p)
		if err != nil {
			t.Fatal(err)
		}
		q.Errors = append(q.Errors, explain.ReportedError{Code: "CDS10001", Pointers: []pointer.Pointer{parsed}}, explain.ReportedError{Code: "CDS12070", Pointers: []pointer.Pointer{parsed}})
	}
	q.Records = stored()
	return q
}

func BenchmarkExplain(b *testing.B) {
	q := rejection(b)
	for b.Loop() {
		explain.Explain(q)
	}
}

func BenchmarkRead(b *testing.B) {
	all := objects(b, `[{"code":"CDS12005","pointer":"42A.67A.74A.R038"},{"response":{"errors":[{"code":"CDS10001","field":"items[0].netMassKg"}]}}]`)
	for b.Loop() {
		if _, err := json.Marshal(explain.Explain(explain.Question{Errors: explain.Read(all)})); err != nil {
			b.Fatal(err)
		}
	}
}
