package provider

import (
	"errors"
	"io"
	"net/http"
)

// Bounded limits the size of the answers to maxAnswer.
type Bounded struct{ Through http.RoundTripper }

var errTooLong = errors.New("the answer is too long")

// RoundTrip refuses an answer with too large a Content-Length, and stops reading one that
// turns out to be too large.
func (b Bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.Through.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.ContentLength > maxAnswer {
		_ = answer.Body.Close()
		return nil, errTooLong
	}
	answer.Body = &boundedBody{answer.Body, maxAnswer + 1}
	return answer, nil
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
