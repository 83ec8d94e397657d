package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// anEntry is a declaration for Great Britain, as JSON.
func anEntry(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(object{
		"regime": "GB", "filingType": "ENS_SEA", "modeOfTransport": "1", "carrierName": "Northern Star Lines", "carrierEori": "GB345678912000",
		"consignorName": "Busan Kitchenware Co., Ltd.", "consigneeName": "Harbour Kitchens Ltd", "consigneeEori": "GB205672212000", "transportDocNumber": "NSLU260411987",
		"portOfLoading": "KRPUS", "portOfUnloading": "GBFXT", "estimatedArrival": time.Now().UTC().AddDate(0, 0, 30).Format("2006-01-02T15:04:05.000Z"),
		"totalPackages": 42, "totalGrossMassKg": 3150.5, "goodsDescription": "Electric espresso machines for household use", "commodityCodes": []any{"851671"}, "message": restOfEntry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// owner is a call of an OWNER of the organisation.
func (e *excise) owner() tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: e.org, Role: tenant.Owner, UserID: "01939c50-7b00-7c3e-8f00-00000000000c"}}
}

// stateOf reads the state of a record.
func (e *excise) stateOf(kind, id string) (state lifecycle.State) {
	e.t.Helper()
	err := e.Store.View(e.t.Context(), e.org, func(tx *store.Tx) error {
		f, err := tx.Filing(kind, id)
		state = f.Status
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return state
}

// whileConnected are the marks by hand of all kinds with an authority, by the states in which the engine allows them.
var whileConnected = map[string]map[lifecycle.Action]lifecycle.State{
	"emcs.movement": {"mark-accepted": "SUBMITTED", "mark-rejected": "SUBMITTED", "mark-dispatched": "ACCEPTED", "mark-delivered": "IN_TRANSIT"},
	"ics2.filing":   {"mark-accepted": "SUBMITTED", "mark-rejected": "SUBMITTED"},
	"gvms.movement": {"mark-open": "OPEN", "mark-not-finalisable": "OPEN", "mark-checked-in": "OPEN", "mark-embarked": "OPEN", "mark-completed": "OPEN"},
}

// Marks that the authority decides are refused by the engine itself while a record is connected, whatever calls it: the API, the console or a batch.
// Without a connection every one of them is made.
func TestMarksOfConnectedRecords(t *testing.T) {
	for _, mode := range []string{"simulator", "off"} {
		e := &excise{instance: run(t, storetest.SQLite(t), func(c *config.Config) { c.EMCS.Mode, c.ENS.Mode, c.GVMS.Mode = mode, mode, mode })}
		e.join("Speyside Bonded Stores Ltd", "GB123456789000")
		e.request(http.MethodPost, "/api/hubs/ics2", "", http.StatusOK, nil)
		e.request(http.MethodPost, "/api/hubs/gvms", "", http.StatusOK, nil)
		for _, kind := range app.Kinds() {
			want, connected := whileConnected[kind.Kind]
			if !connected {
				continue
			}
			marks := marksOf(kind)
			for action := range maps.Keys(want) {
				if !marks[action] {
					t.Errorf("%s has no %s", kind.Kind, action)
				}
			}
			if len(marks) != len(want) {
				t.Errorf("%s has the marks %v", kind.Kind, marks)
			}
			for action, from := range want {
				e.testMark(e.Filings.Types[kind.Kind], action, from, mode)
			}
		}
	}
}

// marksOf returns the actions of a kind that record by hand what an authority decided.
func marksOf(t *filing.Type) map[lifecycle.Action]bool {
	marks := map[lifecycle.Action]bool{}
	for _, edge := range t.Lifecycle.Edges {
		if edge.Guard != lifecycle.System && strings.HasPrefix(string(edge.Action), "mark-") {
			marks[edge.Action] = true
		}
	}
	return marks
}

// testMark makes a mark on a record in a state, through the engine and by the API.
func (e *excise) testMark(t *filing.Type, action lifecycle.Action, from lifecycle.State, mode string) {
	e.t.Helper()
	id := e.inState(t, from, mode)
	if got := e.stateOf(t.Kind, id); got != from {
		e.t.Fatalf("%s %s: %s, not %s", mode, t.Kind, got, from)
	}
	step, body := filing.TransitionData{}, ""
	if action == lifecycle.MarkRejected {
		step.Reason, body = "Wrong code", `{"reason":"Wrong code"}`
	}
	err := e.Store.Update(e.t.Context(), e.org, func(tx *store.Tx) error {
		_, err := e.Filings.Transition(tx, e.owner(), t, id, action, step)
		return err
	})
	switch {
	case mode == "off" && err != nil:
		e.t.Errorf("off: %s of %s: %v", action, t.Kind, err)
	case mode == "off":
	case !apierr.Is(err, apierr.InvalidState) || !strings.Contains(err.Error(), "HMRC"):
		e.t.Errorf("%s of %s: %v", action, t.Kind, err)
	default:
		if text := e.request(http.MethodPost, fmt.Sprintf("%s/%s/%s", t.Path, id, action), body, http.StatusBadRequest, nil); !strings.Contains(text, `"invalid_state"`) {
			e.t.Error(text)
		}
		if got := e.stateOf(t.Kind, id); got != from {
			e.t.Errorf("%s of %s made it %s", action, t.Kind, got)
		}
	}
}

// inState makes a record and takes it to a state: in the simulator by what the authority says, without a connection by marks.
func (e *excise) inState(t *filing.Type, state lifecycle.State, mode string) (id string) {
	e.t.Helper()
	if t.Kind == "gvms.movement" {
		movements := &fronted{excise: e, path: t.Path, kind: t.Kind}
		id = movements.newMovement("AB24 AA" + string(rune('A'+e.vehicles)))
		e.vehicles++
		movements.reaches(id, string(state))
		return id
	}
	if t.Kind == "emcs.movement" && state == "ACCEPTED" {
		id = e.create("EadEsadDraft/DateOfDispatch=" + time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly))
	} else if t.Kind == "emcs.movement" {
		id = e.create()
	} else {
		var made struct{ Filing struct{ ID string } }
		e.request(http.MethodPost, t.Path, anEntry(e.t), http.StatusOK, &made)
		id = made.Filing.ID
	}
	if e.simulate = ""; state == lifecycle.Submitted {
		e.simulate = "silent"
	}
	if mode == "off" {
		e.simulate = ""
	}
	e.request(http.MethodPost, t.Path+"/"+id+"/submit", "", http.StatusOK, nil)
	e.simulate = ""
	switch {
	case state == lifecycle.Submitted:
	case mode != "off":
		e.await(id, string(state))
	default:
		e.request(http.MethodPost, t.Path+"/"+id+"/mark-accepted", "", http.StatusOK, nil)
		if state == "IN_TRANSIT" {
			e.request(http.MethodPost, t.Path+"/"+id+"/mark-dispatched", "", http.StatusOK, nil)
		}
	}
	return id
}
