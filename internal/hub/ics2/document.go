package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

const documentGuidance = gbGuidance + "; " + dataLaw

var documentRules = ruleSet{
	{Code: "ICS2-044", Severity: rules.Warning, Field: "transportDocNumber", Check: placeholderDocument, Source: documentGuidance,
		Title: "The transport document number is a placeholder"},
	{Code: "ICS2-045", Severity: rules.Warning, Field: "transportDocNumber", Check: longDocument, Source: gbDesign + ": document references of 35 characters",
		Title: "The transport document number is too long for Great Britain"},
	{Code: "ICS2-046", Severity: rules.Warning, Field: "transportDocNumber", Check: airWaybill, Source: "IATA Resolution 600a: air waybill numbers and their check digit",
		Title: "The air waybill number is malformed or its check digit is wrong"},
	{Code: "ICS2-047", Severity: rules.Warning, Field: "transportDocNumber", Check: postalItem, Source: "Universal Postal Union: standard S10, identifiers of postal items",
		Title: "The check digit of the postal item identifier is wrong"},
	{Code: "ICS2-048", Severity: rules.Warning, Field: "transportDocNumber", Check: otherNumber, Source: documentGuidance,
		Title: "The number belongs to a container or a declaration, not to a transport document"},
}

// placeholderNumbers lists placeholders for a number, in lower case without spaces and punctuation.
var placeholderNumbers = strings.Fields("tbc tba tbd na none unknown pending test various seeattached asperinvoice x xx xxx tofollow tobeadvised tobeconfirmed")

// placeholderDocument accepts any text that may be a number, because issuers choose the format.
func placeholderDocument(f *Filing, _ rules.Facts) remarks {
	squeezed := strings.Join(goods.Words(strings.ToLower(f.TransportDocNumber)), "")
	if strings.Trim(squeezed, "0") != "" && !slices.Contains(placeholderNumbers, squeezed) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not a transport document number.", f.TransportDocNumber),
		"Give the number of the bill of lading, air waybill or consignment note. It identifies the consignment.")
}

const longestDocumentGB = 35

func longDocument(f *Filing, _ rules.Facts) remarks {
	if n := len([]rune(strings.TrimSpace(f.TransportDocNumber))); f.regime() == greatBritain && n > longestDocumentGB {
		return rules.Remarks(fmt.Sprintf("The number %q has %d characters; HMRC accepts at most %d.", f.TransportDocNumber, n, longestDocumentGB), "Give only the number, without the type of document.")
	}
	return nil
}

// Formats of air waybill numbers: three digits for the airline, then eight of which the last is the first seven modulo 7.
// House waybills have any format; those of couriers have 9, 10 or 12 digits.
var (
	dashedWaybill = lazyregexp.New(`^[0-9]{3}[- ][0-9 ]+$`)
	plainWaybill  = lazyregexp.New(`^[0-9]{11}$`)
)

const waybillDigits = 11

func airWaybill(f *Filing, _ rules.Facts) remarks {
	text := strings.TrimSpace(f.TransportDocNumber)
	if f.carriage() != byAir || !dashedWaybill.MatchString(text) && !plainWaybill.MatchString(text) {
		return nil
	}
	number := strings.NewReplacer("-", "", " ", "").Replace(text)
	if len(number) != waybillDigits {
		return rules.Remarks(fmt.Sprintf("%q has %d digits; an air waybill number has three for the airline and eight more.", f.TransportDocNumber, len(number)), "Copy the number from the air waybill.")
	}
	if check := remainder(number[3:10], 7); check != int(number[10]-'0') {
		return rules.Remarks(fmt.Sprintf("The last digit of the air waybill number %q is %c, but must be %d.", f.TransportDocNumber, number[10], check), "Copy the number from the air waybill.")
	}
	return nil
}

// remainder returns digits, read as one number, modulo by.
func remainder(digits string, by int) (rest int) {
	for _, d := range digits {
		rest = (rest*10 + int(d-'0')) % by
	}
	return rest
}

var (
	postalNumber  = lazyregexp.New(`^[A-Z]{2}[0-9]{9}[A-Z]{2}$`)
	postalWeights = [8]int{8, 6, 4, 2, 3, 5, 9, 7}
)

func postalItem(f *Filing, _ rules.Facts) remarks {
	number := strings.ToUpper(strings.ReplaceAll(f.TransportDocNumber, " ", ""))
	if f.FilingType != Postal || !postalNumber.MatchString(number) {
		return nil
	}
	sum := 0
	for i, weight := range postalWeights {
		sum += weight * int(number[2+i]-'0')
	}
	check := 11 - sum%11
	switch check {
	case 10:
		check = 0
	case 11:
		check = 5
	}
	if check == int(number[10]-'0') {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The check digit of the postal item identifier %q is %c, but must be %d.", f.TransportDocNumber, number[10], check), "Copy the identifier from the label of the item.")
}

func otherNumber(f *Filing, _ rules.Facts) remarks {
	if c, err := ident.ParseContainer(f.TransportDocNumber); err == nil && c.ValidChecksum() {
		return rules.Remarks(fmt.Sprintf("%s is a container number.", c), "Give the number of the bill of lading or consignment note.")
	}
	if m, err := ident.ParseMRN(f.TransportDocNumber); err == nil && m.ValidChecksum() {
		return rules.Remarks(fmt.Sprintf("%s is the MRN of a declaration.", m), "Give the number of the bill of lading, air waybill or consignment note.")
	}
	return nil
}
