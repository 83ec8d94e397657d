package corporate

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of a company filing: the fields of each form are members of formData.
var form = &layout.Form{
	Decides: "filingType",
	Sections: slices.Concat([]layout.Section{
		{
			Title: "Form and due date", Fields: []layout.Field{
				{Path: "filingType", Label: "Form", Hint: "It decides the authority and the fields below", Closed: true, Options: []layout.Option{
					{Value: string(ConfirmationStatement), Label: "Confirmation statement (CS01)"}, {Value: string(AnnualAccounts), Label: "Annual accounts"},
					{Value: string(PSCNotification), Label: "Person with significant control (PSC01, PSC02)"}, {Value: string(DirectorAppointment), Label: "Director appointed (AP01)"},
					{Value: string(DirectorResignation), Label: "Director left (TM01)"}, {Value: string(RegisteredOffice), Label: "Change of registered office (AD01)"},
					{Value: string(CT600), Label: "Company tax return (CT600)"}, {Value: string(ICORenewal), Label: "Data protection fee (ICO)"}, {Value: string(TRSUpdate), Label: "Trust registration update (TRS)"},
				}},
				{Path: "dueDate", Label: "Due date", Hint: "Last day and time to file, London time. A draft is overdue after it."},
			},
		},
		{
			Title: "Company", Fields: []layout.Field{
				{Path: "companyName", Label: "Company name", Hint: "As registered"},
				{Path: "companyNumber", Label: "Company number", Hint: "At Companies House: eight characters with the leading zeros, such as 09876543"},
				{Path: "subject", Label: "Title of the filing", Hint: "For your lists, such as “Confirmation statement to 30 November 2026”"},
				{Path: "ownReference", Label: "Your reference", Hint: "Your own number of the filing. It is not sent."},
			},
			Sources: []layout.Source{source.Client("company", "Take the company from a client", source.From("companyName", "name"))},
		},
	}, companySections, personSections, otherSections),
	Other: []layout.Field{{Path: "formData", Label: "More of the form", Hint: "Details that have no field above, each with a name"}},
}

// in returns a field of the form with an answer of its own in formData.
func in(name, label, hint string, format layout.Format) layout.Field {
	f := layout.Field{Path: "formData." + name, Label: label, Hint: hint, Format: format, Expected: true}
	for _, other := range append([]string{name}, synonyms[name]...) {
		f.Also = append(f.Also, spellingsOf(other)...)
	}
	return f
}

// optional marks a field of the form as optional.
func optional(f layout.Field) layout.Field {
	f.Expected = false
	return f
}

// of limits a field to some forms.
func of(f layout.Field, forms ...Form) layout.Field {
	f.When = layout.Only("filingType", forms...)
	return f
}

// choose gives a field the values that it can have.
func choose(f layout.Field, options ...layout.Option) layout.Field {
	f.Options, f.Closed = options, true
	return f
}

func option(value, label string) layout.Option { return layout.Option{Value: value, Label: label} }

