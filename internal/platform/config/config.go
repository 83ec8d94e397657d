// Package config holds all settings of the program. They come from the command line, the environment and one file.
// Every setting has a default.
package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"
)

// Config are the settings of a running service.
type Config struct {
	Addr        string   `default:"127.0.0.1:8080" env:"TIDEWAITER_ADDR" help:"Address to listen on."`
	Data        string   `default:"./data" env:"TIDEWAITER_DATA" type:"path" help:"Folder for SQLite, keys and the customs simulator."`
	DatabaseURL string   `env:"TIDEWAITER_DATABASE_URL" help:"PostgreSQL address (postgres://…); SQLite in the data folder when empty."`
	Database    Database `embed:"" prefix:"database-" envprefix:"TIDEWAITER_DATABASE_"`
	RedisURL    string   `env:"TIDEWAITER_REDIS_URL" help:"Redis address for rate limits that several instances share."`
	MetricsAddr string   `env:"TIDEWAITER_METRICS_ADDR" help:"Address for /metrics; none when empty."`
	TracesURL   string   `env:"TIDEWAITER_TRACES_URL" help:"Base address of a collector of traces (OTLP over HTTP), such as http://127.0.0.1:4318; no traces when empty." name:"traces-url"`
	PublicURL   string   `env:"TIDEWAITER_PUBLIC_URL" help:"Address under which users reach the service."`

	TLSCert   string        `env:"TIDEWAITER_TLS_CERT" type:"path" help:"File with the TLS certificate and its chain (PEM), to serve HTTPS without a proxy; reloaded when it changes." name:"tls-cert"`
	TLSKey    string        `env:"TIDEWAITER_TLS_KEY" type:"path" help:"File with the key of the TLS certificate (PEM)." name:"tls-key"`
	StopDelay time.Duration `default:"1s" env:"TIDEWAITER_STOP_DELAY" help:"How long the service still accepts connections after SIGTERM, while /readyz answers 503."`

	TrustedProxies  []netip.Prefix `env:"TIDEWAITER_TRUSTED_PROXIES" help:"Addresses of reverse proxies (CIDR, such as 10.0.0.0/8) whose forwarding header is trusted; none when empty."`
	ForwardedHeader string         `default:"x-forwarded-for" enum:"x-forwarded-for,forwarded" env:"TIDEWAITER_FORWARDED_HEADER" help:"The header in which trusted proxies pass on the client's address; the other is ignored."`

	TracesShare float64 `default:"1" env:"TIDEWAITER_TRACES_SHARE" help:"Share of the traces that is recorded, from 0 to 1."`

	LimitStandard int `default:"1000" env:"TIDEWAITER_LIMIT_STANDARD" help:"Requests a minute and organisation; 0 for no limit."`
	LimitAI       int `default:"100" env:"TIDEWAITER_LIMIT_AI" help:"AI requests a minute and organisation; 0 for no limit." name:"limit-ai"`
	LimitPublic   int `default:"10" env:"TIDEWAITER_LIMIT_PUBLIC" help:"Requests without a key an hour and address; 0 for no limit."`

	BodyMemory Size `default:"256MB" env:"TIDEWAITER_BODY_MEMORY" help:"Memory that all request bodies may use together, such as 256MB; messages from CDS have another 64MB."`

	KeepRecords    string `default:"6y" env:"TIDEWAITER_KEEP_RECORDS" help:"How long records, events and messages from CDS are kept after the end of their calendar year, such as 6y; at least 4y."`
	KeepDeliveries string `default:"90d" env:"TIDEWAITER_KEEP_DELIVERIES" help:"How long the log of webhook deliveries is kept, such as 90d; at least 7d."`

	SMTPURL  string `env:"TIDEWAITER_SMTP_URL" help:"SMTP server for invitations, reset links and security notices: smtp://user:password@host:587 (STARTTLS is required) or smtps://user:password@host:465; no mail when empty." name:"smtp-url"`
	MailFrom string `env:"TIDEWAITER_MAIL_FROM" help:"Sender address of mails, such as Tidewaiter <tidewaiter@example.com>."`

	FreshSignIn time.Duration `default:"10m" env:"TIDEWAITER_FRESH_SIGN_IN" help:"How long after signing in a user may do sensitive actions in the console without signing in again."`

	HubsOff []string `env:"TIDEWAITER_HUBS_OFF" help:"Hubs that organisations cannot enable."`

	CBAMPrice string `env:"TIDEWAITER_CBAM_PRICE" help:"Price in pounds of the emissions of one tonne, for CBAM reports; the program's default when empty." name:"cbam-price"`

	RatesURL  string `default:"https://www.trade-tariff.service.gov.uk/api/v2/exchange_rates/files" env:"TIDEWAITER_RATES_URL" help:"Address of HMRC's files of monthly exchange rates, for rates sync." name:"rates-url"`
	TariffURL string `default:"https://data.api.trade.gov.uk/v1/datasets/uk-tariff-2021-01-01/versions/latest/tables" env:"TIDEWAITER_TARIFF_URL" help:"Address of the publisher's current tables, for tariff sync." name:"tariff-url"`

	AllowSandboxes bool `env:"TIDEWAITER_ALLOW_SANDBOXES" help:"Allow anyone to create a test organisation for 7 days with POST /api/sandboxes."`

	MasterKey            string         `env:"TIDEWAITER_MASTER_KEY" help:"Key that encrypts secrets at rest: a Tink keyset in JSON; created in the data folder when empty."`
	AllowPrivateWebhooks bool           `env:"TIDEWAITER_ALLOW_PRIVATE_WEBHOOKS" help:"Allow webhooks to private and loopback addresses."`
	WebhookAllow         []netip.Prefix `env:"TIDEWAITER_WEBHOOK_ALLOW" help:"Ranges of addresses that webhooks may go to, such as 10.1.0.0/16."`
	WebhookPorts         []uint16       `env:"TIDEWAITER_WEBHOOK_PORTS" help:"Ports below 1024 that webhooks may go to besides 80 and 443, such as 81,444."`
	WebhookProxy         string         `env:"TIDEWAITER_WEBHOOK_PROXY" help:"HTTP proxy that webhooks go through, such as http://proxy.example:3128; none when empty."`

	Customs Customs `embed:"" prefix:"customs-" envprefix:"TIDEWAITER_CUSTOMS_"`
	AI      AI      `embed:"" prefix:"ai-" envprefix:"TIDEWAITER_AI_"`

	MTD MTD `embed:"" prefix:"mtd-" envprefix:"TIDEWAITER_MTD_"`

	GVMS Authority `embed:"" prefix:"gvms-" envprefix:"TIDEWAITER_GVMS_"`
	ENS  Authority `embed:"" prefix:"ens-" envprefix:"TIDEWAITER_ENS_"`
	EMCS Authority `embed:"" prefix:"emcs-" envprefix:"TIDEWAITER_EMCS_"`

	AllowPrivateIdentity bool `env:"TIDEWAITER_ALLOW_PRIVATE_IDENTITY" help:"Allow identity providers of organisations on private and loopback addresses, and with http."`

	OIDC OIDC `embed:"" prefix:"oidc-" envprefix:"TIDEWAITER_OIDC_"`

	DemandDays string `env:"TIDEWAITER_DEMAND_DAYS" help:"Days after which demands of customs are due for which customs gives no day, such as PAYMENT=5,QUERY=10; none when empty."`

	AttachmentQuota Size          `default:"10GB" env:"TIDEWAITER_ATTACHMENT_QUOTA" help:"Size of all files that an organisation can store with its records, such as 10GB; 0B for no limit."`
	ScanCommand     string        `env:"TIDEWAITER_SCAN_COMMAND" help:"Program with arguments that looks for viruses in a file on its standard input before it is sent to customs: exit 0 clean, 1 infected, anything else is tried again. It runs without a shell; no scan when empty."`
	ScanTimeout     time.Duration `default:"2m" env:"TIDEWAITER_SCAN_TIMEOUT" help:"Time limit of the scan of one file."`

	PDFFont string `env:"TIDEWAITER_PDF_FONT" type:"path" help:"TrueType font (.ttf) for names in PDF documents whose letters are not Latin, Greek or Cyrillic; none when empty." name:"pdf-font"`

	SimulatorDelay time.Duration `default:"300ms" env:"TIDEWAITER_SIMULATOR_DELAY" help:"Time between two messages of the customs simulator."`
	SimulatorSeed  uint64        `env:"TIDEWAITER_SIMULATOR_SEED" help:"Seed of the customs simulator; 0 for a random one."`

	SimulatorStrict string `default:"published" enum:"published,all" env:"TIDEWAITER_SIMULATOR_STRICT" help:"Requirements of data sets that the customs simulator enforces: published for those that HMRC has published, all for those of our own knowledge too."`

	DiskBallast Size `default:"32MB" env:"TIDEWAITER_DISK_BALLAST" help:"Size of a file in the data folder that is deleted when the disk is full, so that SQLite can finish its work, such as 32MB; 0B for none."`
	WALLimit    Size `default:"1GB" env:"TIDEWAITER_WAL_LIMIT" help:"Largest size of SQLite's write-ahead log during a long read, such as 1GB; beyond it changes are rejected. 0B for no limit." name:"wal-limit"`

	LogLevel string `default:"info" enum:"debug,info,warn,error" env:"TIDEWAITER_LOG_LEVEL" help:"Lowest level that is logged."`

	Writes string `hidden:"" env:"TIDEWAITER_WRITES" help:"No effect since 0.3.0. It is accepted so that an older configuration still starts the service."`
}

