// Package s3 delivers events to a bucket of S3-compatible storage: an object for each batch, with one event a line. A batch
// counts as delivered when its object is stored.
package s3

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sigv4"
)

const (
	scheme    = "s3://"
	maxPrefix = 512

	usualEvery = 10 // seconds

	checkName = "tidewaiter-check" // object that a check writes
	keyTime   = "2006/01/02/20060102T150405.000Z"
)

var bucketName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// Kind is the kind s3.
type Kind struct{}

// Problems returns every problem of settings that shows without a connection.
func (Kind) Problems(n destination.Network, s destination.Settings) []apierr.Detail {
	_, _, err := readAddress(s.URL)
	details := append(destination.Problem("url", err), s.Config.Problems("s3", []string{"region"}, []string{"endpoint", "every"})...)
	if s.Config.Endpoint != "" {
		u, _, err := n.CheckURL(s.Config.Endpoint)
		if err == nil && (u.Path != "" && u.Path != "/" || u.RawQuery != "") {
			err = errors.New("must end after the host")
		}
		details = append(details, destination.Problem("config.endpoint", err)...)
	} else if strings.ContainsAny(s.Config.Region, "/.:@?#% ") {
		details = append(details, apierr.Detail{Field: "config.region", Message: "must be the name of a region, such as eu-west-2"})
	}
	return append(details, s.Credentials.Problems(destination.AccessKey)...)
}

// Every returns how long an event waits for others of its object.
func (Kind) Every(s destination.Settings) time.Duration {
	return time.Duration(cmp.Or(s.Config.Every, usualEvery)) * time.Second
}

// readAddress reads s3://bucket/prefix. The prefix ends in a slash unless it is empty.
func readAddress(text string) (bucket, prefix string, err error) {
	rest, found := strings.CutPrefix(text, scheme)
	bucket, prefix, _ = strings.Cut(rest, "/")
	prefix = strings.Trim(prefix, "/")
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	switch {
	case !found || !bucketName.MatchString(bucket) || strings.Contains(bucket, ".."):
		return "", "", errors.New("must be s3:// and the name of a bucket, and may have a prefix: s3://bucket/prefix")
	case len(prefix) > maxPrefix || strings.ContainsAny(prefix, "?#\\") || strings.ContainsFunc(prefix, control) || slices.Contains(strings.Split(prefix, "/"), ".."):
		return "", "", fmt.Errorf("must have a prefix of at most %d bytes without .. and any of ? # and the backslash", maxPrefix)
	}
	if prefix != "" {
		prefix += "/"
	}
	return bucket, prefix, nil
}

// Open returns a destination.
func (Kind) Open(n destination.Network, s destination.Settings) (destination.Destination, error) {
	bucket, prefix, err := readAddress(s.URL)
	if err != nil {
		return nil, err
	}
	base, plain := "https://"+bucket+".s3."+s.Config.Region+".amazonaws.com/", false
	if strings.Contains(bucket, ".") { // a certificate for *.s3 does not cover it
		base = "https://s3." + s.Config.Region + ".amazonaws.com/" + bucket + "/"
	}
	if s.Config.Endpoint != "" {
		var u *url.URL
		if u, plain, err = n.CheckURL(s.Config.Endpoint); err != nil {
			return nil, err
		}
		base = u.Scheme + "://" + u.Host + "/" + bucket + "/"
	}
	key := sigv4.Key{ID: s.Credentials.AccessKeyID, Secret: s.Credentials.SecretAccessKey, Region: s.Config.Region, Service: "s3"}
	return &bucketed{base: base, prefix: prefix, client: destination.NewClient(n, key, plain)}, nil
}

// bucketed is a destination.
type bucketed struct {
	base   string // address of the bucket, with a slash at the end
	prefix string
	client *destination.Client
}

// Send stores messages as one object, named by the time and the place in the trail of its first event, so that the order of the
// names is that of the events. The same messages make the same object, so that a batch that is repeated replaces it.
func (d *bucketed) Send(ctx context.Context, messages []destination.Message) (destination.Answer, error) {
	var body strings.Builder
	ids := sha256.New()
	for _, m := range messages {
		body.WriteString(m.Body + "\n")
		ids.Write([]byte(m.ID))
	}
	sum := hex.EncodeToString(ids.Sum(nil)[:16])
	key := fmt.Sprintf("%s%s-%012d-%s.ndjson", d.prefix, messages[0].CreatedAt.UTC().Format(keyTime), messages[0].Sequence, sum)
	header := http.Header{}
	for name, values := range messages[0].Sign(sum, body.String()) {
		header["X-Amz-Meta-"+name] = values
	}
	header.Set("Content-Type", "application/x-ndjson")
	status, err := d.put(ctx, key, body.String(), header)
	if err != nil {
		return destination.Answer{Status: status}, err
	}
	return destination.Answer{Status: status, Text: "object " + key}, nil
}

// Check writes an empty object, which needs no other permission than deliveries.
func (d *bucketed) Check(ctx context.Context) error {
	_, err := d.put(ctx, d.prefix+checkName, "", http.Header{})
	return err
}

// Close closes the idle connections.
func (d *bucketed) Close() { d.client.Close() }

func (d *bucketed) put(ctx context.Context, key, body string, header http.Header) (status int, err error) {
	r, err := http.NewRequest(http.MethodPut, d.base+sigv4.Escape(key, true), bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	r.Header = header
	status, answer, err := d.client.Do(ctx, r, []byte(body))
	if err != nil || status == http.StatusOK {
		return status, err
	}
	return status, refusal(status, answer)
}

// keyErrors are the codes for credentials that are not accepted.
var keyErrors = []string{"AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "AccountProblem"}

func refusal(status int, answer []byte) error {
	var said struct {
		Code    string
		Message string
	}
	_ = xml.Unmarshal(answer, &said) // no XML, no reason
	field := ""
	switch {
	case said.Code == "NoSuchBucket":
		return &destination.Refusal{Field: "url", Why: "the bucket does not exist", Status: status}
	case slices.Contains(keyErrors, said.Code), said.Code == "" && status == http.StatusForbidden:
		field = "credentials"
	case status == http.StatusMovedPermanently, said.Code == "AuthorizationHeaderMalformed":
		field = "config.region"
	}
	return destination.Refused(field, status, said.Code, said.Message)
}