var companySections = []layout.Section{
	{
		Title: "Confirmation statement", When: layout.Only("filingType", ConfirmationStatement), Help: "To Companies House within 14 days of the end of the review period.", Fields: []layout.Field{
			in("reviewPeriodEnd", "Confirmation date", "Last day of the review period of at most twelve months", layout.Day),
			in("registeredEmailAddress", "Registered email address", "Where Companies House writes to. It is not shown on the register.", layout.Text),
			in("sicCodes", "SIC codes", "One to four codes of five digits for what the company does, one in a line, such as 47599", layout.Lines),
			in("lawfulPurposeStatement", "The intended future activities of the company are lawful", "Choose Yes to make the statement of lawful purposes", layout.YesNo),
			columns(optional(in("statementOfCapital", "Statement of capital", "Only if it has changed: each class of shares", layout.Rows)),
				layout.Field{Path: "class", Label: "Class of shares", Hint: "Such as Ordinary"}, layout.Field{Path: "currency", Label: "Currency", Hint: "Three letters, such as GBP"},
				layout.Field{Path: "numberOfShares", Label: "Number of shares", Format: layout.Count}, layout.Field{Path: "nominalValue", Label: "Nominal value of a share", Format: layout.Amount},
				layout.Field{Path: "aggregateNominalValue", Label: "Aggregate nominal value", Hint: "Number of shares times nominal value", Format: layout.Amount},
				layout.Field{Path: "amountUnpaid", Label: "Amount unpaid", Format: layout.Amount}),
			columns(optional(in("directors", "Directors", "With the personal code of each, unless an earlier filing contained it", layout.Rows)),
				layout.Field{Path: "name", Label: "Full name"}, layout.Field{Path: "personalCode", Label: "Personal code", Hint: "Eleven letters and digits of the verified identity"}),
		},
	},
	{
		Title: "Accounts", When: layout.Only("filingType", AnnualAccounts), Help: "To Companies House within nine months of the end of the financial year, six for a public company.", Fields: []layout.Field{
			of(in("periodStart", "Start of the financial year", "", layout.Day), AnnualAccounts),
			of(in("periodEnd", "End of the financial year", "The accounting reference date", layout.Day), AnnualAccounts),
			choose(in("accountsType", "Type of accounts", "By the size of the company", layout.Text), option("micro", "Micro-entity"), option("small", "Small"), option("medium", "Medium-sized"), option("full", "Full"), option("group", "Group"), option("dormant", "Dormant")),
			in("balanceSheetTotal", "Balance sheet total (£)", "Total of the assets", layout.Amount),
			of(optional(in("turnover", "Turnover (£)", "", layout.Amount)), AnnualAccounts),
			optional(in("employees", "Average number of employees", "", layout.Count)),
			in("approvalDate", "Date of approval", "When the directors approved the accounts", layout.Day),
			of(in("directorName", "Director who signs the balance sheet", "Full name", layout.Text), AnnualAccounts),
		},
	},
	{
		Title: "Registered office", When: layout.Only("filingType", RegisteredOffice), Help: "The change takes effect when Companies House registers it.", Fields: []layout.Field{
			in("newAddress", "New registered office", "Complete address, in the same part of the United Kingdom. A PO box alone is not enough.", layout.Address),
			in("appropriateAddress", "The new address is an appropriate address", "Documents that are delivered there come to the attention of the company, and delivery can be recorded", layout.YesNo),
			optional(in("effectiveDate", "Date of the change", "", layout.Day)),
		},
	},
	{
		Title: "Company tax return", When: layout.Only("filingType", CT600), Help: "To HMRC within twelve months of the end of the accounting period.", Fields: []layout.Field{
			in("utr", "Unique taxpayer reference (UTR)", "Ten digits", layout.Text),
			of(in("periodStart", "Start of the accounting period", "", layout.Day), CT600),
			of(in("periodEnd", "End of the accounting period", "At most twelve months after the start", layout.Day), CT600),
			of(in("turnover", "Turnover from trade (£), box 145", "0 if there was none", layout.Amount), CT600),
			in("profitsChargeable", "Profits chargeable to corporation tax (£), box 315", "", layout.Amount),
			in("corporationTax", "Corporation tax chargeable (£), box 440", "After marginal relief", layout.Amount),
			optional(in("associatedCompanies", "Associated companies", "Number of companies under the same control; they share the limits of marginal relief", layout.Count)),
		},
	},
}

func columns(f layout.Field, columns ...layout.Field) layout.Field {
	f.Columns = columns
	return f
}

// natures are the natures of control of a company, by right and band, and those of a trust or a firm for the rights that
// occur most.
var natures = []layout.Option{
	option("ownership-of-shares-25-to-50-percent", "Shares: more than 25% up to 50%"), option("ownership-of-shares-50-to-75-percent", "Shares: more than 50%, less than 75%"), option("ownership-of-shares-75-to-100-percent", "Shares: 75% or more"),
	option("voting-rights-25-to-50-percent", "Voting rights: more than 25% up to 50%"), option("voting-rights-50-to-75-percent", "Voting rights: more than 50%, less than 75%"), option("voting-rights-75-to-100-percent", "Voting rights: 75% or more"),
	option("right-to-appoint-and-remove-directors", "Right to appoint or remove a majority of the directors"), option("significant-influence-or-control", "Significant influence or control, if nothing above applies"),
}

