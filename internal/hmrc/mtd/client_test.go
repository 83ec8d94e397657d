package mtd_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd/mtdtest"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// A return that is sent after consent gets HMRC's number, and can be viewed.
func TestSubmitAndView(t *testing.T) {
	w := newFixture(t)
	accepted, ok := w.client.Submit(t.Context(), w.caller, submission()).(mtd.Accepted)
	if !ok || accepted.Receipt.FormBundleNumber != "256660290001" || accepted.Receipt.PaymentIndicator != "DD" ||
		accepted.Receipt.ChargeReference == "" || accepted.Receipt.ReceiptID == "" || !accepted.Receipt.ProcessedAt.Equal(w.clock.Now()) {
		t.Fatalf("%+v", accepted)
	}
	got, err := w.client.View(t.Context(), w.caller, "26C1")
	if err != nil || fmt.Sprint(got) != fmt.Sprint(submission().Return) {
		t.Errorf("%+v, %v", got, err)
	}
}

// The obligations of a year show which returns HMRC expects and which it has.
func TestObligations(t *testing.T) {
	w := newFixture(t)
	if outcome := w.client.Submit(t.Context(), w.caller, submission()); outcomeName(outcome) != "accepted" {
		t.Fatal(outcome)
	}
	day := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	all, err := w.client.Obligations(t.Context(), w.caller, day(1, 1), day(12, 31))
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	want := map[string]mtd.Obligation{
		"26C1": {PeriodKey: "26C1", Start: "2026-07-01", End: "2026-09-30", Due: "2026-11-07", State: mtd.Fulfilled, Received: "2026-10-12"},
		"26D1": {PeriodKey: "26D1", Start: "2026-10-01", End: "2026-12-31", Due: "2027-02-07", State: mtd.Open},
	}
	for _, got := range all {
		if want, listed := want[got.PeriodKey]; listed && got != want {
			t.Errorf("%+v", got)
		}
	}
	if none, err := w.client.Obligations(t.Context(), w.caller, day(1, 1), day(1, 31)); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	calls := w.hmrc.Calls("obligations")
	for _, to := range []time.Time{day(1, 1).AddDate(0, 0, 367), day(1, 1).AddDate(0, 0, -1)} {
		if _, err := w.client.Obligations(t.Context(), w.caller, day(1, 1), to); outcomeName(err) != "refused INVALID_DATE_RANGE" {
			t.Errorf("until %s: %v", to, err)
		}
	}
	if w.hmrc.Calls("obligations") != calls {
		t.Error("HMRC was asked for a range that it refuses")
	}
}

// A key with a # is part of the path, not the end of it.
func TestHashInTheKey(t *testing.T) {
	w := newFixture(t)
	s := submission()
	s.PeriodKey = "#001"
	if outcome := w.client.Submit(t.Context(), w.caller, s); outcomeName(outcome) != "accepted" {
		t.Fatal(outcome)
	}
	if got, err := w.client.View(t.Context(), w.caller, "#001"); err != nil || got.PeriodKey != "#001" {
		t.Errorf("%+v, %v", got, err)
	}
}

// HMRC's refusals come through with their codes, and no return is accepted.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		want   string
		change func(*fixture, *mtd.Submission)
	}{
		{"refused TAX_PERIOD_NOT_ENDED", func(_ *fixture, s *mtd.Submission) { s.PeriodKey = "26D1" }},
		{"refused PERIOD_KEY_INVALID", func(_ *fixture, s *mtd.Submission) { s.PeriodKey = "18A1" }},
		{"refused VAT_TOTAL_VALUE", func(_ *fixture, s *mtd.Submission) { s.TotalVATDue = money("1") }},
		{"refused VAT_NET_VALUE", func(_ *fixture, s *mtd.Submission) { s.NetVATDue = money("1") }},
		{"refused INVALID_MONETARY_AMOUNT", func(_ *fixture, s *mtd.Submission) { s.TotalSales = money("1.50") }},
		{"refused INVALID_MONETARY_AMOUNT", func(_ *fixture, s *mtd.Submission) { s.NetVATDue = money("-5695.35") }},
		{"refused NOT_FINALISED", func(_ *fixture, s *mtd.Submission) { s.Finalised = false }},
		{"refused CLIENT_OR_AGENT_NOT_AUTHORISED", func(w *fixture, _ *mtd.Submission) { w.caller.VRN = "987654321" }},
		{"refused MESSAGE_THROTTLED_OUT", func(w *fixture, _ *mtd.Submission) { w.hmrc.InjectFault(mtdtest.Throttled) }},
		{"unreachable", func(w *fixture, _ *mtd.Submission) { w.hmrc.InjectFault(mtdtest.Maintenance) }},
		{"refused invalid_grant", func(w *fixture, _ *mtd.Submission) { w.hmrc.Revoke() }},
		{"refused MISSING_CREDENTIALS", func(w *fixture, _ *mtd.Submission) { w.tokens.Token = client.Token{} }},
	} {
		w, s := newFixture(t), submission()
		c.change(w, &s)
		outcome := w.client.Submit(t.Context(), w.caller, s)
		if got := outcomeName(outcome); got != c.want || w.hmrc.Returns() != 0 {
			t.Errorf("%s, not %s; HMRC has %d", got, c.want, w.hmrc.Returns())
		}
		if refused, ok := outcome.(client.Refused); ok && refused.Code == "MESSAGE_THROTTLED_OUT" && refused.RetryAfter != 7*time.Second {
			t.Errorf("try again after %s", refused.RetryAfter)
		}
	}
}

