package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var documentRules = ruleSet{
	{Code: "DEC-107", Severity: rules.Warning, Field: "documents", Check: noInvoice, Source: bothGuides + ": DE 2/3; " + completion + ": DE 4/16 (method 1)",
		Title: "There is no invoice"},
	{Code: "DEC-108", Severity: rules.Blocker, Field: "documents", Check: eachDocument(malformedCode), Source: documentGuide,
		Title: "A document's code is malformed"},
	{Code: "DEC-109", Severity: rules.Warning, Field: "documents", Check: eachDocument(unknownDocument), Source: documentGuide,
		Title: "A document's code is not known"},
	{Code: "DEC-110", Severity: rules.Blocker, Field: "documents", Check: eachDocument(unknownStatus), Source: "GOV.UK: Data Element 2/3: Document Status Codes of the Customs Declaration Service",
		Title: "A document's status does not exist"},
	{Code: "DEC-111", Severity: rules.Warning, Field: "documents", Check: eachDocument(unexplainedStatus), Source: "GOV.UK: Data Element 2/3: Document Status Codes of the Customs Declaration Service",
		Title: "A document's status needs a reason, which cannot be declared here"},
	{Code: "DEC-112", Severity: rules.Warning, Field: "documents", Check: eachDocument(placeholderReference), Source: documentGuide,
		Title: "A document's reference is a placeholder"},
	{Code: "DEC-113", Severity: rules.Warning, Field: "documents", Check: eachDocument(strangeReference), Source: documentGuide,
		Title: "A document's reference has the wrong format for its kind"},
	{Code: "DEC-114", Severity: rules.Warning, Field: "documents", Check: repeatedDocument, Source: documentGuide,
		Title: "A document is listed twice"},
	{Code: "DEC-115", Severity: rules.Warning, Field: "documents", Check: contraryDocuments, Source: documentGuide,
		Title: "A licence and the statement that none is needed are both present"},
}

// eachDocument applies a check to every document.
func eachDocument(checkDocument func(c *Case, d customs.Document) remarks) checkFunc {
	return func(c *Case, _ rules.Facts) (found remarks) {
		for n, d := range c.Declaration.Documents {
			for _, m := range checkDocument(c, d) {
				m.Field = fmt.Sprintf("documents[%d].%s", n, m.Field)
				found = append(found, m)
			}
		}
		return shorten(found)
	}
}

func noInvoice(c *Case, _ rules.Facts) remarks {
	invoices := strings.Join(customs.Invoices, " ")
	switch {
	case c.has("N935"):
		return nil
	case c.has(invoices):
		return note(rules.Info, fmt.Sprintf("The invoice is named as %s.", c.invoice()), "Name the invoice that the value is declared on as N935.")
	case c.imports():
		return remarkOf("No document is an invoice, and the value is declared by the price paid (method 1).", "Name the commercial invoice: N935 with its number.")
	}
	return note(rules.Info, "No document is an invoice.", "Name the commercial invoice, N935 or N380 with its number.")
}

func (c *Case) invoice() string {
	for _, code := range c.documentCodes() {
		if slices.Contains(customs.Invoices, code) {
			return code
		}
	}
	return ""
}

// documentShape is the format of a code: four characters, the first of which is the category.
var documentShape = lazyregexp.New(`^[A-Z0-9]{4}$`)

func malformedCode(_ *Case, d customs.Document) remarks {
	if documentShape.MatchString(d.Type) {
		return nil
	}
	return remarks{about("type", fmt.Sprintf("%q is no document code: it must be four capitals or digits.", d.Type), "Use the code of Appendix 5A, such as N935 for an invoice or N740 for an air waybill.")}
}

// commonDocuments are the codes of the general lists that begin with N.
const commonDocuments = `N002 N003 N018 N235 N271 N325 N380 N703 N704 N705 N710 N714 N720 N722 N730 N740 N741 N750 N760 N785 N787 N820 N821 N822 N823 N825 N830 N851 N852 N853
	N861 N862 N864 N865 N933 N934 N935 N941 N951 N952 N954 N955 N990 NZZZ`

// families are the formats of the codes in the other lists, Union and national.
var families = lazyregexp.New(`^(?:[CDEILUXY][0-9]{3}|9[0-9]{3}|9[0-9]{2}[A-Z]|9[A-Z]{3}|1[0-9A-Z]{3}|[0-9]{3}[A-Z]|A[0-9]{3})$`)

func unknownDocument(_ *Case, d customs.Document) remarks {
	if !documentShape.MatchString(d.Type) || isOneOf(d.Type, commonDocuments) || families.MatchString(d.Type) {
		return nil
	}
	return remarks{about("type", fmt.Sprintf("%s is not a document code of customs.", d.Type), "Use the code of Appendix 5A, such as N935 for an invoice or N740 for an air waybill.")}
}

// Status codes of documents (DE 2/3), and those that require a reason.
const (
	statuses  = "AC AE AF AG AP AS AT EA EE EL EP ES FP GE GP HP IA IE IL IP IS JA JE JP LE LP RE SP TP UA UE UP US XA XB XF XO XU XW XX CC"
	explained = "UA UE UP US XX XW"
)

