package attachment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Scanner runs a program that looks for viruses.
type Scanner struct {
	Command []string      // the program and its arguments
	Timeout time.Duration // of one file
	Env     []string      // environment of the program; nil for the service's own, which has secrets
}

// Verdict is the result of a scan.
type Verdict struct {
	Infected bool
	Reason   string // what the program printed, if the file is infected
}

const (
	infected   = 1           // exit status of the program for an infected file
	maxOutput  = 4 << 10     // bytes of the program's output that are read
	maxReason  = 200         // characters of a reason
	pipesDelay = time.Second // for the program's children after its end
)

// Scan passes a file to the program on its standard input. Exit status 0 means clean, 1 infected; any other end is an error,
// after which the file is scanned again.
func (s *Scanner) Scan(ctx context.Context, content []byte) (Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	var output limitedBuffer
	c := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...) // #nosec G204 -- a setting of the operator
	c.Stdin, c.Stdout, c.Stderr, c.WaitDelay = bytes.NewReader(content), &output, &output, pipesDelay
	c.Env = s.Env
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Verdict{}, fmt.Errorf("attachment: scan: no result within %s: %w", s.Timeout, ctx.Err())
	case err == nil:
		return Verdict{}, nil
	case errors.As(err, &exit) && exit.ExitCode() == infected:
		return Verdict{Infected: true, Reason: reason(output.String())}, nil
	}
	return Verdict{}, fmt.Errorf("attachment: scan: %w: %s", err, reason(output.String()))
}

// Examine passes a file to the scanner before it is stored. The error is one for the caller: the file is infected, or could not
// be scanned. Without a scanner every file passes.
func (s *Scanner) Examine(ctx context.Context, f File) error {
	if s == nil {
		return nil
	}
	verdict, err := s.Scan(ctx, f.Content)
	switch {
	case err != nil:
		return apierr.New(apierr.Overloaded, "The file %s could not be scanned for viruses. Send it again in a moment.", f.Name).WithCause(err)
	case verdict.Infected:
		return apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf("%s is infected: %s", f.Name, verdict.Reason)})
	}
	return nil
}

// reason returns the output as one short line.
func reason(output string) string {
	text := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(output, "_")), " "))
	return string(text[:min(len(text), maxReason)])
}

// limitedBuffer keeps the first maxOutput bytes.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if room := maxOutput - b.Len(); room > 0 {
		_, _ = b.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
