// Package corporate is the Hub for filings of a company: with Companies House, the company tax return to HMRC, the data
// protection fee of the ICO and the Trust Registration Service, and their rules.
package corporate

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Filing is one form to file.
type Filing struct {
	FilingType    Form      `json:"filingType" enum:"CONFIRMATION_STATEMENT,ANNUAL_ACCOUNTS,PSC_NOTIFICATION,DIRECTOR_APPOINTMENT,DIRECTOR_RESIGNATION,REGISTERED_OFFICE,ICO_RENEWAL,CT600,TRS_UPDATE" doc:"Type of form, which also determines the authority" example:"CONFIRMATION_STATEMENT"`
	CompanyNumber string    `json:"companyNumber" minLength:"1" maxLength:"35" doc:"Number at Companies House, with its leading zeros" example:"09876543"`
	CompanyName   string    `json:"companyName" minLength:"1" maxLength:"255" doc:"Registered name" example:"Harbour Kitchens Ltd"`
	Subject       string    `json:"subject" minLength:"1" maxLength:"500" doc:"Subject of the filing" example:"Confirmation statement to 30 November 2026"`
	DueDate       time.Time `json:"dueDate" doc:"Due date and time; a DRAFT becomes OVERDUE after it" example:"2026-12-14T23:59:59.000Z"`

	FormData filing.FreeForm `json:"formData,omitempty" doc:"Content of the form, free-form. The review reads the members that docs/rules.md names, also by common synonyms" example:"{\"reviewPeriodEnd\":\"2026-11-30\",\"lawfulPurposeStatement\":true,\"registeredEmailAddress\":\"registry@harbourkitchens.example\",\"sicCodes\":[\"47599\"]}"`

	filing.OwnLabels
}

// Form is a type of form.
type Form string

// Forms.
const (
	ConfirmationStatement Form = "CONFIRMATION_STATEMENT"
	AnnualAccounts        Form = "ANNUAL_ACCOUNTS"
	PSCNotification       Form = "PSC_NOTIFICATION"
	DirectorAppointment   Form = "DIRECTOR_APPOINTMENT"
	DirectorResignation   Form = "DIRECTOR_RESIGNATION"
	RegisteredOffice      Form = "REGISTERED_OFFICE"
	ICORenewal            Form = "ICO_RENEWAL"
	CT600                 Form = "CT600"
	TRSUpdate             Form = "TRS_UPDATE"
)

// names maps forms to words for messages.
var names = map[Form]string{
	ConfirmationStatement: "confirmation statement", AnnualAccounts: "annual accounts", PSCNotification: "notice of a person with significant control",
	DirectorAppointment: "notice of a director's appointment", DirectorResignation: "notice that a director has left",
	RegisteredOffice: "change of the registered office", ICORenewal: "data protection fee", CT600: "company tax return", TRSUpdate: "update of the trust register",
}

func (f Form) String() string { return names[f] }

// verb returns the singular or plural of a verb, depending on the name.
func (f Form) verb(one, many string) string {
	if f == AnnualAccounts {
		return many
	}
	return one
}
