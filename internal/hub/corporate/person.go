package corporate

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var personRules = ruleSet{
	{Code: "COR-034", Severity: rules.Warning, Field: "formData", Check: placeholders, Source: "Companies Act 2006, sections 163 and 790K: the names of persons",
		Title: "A person's name is a placeholder, or has no forename or surname"},
	{Code: "COR-035", Severity: rules.Blocker, Field: "formData.dateOfBirth", Check: onlyFor(implausibleBirth, PSCNotification, DirectorAppointment), Source: "Companies Act 2006, sections 163 and 790K; Companies House: ages from 16 to 110",
		Title: "The date of birth is in the future or more than 110 years ago"},
	{Code: "COR-036", Severity: rules.Blocker, Field: "formData.dateOfBirth", Check: onlyFor(underage, DirectorAppointment), Source: "Companies Act 2006, section 157: minimum age of 16",
		Title: "The director is younger than 16"},
	{Code: "COR-037", Severity: rules.Blocker, Field: "formData.personalCode", Check: onlyFor(code, PSCNotification, DirectorAppointment), Source: identityLaw,
		Title: "The personal code is malformed"},
	{Code: "COR-038", Severity: rules.Blocker, Field: "formData.appointedOn", Check: onlyFor(eventDay, DirectorAppointment, DirectorResignation), Source: "Companies House: officer filing, dates from 1 October 2009 to today",
		Title: "The appointment or resignation is in the future, or too old for online filing"},
	{Code: "COR-039", Severity: rules.Warning, Field: "formData.appointedOn", Check: onlyFor(officerWindow, DirectorAppointment, DirectorResignation), Source: laws[DirectorAppointment],
		Title: "The notification of an appointment or a resignation is late"},
	{Code: "COR-040", Severity: rules.Info, Field: "formData.directorName", Check: onlyFor(corporateDirector, DirectorAppointment), Source: "Companies Act 2006, section 155: at least one natural person",
		Title: "The director is a company"},
	{Code: "COR-041", Severity: rules.Info, Field: "formData.serviceAddress", Check: onlyFor(homeAddressShown, DirectorAppointment), Source: "Companies Act 2006, sections 163 and 240",
		Title: "The home address will be on the public register"},
	{Code: "COR-042", Severity: rules.Warning, Field: "formData", Check: onlyFor(tooLong, DirectorAppointment, DirectorResignation, PSCNotification), Source: "Companies House: officer filing, lengths of fields",
		Title: "A name, nationality or occupation is too long for Companies House"},
}

// isIndividual reports whether the form is about an individual, not a company.
func (f *Filing) isIndividual() bool {
	if f.FilingType == PSCNotification {
		kind := f.pscKind()
		return kind == individual || kind == unstatedKind || kind == unknownKind
	}
	return !corporate.MatchString(f.text("directorName"))
}

func placeholders(f *Filing, _ rules.Facts) (found remarks) {
	for _, m := range []string{"pscName", "directorName", "trustName", "leadTrustee"} {
		name := f.text(m)
		switch {
		case name == "":
		case party.Placeholder(name):
			found = append(found, remarkOn(m, fmt.Sprintf("%q is not a name.", name), "Give the full name as in the register or in the passport.")...)
		case f.FilingType == DirectorAppointment && m == "directorName" && f.isIndividual() && !strings.ContainsAny(name, " ,\u00a0"):
			found = append(found, remarkOn(m, fmt.Sprintf("%q is only one name, but the register needs forename and surname.", name), "Give both, as in the passport.")...)
		}
	}
	return found
}

// Ages of directors that Companies House accepts.
const (
	minAge = 16
	maxAge = 110
)

// age returns the age in years on a date.
func age(born, on time.Time) int {
	years := on.Year() - born.Year()
	if on.Month() < born.Month() || on.Month() == born.Month() && on.Day() < born.Day() {
		years--
	}
	return years
}

func implausibleBirth(f *Filing, facts rules.Facts) remarks {
	born, ok := f.day("dateOfBirth")
	today := dateOf(facts.Now)
	switch {
	case !ok:
		return nil
	case born.After(today):
		return rules.Remarks(fmt.Sprintf("The date of birth, %s, is in the future.", formatDate(born)), "Copy the date from the passport.")
	case age(born, today) >= maxAge:
		return rules.Remarks(fmt.Sprintf("A person born on %s is %d years old.", formatDate(born), age(born, today)), "Check the year.")
	}
	return nil
}

