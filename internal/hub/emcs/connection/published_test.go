package connection_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

// Every example of HMRC's is read and applied to a movement, in both versions and in any order: one movement with all of them, and one for each with the acceptance
// alone.
func TestPublishedMessages(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/authorities/emcs/examples/*.xml")
	if len(files) == 0 {
		t.Skip("HMRC's examples are not beside the project")
	}
	for _, version := range emcs.Versions() {
		var all []exchange.Received
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := emcs.Decode(data)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if version != m.Version && m.Kind != emcs.Refusal && m.Kind != emcs.ExportAccepted { // of the latter, elements have other places in V3.23
				if data, err = emcs.Encode(m.As(version)); err != nil {
					t.Fatal(err)
				}
			}
			all = append(all, exchange.Received{ID: file, Kind: string(m.Kind), Correlation: "movement", Raw: data})
		}
		accepted := exchange.Received{ID: "acceptance", Kind: "IE801", Correlation: "movement", Raw: encoded(t, emcstest.Acceptance(now, 1, "2026-11-27"))}
		inAnyOrder(t, all...)
		for _, one := range all {
			inAnyOrder(t, accepted, one)
		}
	}
}

func encoded(t *testing.T, m emcs.Message) []byte {
	t.Helper()
	data, err := emcs.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// inAnyOrder applies messages to a submitted movement in many orders, which all give the same, and nothing that cannot be read.
func inAnyOrder(t *testing.T, all ...exchange.Received) {
	t.Helper()
	m := start(t, wholeBody(t))
	m.record.Status = lifecycle.Submitted
	for _, in := range all {
		m.receive(in)
	}
	apply := func() exchange.Course {
		t.Helper()
		m.record.Status = lifecycle.Submitted
		return m.apply()
	}
	want := apply()
	if problems := member(want, "messageProblems"); problems != "null" || len(want.Added) == 0 {
		t.Errorf("%s: %s", all[len(all)-1].ID, problems)
	}
	shuffle := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		shuffle.Shuffle(len(m.messages), func(i, j int) { m.messages[i], m.messages[j] = m.messages[j], m.messages[i] })
		if got := apply(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the order matters: %+v, not %+v", strings.TrimSuffix(filepath.Base(all[len(all)-1].ID), ".xml"), got, want)
			return
		}
	}
}
