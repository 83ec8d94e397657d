// Package corporate is the Hub of what a company owes to its registers: filings
// with Companies House, the company tax return to HMRC, the data protection fee of
// the ICO and the Trust Registration Service, and the rules that judge them.
package corporate

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Filing is one form that is due.
type Filing struct {
	FilingType    Form      `json:"filingType" enum:"CONFIRMATION_STATEMENT,ANNUAL_ACCOUNTS,PSC_NOTIFICATION,DIRECTOR_APPOINTMENT,DIRECTOR_RESIGNATION,REGISTERED_OFFICE,ICO_RENEWAL,CT600,TRS_UPDATE" doc:"Which form it is, and with it the authority" example:"CONFIRMATION_STATEMENT"`
	CompanyNumber string    `json:"companyNumber" minLength:"1" maxLength:"35" doc:"Number in the register of Companies House, with its leading zeros" example:"09876543"`
	CompanyName   string    `json:"companyName" minLength:"1" maxLength:"255" doc:"Name as it is registered" example:"Harbour Kitchens Ltd"`
	Subject       string    `json:"subject" minLength:"1" maxLength:"500" doc:"What the filing is about" example:"Confirmation statement to 30 November 2026"`
	DueDate       time.Time `json:"dueDate" doc:"The last instant at which it is in time; a DRAFT becomes OVERDUE after it" example:"2026-12-14T23:59:59.000Z"`

	FormData filing.FreeForm `json:"formData,omitempty" doc:"What the form says: free-form, at most 64 kB and 20 levels deep. The review knows the members that docs/rules.md names, in any usual spelling and by common other names" example:"{\"reviewPeriodEnd\":\"2026-11-30\",\"lawfulPurposeStatement\":true,\"registeredEmailAddress\":\"registry@harbourkitchens.example\",\"sicCodes\":[\"47599\"]}"`
}

// Form is what is filed.
type Form string

// The forms there are.
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

// names are the forms in words, as they stand in messages.
var names = map[Form]string{
	ConfirmationStatement: "confirmation statement", AnnualAccounts: "annual accounts", PSCNotification: "notice of a person with significant control",
	DirectorAppointment: "notice of a director's appointment", DirectorResignation: "notice that a director has left",
	RegisteredOffice: "change of the registered office", ICORenewal: "data protection fee", CT600: "company tax return", TRSUpdate: "update of the trust register",
}

func (f Form) String() string { return names[f] }

// verb is the form of a verb that goes with the name.
func (f Form) verb(one, many string) string {
	if f == AnnualAccounts {
		return many
	}
	return one
}
