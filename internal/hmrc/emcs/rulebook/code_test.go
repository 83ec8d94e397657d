package rulebook_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/emcstest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs/rulebook"
)

// codePlace is where a code of a list stands in a message, and the number of the refusal of another code.
type codePlace struct {
	kind   emcs.Kind
	path   string
	number int
	table  string
	wrong  string
}

var codePlaces = []codePlace{
	{emcs.Draft, "BodyEadEsad/ExciseProductCode", 4428, "BC36_ExciseProduct.csv", "S999"},
	{emcs.Draft, "TransportMode/TransportModeCode", 4440, "BC67_TransportMode.csv", "6"},
	{emcs.Draft, "TransportDetails/TransportUnitCode", 4441, "BC35_TransportUnit.csv", "6"},
	{emcs.Draft, "BodyEadEsad/WineProduct/WineGrowingZoneCode", 4442, "BC40_WineGrowingZone.csv", "7"},
	{emcs.Draft, "BodyEadEsad/WineProduct/WineOperation/WineOperationCode", 4443, "BC41_WineOperation.csv", "13"},
	{emcs.DestinationChange, "UpdateEadEsad/TransportModeCode", 4440, "BC67_TransportMode.csv", "9"},
	{emcs.DestinationChange, "TransportDetails/TransportUnitCode", 4441, "BC35_TransportUnit.csv", "9"},
	{emcs.Receipt, "BodyReportOfReceiptExport/UnsatisfactoryReason/UnsatisfactoryReasonCode", 4474, "BC46_UnsatisfactoryReason.csv", "6"},
	{emcs.Alert, "AlertOrRejectionOfEadEsadReason/AlertOrRejectionOfMovementReasonCode", 4531, "BC22_AlertOrRejectionOfEadEsadReason.csv", "4"},
	{emcs.Delay, "Attributes/ExplanationCode", 4482, "BC51_DelayExplanation.csv", "7"},
	{emcs.Cancellation, "Cancellation/CancellationReasonCode", 4493, "BC43_CancellationReason.csv", "5"},
}

// A code that is not in its list is found with HMRC's number.
func TestUnknownCodes(t *testing.T) {
	for _, p := range codePlaces {
		m := messages(emcs.V323)[p.kind]
		if found := rulebook.CheckCodes(m); len(found) > 0 {
			t.Errorf("%s: %+v", p.kind, found)
		}
		emcstest.Edit(m.Body, p.path+"="+p.wrong)
		if found := rulebook.CheckCodes(m); len(found) != 1 || found[0].Number != p.number || found[0].Field == "" {
			t.Errorf("%s %s: %+v", p.kind, p.path, found)
		}
	}
}

// Every code of the published lists is known.
func TestPublishedCodes(t *testing.T) {
	for _, p := range codePlaces {
		file, err := os.Open(filepath.Join("..", "..", "..", "..", "..", "shared", "domain", "data", "emcs", p.table))
		if err != nil {
			t.Skip("the EMCS tables are not available")
		}
		rows, err := csv.NewReader(file).ReadAll()
		_ = file.Close()
		if err != nil || len(rows) < 4 {
			t.Fatalf("%s: %d rows, %v", p.table, len(rows), err)
		}
		for _, row := range rows[1:] {
			m := messages(emcs.V323)[p.kind]
			emcstest.Edit(m.Body, p.path+"="+row[0])
			if found := rulebook.CheckCodes(m); len(found) > 0 {
				t.Errorf("%s %s: %+v", p.table, row[0], found)
			}
		}
	}
}
