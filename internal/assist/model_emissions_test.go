package assist_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

func productionAnswer(candidate, words string, confidence float64) string {
	raw, _ := json.Marshal(map[string]any{"candidate": candidate, "words": words, "confidence": confidence})
	return string(raw)
}

const scrapNotes = "Iskenderun mill, 100 % scrap,\n electric arc furnace. Ask Dana Demo <dana@example.com>, +90 326 555 01 23"

func plates(notes string) cbam.Question {
	return cbam.Question{Category: cbam.IronSteel, CommodityCode: "72085120", CountryOfOrigin: "TR", Notes: notes}
}

// A model chooses the figure of the tables by the notes. It sees neither the user's name nor
// contact details.
func TestEstimator(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, productionAnswer("3", "100 % SCRAP, electric arc furnace", 0.9))
	e, err := (&assist.Estimator{Model: m}).Estimate(ctx, ours, plates(scrapNotes))
	if err != nil || e.Source != cbam.EstimatedAI || e.Basis != cbam.OnProductionRoute || e.Factor.String() != "0.35" || e.Confidence != 0.7 {
		t.Fatalf("%v, %+v", err, e)
	}
	for _, part := range []string{"72085120", "IRON_STEEL", "TR", "100 % scrap", "melted from scrap", "never an instruction"} {
		if !strings.Contains(*asked, part) {
			t.Errorf("the question lacks %q: %s", part, *asked)
		}
	}
	for _, secret := range []string{string(ours), "dana@", "555"} {
		if strings.Contains(*asked, secret) {
			t.Errorf("the question contains %q", secret)
		}
	}
}

// A model may identify goods without a known code; their figure is the typical one of the
// country.
func TestEstimatorIdentifiesGoods(t *testing.T) {
	m, _ := modelAnswers(t, http.StatusOK, productionAnswer("1", "nitric acid", 0.8))
	e, err := (&assist.Estimator{Model: m}).Estimate(ctx, ours, cbam.Question{Category: cbam.Fertiliser, CommodityCode: "?", CountryOfOrigin: "EG", Notes: "Nitric acid, 60 %"})
	if err != nil || e.Source != cbam.EstimatedAI || e.Basis != cbam.OnGoodsAndCountry || e.Factor.String() != "2.49" {
		t.Errorf("%v, %+v", err, e)
	}
}

// If the model does anything but choose a candidate, the estimate is that of the tables, with
// a note.
func TestEstimatorAlone(t *testing.T) {
	alone := cbam.Defaults(nil).Estimate(plates(scrapNotes))
	for name, c := range map[string]struct {
		status int
		text   string
		note   string
	}{
		"none of them":                    {200, productionAnswer("0", "", 0.9), "found nothing about the goods"},
		"no such candidate":               {200, productionAnswer("4", "100 % scrap", 0.9), "could not be used"},
		"before the first":                {200, productionAnswer("-1", "100 % scrap", 0.9), "could not be used"},
		"a figure of its own":             {200, `{"candidate":"3","words":"100 % scrap","confidence":0.9,"factor":0.01}`, "could not be used"},
		"a number otherwise":              {200, productionAnswer("03", "100 % scrap", 0.9), "could not be used"},
		"words that are not in the notes": {200, productionAnswer("3", "made with green electricity", 0.9), "could not be used"},
		"no words":                        {200, productionAnswer("3", " ", 0.9), "could not be used"},
		"no letters":                      {200, productionAnswer("3", "100 %", 0.9), "could not be used"},
		"words it was not shown":          {200, productionAnswer("3", "dana@example.com", 0.9), "could not be used"},
		"unsure":                          {200, productionAnswer("3", "100 % scrap", 0.49), "could not be used"},
		"another shape":                   {200, `{"candidate":3}`, "could not be used"},
		"prose":                           {200, "Melted from scrap.", "was not available"},
		"fault":                           {500, "", "was not available"},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := modelAnswers(t, c.status, c.text)
			e, err := (&assist.Estimator{Model: m}).Estimate(ctx, ours, plates(scrapNotes))
			if err != nil || e.Source != cbam.EstimatedDefault || e.Factor != alone.Factor || e.Basis != alone.Basis || !strings.HasPrefix(e.Note, alone.Note+" ") || !strings.Contains(e.Note, c.note) {
				t.Errorf("%v, %+v", err, e)
			}
		})
	}
}

// The model is not asked if the tables suffice or the notes have no words. A caller who has
// gone gets no estimate.
func TestEstimatorDoesNotAsk(t *testing.T) {
	m, asked := modelAnswers(t, http.StatusOK, productionAnswer("1", "a", 1))
	published := func(string, string) (quantity.Number, string, bool) { return quantity.MustNumber("3"), "", true }
	urea := cbam.Question{Category: cbam.Fertiliser, CommodityCode: "31021010", CountryOfOrigin: "EG", Notes: "urea"}
	for name, c := range map[string]struct {
		defaults cbam.Defaults
		question cbam.Question
	}{
		"published": {published, plates(scrapNotes)}, "no notes": {nil, plates("")}, "no words": {nil, plates("2026-118 / 7")}, "nothing but an address": {nil, plates("dana@example.com")}, "no difference": {nil, urea},
	} {
		if e, err := (&assist.Estimator{Offline: c.defaults, Model: m}).Estimate(ctx, ours, c.question); err != nil || e != c.defaults.Estimate(c.question) || *asked != "" {
			t.Errorf("%s: %v, %+v, asked %s", name, err, e, *asked)
		}
	}
	gone, leave := context.WithCancel(ctx)
	leave()
	if _, err := (&assist.Estimator{Model: m}).Estimate(gone, ours, plates(scrapNotes)); err == nil {
		t.Error("a caller who is gone got an estimate")
	}
}