// Database are the settings of PostgreSQL, beyond its address.
type Database struct {
	OwnerURL    string        `env:"OWNER_URL" help:"PostgreSQL address of the database's owner, used only for migrations; when empty, the service's own role migrates if it may." name:"owner-url"`
	Wait        time.Duration `default:"1m" env:"WAIT" help:"How long the start waits for the owner to migrate the database, if the service's role may not."`
	Connections int           `default:"32" env:"CONNECTIONS" help:"Maximum number of connections to PostgreSQL of each instance, for transactions."`
}

// AI are the settings of a language model that assists the offline engine.
type AI struct {
	Provider string        `default:"" enum:",anthropic,openai" env:"PROVIDER" help:"Protocol of the model's endpoint: anthropic, or openai for compatible ones; no model when empty."`
	URL      string        `env:"URL" help:"Base address of the model's endpoint; the provider's own when empty." name:"url"`
	Key      string        `env:"KEY" help:"Key of the model's endpoint."`
	Model    string        `env:"MODEL" help:"Name of the model."`
	Budget   int           `default:"500" env:"BUDGET" help:"Questions to the model per day and organisation; 0 for no limit."`
	Timeout  time.Duration `default:"20s" env:"TIMEOUT" help:"How long to wait for the model's answer before the offline engine answers alone."`
}

