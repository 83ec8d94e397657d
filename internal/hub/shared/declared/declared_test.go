package declared_test

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// declarations are those of an organisation, by id.
type declarations struct {
	filing.View
	added map[string]string
}

func (d declarations) Filing(kind, id string) (filing.Filing, error) {
	added, found := d.added[id]
	if !found || kind != "declaration" {
		return filing.Filing{}, apierr.Missing()
	}
	return filing.Filing{ID: id, Kind: kind, Added: []byte(added)}, nil
}

const (
	accepted = "01939c50-7b00-7c3e-8f00-00000000000a"
	draft    = "01939c50-7b00-7c3e-8f00-00000000000b"
	exported = "01939c50-7b00-7c3e-8f00-00000000000d"
	missing  = "01939c50-7b00-7c3e-8f00-00000000000c"
)

// Ids of declarations become their MRNs, or their DUCRs if they have one; what is no id stays, and an id without an MRN is refused with the place.
func TestComplete(t *testing.T) {
	tx := declarations{added: map[string]string{accepted: `{"mrn":"26GB3TTI2CQ1C7FGR4"}`, exported: `{"ducr":"6GB205672212000-TWS01234","mrn":"26GB3TTI2CQ1C7FGR5"}`, draft: `{"ducr":"6GB1-A","mrn":null}`}}
	body := `{"vehicleReg":"AB24 CDE","customsDeclarations":["x"]}`
	c, err := declared.Complete(tx, []string{"26GB3TTI2CQ1C7FGR1", strings.ToUpper(accepted)}, declared.MRN, filing.Completion{Body: []byte(body)})
	want := `{"vehicleReg":"AB24 CDE","customsDeclarations":["26GB3TTI2CQ1C7FGR1","26GB3TTI2CQ1C7FGR4"]}`
	if err != nil || string(c.Body) != want {
		t.Errorf("%s, %v", c.Body, err)
	}
	if c, err = declared.Complete(tx, []string{"x"}, declared.MRN, filing.Completion{Body: []byte(body)}); err != nil || string(c.Body) != body {
		t.Errorf("without ids: %s, %v", c.Body, err)
	}
	c, err = declared.Complete(tx, []string{exported, accepted}, declared.DUCR, filing.Completion{Body: []byte(body)})
	want = `{"vehicleReg":"AB24 CDE","customsDeclarations":["6GB205672212000-TWS01234","26GB3TTI2CQ1C7FGR4"]}`
	if err != nil || string(c.Body) != want {
		t.Errorf("by DUCR: %s, %v", c.Body, err)
	}
	_, err = declared.Complete(tx, []string{draft, "x", missing}, declared.DUCR, filing.Completion{Body: []byte(body)})
	e, _ := apierr.As(err)
	if len(e.Details) != 2 || e.Details[0].Field != "customsDeclarations[0]" || e.Details[1].Field != "customsDeclarations[2]" {
		t.Errorf("%v %v", err, e.Details)
	}
}
