package app

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
)

// callback is the path to which HMRC redirects users after consent.
const callback = "/api/tax/connection/callback"

// connectHMRC connects to Making Tax Digital if it is configured.
func (a *App) connectHMRC() error {
	c := a.Config.MTD
	settings := mtd.Settings{
		BaseURL: c.URL, ConsentURL: c.ConsentURL, ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.RedirectURL, Vendor: a.vendor(), Middleware: a.middleware(metrics.HMRC),
	}
	if !settings.Enabled() {
		return nil
	}
	if settings.RedirectURL == "" {
		settings.RedirectURL = strings.TrimRight(a.Config.PublicURL, "/") + callback
	}
	client, err := mtd.New(settings, a.metrics.Limiter(metrics.HMRC, a.mtdLimiter()), a.deps.trueTime)
	if err != nil {
		return fmt.Errorf("app: %w", err)
	}
	a.VAT.Client, a.VAT.Sealer = client, a.webhooks.sealer
	a.requests.Authorities[submission.Authority] = client.Consent
	if c.PublicIP == "" {
		a.deps.Log.Warn("TIDEWAITER_MTD_PUBLIC_IP is not set; the fraud prevention headers that name it are left out")
	}
	return nil
}

// vendor describes this software to HMRC, in fraud prevention headers.
func (a *App) vendor() mtd.Vendor {
	v := mtd.Vendor{Product: a.Config.MTD.Product, Versions: []mtd.Pair{{Name: "tidewaiter", Value: a.deps.Version}}}
	v.PublicIP, _ = netip.ParseAddr(a.Config.MTD.PublicIP)
	return v
}

// mtdLimiter keeps to HMRC's rate limit, which applies to an application: it is shared with CDS if both use the same
// one.
func (a *App) mtdLimiter() client.Limiter {
	if a.Config.Customs.Mode == "hmrc" && a.Config.Customs.ClientID == a.Config.MTD.ClientID {
		return a.cds.limiter
	}
	return a.hmrcLimiter("mtd", a.Config.MTD.Rate)
}

// hmrcQueues returns the queues of Making Tax Digital; nil if it is off. Periods have one worker and a queue of their
// own, so that returns never wait for them.
func (a *App) hmrcQueues() []jobs.Queue {
	if !a.VAT.IsEnabled() {
		return nil
	}
	return []jobs.Queue{
		{Name: submission.SendQueue, Workers: 4, Do: a.VAT.Send, Backoff: sendBackoff},
		{Name: submission.PeriodsQueue, Workers: 1, Do: a.VAT.FetchPeriods, Backoff: periodsBackoff},
	}
}

// periodsBackoff is for errors of this service while it asks for periods: retries for a day. HMRC's answer, or a timeout,
// schedules the next request itself.
var periodsBackoff = []time.Duration{time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 17 * time.Hour}

// sendBackoff is for errors of this service while sending. An answer of CDS completes a transmission.
var sendBackoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 5 * time.Minute, time.Hour}