// Invalid VAT numbers and keys are not sent, so that they cannot become part of an address.
func TestNothingOddIsSent(t *testing.T) {
	w := newFixture(t)
	for _, key := range []string{"", "26c1", "26C", "26C12", "../x", "é111", "26C\n", "26 1"} {
		s := submission()
		s.PeriodKey = key
		if got := outcomeName(w.client.Submit(t.Context(), w.caller, s)); got != "refused PERIOD_KEY_INVALID" {
			t.Errorf("key %q: %s", key, got)
		}
		if _, err := w.client.View(t.Context(), w.caller, key); outcomeName(err) != "refused PERIOD_KEY_INVALID" {
			t.Errorf("key %q: %v", key, err)
		}
	}
	for _, number := range []string{"", "HA599", "12345678", "1234567820"} {
		w.caller.VRN = ident.VRN(number)
		if got := outcomeName(w.client.Submit(t.Context(), w.caller, submission())); got != "refused VRN_INVALID" {
			t.Errorf("number %q: %s", number, got)
		}
	}
	if w.hmrc.Calls("submit")+w.hmrc.Calls("view") != 0 {
		t.Error("HMRC was called")
	}
}

// When it is unknown whether HMRC accepted a return, the client says so and does not send it again.
func TestUnknown(t *testing.T) {
	for fault, taken := range map[mtdtest.Fault]int{
		mtdtest.Broken: 0, mtdtest.Dropped: 0, mtdtest.LostAnswer: 1, mtdtest.LostGateway: 1, mtdtest.HalfAnswer: 1,
	} {
		w := newFixture(t)
		w.hmrc.InjectFault(fault)
		outcome := w.client.Submit(t.Context(), w.caller, submission())
		if outcomeName(outcome) != "unknown" || w.hmrc.Calls("submit") != 1 || w.hmrc.Returns() != taken {
			t.Errorf("%s: %v after %d calls", fault, outcome, w.hmrc.Calls("submit"))
		}
	}
}

// Resume looks before it sends: a return that was accepted is found, another is sent, once.
func TestResume(t *testing.T) {
	for fault, c := range map[mtdtest.Fault]struct {
		want  string
		posts int
	}{
		mtdtest.Broken:      {"accepted", 2},
		mtdtest.Dropped:     {"accepted", 2},
		mtdtest.LostAnswer:  {"found", 1},
		mtdtest.LostGateway: {"found", 1},
		mtdtest.HalfAnswer:  {"found", 1},
		mtdtest.Late:        {"found", 2}, // HMRC does not show it at first, and calls the second a duplicate
	} {
		w := newFixture(t)
		w.hmrc.InjectFault(fault)
		if outcome := w.client.Submit(t.Context(), w.caller, submission()); outcomeName(outcome) != "unknown" {
			t.Fatalf("%s: %v", fault, outcome)
		}
		outcome := w.client.Resume(t.Context(), w.caller, submission())
		if outcomeName(outcome) != c.want || w.hmrc.Calls("submit") != c.posts || w.hmrc.Returns() != 1 {
			t.Errorf("%s: %v after %d posts, %d returns", fault, outcome, w.hmrc.Calls("submit"), w.hmrc.Returns())
		}
	}
}

// As long as Resume cannot look, it sends nothing.
func TestResumeSendsAgainOnlyIfUnknown(t *testing.T) {
	for _, fault := range []mtdtest.Fault{mtdtest.Broken, mtdtest.Dropped, mtdtest.Throttled, mtdtest.Maintenance} {
		w := newFixture(t)
		w.hmrc.InjectFault(mtdtest.LostAnswer, fault)
		w.client.Submit(t.Context(), w.caller, submission())
		if outcome := w.client.Resume(t.Context(), w.caller, submission()); outcomeName(outcome) != "unknown" || w.hmrc.Calls("submit") != 1 {
			t.Errorf("%s: %v after %d posts", fault, outcome, w.hmrc.Calls("submit"))
		}
		if outcome := w.client.Resume(t.Context(), w.caller, submission()); outcomeName(outcome) != "found" {
			t.Errorf("%s: then %v", fault, outcome)
		}
	}
}

