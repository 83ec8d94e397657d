package console_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/console/help"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// helpCases are the cases of the guide.
var helpCases = map[string]routeCase{"GET /help": {status: 200}}

var sectionID = regexp.MustCompile(`<h[23] id="([a-z0-9-]+)" tabindex`)

// The help of every page leads to a section of the guide that exists, and pages link to it.
func TestHelpOfEveryPage(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	ids := map[string]bool{}
	for _, found := range sectionID.FindAllStringSubmatch(p.get("/help").body, -1) {
		if ids[found[1]] {
			t.Errorf("two sections have the id %s", found[1])
		}
		ids[found[1]] = true
	}
	for _, r := range console.Table() {
		if topic := help.Topic(r.Path); !ids[topic] {
			t.Errorf("the help of %s is in the section %q, which does not exist", r.Path, topic)
		}
	}
	for path, section := range map[string]string{"/": "what-needs-attention", "/declarations": "what-customs-rejects", "/settings/hubs": "the-hubs", "/help": "help-in-the-program", "/nowhere": "what-needs-attention"} {
		if a := p.get(path); !strings.Contains(a.body, `href="/help#`+section+`"`) {
			t.Errorf("%s does not link to #%s", path, section)
		}
	}
	h.visitor().get("/sign-in").expect(t, http.StatusOK, `href="/help#if-you-cannot-sign-in"`)
}

// The search finds the sections that have all words, those with a word in their title first, without a session too.
func TestSearchInTheGuide(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.visitor()
	a := p.get("/help?q=webhooks+signed")
	a.expect(t, http.StatusOK, `href="/help#messages-to-other-systems"`, "<mark>")
	if at, of := strings.Index(p.get("/help?q=deadlines").body, "#what-is-due"), strings.Index(a.body, "#the-hubs"); at < 0 || of >= 0 {
		t.Errorf("found %d and %d", at, of)
	}
	p.get("/help?q=zeppelin").expect(t, http.StatusOK, "0 sections about “zeppelin”", "Try fewer or other words")
	p.get("/help?q=%3Cscript%3E").expect(t, http.StatusOK, "“&lt;script&gt;”")
	p.get("/help").expect(t, http.StatusOK, "<table class=\"list\">", "<strong>Settings › Users</strong>", "<em>")
}
