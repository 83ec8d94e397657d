package console_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// chooses chooses the columns of the list of a kind.
func (p *user) chooses(kind, columns string) {
	p.Helper()
	form := []string{"kind", kind, "next", "/"}
	for id := range strings.SplitSeq(columns, ".") {
		form = append(form, "column", id)
	}
	p.post("/columns", form...).redirect(p)
}

// headings returns the columns of the list on a page.
func headings(body string) (names []string) {
	head, _, _ := strings.Cut(body, "</thead>")
	for _, found := range regexp.MustCompile(`<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]*)<`).FindAllStringSubmatch(head, -1) {
		names = append(names, found[1])
	}
	return names
}

// The list of every kind has columns to choose: those that it shows, in their order, and the other members that fit into a cell. It
// shows the chosen ones in the chosen order, after the name, and a saved view keeps them. The columns of a kind are not those of
// another, and without a choice that exists the list shows the usual ones.
func TestColumnsOfEveryList(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	for _, k := range []struct {
		kind, list string
		record     func(*user) string
	}{
		{"client", "/clients", aFiling("client", aTrader)}, {"shipment", "/shipments", aShipment}, {"product", "/products", aProduct}, {"template", "/templates", aTemplate},
		{"gvms.movement", "/hubs/gvms/movements", aFiling("gvms.movement", aCrossing)}, {"emcs.movement", "/hubs/emcs/movements", aFiling("emcs.movement", aMovement)},
		{"tss.declaration", "/hubs/tss/declarations", aFiling("tss.declaration", aDeclaration)}, {"trade.licence", "/hubs/trade/licences", aFiling("trade.licence", aLicence)},
		{"ics2.filing", "/hubs/ics2/filings", aFiling("ics2.filing", aBritishEntry)}, {"declaration", "/declarations", ofGoods},
	} {
		if hub, _, of := strings.Cut(k.kind, "."); of {
			p.enable(hub)
		}
		k.record(p)
		page := p.get(k.list)
		usual := headings(page.body)
		choices := regexp.MustCompile(`id="column-([^"]+)" name="column" value="[^"]+"( checked)?><label[^>]*>([^<]*)<`).FindAllStringSubmatch(page.body, -1)
		if len(choices) < 4 {
			t.Errorf("%s: %d columns can be chosen", k.kind, len(choices))
			continue
		}
		last := choices[len(choices)-1]
		p.chooses(k.kind, "created."+last[1]+".nonsense")
		if got := headings(p.get(k.list).body); !slices.Equal(got, []string{usual[0], "Created", last[3]}) {
			t.Errorf("%s: %v are shown", k.kind, got)
		}
		query := "columns=" + choices[1][1] + "." + choices[0][1]
		p.post("/views", "kind", k.kind, "view-name", "Two", "query", query).redirect(t)
		view := p.get(k.list + "?" + query)
		view.expect(t, http.StatusOK, `aria-current="page">Two`)
		if got := headings(view.body); !slices.Equal(got, []string{usual[0], choices[1][3], choices[0][3]}) {
			t.Errorf("%s: the view shows %v", k.kind, got)
		}
		p.chooses(k.kind, "nonsense")
		if got := headings(p.get(k.list).body); !slices.Equal(got, usual) {
			t.Errorf("%s: %v are shown instead of %v", k.kind, got, usual)
		}
	}
	p.post("/columns", "kind", "nonsense", "column", "created").expect(t, http.StatusNotFound)
}

// The list of shipments can show the clients, each named, and be sorted by them. So can that of declarations, and the pages follow
// one another. A filter narrows both.
func TestListsByClient(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		var want []string
		for n := range 60 {
			client := p.file("client", map[string]any{"name": fmt.Sprintf("Trader %02d", n*37%60), "country": "GB"})
			shipment := p.file("shipment", map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"})
			p.file("declaration", map[string]any{"shipmentId": shipment, "declarationType": "IMPORT", "items": []any{map[string]any{"commodityCode": "6109100010", "description": "Shirts", "netMassKg": 1, "customsValueGbp": 1, "countryOfOrigin": "BD"}}})
			want = append(want, fmt.Sprintf("Trader %02d", n))
		}
		p.chooses("shipment", "clientId")
		for list, cell := range map[string]*regexp.Regexp{
			"/declarations?sort=client":              regexp.MustCompile(`data-label="Client" title="([^"]*)"`),
			"/declarations?sort=client&status=DRAFT": regexp.MustCompile(`data-label="Client" title="([^"]*)"`),
			"/shipments?sort=client":                 regexp.MustCompile(`data-label="Client" class="[^"]*" title="([^"]*)"`),
		} {
			var got []string
			for path := list; path != ""; {
				page := p.get(path)
				for _, found := range cell.FindAllStringSubmatch(page.body, -1) {
					got = append(got, found[1])
				}
				path = nextPage(page.body)
			}
			if !slices.Equal(got, want) {
				h.Errorf("%s: %v", list, got)
			}
		}
		back := p.get("/declarations?sort=-client")
		back.expect(h, http.StatusOK, `aria-sort="descending"><a href="/declarations?sort=client">Client`, "Trader 59")
		if strings.Contains(back.body, `data-label="Client" title="Trader 09"`) {
			h.Error("the last client is not the first")
		}
	})
}

// nextPage returns the path of the next page of a list; empty for none.
func nextPage(body string) string {
	found := regexp.MustCompile(`href="([^"]+)" rel="next"`).FindStringSubmatch(body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// A view keeps every filter of the list of declarations.
func TestViewsKeepEveryFilter(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	for _, query := range []string{"assignee=me&status=DRAFT", "clearedFrom=2026-01-01&clearedTo=2026-02-01&took=hour", "rejectedFor=CDS12056&rejectedFrom=2026-01-01"} {
		if at := p.post("/views", "kind", "declaration", "view-name", query, "query", query).redirect(t); at != "/declarations?"+query+"&done=view-saved" {
			t.Errorf("%s is kept as %s", query, at)
		}
	}
}