// Customs are the settings of the connection to CDS.
type Customs struct {
	Mode         string  `default:"simulator" enum:"simulator,hmrc" env:"MODE" help:"The simulator, or HMRC's CDS."`
	URL          string  `env:"URL" help:"Base address of CDS; the built-in simulator when empty." name:"url"`
	Inbound      string  `default:"signed" enum:"signed,static-token" env:"INBOUND" help:"How messages from CDS are authenticated."`
	InboundToken string  `env:"INBOUND_TOKEN" help:"Authorization header that CDS sends, for static-token."`
	Issuer       string  `default:"tidewaiter-customs" env:"ISSUER" help:"Issuer of CDS's tokens."`
	Audience     string  `default:"tidewaiter" env:"AUDIENCE" help:"Audience of CDS's tokens."`
	JWKS         string  `env:"JWKS" help:"Address or file of CDS's public keys; the built-in simulator's when empty." name:"jwks"`
	TokenURL     string  `env:"TOKEN_URL" help:"Address of CDS's OAuth tokens; /oauth/token at the base address when empty."`
	ClientID     string  `env:"CLIENT_ID" help:"OAuth client id." name:"client-id"`
	ClientSecret string  `env:"CLIENT_SECRET" help:"OAuth client secret."`
	ConsentURL   string  `env:"CONSENT_URL" help:"Address at which a user gives consent; /oauth/authorize at the base address when empty." name:"consent-url"`
	RedirectURL  string  `env:"REDIRECT_URL" help:"Redirect address after consent, as registered at HMRC; /customs/consent/callback at the public address when empty." name:"redirect-url"`
	UserToken    string  `env:"USER_TOKEN" help:"File with a user's access and refresh token (JSON), for an installation with exactly one organisation; each organisation gives its own consent when empty."`
	Version      string  `default:"1.0" enum:"1.0,2.0,3.0" env:"VERSION" help:"Version of the CDS API."`
	Rate         float64 `default:"3" env:"RATE" help:"Requests per second to HMRC, of all instances together."`

	Movements bool `env:"MOVEMENTS" help:"Ask for consents that also cover movements of exports. The application must be registered for HMRC's API Customs Inventory Linking Exports."`

	UploadHosts []string `default:"*.amazonaws.com,*.tax.service.gov.uk,*.hmrc.gov.uk" env:"UPLOAD_HOSTS" help:"Hosts that documents for customs are uploaded to, if HMRC gives an address there; *.name stands for every host below a name."`
}

