package conformance

import (
	"strings"
	"testing"
	"time"
)

// A message about one declaration that is sent again under the conversation id of another declaration does not
// change that other one.
func TestReplayUnderAnotherConversation(t *testing.T) {
	withGateway(t, func(t *testing.T, p *server, _ *gateway) {
		mine, theirs := p.organisation("A"), p.organisation("B")
		mine.connectCustoms()
		theirs.connectCustoms()
		one, two := mine.declaration(""), theirs.declaration("")
		conversation := mine.submit(one).want(t, 200).body["conversationId"].(string)
		second := theirs.submit(two).want(t, 200).body["conversationId"].(string)
		cleared := notificationXML("09", "m1", "26GB3TTI2CQ1C7FGR4", "20261121090003Z", "")
		p.postNotification("Basic secret", conversation, cleared).want(t, 200)
		mine.waitForStatus(one, "CLEARED")
		if a := p.postNotification("Basic secret", second, cleared).want(t, 200); a.text != "{}" {
			t.Errorf("the replay was answered with %s", a.text)
		}
		for end := time.Now().Add(waitLimit); !strings.Contains(p.Log.String(), "received again under another conversation ID"); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the replay was not detected")
			}
		}
		if a := theirs.call("GET", "/api/declarations/"+two, nil).want(t, 200); a.in("declaration", "status") != "SUBMITTED" || a.in("declaration", "mrn") != nil {
			t.Errorf("the replay was applied: %s", a.text)
		}
		p.postNotification("Basic secret", second, notificationXML("09", "m2", "26GB3TTI2CQ1C7FGR5", "20261121090005Z", "")).want(t, 200)
		theirs.waitForStatus(two, "CLEARED")
	})
}
