package faults_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/test/program"
)

// fakeCDS answers submissions as a test decides, where the simulator behaves too well.
type fakeCDS struct {
	*httptest.Server
	mux  *http.ServeMux
	sent chan sent // every submission, in the order of arrival

	mu     sync.Mutex
	number int
}

// sent is a submission that waits for its answer.
type sent struct {
	body   string
	answer chan<- string // a conversation id; empty to close the connection
}

var lrnIn = regexp.MustCompile(`<(?:\w+:)?FunctionalReferenceID>([^<]+)<`)

func (s sent) lrn() string { return lrnIn.FindStringSubmatch(s.body)[1] }

// inboundToken is the token of fakeCDS's messages.
const inboundToken = "Basic dGlkZQ=="

// newFakeCDS starts a fakeCDS and configures a host to use it.
func newFakeCDS(t *testing.T, p host) *fakeCDS {
	t.Helper()
	c := &fakeCDS{mux: http.NewServeMux(), sent: make(chan sent, 16)}
	c.mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"t","token_type":"bearer","expires_in":14400}`)
	})
	c.mux.HandleFunc("POST /customs/declarations/", c.take)
	c.Server = httptest.NewServer(c.mux)
	t.Cleanup(func() { c.CloseClientConnections(); c.Close() })
	p.useCDS(c.URL)
	p.Settings["TIDEWAITER_CUSTOMS_INBOUND"] = "static-token"
	p.Settings["TIDEWAITER_CUSTOMS_INBOUND_TOKEN"] = inboundToken
	return c
}

func (c *fakeCDS) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	answer := make(chan string, 1)
	c.sent <- sent{string(body), answer}
	select {
	case <-r.Context().Done():
	case id := <-answer:
		if id == "" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("X-Conversation-ID", id)
		w.WriteHeader(http.StatusAccepted)
	}
}

// next waits for the next submission.
func (c *fakeCDS) next(t *testing.T, limit time.Duration) sent {
	t.Helper()
	select {
	case s := <-c.sent:
		return s
	case <-time.After(limit):
		t.Fatalf("no submission arrived within %s", limit)
		return sent{}
	}
}

// conversation is the n-th conversation id of a test.
func conversation(n int) string { return fmt.Sprintf("3f2c1d0e-0000-4000-8000-%012d", n) }

// notificationSpec describes a message from CDS.
type notificationSpec struct {
	code, conversation, lrn, mrn string
	flaw                         string // a CDS error code
	status                       string // NameCode of Status
	at                           time.Time
}

// notify sends a message to the program, which must accept it.
func (c *fakeCDS) notify(t *testing.T, r *program.Process, m notificationSpec) {
	t.Helper()
	c.mu.Lock()
	c.number++
	number := c.number
	c.mu.Unlock()
	flaw := ""
	if m.flaw != "" {
		flaw = "<r:Error><r:ValidationCode>" + m.flaw + "</r:ValidationCode></r:Error>"
	}
	if m.status != "" {
		flaw += "<r:Status><r:NameCode>" + m.status + "</r:NameCode></r:Status>"
	}
	body := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><d:MetaData xmlns:d="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"`+
		` xmlns:r="urn:wco:datamodel:WCO:RES-DMS:2" xmlns:s="urn:wco:datamodel:WCO:Response_DS:DMS:2">`+
		`<d:WCODataModelVersionCode>3.6</d:WCODataModelVersionCode><d:WCOTypeName>RES</d:WCOTypeName>`+
		`<r:Response><r:FunctionCode>%s</r:FunctionCode><r:FunctionalReferenceID>%032x</r:FunctionalReferenceID>`+
		`<r:IssueDateTime><s:DateTimeString formatCode="304">%s</s:DateTimeString></r:IssueDateTime>%s`+
		`<r:Declaration><r:FunctionalReferenceID>%s</r:FunctionalReferenceID><r:ID>%s</r:ID><r:VersionID>1</r:VersionID></r:Declaration></r:Response></d:MetaData>`,
		m.code, number, m.at.UTC().Format("20060102150405Z"), flaw, m.lrn, m.mrn)
	c.deliver(t, r, m.conversation, body)
}

// deliver sends the XML of a message to the program, which must accept it.
func (c *fakeCDS) deliver(t *testing.T, r *program.Process, conversation, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.Address+"/api/cds/webhook", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", inboundToken)
	request.Header.Set("Content-Type", "application/xml; charset=UTF-8")
	request.Header.Set("X-Conversation-ID", conversation)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK {
		t.Fatalf("a message from CDS was answered with %d %s", response.StatusCode, text)
	}
}

// submit submits a declaration in the background.
func (c *client) submit(ctx context.Context, id string) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		a, err := c.do(ctx, http.MethodPost, "/api/cds/submit", "", map[string]any{"declarationId": id})
		if err != nil {
			a = answer{body: []byte(err.Error())}
		}
		done <- a
	}()
	return done
}

// draft creates a declaration.
func (c *client) draft(t *testing.T) string {
	t.Helper()
	var made struct{ ID string }
	c.must(t, http.MethodPost, "/api/declarations", input(c.shipment(t), "Shirts"), &made)
	return made.ID
}

// waitForStatus waits until a declaration has a status.
func (c *client) waitForStatus(t *testing.T, id, status string) {
	t.Helper()
	var last declaration
	for give := time.Now().Add(within(10 * time.Second)); time.Now().Before(give); time.Sleep(20 * time.Millisecond) {
		if last = c.declaration(t, id); last.Status == status {
			return
		}
	}
	t.Fatalf("the declaration is %s, want %s (LRN %s, conversation %s)", last.Status, status, last.LRN, last.ConversationID)
}

// agreed fails the test unless a submission was answered with a conversation.
func agreed(t *testing.T, a answer, conversation string) {
	t.Helper()
	if a.status != http.StatusOK || !strings.Contains(string(a.body), conversation) {
		t.Fatalf("the submission was answered with %d %s, want conversation %s", a.status, a.body, conversation)
	}
}
