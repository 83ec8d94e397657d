package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"sort"
	"strings"
)

var authorization = regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$`)

// signed lets only requests pass whose Signature Version 4 is right. It was written from the published description, apart from
// the code that it checks. A GET without a signature is the test's own.
func signed(s settings, service string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if code := s.check(r, service, body); code != "" {
			w.WriteHeader(http.StatusForbidden)
			refuse(w, service, code, "refused by the test")
			return
		}
		if s.refused(w, service) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// check returns the code of what is wrong with a signature; empty if it is right.
func (s settings) check(r *http.Request, service string, body []byte) string {
	parts := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if parts == nil {
		return "MissingAuthenticationTokenException"
	}
	id, date, region, of, names, signature := parts[1], parts[2], parts[3], parts[4], strings.Split(parts[5], ";"), parts[6]
	at := r.Header.Get("X-Amz-Date")
	if id != s.user {
		return "InvalidAccessKeyId"
	}
	if of != service || !strings.HasPrefix(at, date) || !sort.StringsAreSorted(names) {
		return "SignatureDoesNotMatch"
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(body))
	if service == "s3" && r.Header.Get("X-Amz-Content-Sha256") != digest {
		return "XAmzContentSHA256Mismatch"
	}
	lines := []string{r.Method, signedPath(r.URL, service), r.URL.RawQuery}
	for _, name := range names {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
		}
		if name == "content-length" {
			value = fmt.Sprint(r.ContentLength)
		}
		lines = append(lines, name+":"+strings.TrimSpace(value))
	}
	lines = append(lines, "", strings.Join(names, ";"), digest)
	scope := date + "/" + region + "/" + service + "/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + at + "\n" + scope + "\n" + fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
	key := []byte("AWS4" + s.password)
	for _, part := range []string{date, region, service, "aws4_request", text} {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(part))
		key = h.Sum(nil)
	}
	if fmt.Sprintf("%x", key) != signature {
		return "SignatureDoesNotMatch"
	}
	return ""
}

// signedPath is the path of a request as the caller has encoded it; services other than s3 encode it once more.
func signedPath(u *url.URL, service string) string {
	if service == "s3" {
		return u.EscapedPath()
	}
	return strings.ReplaceAll(u.EscapedPath(), "%", "%25")
}
