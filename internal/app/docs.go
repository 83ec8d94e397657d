package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/ratelimit"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/origin"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// documentedURL is the server address in the generated documents.
const documentedURL = "http://127.0.0.1:8080"

// OpenAPI returns the OpenAPI document, generated from the code that serves the API.
func OpenAPI(c config.Config) []byte { return documentedServer(c).Document() }

// ShortOpenAPI returns the short form of the document, which /api/openapi.json sends.
func ShortOpenAPI(c config.Config) []byte { return documentedServer(c).ShortDocument() }

// documentedServer returns an API that makes its document and serves nothing.
func documentedServer(c config.Config) *api.Server {
	if c.PublicURL == "" {
		c.PublicURL = documentedURL
	}
	return api.New(api.Options{
		Access: &access.Service{}, Filings: &filing.Service{}, Customs: &customs.Service{Type: declarationType(tariff.Embedded(), nil), Consents: &consent.Service{Kind: customs.Consents().Type()}}, Types: Kinds(), Hubs: hubs, Statements: &statement.Service{Kinds: Statements(), CalendarRecords: calendarRecords()},
		VAT: &submission.Service{}, Authorities: &exchange.Service{Authorities: documentedAuthorities()},
		Webhooks: &webhook.Service{Catalogue: webhook.NewCatalogue(allKinds(&reference.Library{}, tariff.Embedded(), nil, nil)), Examples: demo.Examples()},
		Limiter:  ratelimit.NewMemory(time.Now), Now: time.Now, PublicURL: c.PublicURL, Tariff: tariff.EmbeddedSnapshot, Rates: (&rates.Library{}).Current, Origin: (&origin.Library{}).Await, Examples: demo.Calls,
	})
}

// documentedAuthorities returns the authorities, which are not called.
func documentedAuthorities() (all []*exchange.Authority) {
	types := map[string]*filing.Type{}
	for _, t := range Kinds() {
		types[t.Kind] = t
	}
	uncalled := &App{Filings: &filing.Service{Types: types}, deps: Deps{Now: time.Now}}
	for _, c := range uncalled.newConnectors() {
		all = append(all, c.authority)
	}
	return all
}

// WriteDocs writes the generated documents: openapi.json, rules.md, lifecycles.md and config.schema.json.
func WriteDocs(folder string) error {
	var document bytes.Buffer
	if err := json.Indent(&document, OpenAPI(config.Config{}), "", "  "); err != nil {
		return err
	}
	document.WriteByte('\n')
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	all := allKinds(&reference.Library{}, tariff.Embedded(), nil, nil)
	for name, text := range map[string]string{
		"openapi.json": document.String(), "rules.md": rulesPage(all), "lifecycles.md": lifecycles(all), "config.schema.json": string(schema),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil { // #nosec G306 -- the documents are public
			return err
		}
	}
	return nil
}

const generated = "Made from the program by `make generate`; do not edit.\n"

func rulesPage(types []*filing.Type) string {
	var b strings.Builder
	b.WriteString("# The review rules\n\n" + generated)
	for _, t := range types {
		if len(t.Rules) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| code | severity | field | looks for | source |\n|---|---|---|---|---|\n", t.Kind)
		for _, r := range t.Rules {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.Code, r.Severity, r.Field, cell(r.Title), cell(r.Source))
		}
	}
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func lifecycles(types []*filing.Type) string {
	var b strings.Builder
	b.WriteString("# The lifecycles\n\n" + generated)
	for _, t := range types {
		fmt.Fprintf(&b, "\n## %s\n\n```mermaid\nstateDiagram-v2\n    [*] --> %s: %s\n", t.Kind, t.Lifecycle.Initial, t.Lifecycle.Created)
		for _, e := range t.Lifecycle.Edges {
			for _, from := range e.From {
				if e.StateAfter(from) != from {
					fmt.Fprintf(&b, "    %s --> %s: %s\n", from, e.StateAfter(from), e.Action)
				}
			}
		}
		b.WriteString("```\n\n| from | by | to | who | event | also |\n|---|---|---|---|---|---|\n")
		for _, e := range t.Lifecycle.Edges {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", words(e.From), e.Action, orSame(e.To), e.Guard, e.EventType(t.Kind), words(e.Effects))
		}
	}
	return b.String()
}

func words[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, t := range all {
		texts[i] = string(t)
	}
	return strings.Join(texts, ", ")
}

func orSame(s lifecycle.State) string {
	if s == "" {
		return "the same"
	}
	return string(s)
}
