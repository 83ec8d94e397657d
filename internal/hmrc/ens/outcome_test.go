package ens_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/verdict"
)

const header = `<MesSenMES3>GB123456789000/0000000001</MesSenMES3><MesRecMES6>GB123456789000/0000000001</MesRecMES6><DatOfPreMES9>260610</DatOfPreMES9>` +
	`<TimOfPreMES10>0931</TimOfPreMES10><MesIdeMES19>OUT1</MesIdeMES19><MesTypMES20>%[1]s</MesTypMES20><CorIdeMES25>0AbC12dEf34567</CorIdeMES25>`

func answer(name, content string) string {
	return fmt.Sprintf(`<cc3:%[1]s xmlns:cc3="http://ics.dgtaxud.ec/%[1]s">`+header+`%[2]s</cc3:%[1]s>`, name, content)
}

func enveloped(envelope, message string) string {
	return "<" + envelope + "><response>\n" + message + "\n</response><acknowledgement method='DELETE' href='/customs/imports/outcomes/0AbC12dEf34567'/></" + envelope + ">"
}

// Outcomes and notifications are read in HMRC's envelope and alone.
func TestReadOutcome(t *testing.T) {
	for _, c := range []struct {
		document string
		accepted bool
		lrn, mrn string
		errors   []ens.FunctionalError
		stops    []ens.DoNotLoad
	}{
		{enveloped("outcomeResponse", answer("CC328A", "<HEAHEA><RefNumHEA4>L1</RefNumHEA4><DocNumHEA5>26GB00000000000018</DocNumHEA5></HEAHEA>")),
			true, "L1", "26GB00000000000018", nil, nil},
		{answer("CC304A", "<HEAHEA><DocNumHEA5>26GB00000000000018</DocNumHEA5></HEAHEA>"), true, "", "26GB00000000000018", nil, nil},
		{enveloped("outcomeResponse", answer("CC316A", "<HEAHEA><RefNumHEA4>L1</RefNumHEA4></HEAHEA><FUNERRER1><ErrTypER11>12</ErrTypER11><ErrPoiER12>HEAHEA.Mode</ErrPoiER12>"+
			"<ErrReaER13>R1</ErrReaER13><OriAttValER14>9</OriAttValER14></FUNERRER1><FUNERRER1><ErrTypER11>35</ErrTypER11><ErrPoiER12>LRN</ErrPoiER12></FUNERRER1>")),
			false, "L1", "", []ens.FunctionalError{{"12", "HEAHEA.Mode", "R1", "9"}, {Type: "35", Pointer: "LRN"}}, nil},
		{answer("CC305A", "<HEAHEA><DocNumHEA5>26GB00000000000018</DocNumHEA5></HEAHEA>"), false, "", "26GB00000000000018", nil, nil},
		{enveloped("notificationResponse", answer("CC351A", "<HEAHEA><RefNumHEA4>L1</RefNumHEA4><DocNumHEA5>26GB00000000000018</DocNumHEA5></HEAHEA><CUSINT632>"+
			"<IteNumConCUSINT668>2</IteNumConCUSINT668><CusIntCodCUSINT665>A001</CusIntCodCUSINT665><CusIntTexCUSINT666>Do not load</CusIntTexCUSINT666></CUSINT632>")),
			false, "L1", "26GB00000000000018", nil, []ens.DoNotLoad{{"2", "A001", "Do not load"}}},
	} {
		o, err := ens.ReadOutcome([]byte(c.document))
		if err != nil {
			t.Errorf("%s: %v", c.document, err)
			continue
		}
		if o.Accepted() != c.accepted || o.LRN != c.lrn || o.MRN != c.mrn || !reflect.DeepEqual(o.Errors, c.errors) || !reflect.DeepEqual(o.Interventions, c.stops) ||
			o.Header.CorrelationID != "0AbC12dEf34567" || o.Header.Type != o.Name {
			t.Errorf("%s: %+v", c.document, o)
		}
	}
	for _, other := range []string{"<a/>", "<outcomeResponse/>", "<outcomeResponse><response/></outcomeResponse>", string(sample(t)), "x", "<outcomeResponse>"} {
		if o, err := ens.ReadOutcome([]byte(other)); err == nil {
			t.Errorf("%s: %+v", other, o)
		}
	}
}