// A second attempt that HMRC did not check proves nothing about the first; one that it did settles it.
func TestResumeWhenTheSecondFails(t *testing.T) {
	for _, c := range []struct {
		second int
		body   string
		want   string
	}{
		{429, `{"code":"MESSAGE_THROTTLED_OUT"}`, "unknown"},
		{503, `{"code":"SCHEDULED_MAINTENANCE"}`, "unknown"},
		{403, `{"code":"CLIENT_OR_AGENT_NOT_AUTHORISED"}`, "unknown"},
		{400, `<html>`, "unknown"},
		{500, ``, "unknown"},
		{403, `{"code":"DUPLICATE_SUBMISSION"}`, "unknown"}, // and still not shown
		{400, `{"code":"VAT_NET_VALUE"}`, "refused VAT_NET_VALUE"},
		{403, `{"code":"TAX_PERIOD_NOT_ENDED"}`, "refused TAX_PERIOD_NOT_ENDED"},
	} {
		var posts atomic.Int32
		base := hmrctest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, `{"code":"NOT_FOUND"}`)
				return
			}
			posts.Add(1)
			w.WriteHeader(c.second)
			_, _ = io.WriteString(w, c.body)
		}))
		vat := newClient(t, mtd.Settings{BaseURL: base}, newClock().Now)
		outcome := vat.Resume(t.Context(), mtd.Caller{VRN: vrn, Tokens: &hmrctest.TokenStore{Token: client.Token{Access: "a"}}}, submission())
		if outcomeName(outcome) != c.want || posts.Load() != 1 {
			t.Errorf("%d %s: %v after %d posts", c.second, c.body, outcome, posts.Load())
		}
	}
}

// A return that HMRC received from elsewhere is not mistaken for this one.
func TestAnotherReturn(t *testing.T) {
	w, other := newFixture(t), submission()
	other.TotalSales = money("46781")
	if outcome := w.client.Submit(t.Context(), w.caller, other); outcomeName(outcome) != "accepted" {
		t.Fatal(outcome)
	}
	if got := outcomeName(w.client.Submit(t.Context(), w.caller, submission())); got != "refused "+mtd.CodeDuplicate {
		t.Error(got)
	}
	if got := outcomeName(w.client.Resume(t.Context(), w.caller, submission())); got != "refused "+mtd.CodeOther {
		t.Error(got)
	}
}

// A gateway's 404 does not mean that there is no return.
func TestGatewaysNotFound(t *testing.T) {
	w := newFixture(t)
	var posts atomic.Int32
	base := hmrctest.Serve(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			posts.Add(1)
		}
		http.Error(rw, "<html>not here</html>", http.StatusNotFound)
	}))
	vat := newClient(t, mtd.Settings{BaseURL: base}, w.clock.Now)
	if outcome := vat.Resume(t.Context(), w.caller, submission()); outcomeName(outcome) != "unknown" || posts.Load() != 0 {
		t.Errorf("%v after %d posts", outcome, posts.Load())
	}
}

// Every answer of HMRC leads to one of the four outcomes.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{201, `{"processingDate":"2026-10-12T09:00:00.000+0000","formBundleNumber":"256660290587"}`, "accepted"},
		{201, `{"processingDate":"yesterday","formBundleNumber":"256660290587"}`, "accepted"},
		{201, `{"formBundleNumber":"1"}`, "unknown"},
		{201, `<html>`, "unknown"},
		{201, `{"formBundleNumber":"256660290587","x":"` + strings.Repeat("x", 1<<20) + `"}`, "unknown"},
		{201, `{"formBundleNumber":"256660290587"}` + strings.Repeat(" ", 1<<20), "unknown"},
		{200, `{"formBundleNumber":"256660290587"}`, "unknown"},
		{202, ``, "unknown"}, {204, ``, "unknown"}, {302, ``, "unknown"}, {307, ``, "unknown"}, {409, ``, "unknown"}, {500, ``, "unknown"}, {502, ``, "unknown"}, {504, ``, "unknown"},
		{503, ``, "unknown"},
		{503, `{"code":"SERVER_ERROR"}`, "unreachable"},
		{503, `{"code":"SERVICE_UNAVAILABLE"}`, "unknown"},
		{400, `{"code":"INVALID_REQUEST","message":"m","errors":[{"code":"A","path":"/x"}]}`, "refused INVALID_REQUEST"},
		{403, `<html>`, "refused "}, {405, ``, "refused "}, {404, ``, "refused "}, {406, ``, "refused "}, {413, ``, "refused "}, {415, ``, "refused "}, {422, ``, "refused "}, {429, ``, "refused "}, {501, ``, "refused "},
	} {
		var calls atomic.Int32
		base := hmrctest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		vat := newClient(t, mtd.Settings{BaseURL: base}, newClock().Now)
		outcome := vat.Submit(t.Context(), mtd.Caller{VRN: vrn, Tokens: &hmrctest.TokenStore{Token: client.Token{Access: "a"}}}, submission())
		if got := outcomeName(outcome); got != c.want || calls.Load() != 1 {
			t.Errorf("%d %.40s: %s after %d calls, not %s", c.status, c.body, got, calls.Load(), c.want)
		}
	}
}

