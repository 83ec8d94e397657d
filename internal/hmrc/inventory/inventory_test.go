package inventory_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
)

const (
	ducr = "6GB123456789000-TWS01234"
	mucr = "GB/123456789012-0203N1"
)

var at = time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)

// requests are all kinds of requests, in the smallest and in the largest form.
func requests() []inventory.Request {
	d, m := inventory.UCR{Number: ducr, Type: "D"}, inventory.UCR{Number: mucr, Type: "M"}
	part := inventory.UCR{Number: ducr, Part: "001A", Type: "D"}
	return []inventory.Request{
		{Code: "EAA", UCR: d, Location: "GBAUDVRDOVDVR", ArrivesAt: at, Reference: "TWS0123456789ABCDEFGHJ"},
		{Code: "EAL", UCR: m, Location: "GBAUDVRDOVDVR", ArrivesAt: at, Reference: "TWS0123456789ABCDEFGHJ", ShedOperator: "ABC"},
		{Code: "EAL", UCR: d, Location: "GBAUDVRDOVDVR"},
		{Code: "EDL", UCR: part, Location: "GBAUDVRDOVDVRGVM1", DepartsAt: at, Reference: "R", Transport: inventory.Transport{ID: "11CSCLGLOBE", Mode: "1", Nationality: "GB"}},
		{Code: "EAC", MasterUCR: mucr, UCR: d}, {Code: "EAC", UCR: d}, {Code: "CST", MasterUCR: "A:24682009062"},
	}
}

// answers are all kinds of answers that a simulator sends.
func answers() []inventory.Response {
	d := inventory.UCR{Number: ducr, Type: "D"}
	status := inventory.Status{ICS: "3", ROE: "6", SOE: "10"}
	return []inventory.Response{
		{Kind: inventory.ControlResponse, MessageCode: "EAL", ActionCode: "1", UCR: d, Reference: "R"},
		{Kind: inventory.ControlResponse, MessageCode: "CST", ActionCode: "3", Errors: []string{"07", "25"}},
		{Kind: inventory.MovementResponse, MessageCode: "EAL", CRC: "000", ArrivedAt: "2026-11-26T09:00:00Z", Location: "GBAUDVRDOVDVR", ShedOperator: "ABC", Reference: "R", UCR: d, Status: status},
		{
			Kind: inventory.TotalsResponse, MessageCode: "EMR", CRC: "000", Location: "GBAUDVRDOVDVR", MasterUCR: mucr, DeclarationCount: "2", ArrivedAt: "2026-11-26T09:00:00Z", ShedOperator: "ABC",
			Reference: "R", MasterROE: "6", MasterSOE: "3", Entries: []inventory.Entry{{UCR: d, Status: status}, {UCR: inventory.UCR{Number: "6GB1234567890-X", Part: "1", Type: "D"}, Status: status}},
		},
	}
}

// What is sent, and what the simulator answers, is valid by HMRC's schemas.
func TestMessagesAreValid(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "authorities", "cds", "xsd", "inventory-linking-exports", "exports")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("HMRC's schemas are not beside the project")
	}
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("no xmllint here; make deps installs it")
	}
	validate := func(schema string, texts []string) {
		args := []string{"--noout", "--nonet", "--schema", filepath.Join(folder, schema)}
		for i, text := range texts {
			file := filepath.Join(t.TempDir(), fmt.Sprint(i))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
		if out, err := exec.Command("xmllint", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", schema, err, out, strings.Join(texts, "\n"))
		}
	}
	var sent, received []string
	for _, r := range requests() {
		sent = append(sent, encoded(t, &r))
	}
	for _, r := range answers() {
		received = append(received, encoded(t, &r))
	}
	validate("inventoryLinkingRequestExternal.xsd", sent)
	validate("inventoryLinkingResponseExternal.xsd", received)
}

func encoded(t *testing.T, message interface{ Encode() (string, error) }) string {
	t.Helper()
	text, err := message.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Reading gives what was written.
func TestRoundTrip(t *testing.T) {
	for _, r := range requests() {
		back, err := inventory.DecodeRequest([]byte(encoded(t, &r)))
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("request %+v, not %+v: %v", back, r, err)
		}
	}
	for _, r := range answers() {
		back, err := inventory.Decode([]byte(encoded(t, &r)))
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("answer %+v, not %+v: %v", back, r, err)
		}
	}
}

