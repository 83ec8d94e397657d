package faults_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// uploads are the requests for upload forms, and the files that are posted to the forms, as a test answers them.
type uploads struct {
	asked  chan sent   // requests for forms; the answer is the reference of the form
	posted chan posted // files

	mu    sync.Mutex
	posts map[string]int // by reference
}

// posted is a file that was received completely and waits for its answer.
type posted struct {
	reference string
	content   []byte
	accept    chan<- struct{}
}

// serveUploads adds the upload of documents to fakeCDS.
func (c *fakeCDS) serveUploads() *uploads {
	u := &uploads{asked: make(chan sent, 16), posted: make(chan posted, 16), posts: map[string]int{}}
	c.mux.HandleFunc("POST /customs/declarations/file-upload", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		answer := make(chan string, 1)
		u.asked <- sent{string(body), answer}
		select {
		case <-r.Context().Done():
		case reference := <-answer:
			w.Header().Set("X-Conversation-ID", strings.Replace(reference, "-9000-", "-a000-", 1))
			w.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(w, `<FileUploadResponse xmlns="hmrc:fileupload"><Files><File><Reference>%s</Reference><UploadRequest><Href>%s/form/%[1]s</Href>`+
				`<Fields><key>%[1]s</key></Fields></UploadRequest></File></Files></FileUploadResponse>`, reference, c.URL)
		}
	})
	c.mux.HandleFunc("POST /form/{reference}", func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil {
			return // the connection ended
		}
		content, err := io.ReadAll(file)
		if err != nil {
			return
		}
		reference, accept := r.PathValue("reference"), make(chan struct{})
		u.mu.Lock()
		u.posts[reference]++
		u.mu.Unlock()
		u.posted <- posted{reference, content, accept}
		select {
		case <-r.Context().Done():
		case <-accept:
			w.WriteHeader(http.StatusNoContent)
		}
	})
	return u
}

// nextRequest waits for the next request for a form.
func (u *uploads) nextRequest(t *testing.T) sent {
	t.Helper()
	return receive(t, u.asked, "request for an upload form")
}

// nextFile waits for the next posted file.
func (u *uploads) nextFile(t *testing.T) posted {
	t.Helper()
	return receive(t, u.posted, "posted file")
}

func receive[T any](t *testing.T, from <-chan T, what string) (one T) {
	t.Helper()
	select {
	case one = <-from:
	case <-time.After(within(takeoverLimit)):
		t.Fatalf("no %s arrived", what)
	}
	return one
}

// count returns how often files were posted to a form, and to all forms.
func (u *uploads) count(reference string) (one, all int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, n := range u.posts {
		all += n
	}
	return u.posts[reference], all
}

// outcome is the notification about an uploaded file.
func outcome(reference string) string {
	return `<Root xmlns="hmrc:fileupload"><FileReference>` + reference + `</FileReference><BatchId>1</BatchId><FileName>invoice.pdf</FileName><Outcome>SUCCESS</Outcome><Details>[detail block]</Details></Root>`
}

// documentForm is a form with one document.
func documentForm(content []byte) (body []byte, contentType string) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	_ = w.WriteField("documentType", "Invoice")
	part, _ := w.CreateFormFile("file", "invoice.pdf")
	_, _ = part.Write(content)
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}

// upload sends a document for customs.
func (c *client) upload(ctx context.Context, id, key string, content []byte) (a answer) {
	body, contentType := documentForm(content)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, *c.address.Load()+"/api/declarations/"+id+"/files", bytes.NewReader(body))
	if err != nil {
		return answer{body: []byte(err.Error())}
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Idempotency-Key", key)
	response, err := c.http.Do(r)
	if err != nil {
		return answer{body: []byte(err.Error())}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{body: []byte(err.Error())}
	}
	return answer{response.StatusCode, text, response.Header.Get("Retry-After")}
}