// A return of another period than was asked for, or an invalid key, is no answer.
func TestNonsense(t *testing.T) {
	w := newFixture(t)
	for body, want := range map[string]string{
		`{"periodKey":"26D1","vatDueSales":1}`:        "unknown",
		`{"periodKey":"26C1","vatDueSales":"1"}`:      "unknown",
		`{"periodKey":"26C1","vatDueSales":1.234}`:    "unknown",
		`{"periodKey":"26C1","vatDueSales":1.5}`:      "none",
		`{"periodKey":"26C1","vatDueSales":1e999999}`: "unknown",
	} {
		base := hmrctest.Serve(t, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, body) }))
		if _, err := newClient(t, mtd.Settings{BaseURL: base}, w.clock.Now).View(t.Context(), w.caller, "26C1"); outcomeName(err) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
	for _, body := range []string{
		`{"obligations":[{"periodKey":"../..","start":"2026-01-01","end":"2026-03-31","due":"2026-05-07","status":"O"}]}`,
		`{"obligations":[{"periodKey":"26A1","start":"2026-02-30","end":"2026-03-31","due":"2026-05-07","status":"O"}]}`,
		`{"obligations":[{"periodKey":"26A1","start":"2026-01-01","end":"2026-03-31","due":"2026-05-07","status":"X"}]}`,
		`{"obligations":[` + strings.Repeat(`{"periodKey":"26A1","start":"2026-01-01","end":"2026-03-31","due":"2026-05-07","status":"O"},`, 1000) +
			`{"periodKey":"26A1","start":"2026-01-01","end":"2026-03-31","due":"2026-05-07","status":"O"}]}`,
		`[]`,
	} {
		base := hmrctest.Serve(t, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, body) }))
		if got, err := newClient(t, mtd.Settings{BaseURL: base}, w.clock.Now).Obligations(t.Context(), w.caller, w.clock.Now(), w.clock.Now()); outcomeName(err) != "unknown" {
			t.Errorf("%.80s: %v %v", body, got, err)
		}
	}
}

// Without a base address there is no connection, and none that is not encrypted leaves this machine.
func TestSettings(t *testing.T) {
	if _, err := mtd.New(mtd.Settings{ClientID: "app"}, hmrctest.NoLimit{}, newClock().Now); !errors.Is(err, mtd.ErrDisabled) {
		t.Errorf("%v", err)
	}
	for address, good := range map[string]bool{
		client.Production: true, client.Sandbox + "/": true, "http://127.0.0.1:9": true, "http://localhost:9": true, "http://[::1]:9": true,
		"http://api.service.hmrc.gov.uk": false, "http://10.0.0.1": false, "http://127.0.0.1.evil.example": false, "ftp://127.0.0.1": false,
		"https://": false, "https://user:pass@api.service.hmrc.gov.uk": false, "api.service.hmrc.gov.uk": false, "::": false,
	} {
		if _, err := mtd.New(mtd.Settings{BaseURL: address}, hmrctest.NoLimit{}, newClock().Now); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := mtd.New(mtd.Settings{BaseURL: client.Production, ConsentURL: "http://evil.example"}, hmrctest.NoLimit{}, newClock().Now); err == nil {
		t.Error("consent is given in the clear")
	}
	for base, want := range map[string]string{client.Production: "https://www.tax.service.gov.uk/oauth/authorize?", client.Sandbox: "https://test-www.tax.service.gov.uk/oauth/authorize?"} {
		if got := newClient(t, mtd.Settings{BaseURL: base}, newClock().Now).Consent("s", ""); !strings.HasPrefix(got, want) {
			t.Error(got)
		}
	}
}

// Concurrent calls of one organisation do not affect each other, and one return is stored once.
func TestManyAtOnce(t *testing.T) {
	w := newFixture(t)
	var accepted, duplicate atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			switch outcomeName(w.client.Submit(t.Context(), w.caller, submission())) {
			case "accepted":
				accepted.Add(1)
			case "refused " + mtd.CodeDuplicate:
				duplicate.Add(1)
			}
		})
	}
	all.Wait()
	if accepted.Load() != 1 || duplicate.Load() != 15 {
		t.Errorf("%d accepted, %d duplicates", accepted.Load(), duplicate.Load())
	}
}
