package console_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// classificationCases are the cases of the page that classifies goods.
var classificationCases = map[string]routeCase{
	"GET /classify":  {status: 200},
	"POST /classify": {status: 200, form: []string{"description", "Men's knitted cotton T-shirts"}},
}

// Suggestions say how likely they are, where they stand in the tariff, what they cost and how they differ. One press begins a
// declaration with the code, and a link a product.
func TestClassifyGoods(t *testing.T) {
	t.Parallel()
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	p.get("/classify?description=Wooden+chairs").expect(t, http.StatusOK, `value="Wooden chairs"`)
	a := p.post("/classify", "description", "Men's knitted cotton T-shirts", "origin", "Bangladesh")
	a.expect(t, http.StatusOK, "6109100010", "% likely", "Textiles and textile articles", `Chapter <span class="code">61</span>`, `Heading <span class="code">6109</span>`, "Third-country duty", "12.0%",
		"<dt>VAT</dt><dd>20%", "Another ", "/products/new?commodityCode=6109100010&amp;description=Men%27s")
	p.post("/classify").expect(t, http.StatusBadRequest, "The description is required")
	p.post("/classify", "description", strings.Repeat("x", 600), "origin", "Atlantis").expect(t, http.StatusBadRequest, "at most 512 characters", "The country of origin must be a country")
	if strings.Contains(a.body, "Path: 6109") || strings.Count(a.body, "candidate-heading") < 4 {
		t.Error("the reason repeats the path, or there are no other suggestions")
	}
	asked := p.post("/classify", "description", "shirt")
	asked.expect(t, http.StatusOK, `<legend>`, `type="radio"`, "None of these", "I do not know", `<input type="hidden" name="description" value="shirt">`)
	answers := regexp.MustCompile(`name="answer" value="([0-9-]+)"`).FindAllStringSubmatch(asked.body, -1)
	if len(answers) < 2 {
		t.Fatalf("%q", answers)
	}
	chosen := answers[len(answers)-1][1]
	p.post("/classify", "description", "shirt", "answer", chosen).expect(t, http.StatusOK, `id="code-`+chosen[:4])
	p.post("/classify", "description", "shirt", "answer", "nonsense").expect(t, http.StatusOK, `type="radio"`)
	p.post("/classify", "description", "???").expect(t, http.StatusOK, "No code found")
	begun := p.post("/declarations/new/goods", "commodityCode", "6109100010", "description", "T-shirts", "countryOfOrigin", "Bangladesh").redirect(t)
	p.get(begun).expect(t, http.StatusOK, "are in the first item")
	p.get(step(begun, worksheet.StepGoods)).expect(t, http.StatusOK, `value="6109100010"`, "T-shirts")
	p.get("/products/new?commodityCode=6109100010&description=Shirts").expect(t, http.StatusOK, `value="6109100010"`, "Shirts")
}
