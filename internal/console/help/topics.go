package help

import "strings"

// topics are the sections of the guide that explain pages, by the beginning of their paths. The longest one counts.
var topics = []struct{ path, section string }{
	{"/", "what-needs-attention"},
	{"/account", "signing-in-safely"},
	{"/account/erase", "when-a-person-leaves"},
	{"/audit", "evidence-for-an-officer"},
	{"/authorities", "connections-to-authorities"},
	{"/cbam", "cbam-quarters"},
	{"/classify", "finding-a-commodity-code"},
	{"/clients", "clients-shipments-and-products"},
	{"/confirm", "signing-in-safely"},
	{"/connect", "connecting-to-hmrc"},
	{"/customs", "connecting-to-hmrc"},
	{"/deadlines", "what-is-due"},
	{"/declarations", "what-customs-rejects"},
	{"/declarations/new", "a-declaration-from-an-invoice"},
	{"/declare", "a-declaration-from-an-invoice"},
	{"/design", "a-guide-for-the-compliance-team"},
	{"/export", "clients-from-a-spreadsheet"},
	{"/help", "help-in-the-program"},
	{"/hubs", "the-hubs"},
	{"/hubs/cbam", "cbam-quarters"},
	{"/hubs/corporate", "company-filings"},
	{"/hubs/emcs", "excise-movements-at-hmrc"},
	{"/hubs/gvms", "goods-movements-at-hmrc"},
	{"/hubs/ics2", "entry-summary-declarations-for-great-britain"},
	{"/hubs/trade", "export-licences"},
	{"/import", "clients-from-a-spreadsheet"},
	{"/products", "clients-shipments-and-products"},
	{"/records", "the-hubs"},
	{"/sign-in", "if-you-cannot-sign-in"},
	{"/reset", "if-you-cannot-sign-in"},
	{"/forgot", "if-you-cannot-sign-in"},
	{"/invitation", "if-you-cannot-sign-in"},
	{"/settings", "the-first-run"},
	{"/settings/customs", "connecting-to-hmrc"},
	{"/settings/data", "when-a-person-leaves"},
	{"/settings/hubs", "the-hubs"},
	{"/settings/security", "signing-in-safely"},
	{"/settings/sign-on", "signing-in-safely"},
	{"/settings/users", "the-first-run"},
	{"/set-up", "the-first-run"},
	{"/shipments", "clients-shipments-and-products"},
	{"/templates", "consignments-that-repeat"},
	{"/vat", "vat-returns"},
	{"/portal", "messages-to-other-systems"},
	{"/webhooks", "messages-to-other-systems"},
	{"/what-if", "what-it-would-cost-otherwise"},
}

// Topic returns the section of the guide that explains a page.
func Topic(path string) (section string) {
	longest := ""
	for _, t := range topics {
		if (path == t.path || t.path == "/" && longest == "" || strings.HasPrefix(path, t.path+"/")) && len(t.path) > len(longest) {
			longest, section = t.path, t.section
		}
	}
	return section
}