// A request that breaks the schema is refused with the element.
func TestRequestsThatBreakTheSchema(t *testing.T) {
	for _, c := range []struct {
		from, to, element string
		reason            error
	}{
		{"<goodsLocation>GBAUDVRDOVDVR</goodsLocation>", "", "goodsLocation", inventory.ErrMissing},
		{"<goodsLocation>GBAUDVRDOVDVR", "<goodsLocation>GBAUDVRDOVDVRDOVDVR", "goodsLocation", inventory.ErrValue},
		{"<ucrType>D", "<ucrType>X", "ucrType", inventory.ErrValue},
		{"<ucr>6GB", "<ucr>GB6", "ucr", inventory.ErrValue},
		{"<messageCode>EAA</messageCode>", "", "messageCode", inventory.ErrMissing},
		{"<messageCode>EAA", "<messageCode>CST", "messageCode", inventory.ErrValue},
		{"2026-11-26T09:00:00Z", "26.11.2026", "goodsArrivalDateTime", inventory.ErrValue},
		{"<goodsLocation>", "<colour>red</colour><goodsLocation>", "colour", inventory.ErrUnexpected},
		{"inventoryLinkingMovementRequest", "inventoryLinkingThing", "inventoryLinkingThing", inventory.ErrUnexpected},
	} {
		first := requests()[0]
		text := strings.ReplaceAll(encoded(t, &first), c.from, c.to)
		_, err := inventory.DecodeRequest([]byte(text))
		var wrong *inventory.SchemaError
		if !errors.As(err, &wrong) || wrong.Element != c.element || !errors.Is(err, c.reason) {
			t.Errorf("%s → %s: %v", c.from, c.to, err)
		}
	}
}

// Hostile messages are refused, and others are no answer. A value that is too long is cut.
func TestHostileAnswers(t *testing.T) {
	const head = `<inventoryLinkingControlResponse xmlns="` + inventory.Namespace + `"><messageCode>EAL</messageCode><actionCode>3</actionCode>`
	for _, text := range []string{
		`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + head + `</inventoryLinkingControlResponse>`, head, strings.Repeat("<a>", 100), "",
	} {
		if _, err := inventory.Decode([]byte(text)); err == nil || errors.Is(err, inventory.ErrUnknownDocument) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	if _, err := inventory.Decode([]byte(`<!DOCTYPE x>` + head)); !errors.Is(err, safexml.ErrDoctype) {
		t.Errorf("document type: %v", err)
	}
	for _, text := range []string{`<MetaData/>`, `<inventoryLinkingControlResponse xmlns="urn:other"/>`} {
		if _, err := inventory.Decode([]byte(text)); !errors.Is(err, inventory.ErrUnknownDocument) {
			t.Errorf("%s: %v", text, err)
		}
	}
	many := head + strings.Repeat(`<error><errorCode>`+strings.Repeat("x", 3000)+`</errorCode></error>`, 200) + `</inventoryLinkingControlResponse>`
	r, err := inventory.Decode([]byte(many))
	if err != nil || len(r.Errors) != 99 || len(r.Errors[0]) != 1024 {
		t.Errorf("%d errors: %v", len(r.Errors), err)
	}
	divided := head + `<movementReference>` + strings.Repeat("a<!-- -->", 1_000_000) + `</movementReference></inventoryLinkingControlResponse>`
	if r, err := inventory.Decode([]byte(divided)); err != nil || len(r.Reference) != 1024 {
		t.Errorf("divided text: %d characters, %v", len(r.Reference), err)
	}
}

// A message keeps its meaning with a prefix, without its namespace, and with a second root of the gateway.
func TestAnswersWithPrefixes(t *testing.T) {
	for _, text := range []string{
		`<ns2:inventoryLinkingControlResponse xmlns="http://gov.uk/customs/inventoryLinking/gatewayHeader/v1" xmlns:ns2="` + inventory.Namespace + `"><ns2:messageCode>EDL</ns2:messageCode><ns2:actionCode>3</ns2:actionCode><ns2:error><ns2:errorCode>13</ns2:errorCode></ns2:error></ns2:inventoryLinkingControlResponse>`,
		`<inventoryLinkingControlResponse><messageCode>EDL</messageCode><actionCode>3</actionCode><error><errorCode>13</errorCode></error></inventoryLinkingControlResponse>`,
	} {
		r, err := inventory.Decode([]byte(text))
		if err != nil || r.MessageCode != "EDL" || r.ActionCode != inventory.ActionRejected || !reflect.DeepEqual(r.Errors, []string{"13"}) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Every code that HMRC lists is explained; another one is too, in general terms.
func TestCodesAreExplained(t *testing.T) {
	other := inventory.Explain("99")
	if other.Title == "" || other.Fix == "" {
		t.Error("an unknown code is not explained")
	}
	for n := 1; n <= 35; n++ {
		if e := inventory.Explain(fmt.Sprintf("%02d", n)); n != 9 && (e == other || e.Title == "" || e.Fix == "") {
			t.Errorf("%02d: %+v", n, e)
		}
	}
	if inventory.ROEMeaning("6") != "No check" || inventory.SOEMeaning("D") != "Departed" || inventory.CRCMeaning("000") != "Success" || inventory.MasterSOEMeaning("0") != "Open" || inventory.ICSMeaning("9") != "" {
		t.Error("codes of answers")
	}
}

// FuzzDecode: no message makes the decoders fail otherwise than with an error.
func FuzzDecode(f *testing.F) {
	for _, r := range answers() {
		text, _ := r.Encode()
		f.Add([]byte(text))
	}
	for _, r := range requests() {
		text, _ := r.Encode()
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := inventory.Decode(data)
		if err == nil && (len(r.Errors) > 99 || len(r.Entries) > 999) {
			t.Errorf("%d errors, %d entries", len(r.Errors), len(r.Entries))
		}
		_, _ = inventory.DecodeRequest(data)
	})
}
