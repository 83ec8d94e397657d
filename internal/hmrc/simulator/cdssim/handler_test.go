package cdssim_test

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// call posts a document with the headers of a good one, changed as the test likes.
func (b *bench) call(path string, document []byte, change func(http.Header)) (*http.Response, string) {
	b.t.Helper()
	token, err := b.as.Token(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.url+path, strings.NewReader(string(document)))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {"Bearer " + token}, "Accept": {cds.Version1}, "Content-Type": {"application/xml"}}
	if change != nil {
		change(request.Header)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response, string(body)
}

const (
	submitPath = "/customs/declarations/"
	cancelPath = "/customs/declarations/cancellation-requests"
	amendPath  = "/customs/declarations/amend"
)

// A document that is taken is answered 202 with an empty body and a version 4 UUID.
func TestAccepted(t *testing.T) {
	b := start(t, nil)
	for _, contentType := range []string{"application/xml", "application/xml;charset=UTF-8", "Application/XML; charset=utf-8"} {
		response, body := b.call(submitPath, encode(t, withDocument(anImport("TWSBX"), "SIM-BX")), func(h http.Header) { h.Set("Content-Type", contentType) })
		id := response.Header.Get("X-Conversation-ID")
		if response.StatusCode != 202 || body != "" || !ident.IsUUID(id) || id[14] != '4' || !strings.Contains("89ab", id[19:20]) {
			t.Errorf("%s: %d %q %s", contentType, response.StatusCode, body, id)
		}
	}
}

