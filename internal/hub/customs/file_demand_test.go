package customs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// Documents that were sent answer the demand for which they were given, and close it if it is for evidence of exit. When
// all of them are rejected the demand is open again. Customs closes the others.
func TestFilesAnswerDemands(t *testing.T) {
	file := func(status customs.FileStatus, sent string, demands ...string) customs.FileShown {
		return customs.FileShown{Status: status, SentAt: sent, Demands: demands}
	}
	for _, c := range []struct {
		name, messages string
		files          [][]customs.FileShown // one after another
		want           string
	}{
		{"not sent yet", "01 06", [][]customs.FileShown{{file(customs.FileRequested, "", "m1")}}, "DOCUMENTS_REQUIRED DOCUMENTS OPEN"},
		{"sent", "01 06", [][]customs.FileShown{{file(customs.FileSent, "1", "m1")}}, "DOCUMENTS_REQUIRED DOCUMENTS ANSWERED"},
		{"for another demand", "01 06", [][]customs.FileShown{{file(customs.FileSent, "1", "m7")}}, "DOCUMENTS_REQUIRED DOCUMENTS OPEN"},
		{"rejected at once", "01 06", [][]customs.FileShown{{file(customs.FileRejected, "", "m1")}}, "DOCUMENTS_REQUIRED DOCUMENTS OPEN"},
		{"rejected later", "01 06", [][]customs.FileShown{{file(customs.FileSent, "1", "m1")}, {file(customs.FileRejected, "1", "m1")}}, "DOCUMENTS_REQUIRED DOCUMENTS OPEN"},
		{"one of two rejected", "01 06", [][]customs.FileShown{
			{file(customs.FileSent, "1", "m1"), file(customs.FileSent, "2", "m1")}, {file(customs.FileRejected, "1", "m1"), file(customs.FileReceived, "2", "m1")},
		}, "DOCUMENTS_REQUIRED DOCUMENTS ANSWERED"},
		{"released", "01 06 08", [][]customs.FileShown{{file(customs.FileReceived, "1", "m1")}}, "RELEASED DOCUMENTS CLOSED"},
		{"query", "01 51", [][]customs.FileShown{{file(customs.FileReceived, "1", "m1")}}, "QUERIED QUERY ANSWERED"},
		{"evidence of exit", "01 09 18", [][]customs.FileShown{{file(customs.FileSent, "1", "m2")}}, "CLEARED EXIT_EVIDENCE CLOSED files"},
		{"evidence of exit rejected", "01 09 18", [][]customs.FileShown{{file(customs.FileSent, "1", "m2")}, {file(customs.FileRejected, "1", "m2")}}, "EXIT_UNPROVEN EXIT_EVIDENCE OPEN"},
		{"after clearance", "01 09 06", [][]customs.FileShown{{file(customs.FileSent, "1", "m2")}}, "DOCUMENTS_REQUIRED DOCUMENTS ANSWERED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var demands []customs.Demand
			stage := ""
			for _, files := range c.files {
				stage, demands = customs.Answered(course(c.messages, nil), demands, files)
			}
			got := stage
			for _, d := range demands {
				got += fmt.Sprintf(" %s %s", d.Kind, d.Status)
				if d.ClosedBy != nil && *d.ClosedBy == "files" {
					got += " files"
				}
				if (d.Status == customs.DemandAnswered) != (d.AnsweredAt != nil) && d.Status != customs.DemandClosed {
					t.Errorf("%s with answeredAt %v", d.Status, d.AnsweredAt)
				}
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}
