package publisher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Limits of fetching one table.
const (
	attempts    = 6
	firstPause  = time.Second // doubled after every attempt
	maxPause    = time.Minute // also if the publisher asks for more
	headerWait  = time.Minute // until the answer begins
	stallWait   = 30 * time.Second
	maxRedirect = 5
	maxFile     = 4 << 30
)

var (
	errLongFile  = fmt.Errorf("the answer is longer than %d GB", maxFile>>30)
	errCutShort  = errors.New("the answer was cut short")
	errNoLength  = errors.New("the answer does not say how long it is, so that it may be a part")
	errStalled   = errors.New("the answer came to a halt")
	errOtherPart = errors.New("the answer is another part than was asked for")
)

// refused is an answer that another attempt does not change.
type refused struct{ status int }

func (r refused) Error() string {
	return fmt.Sprintf("the publisher answers %d %s", r.status, http.StatusText(r.status))
}

// fetching is the download of a table into a file.
type fetching struct {
	client  *http.Client
	address string
	into    *os.File
	have    int64
	etag    string // ETag of the part that was read
	final   string // address after redirects
	pause   time.Duration
}

// run downloads a table. It continues an interrupted download if the publisher can send the
// rest of the same table.
func (f *fetching) run(ctx context.Context) error {
	wait := firstPause
	for n := 1; ; n++ {
		err := f.attempt(ctx)
		if err == nil || isPermanent(err) || n == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(wait, f.pause)):
		}
		wait = min(2*wait, maxPause)
	}
}

// isPermanent reports whether another attempt would have the same result.
func isPermanent(err error) bool {
	var answer refused
	for _, final := range []error{errLongFile, errNoLength, errAddress} {
		if errors.Is(err, final) {
			return true
		}
	}
	return errors.As(err, &answer)
}

func (f *fetching) attempt(ctx context.Context) error {
	f.pause = 0
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/csv")
	request.Header.Set("Accept-Encoding", "identity")
	if f.have > 0 && f.etag != "" {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", f.have))
		request.Header.Set("If-Range", f.etag)
	}
	answer, err := f.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := f.begin(answer); err != nil {
		return err
	}
	return f.copy(ctx, stop, answer)
}

// begin checks the header of an answer, and starts again if it is not the rest.
func (f *fetching) begin(answer *http.Response) error {
	f.final = answer.Request.URL.String()
	switch code := answer.StatusCode; {
	case code == http.StatusOK:
		f.have, f.etag = 0, answer.Header.Get("ETag")
		if strings.HasPrefix(f.etag, "W/") {
			f.etag = ""
		}
	case code == http.StatusPartialContent && f.have > 0:
		if !strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", f.have)) {
			f.etag = ""
			return errOtherPart
		}
	case code == http.StatusTooManyRequests || code >= 500:
		f.pause = min(retryAfter(answer), maxPause)
		return fmt.Errorf("the publisher answers %d", code)
	default:
		return refused{code}
	}
	if answer.ContentLength < 0 && answer.TransferEncoding == nil && answer.ProtoMajor < 2 {
		return errNoLength
	}
	if answer.ContentLength > maxFile-f.have {
		return errLongFile
	}
	if err := f.into.Truncate(f.have); err != nil {
		return err
	}
	_, err := f.into.Seek(f.have, io.SeekStart)
	return err
}

func retryAfter(answer *http.Response) time.Duration {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > int(maxPause/time.Second) {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// copy reads the answer until it ends, is too long or stalls.
func (f *fetching) copy(ctx context.Context, stop context.CancelCauseFunc, answer *http.Response) error {
	halt := time.AfterFunc(stallWait, func() { stop(errStalled) })
	defer halt.Stop()
	buffer := make([]byte, 64<<10)
	for {
		n, err := answer.Body.Read(buffer)
		halt.Reset(stallWait)
		if _, failed := f.into.Write(buffer[:n]); failed != nil {
			return failed
		}
		if f.have += int64(n); f.have > maxFile {
			return errLongFile
		}
		switch {
		case errors.Is(err, io.EOF):
			return f.checkLength(answer)
		case err != nil:
			return errors.Join(errCutShort, err, context.Cause(ctx))
		}
	}
}

// checkLength compares the length of what was read with that of the table.
func (f *fetching) checkLength(answer *http.Response) error {
	if _, total, ok := strings.Cut(answer.Header.Get("Content-Range"), "/"); ok && total != "*" && total != strconv.FormatInt(f.have, 10) {
		return errCutShort
	}
	return nil
}
