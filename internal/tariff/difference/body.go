package difference

import "github.com/danielgtaylor/huma/v2"

// ChangeBody is a change as it is shown.
type ChangeBody struct {
	Code   string     `json:"commodityCode" doc:"Commodity code of the goods, ten digits" example:"6109100010"`
	SID    *int64     `json:"measureSid" doc:"Number of the measure; null in tables that have none" example:"20001695"`
	Type   string     `json:"measureTypeId" doc:"Type of the measure" example:"103"`
	Tariff string     `json:"tariff" enum:"UK,XI" doc:"Tariff of the measure"`
	Area   string     `json:"area" doc:"Country or group of countries; 1011 is all countries" example:"1011"`
	Change string     `json:"change" enum:"ADDED,ENDED,CHANGED" doc:"What happened to the measure"`
	Before *TermsBody `json:"before" doc:"The measure in the former edition; null if it was added"`
	After  *TermsBody `json:"after" doc:"The measure in the later edition; null if it has ended"`
}

// TermsBody is what a measure says.
type TermsBody struct {
	From       *string         `json:"from" format:"date" doc:"First day in force; null in tables that do not say it" example:"2021-01-01"`
	To         *string         `json:"to" format:"date" doc:"Last day in force; null if no end is known"`
	Duty       string          `json:"rateExpression" doc:"Duty as text; empty for a control" example:"12.00 %"`
	Additional *string         `json:"additionalCode" doc:"Additional code"`
	Order      *string         `json:"quotaOrderNumber" doc:"Order number of the quota"`
	Reduction  *int            `json:"reductionIndicator" doc:"Which agricultural amounts apply; null for none"`
	Excluded   []string        `json:"excludedAreas" nullable:"false" doc:"Countries and groups that are left out"`
	Conditions []ConditionBody `json:"conditions" nullable:"false" doc:"Conditions, in the order of the tariff"`
	Acts       []string        `json:"legalActs" nullable:"false" doc:"Ids of the legal acts"`
	Footnotes  []string        `json:"footnotes" nullable:"false" doc:"Codes of the footnotes"`
}

// TransformSchema implements huma.SchemaTransformer: an added measure was not there before, one that ended is not there after.
func (TermsBody) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// ConditionBody is a condition of a measure.
type ConditionBody struct {
	Code      string  `json:"code" doc:"Group of the condition" example:"B"`
	Document  *string `json:"document" doc:"Document that it asks for" example:"C990"`
	Threshold *string `json:"threshold" doc:"Amount that it compares with"`
	Action    string  `json:"action" doc:"What follows if it is met" example:"27"`
	Duty      string  `json:"rateExpression" doc:"Duty that is then charged; empty for none"`
}

// Body returns a change as it is shown.
func Body(c Change) ChangeBody {
	m := c.Of()
	return ChangeBody{m.Code, orNull(m.SID), m.Type, m.Tariff, m.Area, c.Kind, termsBody(c.Before), termsBody(c.After)}
}

func termsBody(m *Measure) *TermsBody {
	if m == nil {
		return nil
	}
	b := &TermsBody{
		From: orNull(m.From), To: orNull(m.To), Duty: m.Duty, Additional: orNull(m.Additional), Order: orNull(m.Order), Reduction: orNull(m.Reduction),
		Excluded: orEmpty(m.Excluded), Acts: orEmpty(m.Acts), Footnotes: orEmpty(m.Footnotes), Conditions: []ConditionBody{},
	}
	for _, c := range m.Conditions {
		b.Conditions = append(b.Conditions, ConditionBody{c.Code, orNull(c.Document), orNull(c.Threshold), c.Action, c.Duty})
	}
	return b
}

func orNull[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

func orEmpty(list []string) []string { return append([]string{}, list...) }
