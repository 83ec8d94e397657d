package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/test/models"
)

// estimated is an import without the supplier's figure, whose notes describe its production.
func (c *caller) estimated(t *testing.T) answer {
	t.Helper()
	i := steel()
	delete(i, "embeddedEmissionsKgCo2")
	i["notes"] = "Heat 2026-118, melted from scrap (EAF). Ask dana@example.com"
	return c.call("POST", "/api/cbam/imports", i).want(t, 201)
}

// With a model, the estimate of such an import follows what the model reads, within the values of the tables.
// Without the model's help it is the tables' estimate, with a note.
func TestModelEstimates(t *testing.T) {
	const scrap = `{"candidate":"3","words":"melted from scrap (EAF)","confidence":0.9}`
	withModel(t, func(t *testing.T, p *server, h *models.Server) {
		c := p.organisation("Quillfeather")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		h.Handle(models.RespondJSON(scrap))
		a := c.estimated(t)
		if a.in("emissionsSource") != "ESTIMATED_AI" || a.in("emissionsBasis") != "TYPICAL_OF_MAKING" || a.in("emissionsFactor") != 0.35 || a.in("embeddedEmissionsKgCo2") != 8575.0 || a.in("emissionsConfidence") != 0.7 {
			t.Errorf("estimated: %s", a.text)
		}
		if shown := c.call("GET", "/api/cbam/imports/"+a.id(), nil).want(t, 200); shown.in("import", "emissionsNote") != a.in("emissionsNote") || !strings.Contains(a.text, "configured model") {
			t.Errorf("stored: %s", shown.text)
		}
		for _, sent := range h.Requests() {
			for _, secret := range []string{c.org, c.key, "Quillfeather", "@", "16900.5", "24500"} {
				if strings.Contains(sent.Body, secret) {
					t.Errorf("%q is sent to the model: %s", secret, sent.Body)
				}
			}
		}
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		if len(h.Requests()) != 1 {
			t.Errorf("the model was called %d times", len(h.Requests()))
		}
		for _, m := range misbehaviours {
			h.Handle(models.RespondJSON(scrap)) // the model would be skipped after four failures
			c.estimated(t)
			h.Handle(m.act)
			a := c.estimated(t)
			if a.in("emissionsSource") != "ESTIMATED_DEFAULT" || a.in("embeddedEmissionsKgCo2") != 56595.0 || !strings.Contains(fmt.Sprint(a.in("emissionsNote")), "configured model") || len(h.Requests()) == 0 {
				t.Errorf("%s: %s", m.name, a.text)
			}
		}
		h.Handle(models.RespondRaw(http.StatusOK, "{}"))
		report := c.call("POST", "/api/cbam/reports", nil).want(t, 200)
		if !strings.Contains(report.text, "ESTIMATED_AI") || !strings.Contains(report.text, "TYPICAL_OF_MAKING") || len(h.Requests()) != 0 {
			t.Errorf("reported: %s", report.text)
		}
	}, shortModelTimeout)
}
