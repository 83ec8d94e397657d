// Package doctor examines a deployment: its settings, files, database and the services that it calls. It changes
// nothing, and works whether or not the service runs.
package doctor

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/doctor/check"
	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/disk"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// examination is one run of doctor.
type examination struct {
	config config.Config
	given  *config.Given
	env    installation.Environment
	store  *store.Store // nil if there is no database that answers
	deep   bool         // check everything, however long it takes
}

// Examine checks everything that the service with these settings depends on. A deep examination also checks every page
// of the database and the whole audit trail.
func Examine(ctx context.Context, c config.Config, given *config.Given, env installation.Environment, deep bool) check.Report {
	e := &examination{config: c, given: given, env: env, deep: deep}
	results := append(e.settings(), e.disk()...)
	results = append(results, e.fileModes()...)
	results = append(results, e.certificate()...)
	results = append(results, e.attach(ctx)...)
	if e.store != nil {
		defer e.store.Close()
		results = append(results, e.database(ctx)...)
		results = append(results, e.databasePages(ctx)...)
		results = append(results, e.sampledAuditTrails(ctx)...)
		results = append(results, e.passkeys(ctx)...)
	}
	results = append(results, e.masterKey(ctx)...)
	results = append(results, e.redis(ctx)...)
	results = append(results, e.endpoints(ctx)...)
	results = append(results, e.userToken(ctx)...)
	if e.store != nil {
		results = append(results, e.backlog(ctx)...)
	}
	return check.NewReport(append(results, e.backup(ctx)...))
}

// settings warns of settings that are valid, but not for production.
func (e *examination) settings() []check.Result {
	const name = "settings"
	var results []check.Result
	c := e.config
	if c.Customs.Mode == "simulator" {
		results = append(results, check.Warning(name, "for real declarations set customs.mode to hmrc, and customs.url", "customs is the simulator: nothing is sent to HMRC"))
	}
	if c.AllowPrivateWebhooks {
		results = append(results, check.Warning(name, "name the ranges in webhook-allow instead", "webhooks may go to every private address"))
	}
	if c.PublicURL != "" && !strings.HasPrefix(c.PublicURL, "https://") {
		results = append(results, check.Warning(name, "use a proxy with TLS, and set public-url to its https address", "users reach the service without TLS: %s", c.PublicURL))
	}
	if secrets := e.given.SecretsInFile(); len(secrets) > 0 {
		if r := check.Private(name, e.given.File); r.Outcome != check.OK {
			results = append(results, r)
		}
	}
	if unknown := e.given.Unknown; len(unknown) > 0 {
		results = append(results, check.Warning(name, "correct their spelling, or remove them", "unknown settings: %s", strings.Join(unknown, ", ")))
	}
	if c.Writes != "" {
		results = append(results, check.Warning(name, "remove it", "the setting writes has no effect"))
	}
	if results == nil {
		results = append(results, check.Passed(name, "all are valid"))
	}
	return results
}

func (e *examination) disk() []check.Result {
	free, size, err := disk.Free(e.config.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []check.Result{check.Passed("disk", "%s does not exist yet; the first start creates it", e.config.Data)}
	case err != nil:
		return []check.Result{check.Warning("disk", "run df", "cannot read the free space of %s: %v", e.config.Data, err)}
	}
	return []check.Result{check.Disk(e.config.Data, free, size)}
}

// redisTimeout is how long Redis may take to answer.
const redisTimeout = 2 * time.Second

// redis checks the Redis that instances share for rate limits.
func (e *examination) redis(ctx context.Context) []check.Result {
	const name = "redis"
	switch {
	case e.config.RedisURL == "" && e.config.DatabaseURL != "":
		return []check.Result{check.Passed(name, "not configured: each instance counts rate limits by itself")}
	case e.config.RedisURL == "":
		return nil
	}
	server, err := ratelimit.OpenRedis(e.config.RedisURL, e.env.Now)
	if err != nil {
		return []check.Result{check.Failed(name, "correct redis-url", "%v", err)}
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	if err := server.Ping(ctx); err != nil {
		return []check.Result{check.Warning(name, "start it, or correct redis-url; until then each instance counts rate limits by itself", "does not answer: %v", err)}
	}
	return []check.Result{check.Passed(name, "answers")}
}

// endpoints probes all services that this one calls, at the same time.
func (e *examination) endpoints(ctx context.Context) (results []check.Result) {
	all, prober := e.calledEndpoints(), check.Prober{Now: e.env.Now}
	probes := make([]check.Probe, len(all))
	var running sync.WaitGroup
	for i, one := range all {
		running.Go(func() { probes[i] = prober.Probe(ctx, one) })
	}
	running.Wait()
	for _, p := range probes {
		results = append(results, p.Result())
		if p.Endpoint.Name == customsName && !p.Date.IsZero() {
			results = append(results, check.RemoteClock(customsName, p))
		}
	}
	return results
}

// customsName is the name of CDS in the report.
const customsName = "customs"

// Addresses of language models if none is set.
const (
	anthropicURL = "https://api.anthropic.com/"
	openaiURL    = "https://api.openai.com/v1/"
)

// calledEndpoints lists the services that the settings name.
func (e *examination) calledEndpoints() (all []check.Endpoint) {
	c := e.config
	add := func(name, url string, required bool) {
		if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
			all = append(all, check.Endpoint{Name: name, URL: url, Required: required})
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
