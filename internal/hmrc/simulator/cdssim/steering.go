package cdssim

import (
	"net/http"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// outcomes are the steered courses by the letters or word of the outcome, in the notation of type course.
var outcomes = map[string]course{
	"B": rejected,
	"C": "01 13/67 13/4 09",
	"D": "01 13/67 06",
	"G": "01",
	"K": "02 03",
	"L": "01 10",
	"N": "01 13/67 08",
	"P": "",
	"Q": "01 51",
	"R": "02",
	"U": "01 13/67 05",
	"X": "01 13/67 13/4 09 16",

	"TAX_LIABILITY": "01 13/67",
	"INSUFFICIENT":  "01 13/67 14",
	"REMINDER":      "01 13/67 14 15",
}

// badSteering is the answer to a header that selects no outcome. CDS has no such answer, because it has no such header.
var badSteering = &refusal{
	status: http.StatusBadRequest, Code: "BAD_REQUEST", Message: "The header " + simulator.SteeringHeader + " selects no outcome. Send one of " + simulator.HeaderForms + ".",
}

// steer returns the outcome that the header or, without one, a reference of the declaration selects; ok is false if
// neither does.
func steer(d *wco.Declaration, header string) (s simulator.Steering, ok bool, err error) {
	if header != "" {
		if s, ok = simulator.FromHeader(header); !ok {
			return s, false, badSteering
		}
		return s, true, nil
	}
	s, ok = simulator.FromReferences(d.FirstReference(), d.GoodsShipment.UCR.TraderAssignedReferenceID)
	return s, ok, nil
}

// steeredFlaw returns the error of a steered rejection.
func steeredFlaw(s simulator.Steering) flaw {
	code := s.Code
	switch {
	case s.Outcome == "K":
		return flaw{Code: expired}
	case code == "":
		code = invalidValue
	}
	at, known := steeredPointers[code]
	if !known {
		at = "42A"
	}
	return flaw{Code: code, Pointer: at, Text: "Steered by " + s.Source}
}

// steeredPointers are typical pointers by error code. Any other code points at the declaration.
var steeredPointers = map[string]string{
	invalidValue: "42A.67A.68A[1].23A.137",
	missing:      "42A.67A.68A[1].23A.65A.128",
	reusedLRN:    "42A.D026",
	"CDS12005":   "42A.57B.R123",
	"CDS12056":   "42A.67A.68A[1].23A.21A[1].145",
	missingDUCR:  "42A.67A.99A[1].D018",
	"CDS40045":   "42A.67A.68A[1].02A[1].D006",
	noStatus:     "42A.67A.68A[1].02A[1].360",
}
