package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The editions that an operator imports are listed, newest first, and compared in pages and on the command line with the same
// result. An edition that is not kept is unknown.
func TestEditions(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A").as("VIEWER")
		lines := written(t, tariffLines)
		for _, duty := range []string{"25.00%", "7.50%"} {
			if out, err := p.runOperator("tariff", "import", lines, written(t, strings.Replace(tariffDuties, "25.00%", duty, 1))); err != nil {
				t.Fatalf("%v %s", err, out)
			}
		}
		a := c.call("GET", "/api/tariff/editions?limit=2", nil).want(t, 200)
		editions := a.in("editions").([]any)
		if len(editions) != 2 || editions[0].(map[string]any)["id"] != 2.0 || editions[0].(map[string]any)["xi"] != nil || a.in("hasMore") != true {
			t.Errorf("%s", a.text)
		}
		rest := c.call("GET", "/api/tariff/editions?limit=2&cursor="+a.in("nextCursor").(string), nil).want(t, 200)
		own := rest.in("editions").([]any)
		if len(own) != 1 || own[0].(map[string]any)["id"] != 0.0 || own[0].(map[string]any)["importedAt"] != nil || rest.in("nextCursor") != nil {
			t.Errorf("%s", rest.text)
		}

		diff := c.call("GET", "/api/tariff/editions/diff?from=1&to=2", nil).want(t, 200)
		change := diff.in("changes").([]any)[0].(map[string]any)
		if diff.in("summary", "changed") != 1.0 || diff.in("summary", "codes") != 1.0 || change["commodityCode"] != "6109100000" || change["change"] != "CHANGED" ||
			change["before"].(map[string]any)["rateExpression"] != "25.00 %" || change["after"].(map[string]any)["rateExpression"] != "7.50 %" || change["measureSid"] != nil {
			t.Errorf("%s", diff.text)
		}
		if again := c.call("GET", "/api/tariff/editions/diff?from=1&to=2", nil); again.text != diff.text {
			t.Errorf("%s\nand then\n%s", diff.text, again.text)
		}
		if out, err := p.runOperator("tariff", "diff", "1", "2"); err != nil || !strings.Contains(out, "6109100000") || !strings.Contains(out, "25.00 %") || !strings.Contains(out, "1 changed, of 1 ") {
			t.Errorf("%v %s", err, out)
		}
		if out, err := p.runOperator("tariff", "diff", "1", "2", "--json"); err != nil || !strings.Contains(out, `"summary":{"added":0,"ended":0,"changed":1,"codes":1}`) {
			t.Errorf("%v %s", err, out)
		}
		c.pagesOf(t, "/api/tariff/editions/diff?from=0&to=1&commodityCode=6109&limit=2")
		c.call("GET", "/api/tariff/editions/diff?from=1&to=9", nil).refused(t, 404, "not_found")
		if out, err := p.runOperator("tariff", "diff", "9", "1"); err == nil {
			t.Errorf("an edition that is not kept: %s", out)
		}
	})
}

// pagesOf reads all pages of a comparison: each change once, and the same summary on every page.
func (c *caller) pagesOf(t *testing.T, path string) {
	t.Helper()
	seen, cursor, summary := 0, "", ""
	for {
		a := c.call("GET", path+"&cursor="+cursor, nil).want(t, 200)
		if text := fmt.Sprint(a.in("summary")); summary == "" {
			summary = text
		} else if text != summary {
			t.Errorf("the summary is %s, then %s", summary, text)
		}
		seen += len(a.in("changes").([]any))
		if a.in("hasMore") == false {
			s := a.in("summary").(map[string]any)
			if total := s["added"].(float64) + s["ended"].(float64) + s["changed"].(float64); int(total) != seen || seen < 3 {
				t.Errorf("%d changes on the pages, %v in the summary", seen, s)
			}
			return
		}
		cursor = a.in("nextCursor").(string)
	}
}
