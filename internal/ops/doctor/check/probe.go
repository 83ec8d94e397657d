package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Limits of a request to an endpoint.
const (
	probeTimeout   = 5 * time.Second
	probeMaxHeader = 64 << 10 // bytes
)

// Before a certificate expires there must be time to get another.
const (
	certificateWarn = 21 * day
	certificateFail = 3 * day
	day             = 24 * time.Hour
)

// Endpoint is another service that this one needs.
type Endpoint struct {
	Name     string
	URL      string
	Required bool // an endpoint that fails makes the deployment unhealthy
}

// Probe is the result of a request to an endpoint.
type Probe struct {
	Endpoint    Endpoint
	Err         error
	Status      int
	Asked       time.Time
	Answered    time.Time
	Date        time.Time // by the endpoint's clock; zero if it sent none
	Certificate time.Time // when the certificate expires; zero without TLS
}

// Prober sends requests to endpoints.
type Prober struct {
	Now   func() time.Time
	Roots *x509.CertPool // trusted certificate authorities; nil for those of the system
}

// Probe sends one request. Every answer counts. It follows no redirect, so that the certificate is that of the URL.
func (l Prober) Probe(ctx context.Context, e Endpoint) Probe {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	p := Probe{Endpoint: e}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		p.Err = err
		return p
	}
	client := http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, MaxResponseHeaderBytes: probeMaxHeader,
			TLSClientConfig: &tls.Config{RootCAs: l.Roots, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	p.Asked = l.Now()
	response, err := client.Do(request)
	p.Answered = l.Now()
	if err != nil {
		p.Err = err
		return p
	}
	_ = response.Body.Close()
	p.Status = response.StatusCode
	p.Date, _ = http.ParseTime(response.Header.Get("Date"))
	if response.TLS != nil {
		p.Certificate = response.TLS.PeerCertificates[0].NotAfter
	}
	return p
}

// Result checks answer and certificate.
func (p Probe) Result() Result {
	name := p.Endpoint.Name
	fail := Warning
	if p.Endpoint.Required {
		fail = Failed
	}
	var invalid x509.CertificateInvalidError
	left := p.Certificate.Sub(p.Answered)
	renew := "renew the certificate of " + p.Endpoint.URL
	switch {
	case errors.As(p.Err, &invalid) && invalid.Reason == x509.Expired:
		return fail(name, renew, "the certificate has expired, or is not valid yet")
	case p.Err != nil:
		return fail(name, "check name resolution, firewall, proxy (HTTPS_PROXY) and the address itself", "cannot be reached: %v", p.Err)
	case p.Status >= http.StatusInternalServerError:
		return Warning(name, "wait, or ask its operator", "answers %d at %s", p.Status, p.Endpoint.URL)
	case p.Certificate.IsZero():
		return Passed(name, "reached in %s, without TLS", p.duration())
	case left < certificateFail:
		return fail(name, renew, "the certificate expires %s", p.Certificate.Format(time.DateOnly))
	case left < certificateWarn:
		return Warning(name, renew, "the certificate expires %s", p.Certificate.Format(time.DateOnly))
	}
	return Passed(name, "reached in %s, certificate until %s", p.duration(), p.Certificate.Format(time.DateOnly))
}

func (p Probe) duration() string { return fmt.Sprint(p.Answered.Sub(p.Asked).Round(time.Millisecond)) }
