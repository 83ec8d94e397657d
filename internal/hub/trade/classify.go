package trade

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
)

// Question is goods that somebody asks about before there is an application.
type Question struct {
	ProductDescription string `json:"productDescription" minLength:"1" maxLength:"1000" doc:"What the goods are, with the figures that decide on their control" example:"VPN gateway appliance with AES-256 encryption for data centres"`
	DestinationCountry string `json:"destinationCountry" format:"country" maxLength:"2" doc:"Where the goods will be used, ISO 3166-1 alpha-2 or XI" example:"KZ"`
	ProductCode        string `json:"productCode,omitempty" maxLength:"64" doc:"Entry of the UK Strategic Export Control Lists where the goods are rated, or else the tariff code" example:"8517620090"`
	EndUse             string `json:"endUse,omitempty" maxLength:"1000" doc:"What the goods will be used for, and by whom" example:"Network of a telecommunications operator"`
	HasCryptography    *bool  `json:"hasCryptography,omitempty" doc:"Whether the goods encrypt; leave it out when nobody knows" example:"true"`
}

// classified is how licences are classified: without being asked twice, the same
// goods get the same answer as a question and as a stored record.
var classified = filing.ClassifierDefinition[Licence, Question, exportcontrol.Classification]{
	Path: "/api/trade/classify", FromQuestion: classifyQuestion, FromRecord: classify, AuditData: told,
}.Classifier()

func classifyQuestion(q *Question) exportcontrol.Classification {
	return exportcontrol.Classify(exportcontrol.Item{
		Description: q.ProductDescription, Code: q.ProductCode, EndUse: q.EndUse, Destination: q.DestinationCountry, Cryptography: q.HasCryptography,
	})
}

// classify answers of a stored licence, in the names of its fields.
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

func told(c exportcontrol.Classification) filing.Added {
	entries, codes := []string{}, []string{}
	for _, e := range c.Entries {
		entries = append(entries, e.Entry)
	}
	for _, f := range c.Findings {
		codes = append(codes, f.Code)
	}
	return filing.Added{"verdict": c.Verdict, "controlRegime": c.Regime, "controlEntries": entries, "codes": codes}
}
