package corporate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// synonyms lists other common names of members, such as dob for the date of birth.
var synonyms = map[string][]string{
	"reviewPeriodEnd":        {"reviewDate", "reviewPeriodEndDate", "confirmationDate", "madeUpTo", "madeUpDate", "statementDate"},
	"lawfulPurposeStatement": {"lawfulPurpose", "statementOfLawfulPurpose", "lawfulPurposeConfirmed"},
	"registeredEmailAddress": {"registeredEmail", "emailAddress", "email"},
	"sicCodes":               {"sicCode", "sic"},
	"periodStart":            {"periodStartDate", "accountingPeriodStart", "periodStartOn", "financialYearStart"},
	"periodEnd":              {"periodEndDate", "accountingPeriodEnd", "periodEndOn", "financialYearEnd", "yearEnd", "madeUpTo"},
	"accountsType":           {"accountType", "typeOfAccounts", "type"},
	"balanceSheetTotal":      {"balanceSheet", "totalAssets"},
	"employees":              {"averageEmployees", "averageNumberOfEmployees", "numberOfEmployees", "employeeCount"},
	"approvalDate":           {"approvedOn", "dateOfApproval", "dateApproved"},
	"directorName":           {"director", "directorFullName", "officerName", "fullName", "name"},
	"pscName":                {"pscNames", "pscFullName", "psc", "fullName", "name"},
	"pscType":                {"typeOfPsc", "type", "kind"},
	"naturesOfControl":       {"natureOfControl", "pscNaturesOfControl", "pscNatureOfControl", "natures"},
	"dateOfBirth":            {"dob", "birthDate", "directorDateOfBirth", "directorDob", "pscDateOfBirth", "pscDob"},
	"nationality":            {"nationalities", "directorNationality", "pscNationality"},
	"countryOfResidence":     {"residenceCountry", "usualResidence", "countryOrStateOfResidence"},
	"serviceAddress":         {"correspondenceAddress", "addressForService", "address"},
	"residentialAddress":     {"homeAddress", "usualResidentialAddress"},
	"dateBecamePsc":          {"becamePscOn", "becamePscDate", "notifiedOn", "controlStartDate", "dateOfControl"},
	"personalCode":           {"identityVerificationCode", "verificationCode", "companiesHousePersonalCode"},
	"appointedOn":            {"appointmentDate", "dateOfAppointment", "dateAppointed"},
	"consentToAct":           {"consent", "consentedToAct", "hasConsented"},
	"resignedOn":             {"resignationDate", "dateOfResignation", "dateResigned", "terminationDate"},
	"newAddress":             {"newRegisteredOffice", "newRegisteredOfficeAddress", "registeredOfficeAddress", "registeredOffice", "address"},
	"appropriateAddress":     {"appropriateAddressStatement", "isAppropriateAddress"},
	"effectiveDate":          {"effectiveFrom", "dateOfChange"},
	"registrationNumber":     {"icoRegistrationNumber", "icoNumber", "registrationReference"},
	"tier":                   {"feeTier"},
	"staff":                  {"numberOfStaff", "staffCount", "employees", "numberOfEmployees"},
	"expiryDate":             {"expiresOn", "expiry", "renewalDate"},
	"utr":                    {"uniqueTaxpayerReference", "companyUtr"},
	"profitsChargeable":      {"chargeableProfits", "taxableProfits", "taxableProfit", "profitsChargeableToCorporationTax"},
	"corporationTax":         {"corporationTaxDue", "corporationTaxPayable", "taxDue", "taxPayable"},
	"urn":                    {"trustUrn", "uniqueReferenceNumber"},
	"trustName":              {"nameOfTrust", "trust", "name"},
	"changeDate":             {"dateOfChange", "changedOn"},
	"leadTrustee":            {"leadTrusteeName", "trustee"},
}

// spellings lists other spellings of each member, the most similar first: other capitals, separators between words,
// synonyms.
var spellings = allSpellings()

func allSpellings() map[string][]string {
	all := map[string][]string{}
	for _, form := range members {
		for _, m := range form {
			all[m.name] = spellingsOf(m.name)[1:]
			for _, other := range synonyms[m.name] {
				all[m.name] = append(all[m.name], spellingsOf(other)...)
			}
		}
	}
	return all
}

// spellingsOf returns the spellings of a name such as dateOfBirth: itself, date_of_birth, DateOfBirth, date-of-birth,
// dateofbirth, DATE_OF_BIRTH, "date of birth" and dateOfbirth.
func spellingsOf(name string) []string {
	marked := func(mark string) string {
		var out strings.Builder
		for i, r := range name {
			if unicode.IsUpper(r) && i > 0 {
				out.WriteString(mark)
			}
			out.WriteRune(unicode.ToLower(r))
		}
		return out.String()
	}
	pascal := strings.ToUpper(name[:1]) + name[1:]
	all := []string{marked("_"), pascal, marked("-"), marked(""), strings.ToUpper(marked("_")), marked(" "), strings.ToUpper(name), strings.ReplaceAll(name, "Psc", "PSC")}
	slices.Sort(all)
	return slices.Insert(slices.DeleteFunc(slices.Compact(all), func(other string) bool { return other == name }), 0, name)
}

// member returns the value of a member, under its name or another spelling.
func (f *Filing) member(name string) json.RawMessage { return f.FormData[f.spelling(name)] }

// spelling returns the name of a member in the form: the name itself if the form has it or has no similar one.
func (f *Filing) spelling(name string) string {
	if f.notNull(name) {
		return name
	}
	for _, other := range spellings[name] {
		if f.notNull(other) {
			return other
		}
	}
	return name
}

// notNull reports whether a name has a value other than null.
func (f *Filing) notNull(name string) bool {
	raw := f.FormData[name]
	return len(raw) > 0 && string(raw) != "null"
}

func misspelt(f *Filing, _ rules.Facts) (found remarks) {
	for _, m := range members[f.FilingType] {
		if other := f.spelling(m.name); other != m.name {
			found = append(found, remarkOn(other, fmt.Sprintf("%q is understood as %s.", other, m.name), fmt.Sprintf("Rename it to formData.%s.", m.name))...)
		}
	}
	return found
}
