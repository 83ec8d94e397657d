package app

import (
	"os"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/filing/decision"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

// fileBackoff is for errors of this service while sending a file, such as a database that cannot be reached.
var fileBackoff = []time.Duration{
	time.Second, 5 * time.Second, 30 * time.Second, 5 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour,
}

// newScanner returns the configured virus scanner; nil if there is none.
func newScanner(c config.Config) *attachment.Scanner {
	command := strings.Fields(c.ScanCommand)
	if len(command) == 0 {
		return nil
	}
	return &attachment.Scanner{Command: command, Timeout: c.ScanTimeout, Env: scannerEnvironment()}
}

// scannerEnvironment returns the variables that the virus scanner gets. The service's own hold secrets.
func scannerEnvironment() []string {
	all := []string{}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "LANG"} {
		if value, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// connectDecisions connects the services of declarations with consents, and those that enter decisions of authorities.
func (a *App) connectDecisions() {
	a.decisions = &decision.Service{Filings: a.Filings, Attachments: a.Customs.Attachments, Scanner: a.Customs.Scanner}
	a.Consents = a.newConsents()
	a.Customs.Consents, a.Customs.Gap = a.Consents, a.Consents.Gap
}
