package client_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

var formFile = client.FormFile{Name: `a "b".pdf`, MediaType: "application/pdf", Content: []byte("%PDF-1.7")}

// A form is posted with its fields in their order, and the file last.
func TestFormIsPosted(t *testing.T) {
	var got []string
	base := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		parts, err := r.MultipartReader()
		if err != nil {
			t.Error(err)
			return
		}
		for {
			part, err := parts.NextPart()
			if err != nil {
				break
			}
			value, _ := io.ReadAll(part)
			got = append(got, part.FormName()+"="+string(value)+" "+part.FileName()+part.Header.Get("Content-Type"))
		}
		w.WriteHeader(http.StatusNoContent)
	})
	forms, err := client.NewSimulatorForms(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	form := client.Form{Href: base, Fields: []client.FormField{{Name: "x-amz-date", Value: "1"}, {Name: "key", Value: "k"}, {Name: "acl", Value: "private"}}}
	if o, ok := forms.Post(t.Context(), form, formFile).(client.FormAccepted); !ok {
		t.Errorf("outcome %v", o)
	}
	if want := `x-amz-date=1 |key=k |acl=private |file=%PDF-1.7 a %22b%22.pdfapplication/pdf`; strings.Join(got, "|") != want {
		t.Errorf("posted %q", strings.Join(got, "|"))
	}
}

// The status of the answer decides. A redirect is not followed, and an answer that proves nothing is unknown.
func TestAnswersOfForms(t *testing.T) {
	status := http.StatusOK
	base := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>No</Message></Error>")
	})
	forms, err := client.NewSimulatorForms(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		want   string
	}{{200, "accepted"}, {201, "accepted"}, {303, "unknown"}, {403, "refused AccessDenied: No"}, {400, "refused AccessDenied: No"}, {408, "unknown"}, {429, "unknown"}, {500, "unknown"}, {503, "unknown"}, {0, "unknown"}} {
		status = c.status
		got := ""
		switch o := forms.Post(t.Context(), client.Form{Href: base}, formFile).(type) {
		case client.FormAccepted:
			got = "accepted"
		case client.Refused:
			got = "refused " + o.Message
		case client.Unknown:
			got = "unknown"
		case client.Unreachable:
			got = "unreachable"
		}
		if got != c.want {
			t.Errorf("%d: %s, not %s", c.status, got, c.want)
		}
	}
}

// Files go to https addresses of the allowed hosts only, and to no private address whatever its name. Nothing is sent
// otherwise.
func TestAddressesOfForms(t *testing.T) {
	called := false
	base := hmrctest.Serve(t, func(http.ResponseWriter, *http.Request) { called = true })
	forms := client.NewForms([]string{"*.amazonaws.com", "upload.example", "127.0.0.1", "localhost"}, nil)
	for _, href := range []string{
		"http://bucket.s3.amazonaws.com/", "https://amazonaws.com.example/", "https://evilamazonaws.com/", "https://example.com/", "https://upload.example@example.com/",
		"https://user@upload.example/", "ftp://upload.example/", "file:///etc/passwd", "", "https://", base,
	} {
		o, ok := forms.Post(t.Context(), client.Form{Href: href}, formFile).(client.Unreachable)
		if !ok || !errors.Is(o.Cause, client.ErrFormAddress) {
			t.Errorf("%s: %v", href, o)
		}
	}
	for _, href := range []string{strings.Replace(base, "http:", "https:", 1), "https://localhost:8443/"} {
		if o, ok := forms.Post(t.Context(), client.Form{Href: href}, formFile).(client.Unreachable); !ok || !strings.Contains(o.Error(), "refused") {
			t.Errorf("%s: %v", href, o)
		}
	}
	if called {
		t.Error("something was sent")
	}
}
