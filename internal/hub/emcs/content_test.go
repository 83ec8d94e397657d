package emcs_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	hmrc "github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// whole is a movement whose facts are all in its data set.
func whole() body {
	draft := emcstest.Draft(hmrc.V323, now)
	emcstest.Edit(draft.Body, "BodyEadEsad/Quantity=6000", "BodyEadEsad/NetMass=5700")
	text, err := draft.JSON()
	if err != nil {
		panic(err)
	}
	return &emcs.Movement{Category: emcs.Alcohol, Route: emcs.Domestic, ConsigneeCountry: "GB", Message: filing.Content(text)}
}

// edited changes the data set of a movement.
func edited(m body, edits ...string) {
	given, _ := m.Given(hmrc.V323)
	emcstest.Edit(given, edits...)
	text, err := hmrc.Message{Kind: hmrc.Draft, Version: hmrc.V323, Body: given}.JSON()
	if err != nil {
		panic(err)
	}
	m.Message = filing.Content(text)
}

const inMessage = "message.submittedDraftOfEADESAD."

var messageCases = []testCase{
	check("whole data set", whole, func(body) {}),
	check("no city", whole, func(m body) { edited(m, "-ConsigneeTrader/City") }, "EMCS-046 blocker "+inMessage+"consigneeTrader.city"),
	check("dispatch past", whole, func(m body) { edited(m, "EadEsadDraft/DateOfDispatch=2026-11-20") },
		"EMCS-8084 blocker "+inMessage+"eadEsadDraft.dateOfDispatch", "EMCS-043 warning "+inMessage+"eadEsadDraft.dateOfDispatch", "EMCS-044 info "+inMessage+"headerEadEsad.journeyTime"),
	check("rule of this service", whole, func(m body) { edited(m, "TransportDetails/IdentityOfTransportUnits=TBC") }, "EMCS-042 warning "+inMessage+"transportDetails[0].identityOfTransportUnits"),
}

// parsed returns what is wrong with a body.
func parsed(t *testing.T, text string) []apierr.Detail {
	t.Helper()
	_, err := emcs.Movements.Type().Parse(json.RawMessage(text), now)
	refused, _ := apierr.As(err)
	if refused == nil {
		return nil
	}
	return refused.Details
}

// A fact in both forms, and a member that the schema does not have, are refused with their fields; the names of both versions are read.
func TestContentIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		`{"message":{"submittedDraftOfEADESAD":{"eadEsadDraft":{"importSad":[{"importSadNumber":"1"}]}}}}`:                               "",
		`{"message":{"submittedDraftOfEADESAD":{"eadEsadDraft":{"importCustomsDeclaration":[{"importCustomsDeclarationNumber":"1"}]}}}}`: "",
		`{"message":{"submittedDraftOfEADESAD":{"consigneeTrader":{"traderName":"A"}}},"consigneeName":"A"}`:                             "consigneeName",
		`{"message":{"submittedDraftOfEADESAD":{"colour":"red"}}}`:                                                                       inMessage + "colour",
		`{"message":{"ie815":{}}}`: "message.ie815 message.submittedDraftOfEADESAD",
	} {
		var fields []string
		for _, d := range parsed(t, text) {
			fields = append(fields, d.Field)
		}
		if got := strings.Join(fields, " "); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

// The whole movement has the flat fields that the data set says, and those that were given.
func TestWhole(t *testing.T) {
	m := whole()
	m.Reference = "PO-1"
	got := m.Whole()
	if got.ConsigneeNumber != emcstest.Consignee || got.Litres.String() != "6000" || got.Reference != "PO-1" || got.ConsigneeCountry != "GB" || got.Consignor() != emcstest.Consignor {
		t.Errorf("%+v", got)
	}
	if flat := whisky(); flat.Whole() != flat {
		t.Error("a movement without a data set is not itself")
	}
}

// A draft of another system, in either version, becomes a movement that is written as a draft with the same content, and with our header. A copy has an LRN of its own.
func TestMessageForm(t *testing.T) {
	form := emcs.Movements.Type().Messages
	for _, v := range hmrc.Versions() {
		data, err := hmrc.Encode(emcstest.Draft(v, now))
		if err != nil {
			t.Fatal(err)
		}
		body, err := form.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		record := &filing.Filing{ID: "01939c50-7b00-7c3e-8f00-1f2e3d4c5b6a", Body: body}
		written, err := form.Write(filing.Sending{Record: record, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		read, err := hmrc.Decode(written)
		if err != nil || read.Version != hmrc.Current || !strings.HasPrefix(read.Header.Identifier, "TW-") || read.Body.Value("EadEsadDraft", "LocalReferenceNumber") != emcstest.LRN {
			t.Errorf("%+v, %v", read.Header, err)
		}
		again, err := emcs.Movements.Type().Copy(record, now)
		if err != nil || strings.Contains(string(again.Raw), emcstest.LRN) {
			t.Errorf("%s, %v", again.Raw, err)
		}
	}
	for name, document := range map[string]string{
		"not well-formed": "<IE815", "another message": string(must(hmrc.Encode(emcstest.Receipt(hmrc.V323, now, "1")))),
		"another version": strings.ReplaceAll(string(must(hmrc.Encode(emcstest.Draft(hmrc.V323, now)))), "V3.23", "V4.00"),
	} {
		_, err := form.Read([]byte(document))
		if refused, _ := apierr.As(err); refused == nil || refused.Code != apierr.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// A document that is not XML is refused with its line, in words for the person who sent it.
func TestUnreadableDraft(t *testing.T) {
	_, err := emcs.Movements.Type().Messages.Read([]byte("<a>\n<b></a>"))
	fault, ok := apierr.As(err)
	if !ok || len(fault.Details) != 1 || !strings.HasPrefix(fault.Details[0].Message, "cannot be read: line 2: ") {
		t.Errorf("%v", err)
	}
}
