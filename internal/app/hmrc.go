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

// callback is where HMRC sends people back to, at the public address.
const callback = "/api/tax/connection/callback"

// connectHMRC sets the way to Making Tax Digital up, where it is on.
func (a *App) connectHMRC() error {
	c := a.Config.MTD
	settings := mtd.Settings{
		BaseURL: c.URL, ConsentURL: c.ConsentURL, ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.RedirectURL, Vendor: a.vendor(), Middleware: a.around(metrics.HMRC),
	}
	if !settings.On() {
		return nil
	}
	if settings.RedirectURL == "" {
		settings.RedirectURL = strings.TrimRight(a.Config.PublicURL, "/") + callback
	}
	client, err := mtd.New(settings, a.metrics.Turns(metrics.HMRC, a.mtdLimiter()), a.deps.right)
	if err != nil {
		return fmt.Errorf("app: %w", err)
	}
	a.VAT.Client, a.VAT.Sealer = client, a.post.sealer
	if c.PublicIP == "" {
		a.deps.Log.Warn("TIDEWAITER_MTD_PUBLIC_IP is not set; the fraud prevention headers that name it are left out")
	}
	return nil
}

// vendor describes this service to HMRC.
func (a *App) vendor() mtd.Vendor {
	v := mtd.Vendor{Product: a.Config.MTD.Product, Versions: []mtd.Pair{{Name: "tidewaiter", Value: a.deps.Version}}}
	v.PublicIP, _ = netip.ParseAddr(a.Config.MTD.PublicIP)
	return v
}

// mtdLimiter holds to HMRC's rate limit, which is of an application: where CDS is called as
// the same application, both share it.
func (a *App) mtdLimiter() client.Limiter {
	if a.Config.Customs.Mode == "hmrc" && a.Config.Customs.ClientID == a.Config.MTD.ClientID {
		return a.link.limiter
	}
	return a.hmrcLimiter("mtd", a.Config.MTD.Rate)
}

// hmrcQueues are the kinds of work that talk to Making Tax Digital; none where it is
// off. One look at periods goes on at a time, so that returns never wait behind them.
func (a *App) hmrcQueues() []jobs.Queue {
	if !a.VAT.IsEnabled() {
		return nil
	}
	return []jobs.Queue{
		{Name: submission.SendQueue, Workers: 4, Do: a.VAT.Send, Backoff: sendBackoff},
		{Name: submission.PeriodsQueue, Workers: 1, Do: a.VAT.FetchPeriods, Backoff: askBackoff},
	}
}

// askBackoff is for our own failures while asking for periods: a day of tries. An answer of
// HMRC, or the lack of one, schedules the next try by itself.
var askBackoff = []time.Duration{time.Second, time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 17 * time.Hour}
