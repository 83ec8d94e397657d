package sigv4_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination/sigv4"
)

// Requests and signatures that Amazon has published: the suite of tests for Signature Version 4 (get-vanilla,
// get-vanilla-query-order-key-case, post-vanilla, post-x-www-form-urlencoded), the example of the IAM User Guide, and those of "Authenticating
// Requests" in the S3 API Reference.
func TestPublishedSignatures(t *testing.T) {
	suite := sigv4.Key{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Region: "us-east-1", Service: "service"}
	guide := suite
	guide.Service = "iam"
	storage := sigv4.Key{ID: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", Region: "us-east-1", Service: "s3"}
	at, day := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC), time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		key               sigv4.Key
		at                time.Time
		method, url, body string
		header            map[string]string
		signature         string
	}{
		"vanilla":         {suite, at, "GET", "https://example.amazonaws.com/", "", nil, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
		"query order":     {suite, at, "GET", "https://example.amazonaws.com/?Param2=value2&Param1=value1", "", nil, "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
		"post":            {suite, at, "POST", "https://example.amazonaws.com/", "", nil, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
		"form":            {suite, at, "POST", "https://example.amazonaws.com/", "Param1=value1", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
		"users of IAM":    {guide, at, "GET", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08", "", map[string]string{"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}, "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"},
		"object of S3":    {storage, day, "PUT", "https://examplebucket.s3.amazonaws.com/test%24file.text", "Welcome to Amazon S3.", map[string]string{"Date": "Fri, 24 May 2013 00:00:00 GMT", "X-Amz-Storage-Class": "REDUCED_REDUNDANCY"}, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
		"lifecycle of S3": {storage, day, "GET", "https://examplebucket.s3.amazonaws.com/?lifecycle", "", nil, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		"list of S3":      {storage, day, "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", "", nil, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(c.method, c.url, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			c.key.Sign(r, []byte(c.body), c.at)
			if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+c.signature) {
				t.Errorf("%s, want %s", got, c.signature)
			}
		})
	}
}
