package customs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// hmrc is a server in the role of CDS and of its upload forms.
type hmrc struct {
	*env
	base      string
	asked     []string                                      // requests for forms
	posted    map[string]int                                // posts to forms, by reference
	content   map[string]string                             // posted files, by reference
	formsCode int                                           // answer to a request for forms; 0 for 200
	busy      sync.Mutex                                    // held while a call is answered
	form      func(w http.ResponseWriter, reference string) // answer to a post; nil for 204
}

// forEachHMRC runs a test with an accepted declaration and HMRC's servers.
func forEachHMRC(t *testing.T, run func(*hmrc)) { forEachHMRCAs(t, orgID, run) }

// forEachHMRCAs is forEachHMRC with another organisation.
func forEachHMRCAs(t *testing.T, org tenant.ID, run func(*hmrc)) {
	forEachStoreAs(t, org, func(e *env) {
		h := &hmrc{env: e, posted: map[string]int{}, content: map[string]string{}}
		server := httptest.NewServer(h)
		e.Cleanup(server.Close)
		h.base = server.URL
		var err error
		e.sender.client, err = cds.NewClient(client.Settings{BaseURL: server.URL, Accept: cds.Version2}, e.sender, func() time.Time { return time.Now().Add(time.Duration(e.ahead.Load())) })
		e.must(err)
		e.sender.forms, err = client.NewSimulatorForms(server.URL, nil)
		e.must(err)
		e.service.Simulated = func(*access.Organisation) bool { return true }
		e.service.Source = customs.FromHMRC
		e.service.Attachments = &attachment.Store{IDs: e.service.IDs}
		e.update(func(tx *store.Tx) error {
			f, err := tx.Filing("declaration", declarationID)
			if err != nil {
				return err
			}
			f.Status, f.Version, f.Added = lifecycle.Accepted, f.Version+1, []byte(`{"lrn":"LRN","conversationId":"c","mrn":"26GB00000000000010"}`)
			return tx.Write(filing.Change{Filing: f, Event: audit.Event{ID: secondID, Hub: "customs", Type: "declaration.accepted", ResourceType: "declaration", ResourceID: declarationID, ToStatus: "ACCEPTED"}})
		})
		run(h)
	})
}

