package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ssrf"
)

// FormField is a field of an upload form.
type FormField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Form is an address of HMRC that takes one file, with the fields that come before it.
type Form struct {
	Reference string      `json:"reference"` // conversation ID of the notification about the file
	Href      string      `json:"href"`
	Fields    []FormField `json:"fields"`
}

// FormFile is the file of a form.
type FormFile struct {
	Name, MediaType string
	Content         []byte
}

// FormTimeout is the time limit of one upload: 10 MB at one megabit a second, and some.
const FormTimeout = 2 * time.Minute

// ErrFormAddress is the cause of an [Unreachable]: the service does not send files to the form's address.
var ErrFormAddress = errors.New("hmrc: the address of the upload form is not allowed")

// Forms posts files to upload forms.
type Forms struct {
	hosts  []string
	plain  bool
	client *http.Client
}

// NewForms makes a client for forms at https addresses of some hosts, each a name or *.name for the names below one. It
// connects to no private address. The address of the form comes from HMRC, but it is not HMRC's own.
func NewForms(hosts []string, middleware Middleware) *Forms {
	return &Forms{hosts: hosts, client: formClient(ssrf.New(ssrf.Settings{}).Transport(), middleware)}
}

// NewSimulatorForms makes a client for the forms of a simulator at a base address, which may be private and without TLS.
func NewSimulatorForms(base string, middleware Middleware) (*Forms, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("hmrc: the simulator's address: %w", err)
	}
	return &Forms{hosts: []string{u.Hostname()}, plain: true, client: formClient(&http.Transport{MaxResponseHeaderBytes: maxAnswerHead, IdleConnTimeout: idleDeadline}, middleware)}, nil
}

func formClient(transport *http.Transport, middleware Middleware) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true) // the certainty of Unreachable depends on that, as in NewHTTP
	transport.Protocols, transport.ForceAttemptHTTP2 = protocols, false
	transport.ResponseHeaderTimeout = FormTimeout
	var all http.RoundTripper = transport
	if middleware != nil {
		all = middleware(all)
	}
	return &http.Client{Transport: all, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Post sends a file to a form: its fields in their order, the file last. Any 2xx accepts it.
func (f *Forms) Post(ctx context.Context, form Form, file FormFile) Outcome {
	if err := f.check(form.Href); err != nil {
		return Unreachable{Cause: err}
	}
	body, contentType, err := encodeForm(form.Fields, file)
	if err != nil {
		return Unreachable{Cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, FormTimeout)
	defer cancel()
	var sent requestBody
	request, err := http.NewRequestWithContext(sent.watch(ctx), http.MethodPost, form.Href, bytes.NewReader(body))
	if err != nil {
		return Unreachable{Cause: err}
	}
	request.Header.Set("Content-Type", contentType)
	response, err := f.client.Do(request)
	if err != nil {
		return sent.failure(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxText))
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		return FormAccepted{}
	case status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests:
		return Refused{Status: status, Message: Clip(formProblem(string(text)))}
	default:
		return Unknown{Status: status, Cause: fmt.Errorf("the upload form answered %s", response.Status)}
	}
}

// FormAccepted means that the form took the file. Its notification follows.
type FormAccepted struct{ Accepted }

// formProblem returns the code and message of an error body of S3, or the body.
func formProblem(body string) string {
	between := func(name string) string {
		_, rest, found := strings.Cut(body, "<"+name+">")
		text, _, closed := strings.Cut(rest, "</"+name+">")
		if !found || !closed {
			return ""
		}
		return text
	}
	if code := between("Code"); code != "" {
		return strings.TrimSuffix(code+": "+between("Message"), ": ")
	}
	return body
}

// check returns an error if files are not sent to an address.
func (f *Forms) check(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Host == "" {
		return ErrFormAddress
	}
	if u.Scheme != "https" && !(f.plain && u.Scheme == "http") {
		return fmt.Errorf("%w: it does not begin with https", ErrFormAddress)
	}
	host := strings.ToLower(u.Hostname())
	for _, allowed := range f.hosts {
		below, wild := strings.CutPrefix(allowed, "*")
		if host == allowed || wild && strings.HasSuffix(host, below) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s", ErrFormAddress, host)
}

func encodeForm(fields []FormField, file FormFile) (body []byte, contentType string, err error) {
	var out bytes.Buffer
	out.Grow(len(file.Content) + 16<<10)
	w := multipart.NewWriter(&out)
	for _, field := range fields {
		if err := w.WriteField(field.Name, field.Value); err != nil {
			return nil, "", err
		}
	}
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename="%s"`, quote.Replace(path.Base(file.Name)))},
		"Content-Type":        {file.MediaType},
	})
	if err != nil {
		return nil, "", err
	}
	_, _ = part.Write(file.Content)
	err = w.Close()
	return out.Bytes(), w.FormDataContentType(), err
}

// quote escapes a file name as browsers do (HTML, multipart form data).
var quote = strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A")
