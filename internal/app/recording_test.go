package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/app/apptest"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// recordedAt is when the recorded calls are made, by the service's clock: in the future, because the service cuts off
// downloads whose time is over by the clock of the machine.
var recordedAt = time.Now().UTC().AddDate(0, 0, 1).Truncate(24 * time.Hour).Add(9 * time.Hour)

// recorder makes calls to the demo and keeps the first one of each operation and status.
type recorder struct {
	t        *testing.T
	app      *app.App
	demo     demo.Demo
	address  string
	document object
	calls    map[string]*schema.Call
	errors   map[string]map[string]any // answers by status and error code
	events   map[string]any            // records by the type of the event after which they were so
	copied   map[string]object         // bodies of the demo's records, to make them in another organisation
	second   consenting                // a person who approves what the key submits
	quiet    bool                      // calls are made to prepare others, and are not recorded
	ahead    atomic.Int64              // nanoseconds by which the service's clock was put forward
}

// answered is the answer to a call.
type answered struct {
	status int
	header http.Header
	text   []byte
	body   any
}

// recorded reports whether record has run.
var recorded bool

// record makes every call of the API: to the demo, and for consents to a service that is connected to stand-ins of HMRC.
func record(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{t: t, document: openAPI(t), calls: map[string]*schema.Call{}, errors: map[string]map[string]any{}, events: map[string]any{}}
	c := apptest.Simulated(t)
	c.AllowSandboxes, c.PublicURL, c.LimitStandard, c.LimitAI, c.LimitPublic = true, recordedURL, 100_000, 100, 10
	r.run(c, func(ctx context.Context) {
		if err := r.app.Demo(ctx, func(d demo.Demo) { r.demo = d }); err != nil {
			t.Error(err)
			return
		}
		r.play()
	})
	r.recordConnections()
	r.recordExcise()
	r.recordEnds()
	recorded = true
	return r
}

// recordedURL is the address of the service in the recordings.
const recordedURL = "https://customs.example"

