package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Limits of a look at an address.
const (
	reachPatience = 5 * time.Second
	reachHeader   = 64 << 10
)

// Before a certificate ends there must be time to get another.
const (
	certificateWorry = 21 * day
	certificateIll   = 3 * day
	day              = 24 * time.Hour
)

// Endpoint is somebody on whom the service depends.
type Endpoint struct {
	Name  string
	URL   string
	Vital bool // without it the service cannot do what it is set up for
}

// Reached is what a look at an address showed.
type Reached struct {
	Endpoint    Endpoint
	Err         error
	Status      int
	Asked       time.Time
	Answered    time.Time
	Date        time.Time // by the other's clock; zero when it does not say
	Certificate time.Time // end of the certificate; zero without TLS
}

// Reacher looks at addresses.
type Reacher struct {
	Now   func() time.Time
	Roots *x509.CertPool // whose certificates count; those of the system when nil
}

// Reach asks an address for anything at all: whatever it answers, it is there. It
// follows no redirect, so that the certificate is that of the address.
func (l Reacher) Reach(ctx context.Context, e Endpoint) Reached {
	ctx, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	r := Reached{Endpoint: e}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		r.Err = err
		return r
	}
	client := http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: reachHeader,
			TLSClientConfig: &tls.Config{RootCAs: l.Roots, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	r.Asked = l.Now()
	response, err := client.Do(request)
	r.Answered = l.Now()
	if err != nil {
		r.Err = err
		return r
	}
	_ = response.Body.Close()
	r.Status = response.StatusCode
	r.Date, _ = http.ParseTime(response.Header.Get("Date"))
	if response.TLS != nil {
		r.Certificate = response.TLS.PeerCertificates[0].NotAfter
	}
	return r
}

// Judge says what a look at an address means.
func (r Reached) Judge() Check {
	name := r.Endpoint.Name
	grave := Worry
	if r.Endpoint.Vital {
		grave = Ill
	}
	var invalid x509.CertificateInvalidError
	left := r.Certificate.Sub(r.Answered)
	switch {
	case errors.As(r.Err, &invalid) && invalid.Reason == x509.Expired:
		return grave(name, "renew the certificate of "+r.Endpoint.URL, "the certificate has expired, or is not valid yet")
	case r.Err != nil:
		return grave(name, "see whether name resolution, firewall, proxy (HTTPS_PROXY) and the address itself are right", "cannot be reached: %v", r.Err)
	case r.Status >= http.StatusInternalServerError:
		return Worry(name, "wait, and ask whoever runs it", "answers %d at %s", r.Status, r.Endpoint.URL)
	case r.Certificate.IsZero():
		return Well(name, "reached in %s, without TLS", r.took())
	case left < certificateIll:
		return grave(name, "renew the certificate of "+r.Endpoint.URL, "the certificate ends %s", r.Certificate.Format(time.DateOnly))
	case left < certificateWorry:
		return Worry(name, "renew the certificate of "+r.Endpoint.URL, "the certificate ends %s", r.Certificate.Format(time.DateOnly))
	}
	return Well(name, "reached in %s, certificate until %s", r.took(), r.Certificate.Format(time.DateOnly))
}

func (r Reached) took() string { return fmt.Sprint(r.Answered.Sub(r.Asked).Round(time.Millisecond)) }
