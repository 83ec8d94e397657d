// Package sigv4 signs requests as Amazon's services and those that follow them ask for: Signature Version 4, published as "AWS
// Signature Version 4 for API requests" in the IAM User Guide.
package sigv4

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	algorithm = "AWS4-HMAC-SHA256"
	stamp     = "20060102T150405Z"
	day       = "20060102"
)

// Key is an access key and where it is used.
type Key struct {
	ID, Secret      string
	Region, Service string
}

// Sign adds the date, the digest of the body if it belongs to s3, and the signature to a request. All headers that are set before
// are signed.
func (k Key) Sign(r *http.Request, body []byte, at time.Time) {
	at = at.UTC()
	digest := hexOf(body)
	r.Header.Set("X-Amz-Date", at.Format(stamp))
	if k.Service == "s3" {
		r.Header.Set("X-Amz-Content-Sha256", digest)
	}
	names, headers := signedHeaders(r)
	canonical := strings.Join([]string{r.Method, k.path(r.URL), query(r.URL), headers, names, digest}, "\n")
	scope := strings.Join([]string{at.Format(day), k.Region, k.Service, "aws4_request"}, "/")
	text := strings.Join([]string{algorithm, at.Format(stamp), scope, hexOf([]byte(canonical))}, "\n")
	signature := hex.EncodeToString(mac(k.key(at), text))
	r.Header.Set("Authorization", algorithm+" Credential="+k.ID+"/"+scope+", SignedHeaders="+names+", Signature="+signature)
}

// key derives the key of a day, a region and a service.
func (k Key) key(at time.Time) []byte {
	key := []byte("AWS4" + k.Secret)
	for _, part := range []string{at.Format(day), k.Region, k.Service, "aws4_request"} {
		key = mac(key, part)
	}
	return key
}

// path returns the path as it is signed: encoded once for s3, and the encoded path once more for all others.
func (k Key) path(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		return "/"
	}
	if k.Service == "s3" {
		return path
	}
	return Escape(path, true)
}

// query returns the parameters, sorted by name and value.
func query(u *url.URL) string {
	var pairs []string
	for name, values := range u.Query() {
		for _, value := range values {
			pairs = append(pairs, Escape(name, false)+"="+Escape(value, false))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

func signedHeaders(r *http.Request) (names, headers string) {
	values := map[string]string{"host": r.URL.Host}
	if r.Host != "" {
		values["host"] = r.Host
	}
	for name, all := range r.Header {
		values[strings.ToLower(name)] = strings.Join(strings.Fields(strings.Join(all, ",")), " ")
	}
	var sorted []string
	for name := range values {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	var lines strings.Builder
	for _, name := range sorted {
		lines.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(sorted, ";"), lines.String()
}

// Escape encodes every byte except letters, digits and - . _ ~; a slash only if it is no separator.
func Escape(text string, keepSlash bool) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', strings.IndexByte("-._~", b) >= 0, keepSlash && b == '/':
			out.WriteByte(b)
		default:
			out.WriteString("%" + string(digits[b>>4]) + string(digits[b&15]))
		}
	}
	return out.String()
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

func hexOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
