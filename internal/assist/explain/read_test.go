package explain_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/explain"
)

func objects(t testing.TB, text string) (all []map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Errors are found under any usual name and with places in any notation.
func TestReadTakesErrorsOfAnyShape(t *testing.T) {
	const mass = "CDS10001 items[1].netMassKg"
	for _, c := range []struct{ text, want string }{
		{`{"code":"CDS10001","pointer":"42A.67A.68A[2].23A.65A.128"}`, mass},
		{`{"errorCode":"cds10001","path":"42A/67A/68A[2]/23A/65A/128"}`, mass},
		{`{"validationCode":"CDS-10001","field":"items[1].netMassKg"}`, mass},
		{`{"ValidationCode":10001,"element":"6/1","item":2}`, mass},
		{`{"code":"10001","de":"D.E. 6/1","itemNumber":"2"}`, mass},
		{`{"Error":{"ValidationCode":"CDS10001","Pointer":[{"DocumentSectionCode":"42A"},{"DocumentSectionCode":"67A"},{"SequenceNumeric":2,"DocumentSectionCode":"68A"},{"DocumentSectionCode":"23A"},{"DocumentSectionCode":"65A","TagID":"128"}]}}`, mass},
		{`{"n1:Error":{"n1:ValidationCode":{"#text":"CDS10001"},"n1:Pointer":[{"n1:DocumentSectionCode":{"$t":"42A"}},{"n1:DocumentSectionCode":"67A"},{"n1:DocumentSectionCode":"68A","n1:SequenceNumeric":"2"},{"n1:DocumentSectionCode":"23A"},{"n1:DocumentSectionCode":"65A","n1:TagID":"128"}]}}`, mass},
		{`{"error_code":"CDS10001","pointers":["42A","67A","68A[2]","23A","65A","128"]}`, mass},
		{`{"code":"CDS10001","pointers":["42A.67A.68A[2].23A.65A.128"]}`, mass},
		{`{"code":"CDS10001","xpath":"/Declaration/GoodsShipment/GovernmentAgencyGoodsItem[2]/Commodity/GoodsMeasure/NetNetWeightMeasure"}`, mass},
		{`{"code":"CDS10001","location":{"path":"items[1].netMassKg"}}`, mass},
		{`{"code":"BAD_REQUEST","message":"no","errors":[{"code":"CDS10001","pointer":"items[1].netMassKg"}]}`, mass},
		{`{"response":{"errors":{"error":[{"code":"CDS10001","pointer":"items[1].netMassKg"},{"code":"CDS12005"}]}}}`, "CDS12005 declaration; " + mass},
		{`{"message":"Rejected: CDS12005, please check"}`, "CDS12005 declaration"},
		{`{"a":{"b":["first CDS12005","then CDS 12070 and cds_40045"]}}`, "CDS12005 declaration; CDS12070 declaration; CDS40045 declaration"},
		{`{"code":"CDS12005","field":"somewhere else"}`, "CDS12005 somewhere else"},
		{`{"code":"CDS12070","pointers":["42A.05A.102","42A.67A.68A[1].03A[1].226"]}`, "CDS12070 organisation.representation"},
		{`{"xml":"<Error><ValidationCode>CDS12005</ValidationCode></Error>"}`, "CDS12005 declaration"},
		{`{"code":"CDS10001","field":"items[1].netMassKg","pointer":"42A.67A.68A[2].23A.65A.128","title":"x","description":"y"}`, mass},
		{`{"code":"E0042","message":"what"}`, "E0042 declaration"},
		{`{}`, "unknown declaration"}, {`{"x":null,"y":[[[]]],"z":true}`, "unknown declaration"},
	} {
		var got []string
		for _, e := range explain.Explain(explain.Question{Errors: explain.Read(objects(t, "["+c.text+"]"))}).Errors {
			got = append(got, e.Code+" "+e.Field)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, strings.Join(got, "; "), c.want)
		}
	}
}

