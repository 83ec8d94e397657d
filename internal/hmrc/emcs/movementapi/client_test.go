package movementapi_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/movementapi"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

var now = time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)

func mustEncode(m emcs.Message) []byte {
	data, err := emcs.Encode(m)
	if err != nil {
		panic(err)
	}
	return data
}

func draft() []byte { return mustEncode(emcstest.Draft(emcs.V323, now)) }

// describe names an outcome in a word or two.
func describe(outcome any) string {
	var refused client.Refused
	var unreachable client.Unreachable
	var unknown client.Unknown
	err, _ := outcome.(error)
	switch {
	case errors.As(err, &refused):
		return fmt.Sprint("refused ", refused.Status, " ", refused.Code)
	case errors.As(err, &unreachable):
		return "unreachable"
	case errors.As(err, &unknown):
		return "unknown"
	}
	return "accepted"
}

// submitted sends the draft and returns its movement.
func (f *fixture) submitted(t *testing.T) movementapi.Movement {
	t.Helper()
	outcome, accepted := f.client.Draft(t.Context(), f.as(), draft(), "").(movementapi.Submitted)
	if !accepted {
		t.Fatalf("%+v", f.client.Draft(t.Context(), f.as(), draft(), ""))
	}
	return outcome.Movement
}

// A draft is taken, its IE801 is fetched as list and as XML, and a receipt of the consignee follows.
func TestMovement(t *testing.T) {
	f := newFixture(t)
	movement := f.submitted(t)
	if movement.LRN != emcstest.LRN || movement.Consignor != emcstest.Consignor || movement.Consignee != emcstest.Consignee {
		t.Errorf("%+v", movement)
	}
	if got := f.hmrc.last(); got != "POST /customs/excise/movements application/vnd.hmrc.1.0+json application/xml" {
		t.Error(got)
	}
	messages, err := f.client.Messages(t.Context(), f.as(), movement.ID, now)
	if err != nil || len(messages) != 2 || messages[0].Kind != emcs.Accepted || messages[0].Recipient != emcstest.Consignor || messages[1].Recipient != emcstest.Consignee || !messages[0].CreatedOn.Equal(now) {
		t.Fatalf("%+v, %v", messages, err)
	}
	if got := f.hmrc.last(); !strings.Contains(got, "messages?updatedSince=2026-11-27T09%3A00%3A00.000Z ") {
		t.Error(got)
	}
	document, err := f.client.Message(t.Context(), f.as(), movement.ID, messages[0].ID)
	if err != nil || string(document) != string(messages[0].Document) {
		t.Errorf("%s, %v", document, err)
	}
	accepted, err := emcs.Decode(document)
	if err != nil {
		t.Fatal(err)
	}
	receipt := emcstest.Receipt(emcs.V323, now, "1")
	emcstest.Edit(receipt.Body, "ExciseMovement/AdministrativeReferenceCode="+accepted.Body.Value("ExciseMovement", "AdministrativeReferenceCode"))
	if outcome := f.client.Send(t.Context(), f.as(), movement.ID, mustEncode(receipt)); describe(outcome) != "accepted" {
		t.Errorf("%+v", outcome)
	}
	if all, err := f.client.Messages(t.Context(), f.as(), movement.ID, time.Time{}); err != nil || len(all) != 4 || all[3].Kind != emcs.Receipt {
		t.Errorf("%+v, %v", all, err)
	}
}

// HMRC's numbers and locations come through with a refusal.
func TestNumbers(t *testing.T) {
	f := newFixture(t)
	m := emcstest.Draft(emcs.V323, now)
	emcstest.Edit(m.Body, "EadEsadDraft/DateOfDispatch=2026-11-26")
	refused, is := f.client.Draft(t.Context(), f.as(), mustEncode(m), "").(client.Refused)
	if !is || refused.Status != http.StatusUnprocessableEntity || refused.Code != movementapi.CodeValidation || len(refused.Details) != 1 || movementapi.Number(refused.Details[0]) != 8084 ||
		emcs.Field(refused.Details[0].Path) != "message.submittedDraftOfEADESAD.eadEsadDraft.dateOfDispatch" {
		t.Errorf("%+v", refused)
	}
}

