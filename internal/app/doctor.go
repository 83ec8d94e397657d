package app

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// examination is a look at a deployment from outside of the service: it changes
// nothing, and works while the service runs or does not.
type examination struct {
	config config.Config
	given  *config.Given
	deps   Deps
	store  *store.Store // nil where there is no database to be asked
	deep   bool         // look at everything, however long that takes
}

// Examine looks at everything that the service with these settings depends on; deep also at every page of the database
// and the whole audit trail.
func Examine(ctx context.Context, c config.Config, given *config.Given, d Deps, deep bool) doctor.Report {
	e := &examination{config: c, given: given, deps: d.orDefault(), deep: deep}
	checks := append(e.settings(), e.disk()...)
	checks = append(checks, e.modes()...)
	checks = append(checks, e.certificate()...)
	checks = append(checks, e.attach(ctx)...)
	if e.store != nil {
		defer e.store.Close()
		checks = append(checks, e.database(ctx)...)
		checks = append(checks, e.pages(ctx)...)
		checks = append(checks, e.trails(ctx)...)
		checks = append(checks, e.passkeys(ctx)...)
	}
	checks = append(checks, e.masterKey(ctx)...)
	checks = append(checks, e.shared(ctx)...)
	checks = append(checks, e.endpoints(ctx)...)
	checks = append(checks, e.userToken()...)
	if e.store != nil {
		checks = append(checks, e.work(ctx)...)
	}
	return doctor.NewReport(append(checks, e.backup(ctx)...))
}

// settings are good, or nobody would be here; some are good for a try only.
func (e *examination) settings() []doctor.Check {
	const name = "settings"
	var checks []doctor.Check
	c := e.config
	if c.Customs.Mode == "simulator" {
		checks = append(checks, doctor.Worry(name, "set customs.mode to hmrc, and customs.url, when it is to be in earnest", "customs is the simulator: nothing is declared to anybody"))
	}
	if c.AllowPrivateWebhooks {
		checks = append(checks, doctor.Worry(name, "name the ranges in webhook-allow instead", "webhooks may go to every private address"))
	}
	if c.PublicURL != "" && !strings.HasPrefix(c.PublicURL, "https://") {
		checks = append(checks, doctor.Worry(name, "put a proxy with TLS in front, and set public-url to its https address", "people reach the service without TLS: %s", c.PublicURL))
	}
	if secrets := e.given.SecretsInFile(); len(secrets) > 0 {
		if check := doctor.Private(name, e.given.File); check.Outcome != doctor.OK {
			checks = append(checks, check)
		}
	}
	if unknown := e.given.Unknown; len(unknown) > 0 {
		checks = append(checks, doctor.Worry(name, "see whether they are misspelt", "there are no such settings: %s", strings.Join(unknown, ", ")))
	}
	if checks == nil {
		checks = append(checks, doctor.Well(name, "nothing is wrong with them"))
	}
	return checks
}

func (e *examination) disk() []doctor.Check {
	free, size, err := disk.Free(e.config.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []doctor.Check{doctor.Well("disk", "%s is not there yet; the first start makes it", e.config.Data)}
	case err != nil:
		return []doctor.Check{doctor.Worry("disk", "look with df", "free space of %s is not known: %v", e.config.Data, err)}
	}
	return []doctor.Check{doctor.Disk(e.config.Data, free, size)}
}

// shared is what instances share besides the database.
func (e *examination) shared(ctx context.Context) []doctor.Check {
	const name = "redis"
	switch {
	case e.config.RedisURL == "" && e.config.DatabaseURL != "":
		return []doctor.Check{doctor.Well(name, "none: each instance counts limits of its own")}
	case e.config.RedisURL == "":
		return nil
	}
	server, err := ratelimit.OpenRedis(e.config.RedisURL, e.deps.Now)
	if err != nil {
		return []doctor.Check{doctor.Ill(name, "mend redis-url", "app: redis: %v", err)}
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, redisLook)
	defer cancel()
	if err := server.Ping(ctx); err != nil {
		return []doctor.Check{doctor.Worry(name, "start it, or mend redis-url; until then each instance counts limits of its own", "does not answer: %v", err)}
	}
	return []doctor.Check{doctor.Well(name, "answers")}
}

// redisLook is how long Redis may take to show that it is there.
const redisLook = 2 * time.Second

// endpoints asks everybody whom the service calls, at once.
func (e *examination) endpoints(ctx context.Context) (checks []doctor.Check) {
	all, look := e.called(), doctor.Reacher{Now: e.deps.Now}
	reached := make([]doctor.Reached, len(all))
	var asking sync.WaitGroup
	for i, one := range all {
		asking.Go(func() { reached[i] = look.Reach(ctx, one) })
	}
	asking.Wait()
	for _, r := range reached {
		checks = append(checks, r.Judge())
		if r.Endpoint.Name == customsName && !r.Date.IsZero() {
			checks = append(checks, doctor.DistantClock(customsName, r))
		}
	}
	return checks
}

// customsName is customs in the report.
const customsName = "customs"

// Where language models are, when no address is set.
const (
	anthropicURL = "https://api.anthropic.com/"
	openaiURL    = "https://api.openai.com/v1/"
)

// called lists whom the service calls, by its settings.
func (e *examination) called() (all []doctor.Endpoint) {
	c := e.config
	add := func(name, url string, vital bool) {
		if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
			all = append(all, doctor.Endpoint{Name: name, URL: url, Vital: vital})
		}
	}
	add(customsName, c.Customs.URL, true)
	add("customs, tokens", c.Customs.TokenURL, true)
	add("customs, keys", c.Customs.JWKS, true)
	add("making tax digital", c.MTD.URL, true)
	if c.OIDC.Issuer != "" {
		add("single sign-on", strings.TrimRight(c.OIDC.Issuer, "/")+"/.well-known/openid-configuration", true)
	}
	switch {
	case c.AI.Provider != "" && c.AI.URL != "":
		add("language model", c.AI.URL, false)
	case c.AI.Provider == "anthropic":
		add("language model", anthropicURL, false)
	case c.AI.Provider == "openai":
		add("language model", openaiURL, false)
	}
	if c.PublicURL != "" {
		add("public address", strings.TrimRight(c.PublicURL, "/")+"/healthz", false)
	}
	return all
}