// ServeHTTP gives forms, and takes files with the fields of the form first and the file last.
func (h *hmrc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.busy.Lock()
	defer h.busy.Unlock()
	if r.URL.Path != "/form" {
		body, _ := io.ReadAll(r.Body)
		h.asked = append(h.asked, string(body))
		if h.formsCode != 0 {
			w.WriteHeader(h.formsCode)
			return
		}
		w.Header().Set("X-Conversation-ID", h.service.IDs.UUID())
		fmt.Fprint(w, `<FileUploadResponse xmlns="hmrc:fileupload"><Files>`)
		for n := range strings.Count(string(body), "<File>") {
			reference := fmt.Sprintf("00000000-0000-4000-8000-%06d%06d", len(h.asked), n+1)
			fmt.Fprintf(w, `<File><Reference>%s</Reference><UploadRequest><Href>%s/form</Href><Fields><key>%s</key><policy>p</policy></Fields></UploadRequest></File>`, reference, h.base, reference)
		}
		fmt.Fprint(w, `</Files></FileUploadResponse>`)
		return
	}
	parts, err := r.MultipartReader()
	if err != nil {
		h.Error(err)
		return
	}
	var names []string
	reference := ""
	for {
		part, err := parts.NextPart()
		if err != nil {
			break
		}
		value, _ := io.ReadAll(part)
		if names = append(names, part.FormName()); part.FormName() == "key" {
			reference = string(value)
		}
		h.content[reference] = string(value)
	}
	if strings.Join(names, " ") != "key policy file" {
		h.Errorf("the form has the fields %v", names)
	}
	h.posted[reference]++
	if h.form != nil {
		h.form(w, reference)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// add gives texts to the service as documents.
func (h *hmrc) add(texts ...string) error {
	h.Helper()
	var files []customs.NewFile
	for n, text := range texts {
		files = append(files, customs.NewFile{DocumentType: fmt.Sprintf("Type %d", n+1), File: attachment.File{Name: fmt.Sprintf("%d.txt", n+1), Content: []byte(text)}})
	}
	return h.store.Update(h.Context(), h.org, func(tx *store.Tx) error {
		by := customs.Request{Call: tenant.Call{Principal: tenant.Principal{Org: h.org, Role: tenant.Member, Type: tenant.ByUser}}}
		_, err := h.service.AddFiles(tx, by, declarationID, files, false)
		return err
	})
}

// work runs all jobs about files that are due now, and what follows from them.
func (h *hmrc) work() {
	h.Helper()
	for range 10 {
		n := 0
		for queue, do := range map[string]func(context.Context, jobs.Job) error{
			customs.FormsQueue: h.service.SendForms, customs.FileQueue: h.service.SendFile, customs.InboxQueue: h.service.Apply,
		} {
			pump := &jobs.Pump{Queue: jobs.Queue{Name: queue, Workers: 1, Do: do, Backoff: []time.Duration{time.Second, time.Second}}, Store: h.store, Log: h.service.Log}
			done, err := pump.Step(h.Context())
			h.must(err)
			n += done
		}
		if n == 0 {
			h.busy.Lock() // until a call whose connection was closed has ended
			defer h.busy.Unlock()
			return
		}
	}
}

// notify receives the notification about an upload.
func (h *hmrc) notify(reference, outcome string) {
	h.Helper()
	body := fmt.Sprintf(`<Root xmlns="hmrc:fileupload"><FileReference>%s</FileReference><Outcome>%s</Outcome><Details>Said by HMRC</Details></Root>`, reference, outcome)
	h.must(h.service.Receive(h.Context(), customs.Inbound{ConversationID: reference, Body: []byte(body), ReceivedAt: time.Now(), Source: customs.FromHMRC, Headers: "{}"}))
	h.work()
}

// files returns the files as the record shows them.
func (h *hmrc) files() []customs.FileShown {
	h.Helper()
	var added struct{ Files []customs.FileShown }
	h.must(h.store.View(h.Context(), h.org, func(tx *store.Tx) error {
		f, err := tx.Filing("declaration", declarationID)
		return errors.Join(err, json.Unmarshal(f.Added, &added))
	}))
	return added.Files
}

func (h *hmrc) wantStatuses(want ...customs.FileStatus) {
	h.Helper()
	var got []customs.FileStatus
	for _, f := range h.files() {
		got = append(got, f.Status)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		h.Errorf("files are %v, not %v", got, want)
	}
}

// wantEvents compares the number of events of a type.
func (h *hmrc) wantEvents(kind string, want int) {
	h.Helper()
	h.must(h.store.View(h.Context(), h.org, func(tx *store.Tx) error {
		all, err := tx.Events(audit.Query{ResourceID: declarationID, Limit: 50})
		got := 0
		for _, e := range all {
			if e.Type == "declaration."+kind {
				got++
			}
		}
		if got != want {
			h.Errorf("%d events %s, not %d", got, kind, want)
		}
		return err
	}))
}

// hangUp reads the file and does not answer.
func hangUp(http.ResponseWriter, string) { panic(http.ErrAbortHandler) }

const (
	firstForm  = "00000000-0000-4000-8000-000001000001"
	secondForm = "00000000-0000-4000-8000-000001000002"
	nextForm   = "00000000-0000-4000-8000-000002000001"
)

// Files are sent in one request, each to its own form, and confirmed by HMRC's notification, however often that comes.
func TestFilesAreSent(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.must(h.add("one", "two"))
		h.wantStatuses(customs.FileRequested, customs.FileRequested)
		h.work()
		h.wantStatuses(customs.FileSent, customs.FileSent)
		request := `<FileUploadRequest xmlns="hmrc:fileupload"><DeclarationID>26GB00000000000010</DeclarationID><FileGroupSize>2</FileGroupSize><Files>` +
			`<File><FileSequenceNo>1</FileSequenceNo><DocumentType>Type 1</DocumentType></File><File><FileSequenceNo>2</FileSequenceNo><DocumentType>Type 2</DocumentType></File></Files></FileUploadRequest>`
		if len(h.asked) != 1 || !strings.HasSuffix(h.asked[0], request) {
			h.Errorf("requests %q", h.asked)
		}
		if h.content[firstForm] != "one" || h.content[secondForm] != "two" {
			h.Errorf("posted %q", h.content)
		}
		h.notify(firstForm, "SUCCESS")
		h.notify(firstForm, "SUCCESS")
		h.notify(secondForm, "REJECTED")
		h.wantStatuses(customs.FileReceived, customs.FileRejected)
		if reason := h.files()[1].Reason; reason != "Customs rejected it. Said by HMRC" {
			h.Errorf("reason %q", reason)
		}
		h.notify(firstForm, "REJECTED") // customs has confirmed it
		h.wantStatuses(customs.FileReceived, customs.FileRejected)
		for kind, n := range map[string]int{"file_added": 1, "file_sent": 2, "file_received": 1, "file_rejected": 1} {
			h.wantEvents(kind, n)
		}
	})
}

// The notification of a file may overtake the answer of its form, or come although the answer was lost. The file is not
// posted again.
func TestNotificationOvertakesTheAnswer(t *testing.T) {
	forEachHMRC(t, func(h *hmrc) {
		h.form = func(w http.ResponseWriter, reference string) {
			body := fmt.Sprintf(`<Root xmlns="hmrc:fileupload"><FileReference>%s</FileReference><Outcome>SUCCESS</Outcome><Details/></Root>`, reference)
			h.must(h.service.Receive(h.Context(), customs.Inbound{ConversationID: reference, Body: []byte(body), ReceivedAt: time.Now(), Source: customs.FromHMRC, Headers: "{}"}))
			pump := &jobs.Pump{Queue: jobs.Queue{Name: customs.InboxQueue, Workers: 1, Do: h.service.Apply}, Store: h.store, Log: h.service.Log}
			_, err := pump.Step(h.Context())
			h.must(err)
			if reference == secondForm {
				hangUp(w, reference)
			}
			w.WriteHeader(http.StatusNoContent)
		}
		h.must(h.add("one", "two"))
		h.work()
		h.wantStatuses(customs.FileReceived, customs.FileReceived)
		h.advance(time.Hour)
		h.work()
		if h.posted[firstForm] != 1 || h.posted[secondForm] != 1 {
			h.Errorf("posts %v", h.posted)
		}
		h.wantEvents("file_sent", 2)
		h.wantEvents("file_received", 2)
	})
}