// Every other call is refused with customs' status and body; of several faults the
// first in customs' order counts.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	good := string(encode(t, anImport("TWS1")))
	request := string(encode(t, wco.Cancellation("R", "26GB0000000000000A", "1", "why")))
	set := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	none := func(names ...string) func(http.Header) {
		return func(h http.Header) {
			for _, name := range names {
				h.Del(name)
			}
		}
	}
	var files []string
	folder := t.TempDir()
	const invalid = "Payload is not valid according to schema"
	for _, test := range []struct {
		name, path, document string
		change               func(http.Header)
		status               int
		code, message        string
		detail               string
	}{
		{"no accept", submitPath, good, none("Accept", "Content-Type", "Authorization"), 406, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid", ""},
		{"version 4", submitPath, good, set("Accept", "application/vnd.hmrc.4.0+xml"), 406, "ACCEPT_HEADER_INVALID", "The accept header is missing or invalid", ""},
		{"no type", submitPath, good, none("Content-Type", "Authorization"), 415, "UNSUPPORTED_MEDIA_TYPE", "The content type header is missing or invalid", ""},
		{"text", cancelPath, request, set("Content-Type", "text/xml"), 415, "UNSUPPORTED_MEDIA_TYPE", "The content type header is missing or invalid", ""},
		{"no token", submitPath, "rubbish", none("Authorization"), 401, "UNAUTHORIZED", "Unauthorised request", ""},
		{"a forged token", submitPath, good, set("Authorization", "Bearer 7fffffff.00"), 401, "UNAUTHORIZED", "Unauthorised request", ""},
		{"basic", submitPath, good, set("Authorization", "Basic eDp5"), 401, "UNAUTHORIZED", "Unauthorised request", ""},
		{"rubbish", submitPath, "rubbish", nil, 400, "BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""},
		{"nothing", submitPath, "", nil, 400, "BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""},
		{"half", submitPath, good[:len(good)/2], nil, 400, "BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""},
		{"doctype", submitPath, "<!DOCTYPE a><a/>", nil, 400, "BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""},
		{"too large", submitPath, strings.Repeat(" ", 20<<20+1), nil, 400, "BAD_REQUEST", "Request body does not contain a well-formed XML document.", ""},
		{"another document", submitPath, "<a/>", nil, 400, "BAD_REQUEST", invalid, "cvc-"},
		{"bad value", submitPath, strings.Replace(good, "<FunctionCode>9<", "<FunctionCode>8<", 1), nil, 400, "BAD_REQUEST", invalid, "'FunctionCode'"},
		{"unknown element", submitPath, strings.Replace(good, "<FunctionCode>", "<Colour>red</Colour><FunctionCode>", 1), nil, 400, "BAD_REQUEST", invalid, "cvc-"},
		{"declaration for a request", cancelPath, good, nil, 400, "BAD_REQUEST", invalid, "'FunctionCode'"},
		{"request of another type", cancelPath, strings.Replace(request, ">INV<", ">COR<", 1), nil, 400, "BAD_REQUEST", invalid, "'TypeCode'"},
		{"request without MRN", cancelPath, strings.Replace(request, "<ID>26GB0000000000000A</ID>", "", 1), nil, 400, "BAD_REQUEST", invalid, "'{ID}'"},
		{"wrong path", "/customs/declarations", good, nil, 404, "NOT_FOUND", "Resource was not found", ""},
		{"declaration for an amendment", amendPath, good, nil, 400, "BAD_REQUEST", invalid, "'FunctionCode'"},
		{"amendment of another type", amendPath, request, nil, 400, "BAD_REQUEST", invalid, "'TypeCode'"},
		{"amendment without MRN", amendPath, strings.NewReplacer(">INV<", ">COR<", "<ID>26GB0000000000000A</ID>", "").Replace(request), nil, 400, "BAD_REQUEST", invalid, "'{ID}'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, body := b.call(test.path, []byte(test.document), test.change)
			var got struct {
				XMLName xml.Name `xml:"errorResponse"`
				Code    string   `xml:"code"`
				Message string   `xml:"message"`
				Errors  []struct {
					Code    string `xml:"code"`
					Message string `xml:"message"`
				} `xml:"errors>error"`
			}
			if err := xml.Unmarshal([]byte(body), &got); err != nil {
				t.Fatalf("%v: %s", err, body)
			}
			if response.StatusCode != test.status || got.Code != test.code || got.Message != test.message || got.XMLName.Space != "" {
				t.Fatalf("%d %s", response.StatusCode, body)
			}
			if test.detail == "" != (len(got.Errors) == 0) {
				t.Fatalf("the details are %+v", got.Errors)
			}
			if test.detail != "" && (got.Errors[0].Code != "xml_validation_error" || !strings.Contains(got.Errors[0].Message, test.detail)) {
				t.Errorf("the detail is %+v", got.Errors[0])
			}
			if test.status != 404 && !ident.IsUUID(response.Header.Get("X-Conversation-ID")) {
				t.Error("an error has no conversation id")
			}
			file := filepath.Join(folder, strings.ReplaceAll(test.name, " ", "-")+".xml")
			if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		})
	}
	if n := len(b.Transcript()); n != 0 {
		t.Errorf("%d messages follow refused documents", n)
	}
	xmllint(t, "error.xsd", files...)
}

// A token is for who knows the secret, and for four hours.
func TestTokens(t *testing.T) {
	t.Parallel()
	b := start(t, func(o *cdssim.Options) { o.ClientID, o.ClientSecret = "tidewaiter", "secret" })
	ask := func(form url.Values) (int, string) {
		response, err := http.PostForm(b.url+"/oauth/token", form)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body)
	}
	for _, test := range []struct {
		form   url.Values
		status int
		want   string
	}{
		{url.Values{"grant_type": {"client_credentials"}, "client_id": {"tidewaiter"}, "client_secret": {"secret"}}, 200, `"expires_in":14400`},
		{url.Values{"grant_type": {"client_credentials"}, "client_id": {"tidewaiter"}, "client_secret": {"guess"}}, 401, "invalid_client"},
		{url.Values{"grant_type": {"client_credentials"}}, 401, "invalid_client"},
		{url.Values{"grant_type": {"password"}, "client_id": {"tidewaiter"}, "client_secret": {"secret"}}, 400, "unsupported_grant_type"},
		{url.Values{"grant_type": {strings.Repeat("x", 65<<10)}}, 400, "invalid_request"},
	} {
		if status, body := ask(test.form); status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%d %s, want %d %s", status, body, test.status, test.want)
		}
	}
	token, err := b.as.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.clock.advance(4 * time.Hour)
	response, _ := b.call(submitPath, encode(t, anImport("TWS1")), func(h http.Header) { h.Set("Authorization", "Bearer "+token) })
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("a token of four hours ago is answered %d", response.StatusCode)
	}
}

