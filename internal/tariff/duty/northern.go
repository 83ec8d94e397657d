package duty

import "github.com/tidewaiter/tidewaiter/internal/tariff/measure"

// Statements (DE 2/2) and document (DE 2/3) of movements to Northern Ireland, of HMRC's lists in November 2026.
const (
	elementStatement  = "2/2"
	statementFromGB   = "NIDOM"
	statementImport   = "NIIMP"
	statementNoRisk   = "NIREM"
	statementAid      = "NIAID"
	documentUKIMS     = "1UKI"
	preferenceOfUnion = "300"
)

// statement is an entry of a declaration of goods for Northern Ireland.
type statement struct{ element, code, why string }

// northern returns what is declared on a route to Northern Ireland for an option of a tariff.
func northern(route, kind, tariff string) []statement {
	var all []statement
	switch route {
	case RouteGBToNI:
		all = append(all, statement{elementStatement, statementFromGB, "the goods arrive from Great Britain"})
	case RouteWorldToNI, RouteEUToNI:
		all = append(all, statement{elementStatement, statementImport, "the goods are imported into Northern Ireland"})
	default:
		return nil
	}
	switch {
	case kind == Waiver:
		all = append(all, statement{elementStatement, statementAid, "duty is waived as de minimis aid"})
	case tariff == measure.UK:
		all = append(all, notAtRiskStatements...)
	}
	return all
}

var notAtRiskStatements = []statement{
	{elementStatement, statementNoRisk, "the goods are not at risk of moving on to the European Union"},
	{elementDocument, documentUKIMS, "the authorisation under the UK Internal Market Scheme"},
}
