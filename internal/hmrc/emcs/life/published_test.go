package life_test

import (
	"bufio"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/life"
)

var published = filepath.Join("..", "..", "..", "..", "..", "shared", "authorities", "emcs")

// outcomes are the states and stages of HMRC's sandbox stories, by their LRN.
var outcomes = map[string]struct {
	state life.State
	stage life.Stage
}{
	"lrnie8158976912": {life.Rejected, ""}, "lrnie8156540856": {life.InTransit, life.StageAccepted}, "lrnie8155973812": {life.Delivered, life.StageDelivered},
	"lrnie8151695045": {life.InTransit, life.StageRefused}, "lrnie8155743934": {life.Cancelled, life.StageCancelled}, "lrnie8154968571": {life.InTransit, life.StageAccepted},
	"lrnie8153786132": {life.InTransit, life.StageRejected}, "lrnie8155743960": {life.Cancelled, life.StageCancelled}, "lrnie8155755321": {life.InTransit, life.StageStopped},
	"lrnie8155755323": {life.InTransit, life.StageStopped}, "lrnie8155755325": {life.InTransit, life.StageDiverted}, "lrnie8155755326": {life.Delivered, life.StageDelivered},
	"lrnie8155755327": {life.Delivered, life.StageDelivered}, "lrnie8155755329": {life.InTransit, life.StageRejected}, "lrnie8155755330": {life.Delivered, life.StageManuallyClosed},
	"lrnie8155755331": {life.InTransit, life.StageAccepted},
}

// HMRC's example messages in the order of its sandbox stories, and in the opposite one, have one outcome.
func TestPublishedStories(t *testing.T) {
	for lrn, kinds := range sandboxStories(t) {
		var messages, reversed []emcs.Message
		for _, kind := range kinds {
			m := example(t, kind)
			if kind == "IE818" && outcomes[lrn].stage == life.StageDelivered { // the only example refuses the goods
				emcstest.Edit(m.Body, "ReportOfReceiptExport/GlobalConclusionOfReceipt=1")
			}
			messages = append(messages, m)
		}
		for i := range messages {
			reversed = append(reversed, messages[len(messages)-1-i])
		}
		l := life.Of(life.Known{Messages: messages, Now: now})
		if want := outcomes[lrn]; l.State != want.state || l.Stage != want.stage {
			t.Errorf("%s %v: %s %s", lrn, kinds, l.State, l.Stage)
		}
		if again := life.Of(life.Known{Messages: reversed, Now: now}); !reflect.DeepEqual(again, l) {
			t.Errorf("%s: the order matters", lrn)
		}
	}
}

func sandboxStories(t *testing.T) map[string][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(published, "sandbox-scenarios.tsv"))
	if err != nil {
		t.Skip("HMRC's stories are not beside the project")
	}
	defer file.Close()
	all := map[string][]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 4 || columns[1] == "lrn" {
			continue
		}
		for word := range strings.FieldsSeq(columns[3]) {
			if strings.HasPrefix(word, "IE") {
				all[columns[1]] = append(all[columns[1]], word)
			}
		}
	}
	return all
}

func example(t *testing.T, kind string) emcs.Message {
	t.Helper()
	name := map[string]string{"IE704": "IE704uk", "IE837": "IE837_consignee"}[kind]
	if name == "" {
		name = kind
	}
	data, err := os.ReadFile(filepath.Join(published, "examples", name+".xml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := emcs.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
