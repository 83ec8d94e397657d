package trade

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// Question is a request to classify goods without an application.
type Question struct {
	ProductDescription string `json:"productDescription" minLength:"1" maxLength:"1000" doc:"Description of the goods, with the technical data that matters for control" example:"VPN gateway appliance with AES-256 encryption for data centres"`
	DestinationCountry string `json:"destinationCountry" format:"country" maxLength:"2" doc:"Country of use, ISO 3166-1 alpha-2 or XI" example:"KZ"`
	ProductCode        string `json:"productCode,omitempty" maxLength:"64" doc:"Entry of the UK Strategic Export Control Lists, such as ML10.a, otherwise the commodity code" example:"8517620090"`
	EndUse             string `json:"endUse,omitempty" maxLength:"1000" doc:"Purpose and user of the goods" example:"Network of a telecommunications operator"`
	HasCryptography    *bool  `json:"hasCryptography,omitempty" doc:"Whether the goods use cryptography; omit it if unknown" example:"true"`
}

// classifier configures the classification of licences. A question and a stored record about the same goods have the same
// result.
var classifier = filing.ClassifierDefinition[Licence, Question, exportcontrol.Classification]{
	Path: "/api/trade/classify", FromQuestion: classifyQuestion, FromRecord: classify, AuditData: auditData,
}.Classifier()

func classifyQuestion(q *Question) exportcontrol.Classification {
	return exportcontrol.Classify(exportcontrol.Item{
		Description: q.ProductDescription, Code: q.ProductCode, EndUse: q.EndUse, Destination: q.DestinationCountry, Cryptography: q.HasCryptography,
	})
}

// classify classifies the goods of a stored licence. The result uses the field names of the licence.
func classify(l *Licence) exportcontrol.Classification {
	c := exportcontrol.Classify(l.item())
	for i := range c.Findings {
		if c.Findings[i].Field == exportcontrol.FieldDestination {
			c.Findings[i].Field = "endUserCountry"
		}
	}
	return c
}

func (l *Licence) item() exportcontrol.Item {
	return exportcontrol.Item{
		Description: l.ProductDescription, Code: l.ProductCode, EndUse: l.EndUse, EndUser: l.EndUserName + " " + l.EndUserAddress, Destination: l.EndUserCountry,
	}
}

func auditData(c exportcontrol.Classification) filing.Added {
	entries, codes := []string{}, []string{}
	for _, e := range c.Entries {
		entries = append(entries, e.Entry)
	}
	for _, f := range c.Findings {
		codes = append(codes, f.Code)
	}
	return filing.Added{"verdict": c.Verdict, "controlRegime": c.Regime, "controlEntries": entries, "codes": codes}
}
