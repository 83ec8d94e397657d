package app

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/ops/usertoken"
	"github.com/tidewaiter/tidewaiter/internal/platform/certfile"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// settingCheck parses one setting as the program does. A setting without a value passes.
type settingCheck struct {
	name  string
	parse func(config.Config) error
}

// settingChecks are the settings that other packages parse.
var settingChecks = []settingCheck{
	{"database-url", func(c config.Config) error { return parsed(c.DatabaseURL, postgres.CheckAddress) }},
	{"database-owner-url", func(c config.Config) error { return parsed(c.Database.OwnerURL, postgres.CheckAddress) }},
	{"redis-url", func(c config.Config) error {
		return parsed(c.RedisURL, ratelimit.CheckRedisAddress)
	}},
	{"master-key", func(c config.Config) error {
		return parsed(c.MasterKey, func(text string) error { _, err := masterkey.Parse([]byte(text)); return err })
	}},
	{"cbam-price", func(c config.Config) error { _, err := carbonPrice(c); return err }},
	{"hubs-off", func(c config.Config) error { return knownHubs(c.HubsOff) }},
	{"customs-jwks", func(c config.Config) error { return parsed(c.Customs.JWKS, checkKeys) }},
	{"customs-user-token", func(c config.Config) error {
		return parsed(c.Customs.UserToken, func(path string) error { _, err := usertoken.New(path).Load(context.Background()); return err })
	}},
	{"pdf-font", func(c config.Config) error {
		return parsed(c.PDFFont, func(path string) error { _, err := readFonts(path); return err })
	}},
	{"tls-cert", func(c config.Config) error {
		return parsed(c.TLSCert, func(path string) error { _, err := certfile.Check(path, c.TLSKey, time.Now); return err })
	}},
}

// CheckSettings parses all settings as the start does. The error is a *config.Wrong that names all faults.
func CheckSettings(c config.Config) error {
	var faults []error
	for _, check := range settingChecks {
		if err := check.parse(c); err != nil {
			text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "settings: "), check.name+": ")
			faults = append(faults, fmt.Errorf("%s: %s", check.name, text))
		}
	}
	return config.Join(faults...)
}

func parsed(text string, parse func(string) error) error {
	if text == "" {
		return nil
	}
	return parse(text)
}

// knownHubs returns an error for unknown Hubs.
func knownHubs(names []string) error {
	var unknown, known []string
	for _, h := range hubs {
		known = append(known, h.ID)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	if unknown == nil {
		return nil
	}
	return fmt.Errorf("there is no Hub %s. The Hubs are %s", strings.Join(unknown, ", "), strings.Join(known, ", "))
}

// checkKeys reads the public keys of CDS from a file. Keys at a URL are fetched when they are needed.
func checkKeys(place string) error {
	if strings.HasPrefix(place, "https://") || strings.HasPrefix(place, "http://") {
		_, err := url.Parse(place)
		return err
	}
	text, err := os.ReadFile(place) // #nosec G304 -- a setting names it
	if err != nil {
		return err
	}
	_, err = cds.NewFixedKeys(text)
	return err
}