// An answer that is lost leaves the outcome unknown; the repeat says that there is such a movement, which its LRN finds.
func TestLostAnswer(t *testing.T) {
	f := newFixture(t)
	f.hmrc.Inject(simulator.Fault{Kind: simulator.HangUpAfter, Calls: 1})
	if got := describe(f.client.Draft(t.Context(), f.as(), draft(), "")); got != "unknown" {
		t.Fatal(got)
	}
	if got := describe(f.client.Draft(t.Context(), f.as(), draft(), "")); got != "refused 400 "+movementapi.CodeDuplicate {
		t.Fatal(got)
	}
	all, err := f.client.Movements(t.Context(), f.as(), movementapi.Query{LRN: emcstest.LRN, ERN: emcstest.Consignor})
	if err != nil || len(all) != 1 || len(all[0].ARC) != 21 || !all[0].LastUpdated.Equal(now) {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := f.client.Movements(t.Context(), f.as(), movementapi.Query{LRN: "OTHER"}); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

// Each answer of HMRC or of what stands before it has its outcome.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault simulator.Fault
		want  string
	}{
		{simulator.Fault{Kind: simulator.HangUp}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 503, Body: `{"code": "SCHEDULED_MAINTENANCE", "message": "Closed"}`}, "unreachable"},
		{simulator.Fault{Kind: simulator.Answer, Status: 503, Body: `{"message": "Error", "debugMessage": "CIRCUIT_BREAKER - 815_CB is OPEN"}`}, "unreachable"},
		{simulator.Fault{Kind: simulator.Answer, Status: 404, Body: `{"message": "Received error response from server", "debugMessage": "Connection refused; nested"}`}, "unreachable"},
		{simulator.Fault{Kind: simulator.Answer, Status: 503, Body: `<html>`}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 500, Body: `{"message": "Internal server error"}`}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 202, Body: `{}`}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 202, Body: `{"movementId": "../../x"}`}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 202, Body: `<movement/>`}, "unknown"},
		{simulator.Fault{Kind: simulator.Answer, Status: 403, Body: `{"message": "Authorisation error", "debugMessage": "Could not find ExciseNumber"}`}, "refused 403 Authorisation error"},
		{simulator.Fault{Kind: simulator.Answer, Status: 400, Body: `{"message": "XML error"}`}, "refused 400 XML error"},
		{simulator.Fault{Kind: simulator.Answer, Status: 400, Body: `half`}, "refused 400 "},
	} {
		f := newFixture(t)
		f.hmrc.Inject(c.fault)
		if got := describe(f.client.Draft(t.Context(), f.as(), draft(), "")); got != c.want {
			t.Errorf("%d %s: %s, not %s", c.fault.Status, c.fault.Body, got, c.want)
		}
	}
}

// A 429 says when to try again.
func TestTooMany(t *testing.T) {
	f := newFixture(t)
	f.hmrc.Inject(simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"7"}}, Body: `{"code": "MESSAGE_THROTTLED_OUT", "message": "Too many"}`, Calls: 1})
	refused, is := f.client.Draft(t.Context(), f.as(), draft(), "").(client.Refused)
	if !is || !refused.IsTooMany() || refused.RetryAfter != 7*time.Second {
		t.Errorf("%+v", refused)
	}
	f.submitted(t)
}

// What is not XML, and another message than a draft, HMRC refuses.
func TestUnreadableDocuments(t *testing.T) {
	f := newFixture(t)
	for document, want := range map[string]string{"<a": "refused 400 XML error", "<a/>": "refused 400 Invalid message type"} {
		if got := describe(f.client.Draft(t.Context(), f.as(), []byte(document), "")); got != want {
			t.Errorf("%s: %s", document, got)
		}
	}
}

