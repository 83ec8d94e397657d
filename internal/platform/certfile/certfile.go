// Package certfile serves a TLS certificate from files that are replaced while the service
// runs.
package certfile

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// maxFile limits the size of a certificate or key file in bytes.
const maxFile = 1 << 20

// Certificate is the certificate in use.
type Certificate struct {
	certFile, keyFile string
	now               func() time.Time
	log               *slog.Logger

	current atomic.Pointer[tls.Certificate]
	seen    [sha256.Size]byte // digest of the files that were last looked at
}

// Open reads a certificate (PEM, with its chain) and its key (PEM).
func Open(certFile, keyFile string, now func() time.Time, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, now: now, log: log}
	cert, seen, err := c.read()
	if err != nil {
		return nil, err
	}
	c.seen = seen
	c.use(cert)
	return c, nil
}

// Check reads the files as Open does, and returns when the certificate expires.
func Check(certFile, keyFile string, now func() time.Time) (time.Time, error) {
	cert, _, err := (&Certificate{certFile: certFile, keyFile: keyFile, now: now}).read()
	if err != nil {
		return time.Time{}, err
	}
	return cert.Leaf.NotAfter, nil
}

// Get is the function that tls.Config.GetCertificate wants.
func (c *Certificate) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

// NotAfter is when the certificate in use expires.
func (c *Certificate) NotAfter() time.Time { return c.current.Load().Leaf.NotAfter }

// Watch looks at the files at an interval until ctx ends, and whenever again receives. After
// a look that again asked for it sends on done, if that is not nil.
func (c *Certificate) Watch(ctx context.Context, every time.Duration, again <-chan chan<- error) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = c.look()
		case done := <-again:
			done <- c.look()
		}
	}
}

// look takes new files into use. If they cannot be used the certificate stays as it is; that
// is logged once for the same content.
func (c *Certificate) look() error {
	cert, seen, err := c.read()
	if err == nil && seen == c.seen {
		return nil
	}
	if err != nil {
		if seen == ([sha256.Size]byte{}) || seen != c.seen {
			c.log.Error("cannot use the new TLS certificate, the old one stays in use", "certificate", c.certFile, "key", c.keyFile,
				"error", err, "oldExpires", c.NotAfter())
		}
		c.seen = seen
		return err
	}
	c.seen = seen
	c.use(cert)
	return nil
}

func (c *Certificate) use(cert *tls.Certificate) {
	c.current.Store(cert)
	c.log.Info("TLS certificate in use", "certificate", c.certFile, "subject", cert.Leaf.Subject.String(), "expires", cert.Leaf.NotAfter)
}

// read returns the certificate in the files, and a digest of what they hold; the digest is
// zero if they cannot be read.
func (c *Certificate) read() (*tls.Certificate, [sha256.Size]byte, error) {
	var seen [sha256.Size]byte
	chain, err := readFile(c.certFile)
	if err != nil {
		return nil, seen, err
	}
	key, err := readFile(c.keyFile)
	if err != nil {
		return nil, seen, err
	}
	seen = sha256.Sum256(append(append(append([]byte{}, chain...), 0), key...))
	cert, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, seen, fmt.Errorf("certfile: %s and %s: %w", c.certFile, c.keyFile, err)
	}
	if end := cert.Leaf.NotAfter; c.now().After(end) {
		return nil, seen, fmt.Errorf("certfile: %s expired at %s", c.certFile, end.Format(time.RFC3339))
	}
	return &cert, seen, nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("certfile: %w", err)
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("certfile: %s has more than %d bytes", path, maxFile)
	}
	text, err := os.ReadFile(path) // #nosec G304 -- a setting names it
	if err != nil {
		return nil, fmt.Errorf("certfile: %w", err)
	}
	return text, nil
}