func unknownStatus(_ *Case, d customs.Document) remarks {
	if d.Status == "" || isOneOf(d.Status, statuses) {
		return nil
	}
	return remarks{about("status", fmt.Sprintf("%q is no status of a document.", d.Status), "Use AC for a document that is with the trader, AE for one that is attached, or the licence's own.")}
}

func unexplainedStatus(_ *Case, d customs.Document) remarks {
	if !isOneOf(d.Status, explained) {
		return nil
	}
	return remarks{about("status", fmt.Sprintf("Status %s of %s asks for a reason, and the declaration has no place for one.", d.Status, d.Type), "Use a status that asks for none, or lodge the declaration with customs directly.")}
}

func placeholderReference(_ *Case, d customs.Document) remarks {
	text := strings.ToLower(strings.Join(goods.Words(d.Reference), " "))
	waiver := strings.HasPrefix(d.Type, "Y") || strings.HasPrefix(d.Type, "9")
	none := isOneOf(strings.ReplaceAll(text, " ", ""), "tbc tba tbd na none nil unknown pending test asabove various seeattached seeinvoice tofollow xxx xxxx invoice copy attached")
	if !none && (text != "" || waiver) && (waiver || strings.Trim(text, "0 ") != "") {
		return nil
	}
	return remarks{about("reference", fmt.Sprintf("%q is not the reference of a document.", d.Reference), "Copy the number from the document.")}
}

// referenceForms are the formats of references by prefix of the document code.
var referenceForms = []struct {
	codes string
	form  *regexp.Regexp
	what  string
}{
	{"N853 C640 C678 C085", regexp.MustCompile(`^GBCHD ?20[0-9]{2}[.]?[0-9A-Z.]+$|^CHED`), "a health entry document is GBCHD, the year and the number, such as GBCHD2026.1234567"},
	{"C651", regexp.MustCompile(`^[0-9]{2}[A-Z]{2}[A-Z0-9]{17}$`), "an e-AD has its administrative reference code of 21 characters"},
	{"N740 N741", regexp.MustCompile(`^[0-9A-Z]{3}[- ]?[0-9]{4} ?[0-9]{4}$|^[A-Z0-9][A-Z0-9 /-]{5,}$`), "an air waybill has the carrier's three digits and eight more"},
	{"N820 N821 N822", regexp.MustCompile(`^[0-9]{2}[A-Z]{2}[A-Z0-9]{14}$`), "a transit declaration has its MRN of 18 characters"},
	{"9104 X002", regexp.MustCompile(`^GB`), "an export licence begins with GB and its kind, such as GBSIE2026/000123"},
}

func strangeReference(_ *Case, d customs.Document) remarks {
	text := strings.ToUpper(strings.TrimSpace(d.Reference))
	for _, f := range referenceForms {
		if isOneOf(d.Type, f.codes) && !f.form.MatchString(text) {
			return remarks{about("reference", fmt.Sprintf("%q is the reference of %s, and %s.", d.Reference, d.Type, f.what), "Compare it with the document.")}
		}
	}
	if strings.IndexFunc(d.Reference, func(r rune) bool { return r > unicode.MaxASCII || r < ' ' }) >= 0 {
		return remarks{about("reference", fmt.Sprintf("%q has characters that customs may not take.", d.Reference), "Use letters, digits and common marks.")}
	}
	return nil
}

func steeringReference(c *Case, d customs.Document) remarks {
	if c.Simulated || !d.Steers() {
		return nil
	}
	return remarks{about("reference", fmt.Sprintf("%q selects an outcome of the simulator, and this organisation is connected to HMRC.", d.Reference), "Copy the number from the document.")}
}

func repeatedDocument(c *Case, _ rules.Facts) (found remarks) {
	first := map[string]int{}
	for n, d := range c.Declaration.Documents {
		key := d.Type + " " + strings.ToUpper(strings.ReplaceAll(d.Reference, " ", ""))
		if m, twice := first[key]; twice {
			found = append(found, about(fmt.Sprintf("documents[%d]", n), fmt.Sprintf("%s %q is documents[%d] too.", d.Type, d.Reference, m), "Name it once: a document goes with every item."))
			continue
		}
		first[key] = n
	}
	return shorten(found)
}

// contraryCodes are documents and the statements that none of their kind is needed.
var contraryCodes = []struct{ documents, waivers string }{
	{"C400", "Y900"}, {"C673", "Y927"}, {"C644", "Y929"}, {"E012 9107", "Y903"}, {"X002", "Y901"}, {"L100 E013", "Y902 Y792"},
	{"C669 C670 C672", "Y923"}, {"E020", "Y934"}, {"C690", "Y057"}, {"C678", "Y978 Y937"}, {"C679 C680", "Y032"},
}

func contraryDocuments(c *Case, _ rules.Facts) (found remarks) {
	if len(c.items) != 1 {
		return nil // each may be for another item
	}
	codes := c.documentCodes()
	for _, x := range contraryCodes {
		licence := slices.IndexFunc(codes, func(code string) bool { return isOneOf(code, x.documents) })
		waiver := slices.IndexFunc(codes, func(code string) bool { return isOneOf(code, x.waivers) })
		if licence >= 0 && waiver >= 0 {
			found = append(found, about(fmt.Sprintf("documents[%d].type", waiver), fmt.Sprintf("%s says that nothing like %s is needed, and both are named.", codes[waiver], codes[licence]), "Keep the one that is true."))
		}
	}
	return found
}