// OIDC are the settings of single sign-on by OpenID Connect.
type OIDC struct {
	Issuer       string `env:"ISSUER" help:"Address of the sign-on service; none when empty. It must allow the redirect address /sign-in/single/callback."`
	ClientID     string `env:"CLIENT_ID" help:"Client id at the sign-on service." name:"client-id"`
	ClientSecret string `env:"CLIENT_SECRET" help:"Client secret at the sign-on service."`
	Name         string `default:"single sign-on" env:"NAME" help:"Name of the sign-on service on the button."`
}

// MTD are the settings of the connection to HMRC's Making Tax Digital for VAT. It is off if there is no address.
type MTD struct {
	URL          string        `env:"URL" help:"Base address of HMRC's Making Tax Digital; no connection when empty." name:"url"`
	ConsentURL   string        `env:"CONSENT_URL" help:"Address at which a user gives consent; HMRC's when empty, for HMRC's base addresses." name:"consent-url"`
	ClientID     string        `env:"CLIENT_ID" help:"OAuth client id." name:"client-id"`
	ClientSecret string        `env:"CLIENT_SECRET" help:"OAuth client secret."`
	RedirectURL  string        `env:"REDIRECT_URL" help:"Redirect address after consent, as registered at HMRC; /api/tax/connection/callback at the public address when empty." name:"redirect-url"`
	Product      string        `default:"Tidewaiter" env:"PRODUCT" help:"Name of the product, for the fraud prevention headers."`
	PublicIP     string        `env:"PUBLIC_IP" help:"Public IP address of the service, for the fraud prevention headers." name:"public-ip"`
	Rate         float64       `default:"3" env:"RATE" help:"Requests per second to HMRC, of all instances together."`
	Every        time.Duration `default:"6h" env:"EVERY" help:"Time between two requests for an organisation's VAT periods."`
}

// secrets are the settings that a file can contain; the variable with _FILE names the file.
func (c *Config) secrets() map[string]*string {
	return map[string]*string{
		"TIDEWAITER_DATABASE_URL":          &c.DatabaseURL,
		"TIDEWAITER_DATABASE_OWNER_URL":    &c.Database.OwnerURL,
		"TIDEWAITER_REDIS_URL":             &c.RedisURL,
		"TIDEWAITER_SMTP_URL":              &c.SMTPURL,
		"TIDEWAITER_MASTER_KEY":            &c.MasterKey,
		"TIDEWAITER_CUSTOMS_INBOUND_TOKEN": &c.Customs.InboundToken,
		"TIDEWAITER_CUSTOMS_CLIENT_SECRET": &c.Customs.ClientSecret,
		"TIDEWAITER_OIDC_CLIENT_SECRET":    &c.OIDC.ClientSecret,
		"TIDEWAITER_WEBHOOK_PROXY":         &c.WebhookProxy,
		"TIDEWAITER_AI_KEY":                &c.AI.Key,
		"TIDEWAITER_MTD_CLIENT_SECRET":     &c.MTD.ClientSecret,
		"TIDEWAITER_GVMS_CLIENT_SECRET":    &c.GVMS.ClientSecret,
		"TIDEWAITER_ENS_CLIENT_SECRET":     &c.ENS.ClientSecret,
		"TIDEWAITER_EMCS_CLIENT_SECRET":    &c.EMCS.ClientSecret,
		"TIDEWAITER_GVMS_PUSH_SECRET":      &c.GVMS.PushSecret,
		"TIDEWAITER_EMCS_PUSH_SECRET":      &c.EMCS.PushSecret,
	}
}

