package cdssim_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
)

// forms asks for upload forms that must be given.
func (b *bench) forms(mrn string, simulate string, kinds ...string) []client.Form {
	b.t.Helper()
	document, err := cds.EncodeUpload(mrn, kinds)
	if err != nil {
		b.t.Fatal(err)
	}
	steered := b.client.WithHeader(simulator.Request{Simulate: simulate}.Header())
	given, ok := steered.RequestForms(b.t.Context(), b.as, []byte(document)).(cds.FormsGiven)
	if !ok || len(given.Forms) != len(kinds) || given.ConversationID == "" {
		b.t.Fatalf("forms %+v", given)
	}
	return given.Forms
}

// post sends a file to a form.
func (b *bench) post(f client.Form, content string) client.Outcome {
	b.t.Helper()
	forms, err := client.NewSimulatorForms(b.url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return forms.Post(b.t.Context(), f, client.FormFile{Name: "a.pdf", MediaType: "application/pdf", Content: []byte(content)})
}

// mustPost sends a file that the form must take.
func (b *bench) mustPost(f client.Form, content string) {
	b.t.Helper()
	if o, ok := b.post(f, content).(client.FormAccepted); !ok {
		b.t.Fatalf("the form answered %v", o)
	}
}

// outcomes are the notifications about files, by conversation.
func outcomes(all []arrival) map[string]string {
	found := map[string]string{}
	for _, a := range all {
		if a.FunctionCode == "FILE" {
			found[a.conversation] += a.Name
		}
	}
	return found
}

// Documents that customs asked for are confirmed, each in the conversation of its form. After the last one the
// declaration is released and cleared. A second post to the same form has no effect.
func TestDocumentsRelease(t *testing.T) {
	b := start(t, nil)
	original := b.submit(withDocument(anImport("TWSD0"), "SIM-D0"))
	mrn := b.receiver.wait(3)[0].MRN
	given := b.forms(mrn, "", "Invoice", "Licence")
	b.mustPost(given[0], "%PDF-1.7 one")
	b.mustPost(given[0], "%PDF-1.7 one")
	if got := codes(b.receiver.wait(4), original); got != "01 13/67 06" {
		t.Errorf("after the first document: %s", got)
	}
	b.mustPost(given[1], "a licence")
	received := b.receiver.wait(7)
	if got := codes(received, original); got != "01 13/67 06 08 09" {
		t.Errorf("after all documents: %s", got)
	}
	all := outcomes(received)
	for _, f := range given {
		if !strings.HasPrefix(all[f.Reference], "SUCCESS: Thank you") || strings.Count(all[f.Reference], "SUCCESS") != 1 {
			t.Errorf("%s: %q", f.Reference, all[f.Reference])
		}
	}
}

// A file that HMRC would not take, or that was steered to that, is rejected, and the declaration waits.
func TestDocumentsRejected(t *testing.T) {
	b := start(t, nil)
	original := b.submit(withDocument(anImport("TWSD0"), "SIM-D0"))
	mrn := b.receiver.wait(3)[0].MRN
	for n, c := range []struct{ simulate, content, want string }{
		{"", "GIF89a\x01\x02", "REJECTED: MIME type [image/gif] is not allowed for service: [customs-declarations]"},
		{"", "text with EICAR-STANDARD-ANTIVIRUS-TEST-FILE in it", "REJECTED: Virus detected: Eicar-Test-Signature"},
		{simulator.RejectFiles, "%PDF-1.7", "REJECTED: Steered by X-Simulate: reject"},
	} {
		f := b.forms(mrn, c.simulate, "Invoice")[0]
		b.mustPost(f, c.content)
		received := b.receiver.wait(4 + n)
		if got := outcomes(received)[f.Reference]; got != c.want {
			t.Errorf("%q: %q", c.content, got)
		}
		if got := codes(received, original); got != "01 13/67 06" {
			t.Errorf("%q: the declaration has %s", c.content, got)
		}
	}
}

// The rules of HMRC beyond the schema are checked, all at once.
func TestFormsRefused(t *testing.T) {
	b := start(t, nil)
	for _, c := range []struct{ document, want string }{
		{`<FileUploadRequest xmlns="hmrc:fileupload"><DeclarationID>M</DeclarationID><FileGroupSize>2</FileGroupSize><Files><File><FileSequenceNo>3</FileSequenceNo></File></Files></FileUploadRequest>`,
			"FileGroupSize does not match the number of File elements; FileSequenceNo must not be greater than FileGroupSize"},
		{`<FileUploadRequest xmlns="hmrc:fileupload"><DeclarationID></DeclarationID><FileGroupSize>2</FileGroupSize><Files><File><FileSequenceNo>1</FileSequenceNo></File><File><FileSequenceNo>1</FileSequenceNo><ErrorRedirect>e</ErrorRedirect></File></Files></FileUploadRequest>`,
			"DeclarationID must have 1 to 22 characters; FileSequenceNo is duplicated; ErrorRedirect must be used together with SuccessRedirect"},
		{`<FileUploadRequest xmlns="hmrc:fileupload"><DeclarationID>M</DeclarationID><FileGroupSize>12</FileGroupSize><Files>` + strings.Repeat(`<File><FileSequenceNo>0</FileSequenceNo></File>`, 1) + `</Files></FileUploadRequest>`,
			"FileGroupSize exceeds the limit of 11; FileGroupSize does not match the number of File elements; FileSequenceNo must start from 1"},
		{`<Other/>`, ""},
		{`<`, ""},
	} {
		refused, ok := b.client.RequestForms(t.Context(), b.as, []byte(c.document)).(client.Refused)
		var got []string
		for _, d := range refused.Details {
			got = append(got, d.Message)
		}
		if !ok || refused.Status != http.StatusBadRequest || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %v %q", c.document, refused, strings.Join(got, "; "))
		}
	}
	steered := b.client.WithHeader(simulator.Request{Simulate: "perhaps"}.Header())
	document, _ := cds.EncodeUpload("M", []string{"Invoice"})
	if o, ok := steered.RequestForms(t.Context(), b.as, []byte(document)).(client.Refused); !ok {
		t.Errorf("an unknown outcome gives %v", o)
	}
}

