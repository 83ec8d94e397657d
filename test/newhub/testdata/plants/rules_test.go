package plants_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/filing/rules/rulestest"
	"github.com/tidewaiter/tidewaiter/internal/hub/plants"
)

type body = *plants.Notification

var check = rulestest.NewCase[body]

func lavender() body {
	return &plants.Notification{ImporterName: "Fenland Nurseries Ltd", CommodityCode: "0602905000", BotanicalName: "Lavandula angustifolia", CountryOfOrigin: "NL", Certificate: "EC/NL/0123456"}
}

var suite = rulestest.Suite[plants.Notification, body]{
	Rules: plants.Rules, Prefix: "PLT", Examples: map[string]func() body{"lavender": lavender},
	Cases: []rulestest.Case[body]{
		check("no certificate", lavender, func(n body) { n.Certificate = "" }, "PLT-001 blocker certificateNumber"),
		check("genus alone", lavender, func(n body) { n.BotanicalName = "Lavandula" }, "PLT-002 warning botanicalName"),
		check("cultivar", lavender, func(n body) { n.BotanicalName = "Lavandula angustifolia 'Hidcote'" }),
	},
	Body: rulestest.Plain[plants.Notification](rules.Facts{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}),
}

// Each rule finds its errors and nothing else, and says what is wrong and what to do.
func TestRules(t *testing.T) { suite.Run(t) }
