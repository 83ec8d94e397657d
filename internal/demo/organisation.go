package demo

import (
	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// organisation is a demo organisation without its filings.
type organisation struct {
	name       string
	profile    access.Profile
	hubs       []string
	people     []person
	invited    string // address with an open invitation; empty for none
	keys       []key
	endpoints  []endpoint
	storyFiles []string // names of files in the folder story, in order
	vat        string   // JSON members of the VAT return; empty for none
	carbon     bool     // whether a CBAM report is created
}

// person signs in with an address at example.com, which takes no mail.
type person struct {
	short, name string
	role        tenant.Role
}

// owner creates the organisations.
var owner = person{"dana", "Dana Whitfield", tenant.Owner}

// ownerEmail is the email address for signing in.
const ownerEmail = "demo@example.com"

type key struct {
	name    string
	role    tenant.Role
	days    int // until it expires; 0 for never
	revoked bool
}

type endpoint struct {
	webhook.Input
	paused bool
}

func text(s string) *string { return &s }

// readyDraft is the declaration of the first organisation that only has to be submitted.
const readyDraft = "t-shirts-drafted"

// organisations returns a customs broker and a haulier; the owner belongs to both. Names
// below .example do not resolve (RFC 2606), so that the webhook fails without sending
// anything.
func organisations() []organisation {
	return []organisation{
		{
			name: "Harbour Customs Services Ltd",
			profile: access.Profile{
				EORI: "GB987654312000", VATNumber: "GB987654353", AddressLine1: "1 Quay Street", City: "Felixstowe", Postcode: "IP11 3SY", Country: "GB",
				ContactName: owner.name, ContactEmail: "customs@harbourcustoms.example", Representation: "direct", DefermentAccount: "1234567",
			},
			hubs:    []string{"gvms", "emcs", "tss", "trade", "corporate", "cbam", "ics2", "tax"},
			people:  []person{{"max", "Max Berth", tenant.Member}, {"vera", "Vera Lock", tenant.Viewer}},
			invited: "ines@example.com",
			keys:    []key{{"Warehouse system", tenant.Member, 0, false}, {"Monthly report", tenant.Viewer, 12, false}, {"Former agent", tenant.Member, 0, true}},
			endpoints: []endpoint{
				{webhook.Input{URL: "https://hooks.warehouse.example/tidewaiter", Description: text("Warehouse: tells when goods are released"), Events: []string{
					"declaration.accepted", "declaration.cleared", "declaration.rejected"}}, false},
				{webhook.Input{URL: "https://ledger.example/customs", Description: text("Accounts: duty and VAT, from January on"), Events: []string{"declaration.tax_assessed"}}, true},
			},
			storyFiles: []string{"clients", "shipments", "products", "declarations", "hubs"},
			vat:        `"box1VatDueSales":8420.50,"box4AdditionalReclaim":2310.75,"box6TotalSales":46780,"box7TotalPurchases":231400`,
			carbon:     true,
		},
		{
			name:       "Orwell Haulage Ltd",
			profile:    access.Profile{EORI: "GB555111222000", AddressLine1: "Orwell Depot", City: "Ipswich", Postcode: "IP3 0BH", Country: "GB"},
			hubs:       []string{"gvms"},
			people:     []person{{"ray", "Ray Orwell", tenant.Member}},
			storyFiles: []string{"haulage"},
		},
	}
}
