package origin

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Decisions.
const (
	Qualifies   = "QUALIFIES"
	Fails       = "FAILS"
	NeedsFacts  = "NEEDS_FACTS"
	NeedsPerson = "NEEDS_PERSON"
)

// AnswerBody is the answer in the form of the API.
type AnswerBody struct {
	Date          string       `json:"date" format:"date" doc:"Day of importation" example:"2026-11-26"`
	OriginData    string       `json:"originData" doc:"Edition of the rules of origin that was used: the number of the import; 0 before the first" example:"1"`
	EngineVersion string       `json:"engineVersion" doc:"Version of the computation" example:"1"`
	Schemes       []SchemeBody `json:"schemes" nullable:"false" doc:"The schemes by code; none if no scheme that is held names the country on that day"`
}

// SchemeBody is the answer under one scheme.
type SchemeBody struct {
	Scheme            string       `json:"scheme" doc:"Code of the scheme" example:"canada"`
	Title             string       `json:"title" doc:"Name of the scheme" example:"UK/Canada Trade Continuity Agreement"`
	Decision          string       `json:"decision" enum:"QUALIFIES,FAILS,NEEDS_FACTS,NEEDS_PERSON" doc:"Whether the product originates" example:"QUALIFIES"`
	Rule              *AppliedRule `json:"rule" doc:"The rule set that applies; null if the product is wholly obtained, or several are possible, or the scheme has none"`
	PossibleRules     []RuleBody   `json:"possibleRules" nullable:"false" doc:"The rules among which the description of the product must choose"`
	Tolerance         StateBody    `json:"tolerance" doc:"Use of materials that the rule does not permit"`
	Cumulation        StateBody    `json:"cumulation" doc:"Materials of other countries that count as originating"`
	MinimalOperations StateBody    `json:"minimalOperations" doc:"More was done than insufficient operations"`
	Transport         StateBody    `json:"transport" doc:"Direct transport or non-alteration"`
	Drawback          StateBody    `json:"drawback" doc:"No drawback of duties on the materials"`
	Proofs            []ProofBody  `json:"proofs" nullable:"false" doc:"Proofs of origin that the scheme accepts, without those that the value of the consignment excludes"`
	FactsNeeded       []FactBody   `json:"factsNeeded" nullable:"false" doc:"Facts that are missing"`
	Why               string       `json:"why" doc:"Why it is decided so" example:"Every non-originating material is one that the rule permits."`
}

// AppliedRule is the rule set that applies, of which there may be none.
type AppliedRule struct{ RuleBody }

// TransformSchema implements huma.SchemaTransformer: null stands for no rule set, because huma has no pointers to objects that can be null.
func (AppliedRule) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// RuleBody is a rule set.
type RuleBody struct {
	RuleSet      string            `json:"ruleSet" doc:"Commodity codes that it covers, first and last" example:"8517000000-8517999999"`
	Heading      string            `json:"heading" doc:"Heading as the agreement prints it" example:"8517"`
	Subdivision  string            `json:"subdivision" doc:"Products that it is for" example:""`
	Text         string            `json:"text" doc:"The rules" example:"A change from any other heading."`
	Alternatives []AlternativeBody `json:"alternatives" nullable:"false" doc:"The rules one by one; one must hold"`
}

// AlternativeBody is one rule of a set.
type AlternativeBody struct {
	Text     string `json:"text" doc:"The rule" example:"A change from any other heading."`
	Decision string `json:"decision" enum:"QUALIFIES,FAILS,NEEDS_FACTS,NEEDS_PERSON" doc:"Whether the product satisfies it" example:"QUALIFIES"`
	Why      string `json:"why" doc:"Why it is decided so" example:"Every non-originating material is one that the rule permits."`
}

// StateBody is the state of a requirement beside the rule.
type StateBody struct {
	State string `json:"state" enum:"MET,UNMET,UNKNOWN,NOT_REACHED" doc:"Whether it is met; NOT_REACHED if nothing depends on it" example:"MET"`
	Why   string `json:"why" doc:"Why" example:"Nothing was altered in transit."`
	Text  string `json:"text" doc:"The article, where a person must read it; otherwise empty" example:""`
}

// ProofBody is a proof of origin.
type ProofBody struct {
	Code    string          `json:"code" doc:"Kind of proof" example:"origin-declaration"`
	Title   string          `json:"title" doc:"Name" example:"Origin declaration"`
	Wording string          `json:"wording" doc:"What the agreement says about it" example:""`
	Limit   *quantity.Money `json:"limit" nullable:"true" doc:"Value of the consignment in pounds above which only an approved or registered exporter can make it out; null for none or if the text does not name one" example:"5500"`
}

// FactBody is a fact that is missing.
type FactBody struct {
	Field    string   `json:"field" doc:"Path in the request" example:"materials[0].value"`
	Question string   `json:"question" doc:"The question" example:"What is the value of materials[0] (853400)?"`
	Unit     string   `json:"unit" doc:"Unit of the answer; empty for none" example:"kg"`
	Values   []string `json:"values" nullable:"false" doc:"Answers that are possible; none if any value is" example:"[\"true\",\"false\"]"`
}