// run starts the service and calls fn.
func (r *recorder) run(c config.Config, fn func(context.Context)) {
	r.t.Helper()
	began := time.Now()
	r.ahead.Store(0)
	now := func() time.Time { return recordedAt.Add(time.Since(began) + time.Duration(r.ahead.Load())) }
	deps := app.Deps{Now: now, Random: rand.NewChaCha8([32]byte{20}), Statement: func(query string) { storetest.RecordStatement("sqlite", query) }}
	a, err := app.Open(r.t.Context(), c, deps)
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Close()
	ctx, stop := context.WithCancel(r.t.Context())
	r.app = a
	err = a.Serve(ctx, func(address string) {
		defer stop()
		r.address = "http://" + address
		fn(ctx)
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// call makes a call with the demo's key and records it.
func (r *recorder) call(method, path string, body any, headers ...string) answered {
	r.t.Helper()
	return r.as(r.demo.Key, method, path, body, headers...)
}

// rehearsed records a dry run of a creation, and then the creation.
func (r *recorder) rehearsed(path string, body any, headers ...string) answered {
	r.t.Helper()
	r.want(r.call("POST", path+"?dryRun=true", body, headers...))
	return r.want(r.call("POST", path, body, headers...))
}

// as makes a call with a key and records it.
func (r *recorder) as(key, method, path string, body any, headers ...string) answered {
	r.t.Helper()
	a, sent := r.send(key, method, path, body, headers...)
	if op := r.operation(method, path); op != "" && !r.quiet {
		r.keep(op, sent, a)
	}
	return a
}

// send makes a call and returns its answer and the example of its body.
func (r *recorder) send(key, method, path string, body any, headers ...string) (a answered, sent any) {
	r.t.Helper()
	in, contentType, sent := encode(r.t, body)
	ctx, cancel := context.WithTimeout(r.t.Context(), 5*time.Minute) // the first use of the classifier waits for its index
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, r.address+path, in)
	if err != nil {
		r.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := visitor.Do(req)
	if err != nil {
		r.t.Error(err)
		return a, nil
	}
	defer func() { _ = res.Body.Close() }()
	a = answered{status: res.StatusCode, header: res.Header}
	if slices.Contains(endless, strings.Split(path, "?")[0]) {
		a.text = firstEvents(res.Body)
	} else if a.text, err = io.ReadAll(res.Body); err != nil {
		r.t.Fatal(err)
	}
	a.body = shown(a)
	return a, sent
}

// visitor follows no redirects.
var visitor = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// endless are the operations whose answer does not end.
var endless = []string{"/api/audit/feed", "/api/events/stream"}

// firstEvents reads the first lines of an answer that does not end, up to the first empty one.
func firstEvents(body io.Reader) []byte {
	var text []byte
	for b := make([]byte, 1); len(text) < 64<<10; {
		if n, err := body.Read(b); err != nil || n == 0 {
			break
		}
		if text = append(text, b[0]); bytes.HasPrefix(text, []byte("{")) && b[0] == '\n' || bytes.HasSuffix(text, []byte("}\n\n")) {
			break
		}
	}
	return text
}

// upload is a file that is sent in a form, after the other fields.
type upload struct {
	name, content string
	fields        map[string]string
	many          bool // the form takes several files
}

// encode returns a body, its media type and how the document shows it.
func encode(t *testing.T, body any) (in io.Reader, contentType string, sent any) {
	switch b := body.(type) {
	case nil:
		return nil, "", nil
	case string:
		return strings.NewReader(b), "application/xml", b
	case upload:
		var out bytes.Buffer
		w := multipart.NewWriter(&out)
		example := object{"file": b.content}
		for name, value := range b.fields {
			example[name] = value
			_ = w.WriteField(name, value)
		}
		part, _ := w.CreateFormFile("file", b.name)
		_, _ = io.WriteString(part, b.content)
		_ = w.Close()
		for name, value := range example {
			if b.many {
				example[name] = []any{value}
			}
		}
		return &out, w.FormDataContentType(), example
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(text), "application/json", exact(text)
}

// exact decodes JSON without changing its numbers; nil if it is none.
func exact(text []byte) (v any) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	_ = in.Decode(&v)
	return v
}

// shown returns an answer as the document shows it: JSON, text, or nil for a file.
func shown(a answered) any {
	contentType, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	switch contentType {
	case "application/json", "application/x-ndjson":
		return exact(a.text)
	case "application/zip", "application/pdf":
		return nil
	}
	return string(a.text)
}

// keep records a call.
func (r *recorder) keep(op string, sent any, a answered) {
	status := fmt.Sprint(a.status)
	if a.status >= http.StatusBadRequest {
		code, _ := at(a.body, "error").(string)
		if r.errors[status] == nil {
			r.errors[status] = map[string]any{}
		}
		if r.errors[status][code] == nil {
			r.errors[status][code] = a.body
		}
		return
	}
	c := r.calls[op]
	if c == nil {
		c = &schema.Call{Answers: map[string]any{}}
		r.calls[op] = c
	}
	if c.Request == nil {
		c.Request = sent
	}
	if a.body != nil && c.Answers[status] == nil {
		c.Answers[status] = a.body
	}
}

// operation returns the ID of the operation with a path; empty if there is none.
func (r *recorder) operation(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	for _, exactly := range []bool{true, false} {
		for pattern, item := range r.document["paths"].(object) {
			if (pattern == path || !exactly && fits(pattern, path)) && at(item, strings.ToLower(method)) != nil {
				return at(item, strings.ToLower(method), "operationId").(string)
			}
		}
	}
	return ""
}

// fits reports whether a path has the form of a pattern.
func fits(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	return len(want) == len(have) && !slices.ContainsFunc(want, func(part string) bool {
		i := slices.Index(want, part)
		return part != have[i] && !strings.HasPrefix(part, "{")
	})
}

// silently makes calls that are not recorded.
func (r *recorder) silently(fn func()) {
	before := r.quiet
	r.quiet = true
	fn()
	r.quiet = before
}

// want fails the test if a call was refused.
func (r *recorder) want(a answered) answered {
	r.t.Helper()
	if a.status >= http.StatusMultipleChoices {
		r.t.Errorf("answered %d %s", a.status, a.text)
	}
	return a
}

// text returns a text in the answer; the test fails if it is absent.
func (r *recorder) text(a answered, path ...string) string {
	r.t.Helper()
	s, ok := part(a.body, path...).(string)
	if !ok {
		r.t.Errorf("%v is not in %s", path, a.text)
	}
	return s
}

// part returns a value within objects and lists, whose elements are named by their positions.
func part(v any, path ...string) any {
	for _, name := range path {
		if list, ok := v.([]any); ok {
			if i, err := strconv.Atoi(name); err == nil && i < len(list) {
				v = list[i]
				continue
			}
		}
		v = at(v, name)
	}
	return v
}

// eventually repeats a call that is not recorded until it is as wanted.
func (r *recorder) eventually(path string, wanted func(a answered) bool) (a answered) {
	r.t.Helper()
	return r.eventuallyAs(r.demo.Key, path, wanted)
}

// eventuallyAs is eventually with another key.
func (r *recorder) eventuallyAs(key, path string, wanted func(a answered) bool) (a answered) {
	r.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		r.silently(func() { a = r.as(key, "GET", path, nil) })
		if wanted(a) {
			return a
		}
	}
	r.t.Errorf("GET %s stays %s", path, a.text)
	return a
}