// uploadHalf sends the first half of an upload and leaves the connection open.
func (c *client) uploadHalf(t *testing.T, id, key string, content []byte) {
	t.Helper()
	body, contentType := documentForm(content)
	connection, err := net.Dial("tcp", strings.TrimPrefix(*c.address.Load(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	head := fmt.Sprintf("POST /api/declarations/%s/files HTTP/1.1\r\nHost: tidewaiter\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n", id, c.key, contentType, key, len(body))
	if _, err := connection.Write(append([]byte(head), body[:len(body)/2]...)); err != nil {
		t.Fatal(err)
	}
}

// uploaded is a file as the record lists it.
type uploaded struct{ ID, Status, SHA256, Reference string }

func (a *amendable) uploaded(t *testing.T) []uploaded {
	t.Helper()
	var out struct{ Declaration struct{ Files []uploaded } }
	a.must(t, http.MethodGet, "/api/declarations/"+a.id, nil, &out)
	return out.Declaration.Files
}

// restart kills the program and starts it again.
func (a *amendable) restart(t *testing.T) {
	t.Helper()
	a.running.Kill()
	a.running = a.host.serve(t)
	a.turn(a.running)
}

// fileJob returns the ID of the job that posts the file.
func (p host) fileJob(t *testing.T) (id string) {
	t.Helper()
	conn := p.open(t)
	defer conn.Close()
	if err := conn.QueryRowContext(t.Context(), "SELECT id FROM jobs WHERE queue = 'customs.files' AND state = 'due' LIMIT 1").Scan(&id); err != nil {
		return ""
	}
	return id
}

// A process that is killed while it receives a document, while it asks customs for the upload form, and while it posts the
// document loses no acknowledged document and posts none twice: it waits for the notification of the upload instead.
func TestKillDuringUpload(t *testing.T) {
	onBoth(t, func(t *testing.T, b storetest.Backend) {
		const first, second = "3f2c1d0e-0000-4000-9000-000000000001", "3f2c1d0e-0000-4000-9000-000000000002"
		a := startAccepted(t, b)
		u := a.authority.serveUploads()
		content := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("invoice "), 300_000)...) // several parts in the store
		a.uploadHalf(t, a.id, "one", content)
		a.restart(t)
		if files := a.uploaded(t); len(files) != 0 {
			t.Errorf("half an upload is stored: %+v", files)
		}
		acknowledged := a.upload(t.Context(), a.id, "one", content)
		if acknowledged.status != http.StatusOK {
			t.Fatalf("the upload was answered with %d %s", acknowledged.status, acknowledged.body)
		}
		asked := u.nextRequest(t)
		a.restart(t)
		again := u.nextRequest(t)
		if again.body != asked.body || !strings.Contains(again.body, a.mrn) {
			t.Errorf("the second request for a form has other bytes:\n%s\n%s", asked.body, again.body)
		}
		again.answer <- first
		if file := u.nextFile(t); !bytes.Equal(file.content, content) || file.reference != first {
			t.Errorf("%d bytes were posted to %s", len(file.content), file.reference)
		}
		job := a.host.fileJob(t)
		a.restart(t)
		if repeated := a.upload(t.Context(), a.id, "one", content); repeated.status != http.StatusOK || !bytes.Equal(repeated.body, acknowledged.body) {
			t.Errorf("the repeated upload was answered with %d %s", repeated.status, repeated.body)
		}
		eventually(t, takeoverLimit, "the post is left until its notification is due", func() bool {
			now := a.host.fileJob(t)
			return now != "" && now != job
		})
		a.authority.deliver(t, a.running, first, outcome(first))
		eventually(t, takeoverLimit, "the document is received", func() bool {
			files := a.uploaded(t)
			return len(files) == 1 && files[0].Status == "RECEIVED"
		})
		files := a.uploaded(t)
		if one, all := u.count(first); one != 1 || all != 1 || files[0].Reference != first || files[0].SHA256 != fmt.Sprintf("%x", sha256.Sum256(content)) {
			t.Errorf("posted %d times, %d in all; the record has %+v", one, all, files)
		}
		kept, err := a.do(t.Context(), http.MethodGet, "/api/declarations/"+a.id+"/files/"+files[0].ID, "", nil)
		if err != nil || !bytes.Equal(kept.body, content) {
			t.Errorf("%d bytes are kept of %d: %v", len(kept.body), len(content), err)
		}
		for _, event := range []string{"file_added", "file_sent", "file_received"} {
			if n := len(a.events(t, "declaration."+event)); n != 1 {
				t.Errorf("%d events %s", n, event)
			}
		}
		a.host.verifyAudit(t)
		// The next document is not held up by the one before.
		if out := a.upload(t.Context(), a.id, "two", []byte("%PDF-1.7 packing list")); out.status != http.StatusOK {
			t.Fatalf("the next upload was answered with %d %s", out.status, out.body)
		}
		u.nextRequest(t).answer <- second
		close(u.nextFile(t).accept)
		eventually(t, takeoverLimit, "the next document is sent", func() bool {
			files := a.uploaded(t)
			return len(files) == 2 && files[1].Status == "SENT"
		})
		a.running.Stop(t)
	})
}