// An answer that cannot be read is an error, but one message of a list that cannot be decoded does not hide the others.
func TestUnreadableAnswers(t *testing.T) {
	f := newFixture(t)
	movement := f.submitted(t)
	for _, body := range []string{"", "{}", `[{"createdOn": "yesterday"}]`, strings.Repeat("[", 2000)} {
		f.hmrc.Inject(simulator.Fault{Kind: simulator.Answer, Status: 200, Body: body, Calls: 1})
		if _, err := f.client.Messages(t.Context(), f.as(), movement.ID, time.Time{}); describe(err) != "unknown" {
			t.Errorf("%.40s: %v", body, err)
		}
	}
	f.hmrc.recorded = []map[string]string{{"encodedMessage": "%%%", "messageType": "IE999", "messageId": "X", "recipient": emcstest.Consignor, "createdOn": "2026-11-27T10:00:00.000Z"}}
	all, err := f.client.Messages(t.Context(), f.as(), movement.ID, time.Time{})
	if err != nil || len(all) != 3 || all[2].Err == nil || string(all[2].Document) != "%%%" || all[0].Err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	f.hmrc.Inject(simulator.Fault{Kind: simulator.Answer, Status: 200, Body: `[{"movementId": "x"}]`, Calls: 1})
	if _, err := f.client.Movements(t.Context(), f.as(), movementapi.Query{}); describe(err) != "unknown" {
		t.Error(err)
	}
}

// HMRC's example messages arrive byte for byte.
func TestRecordedMessages(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "..", "shared", "authorities", "emcs", "examples", "*.xml"))
	if len(files) == 0 {
		t.Skip("HMRC's examples are not beside the project")
	}
	f := newFixture(t)
	movement := f.submitted(t)
	var want []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(data))
		f.hmrc.recorded = append(f.hmrc.recorded, map[string]string{"encodedMessage": base64.StdEncoding.EncodeToString(data), "messageType": "IE801", "messageId": filepath.Base(file),
			"recipient": emcstest.Consignor, "createdOn": "2026-11-27T10:00:00.000Z"})
	}
	all, err := f.client.Messages(t.Context(), f.as(), movement.ID, time.Time{})
	if err != nil || len(all) != len(want)+2 {
		t.Fatalf("%d messages, %v", len(all), err)
	}
	for i, text := range want {
		if string(all[i+2].Document) != text {
			t.Errorf("%s: other bytes", files[i])
		}
		if _, err := emcs.Decode(all[i+2].Document); err != nil {
			t.Errorf("%s: %v", files[i], err)
		}
	}
}

// A list of messages may be larger than other answers of HMRC's.
func TestLargeList(t *testing.T) {
	f := newFixture(t)
	movement := f.submitted(t)
	f.hmrc.recorded = []map[string]string{{"encodedMessage": strings.Repeat("QUJD", 1<<20), "messageType": "IE840", "messageId": "X", "recipient": emcstest.Consignor, "createdOn": "2026-11-27T10:00:00.000Z"}}
	all, err := f.client.Messages(t.Context(), f.as(), movement.ID, time.Time{})
	if err != nil || len(all) != 3 || len(all[2].Document) != 3<<20 {
		t.Errorf("%d messages, %v", len(all), err)
	}
}

// A token that HMRC no longer accepts is renewed once, and the message is sent with the new one.
func TestToken(t *testing.T) {
	f := newFixture(t)
	f.hmrc.token = "second"
	f.submitted(t)
	if f.tokens.Token.Access != "second" || f.hmrc.count() != 3 {
		t.Errorf("%+v after %d calls", f.tokens.Token, f.hmrc.count())
	}
	f = newFixture(t)
	f.tokens.Token = client.Token{}
	if got := describe(f.client.Draft(t.Context(), f.as(), draft(), "")); got != "refused 401 "+client.CodeNoConsent || f.hmrc.count() != 0 {
		t.Errorf("%s after %d calls", got, f.hmrc.count())
	}
}