// A form takes its own fields with one file, which is the last field and has at most 10 MB, for seven days.
func TestForms(t *testing.T) {
	b := start(t, nil)
	f := b.forms("26GB0000000000000A", "", "Invoice")[0]
	want := func(name string, o client.Outcome, code string) {
		t.Helper()
		if r, ok := o.(client.Refused); !ok || !strings.HasPrefix(r.Message, code) {
			t.Errorf("%s: %v", name, o)
		}
	}
	other := client.Form{Href: f.Href, Fields: []client.FormField{{Name: "key", Value: f.Reference}, {Name: "x-amz-signature", Value: "forged"}}}
	want("another signature", b.post(other, "text"), "SignatureDoesNotMatch")
	want("too large", b.post(f, strings.Repeat("a", cds.MaxFile+1)), "EntityTooLarge")
	b.mustPost(f, strings.Repeat("a", cds.MaxFile))

	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, _ := w.CreateFormFile("file", "a.pdf")
	_, _ = io.WriteString(part, "text")
	for _, field := range f.Fields {
		_ = w.WriteField(field.Name, field.Value)
	}
	_ = w.Close()
	for media, status := range map[string]int{w.FormDataContentType(): http.StatusBadRequest, "application/x-www-form-urlencoded": http.StatusPreconditionFailed} {
		response, err := http.Post(f.Href, media, bytes.NewReader(body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("%s: %d", media, response.StatusCode)
		}
	}
	late := b.forms("26GB0000000000000A", "", "Invoice")[0]
	b.receiver.wait(1) // the notification about the file, whose token ends with time
	b.clock.advance(7 * 24 * time.Hour)
	want("after seven days", b.post(late, "text"), "AccessDenied")
}

// After a restart forms are known, files that were taken stay taken, and a notification that was not delivered is.
func TestUploadsSurviveARestart(t *testing.T) {
	folder := t.TempDir()
	b := start(t, func(o *cdssim.Options) { o.Folder = folder })
	original := b.submit(withDocument(anImport("TWSD0"), "SIM-D0"))
	mrn := b.receiver.wait(3)[0].MRN
	given := b.forms(mrn, "", "Invoice", "Licence")
	b.receiver.down.Store(http.StatusServiceUnavailable)
	b.mustPost(given[0], "one")
	b.stop()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b.receiver.down.Store(0)
	again := open(t, b.clock, b.receiver, b.options)
	for i := range given {
		given[i].Href = again.url + "/upload-form"
		again.mustPost(given[i], "one")
	}
	if got := codes(again.receiver.wait(7), original); got != "01 13/67 06 08 09" {
		t.Errorf("the declaration has %s", got)
	}
}

// The documents about uploads are valid against HMRC's schemas.
func TestUploadDocumentsAreValid(t *testing.T) {
	schemas := filepath.Join("..", "..", "..", "..", "..", "shared", "customs", "xsd", "wco", "fileupload")
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed")
	}
	if _, err := os.Stat(schemas); err != nil {
		t.Skip("the schemas of HMRC are not here")
	}
	b := start(t, nil)
	document, err := cds.EncodeUpload("26GB0000000000000A", []string{"Invoice & more", "Licence"})
	if err != nil {
		t.Fatal(err)
	}
	var answer bytes.Buffer
	given, ok := b.client.RequestForms(t.Context(), b.as, []byte(document)).(cds.FormsGiven)
	if !ok {
		t.Fatalf("no forms: %v", given)
	}
	b.mustPost(given.Forms[0], "one")
	note := b.receiver.wait(1)[0].body
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/customs/declarations/file-upload", strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	token, err := b.as.Token(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Accept": {cds.Version1}, "Content-Type": {"application/xml"}}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	_, _ = answer.ReadFrom(response.Body)
	rejected, _ := xml.Marshal(cds.UploadOutcome{Reference: "r", Outcome: "REJECTED", Details: "No"})
	for schema, all := range map[string][][]byte{
		"FileUploadRequest.xsd": {[]byte(document)}, "FileUploadResponse.xsd": {answer.Bytes()}, "FileUploadNotification.xsd": {note, rejected},
	} {
		for n, text := range all {
			path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.xml", n))
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("xmllint", "--noout", "--schema", filepath.Join(schemas, schema), path).CombinedOutput(); err != nil {
				t.Errorf("%s: %s\n%s", schema, out, text)
			}
		}
	}
}
