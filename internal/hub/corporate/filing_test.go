package corporate_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/corporate"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// until returns the last second of a day in London in winter.
func until(day string) time.Time {
	t, err := time.Parse(time.DateTime, day+" 23:59:59")
	if err != nil {
		panic(err)
	}
	return t
}

// form returns a free-form object.
func form(text string) (f filing.FreeForm) {
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		panic(err)
	}
	return f
}

func filed(form corporate.Form, subject, due string, data filing.FreeForm) *corporate.Filing {
	return &corporate.Filing{
		FilingType: form, CompanyNumber: "09876543", CompanyName: "Harbour Kitchens Ltd", Subject: subject, DueDate: until(due), FormData: data,
	}
}

func statement() *corporate.Filing {
	return filed(corporate.ConfirmationStatement, "Confirmation statement to 15 November 2026", "2026-11-29", form(`{
		"reviewPeriodEnd":"2026-11-15","lawfulPurposeStatement":true,"registeredEmailAddress":"registry@harbourkitchens.example","sicCodes":["47599","31020"],
		"statementOfCapital":{"numberOfShares":100,"nominalValue":1,"aggregateNominalValue":100,"amountUnpaid":0},
		"directors":[{"name":"Nerys Vaughan","personalCode":"7K2M9P4Q3X8"},{"name":"Tom Okafor","personalCode":"A1B2C3D4E5F"}]}`))
}

func accounts() *corporate.Filing {
	return filed(corporate.AnnualAccounts, "Accounts to 31 May 2026", "2027-02-28", form(`{
		"periodStart":"2025-06-01","periodEnd":"2026-05-31","accountsType":"small","balanceSheetTotal":1200000,"turnover":2100000.50,"employees":24,
		"approvalDate":"2026-11-10","directorName":"Nerys Vaughan"}`))
}

func psc() *corporate.Filing {
	return filed(corporate.PSCNotification, "Tom Okafor holds more than three quarters", "2026-12-01", form(`{
		"pscName":"Tom Okafor","pscType":"individual","naturesOfControl":["ownership-of-shares-75-to-100-percent","voting-rights-75-to-100-percent"],
		"dateOfBirth":"1984-02-29","nationality":"British","countryOfResidence":"Wales","serviceAddress":"3 Quay Street, Cardiff CF10 1EA",
		"dateBecamePsc":"2026-11-17","personalCode":"A1B2C3D4E5F"}`))
}

func appointment() *corporate.Filing {
	return filed(corporate.DirectorAppointment, "Appoint Maria de Sa", "2026-11-30", form(`{
		"directorName":"Maria de Sa","dateOfBirth":"1990-07-04","nationality":"Portuguese","countryOfResidence":"England","occupation":"Engineer",
		"serviceAddress":{"line1":"3 Quay Street","town":"Cardiff","postcode":"CF10 1EA"},"residentialAddress":"12 Mill Lane, Bristol BS1 4ST",
		"appointedOn":"2026-11-16","consentToAct":true,"personalCode":"7K2M9P4Q3X8"}`))
}

func resignation() *corporate.Filing {
	return filed(corporate.DirectorResignation, "Nerys Vaughan leaves", "2026-11-30", form(`{"directorName":"Nerys Vaughan","resignedOn":"2026-11-16"}`))
}

func office() *corporate.Filing {
	return filed(corporate.RegisteredOffice, "Move to Bristol", "2026-12-05", form(`{"newAddress":"Unit B 2nd Floor, 12 Mill Lane, Bristol BS1 4ST","appropriateAddress":true,"effectiveDate":"2026-11-23"}`))
}

func fee() *corporate.Filing {
	return filed(corporate.ICORenewal, "Data protection fee 2026-27", "2026-12-20", form(`{"registrationNumber":"ZA202822","tier":2,"staff":24,"turnover":2100000,"expiryDate":"2026-12-20"}`))
}

func tax() *corporate.Filing {
	return filed(corporate.CT600, "Company tax return to 31 May 2026", "2027-05-31", form(`{
		"utr":"1955839661","periodStart":"2025-06-01","periodEnd":"2026-05-31","turnover":2100000,"profitsChargeable":100000,"corporationTax":22750}`))
}

func trust() *corporate.Filing {
	return filed(corporate.TRSUpdate, "New trustee", "2027-01-18", form(`{"urn":"XATRUST12345678","trustName":"Vaughan Family Settlement","changeDate":"2026-10-20","leadTrustee":{"name":"Nerys Vaughan","nino":"AB123456C"}}`))
}

var goodExamples = map[string]func() *corporate.Filing{
	"statement": statement, "accounts": accounts, "psc": psc, "appointment": appointment, "resignation": resignation, "office": office, "fee": fee, "tax": tax, "trust": trust,
}

// A body survives decoding and encoding, including unknown members.
func TestFilingJSON(t *testing.T) {
	for _, text := range []string{
		`{"filingType":"CT600","companyNumber":"1","companyName":"A","subject":"B","dueDate":"2026-12-14T23:59:59Z","formData":{"utr":1,"whim":[{"a":null}]}}`,
		`{"filingType":"TRS_UPDATE","companyNumber":"1","companyName":"A","subject":"B","dueDate":"2026-12-14T23:59:59Z"}`,
	} {
		var f corporate.Filing
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(f); string(got) != text {
			t.Errorf("%s\ncame back as\n%s", text, got)
		}
	}
}

// Every text has a maximum length, every field a description, and required texts must not be empty.
func TestFilingSchema(t *testing.T) {
	body := reflect.TypeFor[corporate.Filing]()
	for i := range body.NumField() {
		f := body.Field(i)
		if f.Anonymous { // the labels of every kind
			continue
		}
		if f.Tag.Get("doc") == "" || f.Tag.Get("example") == "" {
			t.Errorf("%s is not described", f.Name)
		}
		if f.Type.Kind() == reflect.String && f.Tag.Get("enum") == "" && (f.Tag.Get("maxLength") == "" || f.Tag.Get("minLength") != "1") {
			t.Errorf("%s has no limits", f.Name)
		}
	}
	if n := strings.Count(body.Field(0).Tag.Get("enum"), ",") + 1; n != len(goodExamples) {
		t.Errorf("%d forms, %d examples", n, len(goodExamples))
	}
}
