package cbam_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// There are candidates if the tables cannot decide: production routes for a known code, goods of the sector for an unknown
// code.
func TestCandidates(t *testing.T) {
	for name, c := range map[string]struct {
		defaults cbam.Defaults
		question cbam.Question
		count    int
		one      string
	}{
		"steel of a known code":       {nil, cbam.Question{Category: cbam.IronSteel, CommodityCode: "72085120", CountryOfOrigin: "TR"}, 3, "carbon steel, melted from scrap in an electric arc furnace"},
		"a published default value":   {published, cbam.Question{Category: cbam.IronSteel, CommodityCode: "72085120", CountryOfOrigin: "CN"}, 0, ""},
		"making makes no difference":  {nil, cbam.Question{Category: cbam.Fertiliser, CommodityCode: "31021010", CountryOfOrigin: "EG"}, 0, ""},
		"electricity":                 {nil, cbam.Question{Category: cbam.Electricity, CommodityCode: "27160000", CountryOfOrigin: "FR"}, 0, ""},
		"hydrogen":                    {nil, cbam.Question{Category: cbam.Hydrogen, CommodityCode: "28041000", CountryOfOrigin: "SA"}, 3, "hydrogen, made by electrolysis of water"},
		"a fertiliser, code unknown":  {nil, cbam.Question{Category: cbam.Fertiliser, CommodityCode: "?", CountryOfOrigin: "EG"}, 7, "ammonia, made from natural gas by steam reforming"},
		"a product of aluminium, too": {nil, cbam.Question{Category: cbam.Aluminium, CommodityCode: "9", CountryOfOrigin: "CN"}, 9, "unwrought aluminium"},
	} {
		found := c.defaults.Candidates(c.question)
		has := c.one == ""
		for _, f := range found {
			has = has || f.Goods == c.one
		}
		if len(found) != c.count || !has {
			t.Errorf("%s: %d candidates: %v", name, len(found), found)
		}
	}
}

// The model chooses a value from the tables. The note names the model and the words, and the confidence is limited.
func TestChosen(t *testing.T) {
	q := cbam.Question{Category: cbam.IronSteel, CommodityCode: "72085120", CountryOfOrigin: "TR"}
	for confidence, want := range map[float64]float64{0.6: 0.6, 1: 0.7, -3: 0, 17: 0.7} {
		e := cbam.Defaults(nil).Candidates(q)[2].Chosen("100 % scrap", confidence)
		if e.Factor.String() != "0.35" || e.Source != cbam.EstimatedAI || e.Basis != cbam.OnProductionRoute || e.Confidence != want || e.Edition == "" ||
			!strings.Contains(e.Note, "carbon steel, melted from scrap") || !strings.Contains(e.Note, "“100 % scrap”") || !strings.Contains(e.Note, "model") {
			t.Errorf("%v: %+v", confidence, e)
		}
	}
}

// No production route has a value that would be unusual for a supplier.
func TestProductionRoutesAreUsual(t *testing.T) {
	codes := map[cbam.Category]string{
		cbam.IronSteel: "72085120 73063080 73089098 73181558", cbam.Aluminium: "76011000 76042100 76061191", cbam.Hydrogen: "28041000", cbam.Fertiliser: "28141000", cbam.Cement: "25232900",
	}
	checked := 0
	for category, codes := range codes {
		for _, code := range strings.Fields(codes) {
			for _, c := range cbam.Defaults(nil).Candidates(cbam.Question{Category: category, CommodityCode: code, CountryOfOrigin: "TR"}) {
				e := plates(1)
				e.Category, e.CommodityCode, e.NetMassKg, e.EmissionsKg = category, code, quantity.MustMass("1"), c.Chosen("x", 1).Factor
				if r := newReport(t, e); has(r, cbam.ImplausibleFactor) || has(r, cbam.UnusualFactor) || has(r, cbam.OtherCategory) {
					t.Errorf("%s, %s: %s", code, c.Goods, e.EmissionsKg)
				}
				checked++
			}
		}
	}
	if checked != 3*4+2*3+3+2+3 {
		t.Errorf("checked %d", checked)
	}
}

// The Estimator is called without mass and value, and only if the supplier's figure is missing.
func TestAdvise(t *testing.T) {
	asked := 0
	estimator := cbam.Estimator(func(_ context.Context, org tenant.ID, q cbam.Question) (cbam.Estimate, error) {
		if asked++; org != "o" || q != (cbam.Question{Category: cbam.Cement, CommodityCode: "25232900", CountryOfOrigin: "EG", Notes: "CEM I"}) {
			t.Errorf("%s got the question %+v", org, q)
		}
		return cbam.Estimate{Factor: quantity.MustTotal("1.5"), Source: cbam.EstimatedAI}, nil
	})
	figure := quantity.MustMass("7")
	i := cbam.Import{Category: cbam.Cement, CommodityCode: "25232900", CountryOfOrigin: "EG", NetMassKg: quantity.MustMass("2000"), Notes: "CEM I"}
	got, err := estimator.Advise(t.Context(), "o", &i)
	if err != nil || got["embeddedEmissionsKgCo2"].(quantity.Total).String() != "3000" || got["emissionsSource"] != cbam.EstimatedAI {
		t.Errorf("%v %v", got, err)
	}
	i.EmbeddedEmissionsKgCO2 = &figure
	if got, err := estimator.Advise(t.Context(), "o", &i); got != nil || err != nil || asked != 1 {
		t.Errorf("%v %v after %d questions", got, err, asked)
	}
	gone := errors.New("gone")
	i.EmbeddedEmissionsKgCO2 = nil
	if _, err := cbam.Estimator(func(context.Context, tenant.ID, cbam.Question) (cbam.Estimate, error) { return cbam.Estimate{}, gone }).Advise(t.Context(), "o", &i); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