// Complete reads secrets from their files, sets what follows from other settings, and reports all faults.
func (c *Config) Complete(getenv func(string) string) error {
	var wrong []string
	for name, value := range c.secrets() {
		file := getenv(name + "_FILE")
		if file == "" {
			continue
		}
		text, err := os.ReadFile(file) // #nosec G304 -- a setting names it
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s_FILE: %v", name, err))
			continue
		}
		*value = strings.TrimSpace(string(text))
	}
	if c.TracesURL == "" {
		c.TracesURL = getenv(collectorVariable)
	}
	wrong = append(wrong, c.wrong()...)
	wrong = append(wrong, c.Customs.wrong()...)
	wrong = append(wrong, c.AI.wrong()...)
	wrong = append(wrong, c.MTD.wrong(c.PublicURL)...)
	for _, id := range AuthorityIDs {
		wrong = append(wrong, c.Authority(id).wrong(id, c.PublicURL)...)
	}
	return wrongOf(wrong)
}

// collectorVariable is OpenTelemetry's standard variable for the collector.
const collectorVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"

func (c *Config) wrong() (wrong []string) {
	if err := checkListen(c.Addr); err != nil {
		wrong = append(wrong, fmt.Sprintf("addr: %v", err))
	}
	if err := checkListen(c.MetricsAddr); c.MetricsAddr != "" && err != nil {
		wrong = append(wrong, fmt.Sprintf("metrics-addr: %v", err))
	}
	if !isAddress(c.RatesURL) {
		wrong = append(wrong, fmt.Sprintf("rates-url: %q is not an address", c.RatesURL))
	}
	if !isAddress(c.TariffURL) {
		wrong = append(wrong, fmt.Sprintf("tariff-url: %q is not an address", c.TariffURL))
	}
	if c.Database.Wait < 0 {
		wrong = append(wrong, "database-wait must not be negative")
	}
	if !isAddress(c.TracesURL) {
		wrong = append(wrong, fmt.Sprintf("traces-url: %q is not an address", c.TracesURL))
	}
	if !(c.TracesShare >= 0 && c.TracesShare <= 1) {
		wrong = append(wrong, "traces-share must be from 0 to 1")
	}
	if !isAddress(c.PublicURL) {
		wrong = append(wrong, fmt.Sprintf("public-url: %q is not an address", c.PublicURL))
	}
	for _, limit := range []struct {
		name     string
		requests int
	}{{"limit-standard", c.LimitStandard}, {"limit-ai", c.LimitAI}, {"limit-public", c.LimitPublic}} {
		if limit.requests < 0 {
			wrong = append(wrong, limit.name+" must not be negative")
		}
	}
	if _, _, err := c.Keep(); err != nil {
		wrong = append(wrong, err.Error())
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		wrong = append(wrong, "set both tls-cert and tls-key, or neither")
	}
	if c.TLSCert != "" && strings.HasPrefix(c.PublicURL, "http://") {
		wrong = append(wrong, "public-url must begin with https:// if tls-cert is set")
	}
	if c.StopDelay < 0 || c.StopDelay > maxStopDelay {
		wrong = append(wrong, fmt.Sprintf("stop-delay must be from 0 to %s", maxStopDelay))
	}
	for _, r := range c.TrustedProxies {
		if r != r.Masked() || r.Addr().Is4In6() {
			wrong = append(wrong, fmt.Sprintf("trusted-proxies: %s is not a range of addresses; write it like 10.0.0.0/8 or fd12:3456::/32", r))
		}
	}
	wrong = append(wrong, c.webhookFaults()...)
	if c.Database.Connections < 0 {
		wrong = append(wrong, "database-connections must not be negative")
	}
	if c.Database.OwnerURL != "" && c.DatabaseURL == "" {
		wrong = append(wrong, "database-owner-url needs database-url")
	}
	if !isAddress(c.OIDC.Issuer) {
		wrong = append(wrong, fmt.Sprintf("oidc-issuer: %q is not an address", c.OIDC.Issuer))
	}
	if c.OIDC.Issuer != "" && c.OIDC.ClientID == "" {
		wrong = append(wrong, "oidc-issuer needs oidc-client-id")
	}
	if c.BodyMemory != 0 && c.BodyMemory < minBodyMemory {
		wrong = append(wrong, fmt.Sprintf("body-memory must be at least %s", minBodyMemory))
	}
	wrong = append(wrong, mailFaults(c.SMTPURL, c.MailFrom)...)
	if c.FreshSignIn < 0 {
		wrong = append(wrong, "fresh-sign-in must not be negative")
	}
	if c.SimulatorDelay < 0 {
		wrong = append(wrong, "simulator-delay must not be negative")
	}
	return wrong
}