// Excise numbers are subscribed to push notifications, and the box of a draft goes with it.
func TestPush(t *testing.T) {
	f := newFixture(t)
	if err := f.client.Subscribe(t.Context(), f.as(), emcstest.Consignee); err != nil || !f.hmrc.subscribed[emcstest.Consignee] {
		t.Error(err)
	}
	if err := f.client.Unsubscribe(t.Context(), f.as(), emcstest.Consignee); err != nil || f.hmrc.subscribed[emcstest.Consignee] {
		t.Error(err)
	}
	const id = "6c7d3e8a-0000-4000-8000-0123456789ab"
	for _, prefix := range []string{"", "/customs/excise"} {
		text := fmt.Sprintf(`{"movementId": %q, "messageUri": "%s/movements/%s/messages/M1", "messageId": "M1", "messageType": "IE801", "consignor": "GBWK002281023", "arc": "26GB00000000003789214", "ern": "GBWK002281023"}`, id, prefix, id)
		n, err := movementapi.ReadNotification([]byte(text))
		if err != nil || n.Movement != id || n.MessageID != "M1" || n.Kind != emcs.Accepted || n.ERN != emcstest.Consignor {
			t.Errorf("%+v, %v", n, err)
		}
	}
	for _, text := range []string{"", "[]", `{"movementId": "x", "messageId": "1"}`, `{"movementId": "` + id + `"}`, `{"movementId": "` + id + `", "messageId": "1", "messageUri": "/movements/` + id + `/messages/2"}`} {
		if n, err := movementapi.ReadNotification([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, n)
		}
	}
}

// Identifiers that are not HMRC's do not become part of an address.
func TestNothingOddIsSent(t *testing.T) {
	f := newFixture(t)
	const id = "6c7d3e8a-0000-4000-8000-0123456789ab"
	for _, bad := range []string{"", "..", "6c7d3e8a", id + "/x"} {
		if got := describe(f.client.Send(t.Context(), f.as(), bad, draft())); got != "refused 400 BAD_REQUEST" {
			t.Errorf("%q: %s", bad, got)
		}
		if _, err := f.client.Messages(t.Context(), f.as(), bad, time.Time{}); describe(err) != "refused 400 BAD_REQUEST" {
			t.Errorf("%q: %v", bad, err)
		}
		if err := f.client.Subscribe(t.Context(), f.as(), bad); describe(err) != "refused 400 BAD_REQUEST" {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := f.client.Message(t.Context(), f.as(), id, strings.Repeat("x", 45)); describe(err) != "refused 400 BAD_REQUEST" || f.hmrc.count() != 0 {
		t.Errorf("%v after %d calls", err, f.hmrc.count())
	}
	if _, err := f.client.Message(t.Context(), f.as(), id, "a/../b"); describe(err) != "refused 404 No message found for the MovementID provided" || !strings.Contains(f.hmrc.last(), "a%2F..%2Fb") {
		t.Errorf("%v: %s", err, f.hmrc.last())
	}
}

// A connection needs an address that is encrypted or on this machine, and asks for HMRC's scope.
func TestSettings(t *testing.T) {
	for _, address := range []string{"http://example.com", "https://", "ftp://127.0.0.1", "https://user@example.com"} {
		if _, err := movementapi.New(movementapi.Settings{BaseURL: address}, hmrctest.NoLimit{}, time.Now); err == nil {
			t.Errorf("%s was accepted", address)
		}
	}
	if _, err := movementapi.New(movementapi.Settings{}, hmrctest.NoLimit{}, time.Now); !errors.Is(err, movementapi.ErrDisabled) {
		t.Error(err)
	}
	c, err := movementapi.New(movementapi.Settings{BaseURL: client.Sandbox, ClientID: "app"}, hmrctest.NoLimit{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	link, err := url.Parse(c.Consent("state", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
	if err != nil || link.Host != "test-www.tax.service.gov.uk" || link.Query().Get("scope") != "excise-movement-control-system" {
		t.Errorf("%v, %v", link, err)
	}
}

// Reading a notification is safe with any text.
func FuzzReadNotification(f *testing.F) {
	f.Add([]byte(`{"movementId": "6c7d3e8a-0000-4000-8000-0123456789ab", "messageId": "M1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := movementapi.ReadNotification(text); err == nil && (n.Movement == "" || n.MessageID == "") {
			t.Errorf("%+v", n)
		}
	})
}