// The keys that prove notifications can be fetched.
func TestKeys(t *testing.T) {
	b := start(t, nil)
	response, err := http.Get(b.url + "/jwks.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	jwks, _ := io.ReadAll(response.Body)
	if _, err := cds.NewFixedKeys(jwks); err != nil || response.StatusCode != 200 {
		t.Fatalf("%d %v", response.StatusCode, err)
	}
}

// What goes wrong on demand does so for as many calls as were asked for, and the
// client draws the right conclusion.
func TestInjectedFaults(t *testing.T) {
	const closed = "<errorResponse><code>SERVER_ERROR</code><message>Service Unavailable</message></errorResponse>"
	for _, test := range []struct {
		name  string
		fault simulator.Fault
		kind  string
		taken int
	}{
		{"shuttered", simulator.Fault{Kind: simulator.Answer, Status: 503, Body: closed}, "hmrc: unreachable", 0},
		{"refused", simulator.Fault{Kind: simulator.Answer, Status: 400, Body: "<errorResponse><code>X</code></errorResponse>"}, "hmrc: refused", 0},
		{"throttled", simulator.Fault{Kind: simulator.Answer, Status: 429, Header: http.Header{"Retry-After": {"7"}}}, "hmrc: refused", 0},
		{"broken", simulator.Fault{Kind: simulator.Answer, Status: 500}, "hmrc: outcome unknown", 0},
		{"hung up", simulator.Fault{Kind: simulator.HangUp}, "hmrc: outcome unknown", 0},
		{"taken, then hung up", simulator.Fault{Kind: simulator.HangUpAfter}, "hmrc: outcome unknown", 1},
		{"no token", simulator.Fault{Kind: simulator.HangUp, Path: "/oauth/token"}, "hmrc: unreachable", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := start(t, nil)
			if test.fault.Path == "" {
				test.fault.Path = submitPath
			}
			test.fault.Calls = 1
			b.InjectFault(test.fault)
			outcome := b.client.Submit(t.Context(), b.as, encode(t, withDocument(anImport("TWSG0S"), "SIM-G0S")))
			if err, ok := outcome.(error); !ok || !strings.HasPrefix(err.Error(), test.kind) {
				t.Fatalf("the outcome is %v", outcome)
			}
			if n := len(b.Transcript()); n != test.taken {
				t.Errorf("%d messages follow", n)
			}
			b.submit(withDocument(anImport("TWSG1S"), "SIM-G1S"))
		})
	}
}

// A call that hangs ends with the caller's patience; a fault without a number of
// calls lasts until it is lifted.
func TestHanging(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	if _, err := b.as.Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	hasty, err := cds.NewClient(client.Settings{BaseURL: b.url, Deadline: 50 * time.Millisecond}, free{}, b.clock.now)
	if err != nil {
		t.Fatal(err)
	}
	defer hasty.Close()
	b.InjectFault(simulator.Fault{Kind: simulator.Hang})
	for range 2 {
		if outcome := hasty.Submit(t.Context(), b.as, encode(t, anImport("TWS1"))); outcome == nil || strings.HasPrefix(outcome.(error).Error(), "hmrc: refused") {
			t.Fatalf("the outcome is %v", outcome)
		}
	}
	b.InjectFault(simulator.Fault{})
	b.submit(anImport("TWS1"))
}
