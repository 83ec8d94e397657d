package notification_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
)

func lines(t *testing.T, file string, data []byte) string {
	t.Helper()
	var out strings.Builder
	for _, r := range notification.Reports(file, data) {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.String()
}

// A report has every key in every line; what the message does not say is empty or null.
func TestReport(t *testing.T) {
	for file, want := range map[string]string{
		"rejected.xml": `{"file":"rejected.xml","functionCode":"03","name":"DMSREJ","conversationId":"","messageId":"aa000000000000000000000000000001",` +
			`"mrn":"26GBAAAAAAAAAAAAA1","lrn":"LRN\u00261","issuedAt":"2026-07-14T08:30:05.000Z","errors":[` +
			`{"code":"CDS10001","pointer":"42A.67A.68A[2].23A.65A.128","field":"items[1].netMassKg"},` +
			`{"code":"CDS12005","pointer":"42A.67A.74A.R038","field":"client.eori"},` +
			`{"code":"CDS12056","pointer":"42A.D013","field":"declarationType"},` +
			`{"code":"CDS12046","pointer":"","field":"declaration"}],"taxes":[],"ok":true}` + "\n",
		"taxed.xml": `{"file":"taxed.xml","functionCode":"13","name":"DMSTAX","conversationId":"","messageId":"aa000000000000000000000000000002",` +
			`"mrn":"26GBAAAAAAAAAAAAA2","lrn":"TAXED","issuedAt":"2026-11-02T10:11:12.000Z","errors":[],"taxes":[` +
			`{"item":1,"type":"A00","assessed":27,"payable":0},{"item":1,"type":"A20","assessed":5,"payable":null},` +
			`{"item":3,"type":"B00","assessed":null,"payable":null},{"item":3,"type":"B05","assessed":null,"payable":7}],"ok":true}` + "\n",
	} {
		if got := lines(t, file, read(t, file)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", file, got, want)
		}
	}
}

// Several responses give a line each, and a date that is none is null.
func TestReportOfSeveralResponses(t *testing.T) {
	got := strings.Split(strings.TrimSpace(lines(t, "s", read(t, "several.xml"))), "\n")
	if len(got) != 3 || !strings.Contains(got[1], `"functionCode":"06","name":"DMSDOC"`) || !strings.Contains(got[1], `"issuedAt":null`) {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
}

// What cannot be decoded is one line that says so.
func TestReportOfWhatIsNoMessage(t *testing.T) {
	for _, data := range []string{"", "<a>", "<Root xmlns='hmrc:fileupload'/>"} {
		got := lines(t, "x.xml", []byte(data))
		if strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, `{"file":"x.xml","functionCode":"",`) ||
			!strings.Contains(got, `"errors":[],"taxes":[],"ok":false,"error":"notification: decode: `) {
			t.Errorf("%q: %s", data, got)
		}
	}
}

// An answer of inventory linking is reported by its kind and its message code.
func TestReportOfInventoryLinking(t *testing.T) {
	const answer = `<inventoryLinkingControlResponse xmlns="http://gov.uk/customs/inventoryLinking/v1"><messageCode>EDL</messageCode><actionCode>3</actionCode><error><errorCode>13</errorCode></error></inventoryLinkingControlResponse>`
	want := `{"file":"a.xml","functionCode":"EDL","name":"inventoryLinkingControlResponse","conversationId":"","messageId":"","mrn":"","lrn":"","issuedAt":null,"errors":[{"code":"13","pointer":"","field":""}],"taxes":[],"ok":true}` + "\n"
	if got := lines(t, "a.xml", []byte(answer)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
