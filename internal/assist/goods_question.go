package assist

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist/classify"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// GoodsQuestion is a question about goods, with choices in the words of the tariff.
type GoodsQuestion struct {
	Kind    string        `json:"kind" enum:"material,use,dimensions,state,kind" doc:"What the choices differ by" example:"material"`
	Text    string        `json:"text" doc:"The question" example:"What are the goods made of?"`
	Choices []GoodsChoice `json:"choices" maxItems:"9" nullable:"false" doc:"The choices; the last two are none of these, and not known"`
}

// TransformSchema allows null.
func (GoodsQuestion) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// GoodsChoice is an answer to choose from.
type GoodsChoice struct {
	Answer string `json:"answer" maxLength:"400" doc:"What to add to answers for this choice" example:"6109100010-6109100090"`
	Text   string `json:"text" doc:"The choice in the words of the tariff" example:"Of cotton"`
}

// questionTexts are questions by what their choices differ by.
var questionTexts = map[string]string{
	classify.KindMaterial: "What are the goods made of?", classify.KindUse: "What are the goods used for?",
	classify.KindDimensions: "What size, weight or content do the goods have?", classify.KindState: "In what state are the goods?",
	classify.KindGoods: "Which of these describes the goods?",
}

// goodsQuestion is a question for people; nil for none.
func goodsQuestion(i *classify.Inquiry) *GoodsQuestion {
	if i == nil {
		return nil
	}
	q := &GoodsQuestion{Kind: i.Kind, Text: questionTexts[i.Kind]}
	for _, c := range i.Choices {
		q.Choices = append(q.Choices, GoodsChoice{c.Key, c.Text})
	}
	return q
}

// checkAnswers refuses the first valid answer that names codes which the tariff does not have, such as one to a question from before another tariff.
func checkAnswers(x *classify.Index, answers []string) error {
	for i, a := range answers {
		if classify.ValidAnswer(a) && !x.HasAnswer(a) {
			return apierr.Invalid(apierr.Detail{Field: fmt.Sprintf("answers[%d]", i), Message: "names codes that the tariff does not have; ask again without answers"})
		}
	}
	return nil
}
