// Package sqs delivers events to a queue of Amazon SQS with the JSON protocol of its API. In a FIFO queue the events of a record
// are a group, and a delivery that is repeated within five minutes is dropped by the queue.
package sqs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sigv4"
)

const (
	maxMessage = 1 << 20 // bytes that SQS accepts, with attributes, as of August 2025
	fifo       = ".fifo"
)

// Kind is the kind sqs.
type Kind struct{}

// Problems returns every problem of settings that shows without a connection.
func (Kind) Problems(n destination.Network, s destination.Settings) []apierr.Detail {
	u, _, err := readAddress(n, s.URL)
	details := destination.Problem("url", err)
	needed := []string{"region"}
	if err == nil && regionOf(u) != "" {
		needed = nil
	}
	details = append(details, s.Config.Problems("sqs", needed, []string{"region"})...)
	return append(details, s.Credentials.Problems(destination.AccessKey)...)
}

func readAddress(n destination.Network, text string) (u *url.URL, plain bool, err error) {
	u, plain, err = n.CheckURL(text)
	if err == nil && (strings.Trim(u.Path, "/") == "" || u.RawQuery != "") {
		err = errors.New("must be the address of a queue, such as https://sqs.eu-west-2.amazonaws.com/123456789012/events")
	}
	return u, plain, err
}

// regionOf returns the region in Amazon's address of a queue; empty for other addresses.
func regionOf(u *url.URL) string {
	parts := strings.Split(u.Hostname(), ".")
	if len(parts) >= 4 && parts[0] == "sqs" && parts[2] == "amazonaws" {
		return parts[1]
	}
	return ""
}

// Open returns a destination.
func (Kind) Open(n destination.Network, s destination.Settings) (destination.Destination, error) {
	u, plain, err := readAddress(n, s.URL)
	if err != nil {
		return nil, err
	}
	key := sigv4.Key{ID: s.Credentials.AccessKeyID, Secret: s.Credentials.SecretAccessKey, Region: s.Config.Region, Service: "sqs"}
	if key.Region == "" {
		key.Region = regionOf(u)
	}
	service := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}
	return &queue{url: s.URL, service: service.String(), client: destination.NewClient(n, key, plain)}, nil
}

// queue is a destination.
type queue struct {
	url     string
	service string // where requests go
	client  *destination.Client
}

type attribute struct {
	DataType    string
	StringValue string
}

// send is the request SendMessage.
type send struct {
	QueueURL               string               `json:"QueueUrl"`
	MessageBody            string               `json:"MessageBody"`
	MessageAttributes      map[string]attribute `json:"MessageAttributes"`
	MessageGroupID         string               `json:"MessageGroupId,omitempty"`
	MessageDeduplicationID string               `json:"MessageDeduplicationId,omitempty"`
}

// Send sends a message.
func (d *queue) Send(ctx context.Context, messages []destination.Message) (destination.Answer, error) {
	m := messages[0]
	out := send{QueueURL: d.url, MessageBody: m.Body, MessageAttributes: map[string]attribute{}}
	size := len(m.Body)
	for name, values := range m.Header {
		value := strings.Join(values, ", ")
		out.MessageAttributes[name] = attribute{"String", value}
		size += len(name) + len("String") + len(value)
	}
	if size > maxMessage {
		return destination.Answer{}, destination.Refuse("", "the message is larger than the 1 MiB that SQS accepts")
	}
	if strings.HasSuffix(d.url, fifo) {
		out.MessageGroupID, out.MessageDeduplicationID = m.RecordID, m.ID
	}
	var sent struct{ MessageID string }
	status, err := d.call(ctx, "SendMessage", out, &sent)
	if err != nil {
		return destination.Answer{Status: status}, err
	}
	return destination.Answer{Status: status, Text: "message " + sent.MessageID}, nil
}

// Check asks for an attribute of the queue.
func (d *queue) Check(ctx context.Context) error {
	_, err := d.call(ctx, "GetQueueAttributes", map[string]any{"QueueUrl": d.url, "AttributeNames": []string{"QueueArn"}}, nil)
	return err
}

// Close closes the idle connections.
func (d *queue) Close() { d.client.Close() }

// call makes a request, and reads its answer into into unless that is nil.
func (d *queue) call(ctx context.Context, action string, in, into any) (status int, err error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(in); err != nil {
		return 0, err
	}
	r, err := http.NewRequest(http.MethodPost, d.service, bytes.NewReader(body.Bytes()))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	status, answer, err := d.client.Do(ctx, r, body.Bytes())
	if err != nil {
		return status, err
	}
	if status != http.StatusOK {
		return status, refusal(status, answer)
	}
	if into != nil && json.Unmarshal(answer, into) != nil {
		return status, &destination.Refusal{Why: "the service does not answer as SQS does", Status: status}
	}
	return status, nil
}

// keyErrors are the codes for credentials that are not accepted.
var keyErrors = []string{
	"AccessDenied", "AccessDeniedException", "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidSignatureException", "InvalidSecurity",
	"MissingAuthenticationTokenException", "SignatureDoesNotMatch", "UnrecognizedClientException",
}

func refusal(status int, answer []byte) error {
	var said struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal(answer, &said) // no JSON, no reason
	code := said.Type[strings.LastIndexByte(said.Type, '#')+1:]
	field := ""
	switch {
	case slices.Contains(keyErrors, code):
		field = "credentials"
	case strings.Contains(code, "QueueDoesNotExist"), strings.Contains(code, "NonExistentQueue"):
		return &destination.Refusal{Field: "url", Why: "the queue does not exist", Status: status}
	}
	return destination.Refused(field, status, code, said.Message)
}