func (c *Customs) wrong() (wrong []string) {
	if c.Mode == "hmrc" && c.URL == "" {
		wrong = append(wrong, "customs-mode hmrc needs customs-url")
	}
	if !isAddress(c.URL) {
		wrong = append(wrong, fmt.Sprintf("customs-url: %q is not an address", c.URL))
	}
	if !isAddress(c.TokenURL) {
		wrong = append(wrong, "customs-token-url is not an http or https address") // which may hold a key: it is not shown
	}
	for _, address := range []struct{ name, value string }{{"consent-url", c.ConsentURL}, {"redirect-url", c.RedirectURL}} {
		if !isAddress(address.value) {
			wrong = append(wrong, fmt.Sprintf("customs-%s: %q is not an address", address.name, address.value))
		}
	}
	if c.Inbound == "static-token" && c.InboundToken == "" {
		wrong = append(wrong, "customs-inbound static-token needs customs-inbound-token")
	}
	if c.Rate < 0 {
		wrong = append(wrong, "customs-rate must not be negative")
	}
	return wrong
}

// mostAITimeout leaves time to answer before the server's own limit on writing.
const mostAITimeout = time.Minute

func (a *AI) wrong() (wrong []string) {
	if a.Provider != "" && a.Model == "" {
		wrong = append(wrong, "ai-provider needs ai-model")
	}
	if a.Provider == "anthropic" && a.Key == "" {
		wrong = append(wrong, "ai-provider anthropic needs ai-key")
	}
	if !isAddress(a.URL) {
		wrong = append(wrong, fmt.Sprintf("ai-url: %q is not an address", a.URL))
	}
	if a.Budget < 0 {
		wrong = append(wrong, "ai-budget must not be negative")
	}
	if a.Provider != "" && (a.Timeout <= 0 || a.Timeout > mostAITimeout) {
		wrong = append(wrong, fmt.Sprintf("ai-timeout must be positive, and at most %s", mostAITimeout))
	}
	return wrong
}

// wrong names what is wrong, and settings that would have no effect.
func (m *MTD) wrong(publicURL string) (wrong []string) {
	if m.URL == "" {
		for _, set := range []struct{ name, value string }{
			{"client-id", m.ClientID}, {"client-secret", m.ClientSecret}, {"redirect-url", m.RedirectURL}, {"consent-url", m.ConsentURL}, {"public-ip", m.PublicIP},
		} {
			if set.value != "" {
				wrong = append(wrong, "mtd-"+set.name+" needs mtd-url")
			}
		}
	} else {
		if m.ClientID == "" || m.ClientSecret == "" {
			wrong = append(wrong, "mtd-url needs mtd-client-id and mtd-client-secret")
		}
		if m.RedirectURL == "" && publicURL == "" {
			wrong = append(wrong, "mtd-url needs mtd-redirect-url or public-url")
		}
	}
	for _, address := range []struct{ name, value string }{{"url", m.URL}, {"consent-url", m.ConsentURL}, {"redirect-url", m.RedirectURL}} {
		if !isAddress(address.value) {
			wrong = append(wrong, fmt.Sprintf("mtd-%s: %q is not an address", address.name, address.value))
		}
	}
	if _, err := netip.ParseAddr(m.PublicIP); m.PublicIP != "" && err != nil {
		wrong = append(wrong, fmt.Sprintf("mtd-public-ip: %q is not an IP address", m.PublicIP))
	}
	if m.Rate < 0 {
		wrong = append(wrong, "mtd-rate must not be negative")
	}
	if m.Every < 0 || m.URL != "" && m.Every < time.Second {
		wrong = append(wrong, "mtd-every must be at least a second")
	}
	return wrong
}

// maxStopDelay is less than service managers wait.
const maxStopDelay = time.Minute

// Scheme returns the scheme of the service's listener: https with a certificate, otherwise http.
func (c *Config) Scheme() string {
	if c.TLSCert != "" {
		return "https"
	}
	return "http"
}

// minBodyMemory is enough for the largest upload and other requests beside it.
const minBodyMemory = 32 * Size(1<<20)

// checkListen returns an error if the service cannot listen on an address.
func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err
}

// isAddress reports whether text is empty or an absolute URL.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