// A message of CDS inside an object is read as a message.
func TestReadTakesAMessageOfCustoms(t *testing.T) {
	message := `<md:MetaData xmlns:md="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2" xmlns="urn:wco:datamodel:WCO:RES-DMS:2"><Response><FunctionCode>03</FunctionCode>` +
		`<Error><ValidationCode>CDS12005</ValidationCode><Pointer><DocumentSectionCode>42A</DocumentSectionCode></Pointer><Pointer><DocumentSectionCode>67A</DocumentSectionCode></Pointer>` +
		`<Pointer><DocumentSectionCode>74A</DocumentSectionCode><TagID>R038</TagID></Pointer></Error></Response></md:MetaData>`
	text, _ := json.Marshal([]map[string]any{{"body": message}})
	faults := explain.Read(objects(t, string(text)))
	if len(faults) != 1 || faults[0].Code != "CDS12005" || len(faults[0].Pointers) != 1 || faults[0].Pointers[0].Field() != "client.eori" {
		t.Errorf("%+v", faults)
	}
}

// Each object has an answer, and there are at most MaxErrors.
func TestReadIsBounded(t *testing.T) {
	many := strings.Repeat(`{"code":"CDS12005"},`, 1998) + `{"code":"CDS12005"}`
	if n := len(explain.Read(objects(t, "["+many+"]"))); n != explain.MaxErrors {
		t.Errorf("%d faults", n)
	}
	nested := `[{"errors":[` + many + `]}]`
	if n := len(explain.Read(objects(t, nested))); n != explain.MaxErrors {
		t.Errorf("%d faults of one object", n)
	}
	deep := strings.Repeat(`{"a":`, 200) + `{"code":"CDS12005"}` + strings.Repeat("}", 200)
	if faults := explain.Read(objects(t, "["+deep+"]")); len(faults) != 1 || faults[0].Code != "" {
		t.Errorf("%+v", faults)
	}
	long := strings.Repeat("x", 100_000)
	e := explain.Explain(explain.Question{Errors: explain.Read(objects(t, fmt.Sprintf(`[{"code":%q,"message":%q,"field":%q,"value":%q}]`, long, long, long[:900], long)))}).Errors[0]
	if len(e.Code) > 50 || len(e.CustomsText) > 310 || len(e.Field) > 130 || len(*e.Value) > 130 || len(e.PlainEnglish) > 700 {
		t.Errorf("%d %d %d %d %d", len(e.Code), len(e.CustomsText), len(e.Field), len(*e.Value), len(e.PlainEnglish))
	}
}

// Untrusted texts are shown on one line without control characters.
func TestTextsOfOthersArePlain(t *testing.T) {
	e := explain.Explain(explain.Question{Errors: explain.Read(objects(t, `[{"code":"CDS10010","field":"items[0].description","value":"a\u0000\r\n\tb\u202ec","message":" x\u0007 \n y "}]`))}).Errors[0]
	if *e.Value != "a b c" || e.CustomsText != "x y" {
		t.Errorf("%q, %q", *e.Value, e.CustomsText)
	}
}

// Any input gives a valid answer.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"code":"CDS12005","pointer":[["42A"],{"DocumentSectionCode":"68A"}]}`, `{"path":"42A.67A.68A[99999].23A"}`, `{"pointer":"42A.02A[","code":[]}`, `{"a":"<x>"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &object) != nil {
			return
		}
		out := explain.Explain(explain.Question{Errors: explain.Read([]map[string]json.RawMessage{object})})
		again := explain.Explain(explain.Question{Errors: explain.Read([]map[string]json.RawMessage{object})})
		if len(out.Errors) == 0 || !reflect.DeepEqual(out, again) {
			t.Fatalf("%s: %+v", text, out)
		}
		for _, e := range out.Errors {
			if e.PlainEnglish == "" || e.SuggestedFix == "" || e.Code == "" || e.Field == "" {
				t.Fatalf("%s: %+v", text, e)
			}
		}
	})
}
