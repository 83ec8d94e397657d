package recording_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording"
	"github.com/tidewaiter/tidewaiter/internal/tariff/recording/recordingtest"
)

// spaces are what the dialects of duties differ in.
var spaces = regexp.MustCompile(`\s+`)

// Every recorded answer is read, and its duties are written as the tariff service writes them.
func TestPublishedAnswers(t *testing.T) {
	files, measures := 0, 0
	for _, archive := range []string{"commodities.tar.gz", "nested.tar.gz"} {
		recordingtest.Each(t, filepath.Join(recordingtest.Published, archive), func(file string, document []byte) {
			name, ok := recording.ParseName(file)
			if !ok || !recording.IsRecording(document) {
				t.Errorf("%s: not recognised", file)
				return
			}
			r, err := recording.Read(name, document)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				return
			}
			files++
			want := written(t, document)
			for _, m := range append(r.Import, r.Export...) {
				measures++
				text := measure.Text(m.Components)
				if said := want[m.SID]; squeeze(said) != squeeze(text) && !contradictory[m.SID] {
					t.Errorf("%s: measure %d: %q, not %q", file, m.SID, text, said)
				}
			}
		})
	}
	t.Logf("%d answers with %d measures", files, measures)
}

// contradictory measures have a text that their components do not say: four of December 2020 lack the qualifier of their
// unit, and the duty of one was edited by hand.
var contradictory = map[int64]bool{3591291: true, 3328620: true, 3327242: true, 3327238: true, 20002945: true}

func squeeze(s string) string { return spaces.ReplaceAllString(strings.ReplaceAll(s, ",", ""), "") }

// written returns the duties of an answer as it writes them, by measure.
func written(t *testing.T, document []byte) map[int64]string {
	var d struct {
		Included []struct {
			ID, Type   string
			Attributes struct{ Base string }
		}
		Import []struct {
			ID   json.Number
			Duty struct{ Base string } `json:"duty_expression"`
		} `json:"import_measures"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	all := map[int64]string{}
	for _, o := range d.Included {
		if o.Type == "duty_expression" {
			n, err := json.Number(strings.TrimSuffix(o.ID, "-duty_expression")).Int64()
			if err != nil {
				t.Fatal(err)
			}
			all[n] = o.Attributes.Base
		}
	}
	for _, m := range d.Import {
		n, err := m.ID.Int64()
		if err != nil {
			t.Fatal(err)
		}
		all[n] = m.Duty.Base
	}
	return all
}