var personSections = []layout.Section{
	{
		Title: "Person with significant control", When: layout.Only("filingType", PSCNotification), Help: "To Companies House within 14 days of the day on which the company confirmed the particulars.", Fields: []layout.Field{
			choose(in("pscType", "Type", "", layout.Text), option("individual", "Individual"), option("corporate-entity", "Company (relevant legal entity)"), option("legal-person", "Other registrable person")),
			in("pscName", "Full name", "Of the person, or of the legal entity", layout.Text),
			in("dateBecamePsc", "Date on which the control began", "6 April 2016 if it began earlier", layout.Day),
			severalOf(in("naturesOfControl", "Natures of control", "Everything that applies, one band of each right", layout.Several), natures),
			of(in("serviceAddress", "Service address", "Shown on the register. For a legal entity, its registered office.", layout.Address), PSCNotification),
			of(in("dateOfBirth", "Date of birth", "Individuals only. The register shows month and year.", layout.Day), PSCNotification),
			of(in("nationality", "Nationality", "Individuals only", layout.Text), PSCNotification),
			of(in("countryOfResidence", "Country of residence", "Individuals only: a country, or a part of the United Kingdom such as Wales", layout.Text), PSCNotification),
			of(optional(in("personalCode", "Personal code", "Eleven letters and digits of the verified identity", layout.Text)), PSCNotification),
		},
	},
	{
		Title: "Director", When: layout.Only("filingType", DirectorAppointment), Help: "To Companies House within 14 days of the appointment.", Fields: []layout.Field{
			of(in("directorName", "Full name", "As in the passport", layout.Text), DirectorAppointment),
			in("appointedOn", "Date of appointment", "Not in the future", layout.Day),
			of(in("dateOfBirth", "Date of birth", "A director must be at least 16. The register shows month and year.", layout.Day), DirectorAppointment),
			of(in("nationality", "Nationality", "", layout.Text), DirectorAppointment),
			of(in("countryOfResidence", "Country of residence", "A country, or a part of the United Kingdom such as Wales", layout.Text), DirectorAppointment),
			optional(in("occupation", "Occupation", "", layout.Text)),
			of(in("serviceAddress", "Service address", "Shown on the register, such as the registered office", layout.Address), DirectorAppointment),
			in("residentialAddress", "Home address", "Not shown on the register", layout.Address),
			of(in("personalCode", "Personal code", "Eleven letters and digits of the verified identity, required since 18 November 2025", layout.Text), DirectorAppointment),
			in("consentToAct", "The person has consented to act as director", "Choose Yes to make the statement", layout.YesNo),
		},
	},
	{
		Title: "Director who left", When: layout.Only("filingType", DirectorResignation), Help: "To Companies House within 14 days.", Fields: []layout.Field{
			of(in("directorName", "Full name", "As on the register", layout.Text), DirectorResignation),
			in("resignedOn", "Date on which the director left", "Not in the future", layout.Day),
		},
	},
}

func severalOf(f layout.Field, options []layout.Option) layout.Field {
	f.Options = options
	return f
}

var otherSections = []layout.Section{
	{
		Title: "Data protection fee", When: layout.Only("filingType", ICORenewal), Help: "To the Information Commissioner’s Office every twelve months.", Fields: []layout.Field{
			in("registrationNumber", "Registration number", "Z, ZA or ZB and six or seven digits", layout.Text),
			in("expiryDate", "End of the current registration", "", layout.Day),
			in("staff", "Average number of staff", "In the financial year", layout.Count),
			of(optional(in("turnover", "Turnover (£)", "In the financial year", layout.Amount)), ICORenewal),
			choose(in("tier", "Tier", "An organisation that exceeds both limits is in the next tier", layout.Text),
				option("1", "1: "+fees[1]+", at most 10 staff or £632,000 of turnover"), option("2", "2: "+fees[2]+", at most 250 staff or £36 million of turnover"), option("3", "3: "+fees[3]+", all others")),
		},
	},
	{
		Title: "Trust", When: layout.Only("filingType", TRSUpdate), Help: "To HMRC’s Trust Registration Service within 90 days of the change.", Fields: []layout.Field{
			in("trustName", "Name of the trust", "", layout.Text),
			in("urn", "Unique reference number (URN)", "Or the UTR of a taxable trust", layout.Text),
			in("changeDate", "Date of the change", "", layout.Day),
			in("leadTrustee", "Lead trustee", "Full name. HMRC writes to this person.", layout.Text),
		},
	},
}