func underage(f *Filing, facts rules.Facts) remarks {
	born, ok := f.day("dateOfBirth")
	on, appointed := f.day("appointedOn")
	if !appointed {
		on = dateOf(facts.Now)
	}
	if !ok || born.After(dateOf(facts.Now)) || age(born, on) >= minAge { // COR-035 covers the future
		return nil
	}
	return rules.Remarks(fmt.Sprintf("A person born on %s is %d on %s; a director must be at least %d.", formatDate(born), max(0, age(born, on)), formatDate(on), minAge),
		"Appoint an older person, because the appointment of a child is void.")
}

// personalCode matches the code that Companies House or an agent gives a person after identity verification.
var personalCode = lazyregexp.New(`^[A-Z0-9]{11}$`)

func plainCode(code string) string {
	return strings.ToUpper(separators.Replace(code))
}

var separators = strings.NewReplacer(" ", "", "-", "", "/", "")

func malformedCode(field, code string) rules.Remark {
	return rules.Remark{Field: field, Severity: rules.Blocker,
		Message:    fmt.Sprintf("%q is not a personal code: it must be 11 letters and digits.", code),
		Suggestion: "Copy the code from the person's Companies House account or the agent's letter.",
	}
}

func code(f *Filing, _ rules.Facts) remarks {
	code := f.text("personalCode")
	if code == "" || personalCode.MatchString(plainCode(code)) {
		return nil
	}
	return remarks{malformedCode("formData.personalCode", code)}
}

// eventMember returns the name of the member with the date of the appointment or resignation.
func (f *Filing) eventMember() string {
	if f.FilingType == DirectorResignation {
		return "resignedOn"
	}
	return "appointedOn"
}

// firstOnline is the earliest date that Companies House accepts online.
var firstOnline = time.Date(2009, time.October, 1, 0, 0, 0, 0, time.UTC)

func eventDay(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day(f.eventMember())
	switch {
	case !ok:
		return nil
	case day.After(dateOf(facts.Now)):
		return remarkOn(f.eventMember(), fmt.Sprintf("%s is %s, which is in the future; Companies House accepts only past events.", f.eventMember(), formatDate(day)), "File on or after that date.")
	case day.Before(firstOnline):
		return withSeverity(rules.Warning, remarkOn(f.eventMember(), fmt.Sprintf("%s is %s; dates before 1 October 2009 are filed on the paper forms of that time.", f.eventMember(), formatDate(day)), "Check the year, or file on paper."))
	}
	return nil
}

func officerWindow(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day(f.eventMember())
	last, today := day.AddDate(0, 0, window), dateOf(facts.Now)
	if !ok || !today.After(last) {
		return nil
	}
	return remarkOn(f.eventMember(), fmt.Sprintf("%s is %s; the notification to Companies House was due by %s, %s.", f.eventMember(), formatDate(day), formatDate(last), formatDays(-daysBetween(last, today))),
		"File now, because a late notification is an offence by the company and its officers.")
}

// daysBetween returns the number of days from one date to another.
func daysBetween(from, to time.Time) int { return int(to.Sub(from) / (24 * time.Hour)) }

func corporateDirector(f *Filing, _ rules.Facts) remarks {
	name := f.text("directorName")
	if name == "" || f.isIndividual() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is a company, which is appointed with form AP02.", name),
		"Give its registered office, legal form, governing law and register. At least one director must be a natural person.")
}

func homeAddressShown(f *Filing, _ rules.Facts) remarks {
	service, home := f.address("serviceAddress"), f.address("residentialAddress")
	if service == "" || !sameWords(service, home) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The address for service is the home address, %q, and will be on the public register.", service),
		"Give another address for service, such as the registered office, unless this is intended.")
}

// sameWords reports whether two addresses have the same words in any order.
func sameWords(one, other string) bool {
	words := func(text string) []string {
		return slices.Sorted(slices.Values(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.;\n\t", r) })))
	}
	return slices.Equal(words(one), words(other))
}

// withoutPunctuation returns a text without spaces and punctuation.
func withoutPunctuation(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ,.;\n\t", r) {
			return -1
		}
		return r
	}, text)
}

// lengths lists the maximum lengths at Companies House.
var lengths = []struct {
	member string
	most   int
}{{"directorName", 260}, {"pscName", 260}, {"nationality", 50}, {"occupation", 100}, {"countryOfResidence", 50}}

func tooLong(f *Filing, _ rules.Facts) (found remarks) {
	for _, l := range lengths {
		if n := utf8.RuneCountInString(f.text(l.member)); n > l.most {
			found = append(found, remarkOn(l.member, fmt.Sprintf("%s has %d characters; Companies House accepts at most %d.", l.member, n, l.most), "Shorten it.")...)
		}
	}
	return found
}
