package wording_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/portal"
)

// kinds returns all types of filing.
func kinds(t *testing.T) []*filing.Type {
	t.Helper()
	a, err := app.Open(t.Context(), config.Config{Data: t.TempDir()}, app.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return slices.SortedFunc(maps.Values(a.Filings.Types), func(a, b *filing.Type) int { return strings.Compare(a.Kind, b.Kind) })
}

var names = wording.Names{
	Users:   map[string]string{"u1": "Dana Demo", "u2": "Vera Viewer"},
	Keys:    map[string]string{"k1": "Warehouse"},
	Records: map[string]string{"r1": "HCS-0001", "w1": "https://example.com/hook"},
}

// Every event type of the service has a phrase, for events of users and of the service,
// and no sentence contains a placeholder.
func TestEveryTypeHasWords(t *testing.T) {
	types := kinds(t)
	if len(types) < 12 {
		t.Fatalf("only %d kinds", len(types))
	}
	book := wording.NewVocabulary(types, nil)
	all := slices.Concat(access.EventTypes(), webhook.EventTypes(), portal.EventTypes(), submission.EventTypes(), audit.EventTypes(), evidence.EventTypes(), retention.EventTypes(), portability.EventTypes(), closure.EventTypes(), batch.EventTypes(), whatif.EventTypes(), []string{gvms.Movements.Kind + "." + exchange.ClaimedEvent})
	for _, k := range types {
		for _, past := range append(k.Lifecycle.Events(), "reviewed", "classified") {
			all = append(all, k.Kind+"."+past)
		}
		for _, step := range k.Lifecycle.Actions() {
			all = append(all, k.Kind+"."+string(step)+access.RefusedSuffix)
		}
		all = append(all, "export."+k.Plural)
	}
	for _, name := range all {
		if !book.HasPhrase(name) {
			t.Errorf("%s has no phrase; add one to verbs", name)
		}
		for _, actor := range []tenant.ActorType{tenant.ByUser, tenant.BySystem} {
			resource := name[:strings.LastIndex(strings.TrimSuffix(name, access.RefusedSuffix), ".")]
			e := audit.Event{Type: name, ResourceType: resource, ResourceID: "r1", ActorType: actor, ActorUserID: "u1", Hub: "customs",
				Data: []byte(`{"name":"N","role":"MEMBER","by":"password","email":"e@example.com","count":3,"events":4,"problem":"P","reason":"R"}`)}
			text := book.Describe(&e, names).String()
			if strings.ContainsAny(text, "{}") || strings.Contains(text, "  ") || strings.Contains(text, "…") || !unicode.IsUpper([]rune(text)[0]) {
				t.Errorf("%s by %s: %q", name, actor, text)
			}
		}
	}
}

// Events of a new kind are described from its lifecycle. A new verb is taken from the
// event type until it has a phrase.
func TestNewKind(t *testing.T) {
	lease := &filing.Type{Kind: "harbour.lease", Hub: "harbour", Singular: "lease", Plural: "leases", Tag: "Harbour", Area: "Harbour", Lifecycle: lifecycle.Regulated.With(
		lifecycle.Edge{From: []lifecycle.State{lifecycle.Accepted}, Action: "seal", Guard: lifecycle.Member, Event: "sealed_off"})}
	book := wording.NewVocabulary([]*filing.Type{lease}, nil)
	for past, want := range map[string]string{
		"created": "Dana Demo created harbour lease HCS-0001", "accepted": "Dana Demo marked harbour lease HCS-0001 as accepted",
		"cancelled": "Dana Demo cancelled harbour lease HCS-0001", "sealed_off": "Dana Demo sealed off harbour lease HCS-0001",
	} {
		e := audit.Event{Type: "harbour.lease." + past, ResourceType: "harbour.lease", ResourceID: "r1", ActorType: tenant.ByUser, ActorUserID: "u1"}
		if got := book.Describe(&e, names).String(); got != want {
			t.Errorf("%s: %q, not %q", past, got, want)
		}
		if known := book.HasPhrase(e.Type); known == (past == "sealed_off") {
			t.Errorf("%s has a phrase: %t", past, known)
		}
	}
}

// Events are described in readable sentences.
func TestSentences(t *testing.T) {
	book := wording.NewVocabulary(kinds(t), map[string]string{"tss": "Northern Ireland (TSS)"})
	user := func(kind, resource, id, data string) audit.Event {
		return audit.Event{Hub: "customs", Type: kind, ResourceType: resource, ResourceID: id, ActorType: tenant.ByUser, ActorUserID: "u1", Data: []byte(data)}
	}
	system := func(hub, kind, resource, id, data string) audit.Event {
		return audit.Event{Hub: hub, Type: kind, ResourceType: resource, ResourceID: id, ActorType: tenant.BySystem, ActorUserID: tenant.SystemUser, Data: []byte(data)}
	}
	for _, c := range []struct {
		event audit.Event
		want  string
	}{
		{user("declaration.amended", "declaration", "r1", `{"before":{"items":[{"grossMassKg":131,"x":"a"}]},"after":{"items":[{"grossMassKg":135,"x":"a"}]}}`),
			"Dana Demo amended declaration HCS-0001: item 1, gross mass 131 → 135 kg"},
		{user("declaration.amended", "declaration", "r1", `{"before":{"eori":"GB1","name":"Old"},"after":{"eori":"GB2","customsValueGbp":1850.50}}`),
			"Dana Demo amended declaration HCS-0001: customs value set to £1850.50; EORI GB1 → GB2; name Old removed"},
		{user("declaration.amended", "declaration", "r1", `{"before":{"codes":["a","b"]},"after":{"codes":["c","d","e","f","g"]}}`),
			"Dana Demo amended declaration HCS-0001: code 1 a → c; code 2 b → d; code 3 set to e and 2 more"},
		{user("cbam.report.refreshed", "cbam.report", "r1", `{"before":{"byBasis":[{"emissionsKg":1}]},"after":{"byBasis":[{"emissionsKg":2}]}}`),
			"Dana Demo recalculated CBAM report HCS-0001: by basis 1, emissions 1 → 2 kg"},
		{system("customs", "declaration.accepted", "declaration", "r1", `{"functionCode":"01","mrn":"26GB1"}`), "Customs accepted declaration HCS-0001 as MRN 26GB1"},
		{system("customs", "declaration.rejected", "declaration", "r1", `{"errors":["CDS12056","CDS1","CDS2","CDS3"]}`), "Customs rejected declaration HCS-0001: CDS12056, CDS1, CDS2 and 1 more"},
		{system("tax", "tax.period.opened", "tax.period", "r1", ``), "VAT period HCS-0001 opened"},
		{system("tax", "tax.period.learnt", "tax.period", "r1", ``), "HMRC announced VAT period HCS-0001"},
		{system("corporate", "corporate.filing.overdue", "corporate.filing", "r1", ``), "Corporate filing HCS-0001 became overdue"},
		{user("tss.declaration.rejected", "tss.declaration", "r1", `{"reason":"No UKIMS"}`), "Dana Demo marked TSS declaration HCS-0001 as rejected: “No UKIMS”"},
		{user("emcs.movement.submitted", "emcs.movement", "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a", ``), "Dana Demo submitted EMCS movement …4c5b6a"},
		{user("declaration.reviewed", "declaration", "r1", `{"riskScore":20,"codes":["DEC-001"]}`), "Dana Demo reviewed declaration HCS-0001: 1 finding"},
		{user("declaration.reviewed", "declaration", "r1", `{"riskScore":0,"codes":[]}`), "Dana Demo reviewed declaration HCS-0001: no findings"},
		{user("trade.licence.classified", "trade.licence", "r1", `{"verdict":"needs_licence","codes":["CLS-001","CLS-002"]}`), "Dana Demo classified trade licence HCS-0001: needs licence"},
		{user("key.created", "key", "k1", `{"name":"Warehouse","role":"MEMBER"}`), "Dana Demo created API key “Warehouse”"},
		{user("key.revoked", "key", "k1", ``), "Dana Demo revoked API key “Warehouse”"},
		{user("user.role_changed", "user", "u2", `{"before":"VIEWER","after":"MEMBER"}`), "Dana Demo changed the role of Vera Viewer: viewer → member"},
		{user("user.added", "user", "u1", `{"role":"MEMBER"}`), "Dana Demo joined as member"},
		{user("user.added", "user", "u2", `{"role":"MEMBER"}`), "Dana Demo added Vera Viewer as member"},
		{user("user.signed_in", "user", "u1", `{"by":"single sign-on"}`), "Dana Demo signed in with single sign-on"},
		{system("customs", "user.sign_in_refused", "user", "u2", ``), "An attempt to sign in as Vera Viewer failed"},
		{user("hub.enabled", "hub", "tss", ``), "Dana Demo enabled the Hub Northern Ireland (TSS)"},
		{system("webhooks", "webhook.endpoint.paused", "webhook.endpoint", "w1", `{"reason":"410 Gone"}`), "The service paused webhook https://example.com/hook: “410 Gone”"},
		{user("tss.declaration.mark-accepted.refused", "tss.declaration", "r1", `{"role":"MEMBER"}`), "Dana Demo was refused: mark accepted TSS declaration HCS-0001"},
		{user("export.clients", "client", "", `{"count":12}`), "Dana Demo exported 12 clients"},
		{user("audit.verified", "audit", "", `{"events":12,"head":"ab"}`), "Dana Demo verified the audit trail: 12 events, unbroken"},
		{audit.Event{Type: "client.created", ResourceType: "client", ResourceID: "r1", ActorType: tenant.ByUser, ActorUserID: "gone"}, "A former user created client HCS-0001"},
		{user("client.updated", "client", "r1", `no JSON`), "Dana Demo changed client HCS-0001"},
	} {
		if got := book.Describe(&c.event, names).String(); got != c.want {
			t.Errorf("%s: %q, not %q", c.event.Type, got, c.want)
		}
	}
	own := names
	own.Current = "r1"
	e := system("customs", "declaration.accepted", "declaration", "r1", `{"mrn":"26GB1"}`)
	if got := book.Describe(&e, own); got.Subject != "it" || got.String() != "Customs accepted it as MRN 26GB1" {
		t.Errorf("event of the current record: %+v", got)
	}
}

// Every changed value is listed once, before and after. Unchanged values are not listed,
// and numbers keep their notation.
func TestChanges(t *testing.T) {
	book := wording.NewVocabulary(nil, nil)
	e := audit.Event{Data: []byte(`{
		"before": {"name": "Old", "items": [{"grossMassKg": 1.10, "same": true}, {"grossMassKg": 2}], "note": null, "flag": true},
		"after":  {"name": "Old", "items": [{"grossMassKg": 1.1, "same": true}], "note": "x", "flag": false, "big": "8193 bytes, SHA-256 ab"},
		"sha256": "cd", "role": "MEMBER", "list": [1, "b"], "inner": {"eori": "GB1"}}`)}
	got, more := book.Changes(&e)
	want := []wording.Change{
		{"big", "Big", "", "8193 bytes, SHA-256 ab"}, {"flag", "Flag", "yes", "no"},
		{"items[0].grossMassKg", "Item 1, gross mass (kg)", "1.10", "1.1"}, {"note", "Note", "", "x"},
		{"items[1].grossMassKg", "Item 2, gross mass (kg)", "2", ""},
	}
	if more || !slices.Equal(got, want) {
		t.Errorf("changes %+v", got)
	}
	facts := []wording.Fact{{"Inner, EORI", "GB1"}, {"List 1", "1"}, {"List 2", "b"}, {"Role", "Member"}, {"SHA-256 of the input", "cd"}}
	if got := book.Facts(&e); !slices.Equal(got, facts) {
		t.Errorf("facts %+v", got)
	}
}

// A record's name is its kind and its own name, or the end of its id if it has none.
func TestCalled(t *testing.T) {
	book := wording.NewVocabulary(kinds(t), nil)
	for want, f := range map[string]filing.Filing{
		"declaration LRN-1":      {Kind: "declaration", Brief: []byte(`{"lrn":"LRN-1"}`)},
		"TSS declaration HCS-1":  {Kind: "tss.declaration", Body: []byte(`{"reference":"HCS-1"}`)},
		"EMCS movement …4c5b6a":  {Kind: "emcs.movement", ID: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"},
		"VAT period 2026-Q4, ok": {Kind: "tax.period", Brief: []byte(`{"name":"2026-Q4, ok"}`)},
	} {
		if got := book.RecordName(&f); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Roles in events are shown in words. Text of users that looks like a role is unchanged.
func TestRolesInWords(t *testing.T) {
	book := wording.NewVocabulary(nil, nil)
	changed := audit.Event{Type: "user.role_changed", Data: []byte(`{"before":"VIEWER","after":"OWNER"}`)}
	if got, _ := book.Changes(&changed); !slices.Equal(got, []wording.Change{{"", "", "Viewer", "Owner"}}) {
		t.Errorf("changes %+v", got)
	}
	written := audit.Event{Type: "client.updated", Data: []byte(`{"before":{"name":"MEMBER"},"after":{"name":"OWNER"}}`)}
	if got, _ := book.Changes(&written); len(got) != 1 || got[0].Before != "MEMBER" || got[0].After != "OWNER" {
		t.Errorf("changes of a text %+v", got)
	}
}

// A long list of changes is cut off, and Changes reports that there are more.
func TestManyChanges(t *testing.T) {
	book := wording.NewVocabulary(nil, nil)
	e := audit.Event{Data: []byte(`{"before":{},"after":{"codes":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 300), ",") + `]}}`)}
	if got, more := book.Changes(&e); len(got) != 200 || !more {
		t.Errorf("%d changes, more %t", len(got), more)
	}
}

// There is a group for every kind, and groups contain the right event types.
func TestGroups(t *testing.T) {
	book := wording.NewVocabulary(kinds(t), nil)
	titles := map[string]bool{}
	for _, g := range book.Groups() {
		if titles[g.Title] || g.Name == "" {
			t.Errorf("%q is listed twice, or has no name", g.Title)
		}
		titles[g.Title] = true
	}
	for _, want := range []string{"Declarations", "TSS declarations", "EMCS movements", "VAT returns", "Clients", "Webhooks"} {
		if !titles[want] {
			t.Errorf("no group %q in %v", want, titles)
		}
	}
	for name, types := range map[string][2]string{
		"declaration": {"declaration.accepted", "tss.declaration.accepted"}, "tss.declaration": {"tss.declaration.created", "declaration.created"},
		"sign-ins": {"user.signed_in", "user.removed"}, "refused": {"tss.declaration.mark-accepted.refused", "declaration.rejected"}, "exports": {"export.clients", "client.created"},
	} {
		g, found := book.Group(name)
		if !found || !g.Matches(types[0]) || g.Matches(types[1]) {
			t.Errorf("%s: found %t, fits %s %t, %s %t", name, found, types[0], g.Matches(types[0]), types[1], g.Matches(types[1]))
		}
	}
	if _, found := book.Group("nothing"); found {
		t.Error("a group that does not exist is found")
	}
}

// A timeline entry has a sentence, a link to the event's details, and the new status if the
// event changed it.
func TestMoments(t *testing.T) {
	book := wording.NewVocabulary(kinds(t), nil)
	line := func(kind, from, to string) wording.Line {
		return wording.Line{Event: audit.Event{Sequence: 7, ResourceType: kind, FromStatus: from, ToStatus: to}, Sentence: wording.Sentence{Before: "Dana Demo created ", Subject: "it"}, Key: "Warehouse"}
	}
	all := book.Timeline([]wording.Line{line("tss.declaration", "", "DRAFT"), line("tss.declaration", "DRAFT", "DRAFT"), line("client", "", "ACTIVE")})
	for i, status := range []string{"DRAFT", "", "ACTIVE"} {
		want := wording.TimelineEntry{Text: "Dana Demo created it", Status: status, Key: "Warehouse", Path: "/audit/7", LinkText: "Details", LinkContext: "of event 7"}
		if all[i] != want {
			t.Errorf("%+v", all[i])
		}
	}
}
