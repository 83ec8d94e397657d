package app

import (
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// hmrc returns an app with these settings of HMRC.
func hmrc(c config.Config) *App {
	return &App{requests: &consent.Requests{Authorities: map[string]func(state, verifier string) string{}}, Config: c, VAT: &submission.Service{}, cds: &cdsConnection{limiter: client.NewLimiter(3)}, webhooks: &webhookServices{}, deps: Deps{Now: time.Now}.orDefault(), metrics: metrics.New("", time.Now)}
}

// HMRC's rate limit belongs to an application: CDS and MTD share it if they use the same one, otherwise each has its
// own.
func TestSameApplicationSharesItsLimit(t *testing.T) {
	for _, c := range []struct {
		mode, customs string
		shared        bool
	}{{"hmrc", "app", true}, {"hmrc", "other", false}, {"simulator", "app", false}} {
		a := hmrc(config.Config{Customs: config.Customs{Mode: c.mode, ClientID: c.customs}, MTD: config.MTD{ClientID: "app", Rate: 3}})
		if shared := a.mtdLimiter() == a.cds.limiter; shared != c.shared {
			t.Errorf("%+v: %v", c, shared)
		}
	}
}

// Without an address there is no connection. The service does not start with an address to which tokens would be sent
// without TLS.
func TestConnectHMRC(t *testing.T) {
	a := hmrc(config.Config{})
	if err := a.connectHMRC(); err != nil || a.VAT.IsEnabled() || a.hmrcQueues() != nil {
		t.Errorf("off: %v", err)
	}
	a = hmrc(config.Config{MTD: config.MTD{URL: "http://hmrc.example"}})
	if err := a.connectHMRC(); err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("without TLS: %v", err)
	}
	a = hmrc(config.Config{MTD: config.MTD{URL: "https://hmrc.example", ClientID: "app"}, PublicURL: "https://t.example/"})
	if err := a.connectHMRC(); err != nil || !a.VAT.IsEnabled() || len(a.hmrcQueues()) != 2 {
		t.Errorf("on: %v", err)
	}
	if address := a.VAT.Client.Consent("x", ""); !strings.Contains(address, "redirect_uri=https%3A%2F%2Ft.example%2Fapi%2Ftax%2Fconnection%2Fcallback") {
		t.Errorf("consent at %s", address)
	}
}