// Lists of what waits are in HMRC's order.
func TestReadList(t *testing.T) {
	all, err := ens.ReadList([]byte("<entryDeclarationResponses><response><correlationId>12345678901234</correlationId><link>/a</link><MRN>M</MRN></response>" +
		"<response><correlationId>b</correlationId><link>/b</link></response></entryDeclarationResponses>"))
	if want := []ens.Listed{{"12345678901234", "", "/a", "M"}, {"b", "", "/b", ""}}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v %+v", err, all)
	}
	all, err = ens.ReadList([]byte("<advancedNotifications><response><correlationId>a</correlationId><notificationId>n</notificationId><link>/n</link></response></advancedNotifications>"))
	if want := []ens.Listed{{"a", "n", "/n", ""}}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v %+v", err, all)
	}
	if _, err := ens.ReadList([]byte("<other/>")); err == nil {
		t.Error("another document is a list")
	}
}

// The correlation id is a text of 14 characters, in a namespace or in none.
func TestReadReceipt(t *testing.T) {
	for id, want := range map[string]string{
		`<CorrelationId>00000000000012</CorrelationId>`:               "00000000000012",
		`<CorrelationId xmlns="urn:x">0AbC12dEf34567</CorrelationId>`: "0AbC12dEf34567",
		`<CorrelationId>12</CorrelationId>`:                           "",
		`<CorrelationId>../../../../aa</CorrelationId>`:               "",
		``: "",
	} {
		got, err := ens.ReadReceipt([]byte(`<ns:SuccessResponse xmlns:ns="http://www.hmrc.gov.uk/successresponse/2"><ns:ResponseData>` + id + `</ns:ResponseData></ns:SuccessResponse>`))
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", id, got, err)
		}
	}
}

// A refusal has the errors in HMRC's order.
func TestReadRefusal(t *testing.T) {
	all, err := ens.ReadRefusal([]byte(`<err:ErrorResponse xmlns:err="http://www.govtalk.gov.uk/CM/errorresponse"><err:Application><err:MessageCount>1</err:MessageCount></err:Application>` +
		`<err:Error><err:RaisedBy>HMRC</err:RaisedBy><err:Number>8623</err:Number><err:Type>business</err:Type><err:Text>T</err:Text><err:Location>/ie:CC315A[1]</err:Location></err:Error></err:ErrorResponse>`))
	if want := []verdict.Error{{Number: 8623, Location: "/ie:CC315A[1]", Text: "T"}}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%v %+v", err, all)
	}
	if _, err := ens.ReadRefusal([]byte("<error/>")); err == nil {
		t.Error("another document is a refusal")
	}
}

// Every published example of an answer is read.
func TestExamplesOfAnswers(t *testing.T) {
	paths, _ := filepath.Glob(published + "examples/*/*.xml")
	if len(paths) == 0 {
		t.Skip("HMRC's examples are not at hand")
	}
	for _, path := range paths {
		document, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch name := filepath.Base(path); {
		case strings.HasPrefix(name, "listOf"):
			_, err = ens.ReadList(document)
		case name == "validResponse.xml":
			_, err = ens.ReadReceipt(document)
		case name == "errorResponse.xml":
			_, err = ens.ReadRefusal(document)
		case !strings.Contains(path, "/declaration/"):
			_, err = ens.ReadOutcome(document)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func BenchmarkReadOutcome(b *testing.B) {
	document := []byte(`<outcomeResponse><response><cc3:CC328A xmlns:cc3="http://ics.dgtaxud.ec/CC328A"><CorIdeMES25>AAAAAAAAAAAAAA</CorIdeMES25>` +
		`<HEAHEA><RefNumHEA4>OTHER</RefNumHEA4><DocNumHEA5>26GB3TTI2CQ1C7FGR4</DocNumHEA5></HEAHEA></cc3:CC328A></response></outcomeResponse>`)
	for b.Loop() {
		if _, err := ens.ReadOutcome(document); err != nil {
			b.Fatal(err)
		}
	}
}
