package gvms

// Direction is the direction of a crossing. It can never be changed: a record is deleted and made again.
type Direction string

// The directions.
const (
	Inbound  Direction = "UK_INBOUND"
	Outbound Direction = "UK_OUTBOUND"
	GBToNI   Direction = "GB_TO_NI"
	NIToGB   Direction = "NI_TO_GB"
)

// State is the state of a goods movement record. HMRC may add states; an unknown one is for information only.
type State string

// The states.
const (
	NotFinalisable State = "NOT_FINALISABLE" // something is missing or wrong, so the vehicle cannot check in
	Open           State = "OPEN"            // ready for check-in, and still editable
	CheckedIn      State = "CHECKED_IN"      // by the carrier; from here on it cannot change
	Embarked       State = "EMBARKED"        // on its crossing
	Completed      State = "COMPLETED"       // cleared to proceed
)

// Editable reports whether the haulier can change or delete a record in this state.
func (s State) Editable() bool { return s == NotFinalisable || s == Open }

// Record is what a haulier sends: all of a goods movement record, of which a list that is left out is removed. It may be
// incomplete; HMRC then makes it NOT_FINALISABLE.
type Record struct {
	Direction       Direction `json:"direction"`
	HaulierType     string    `json:"haulierType,omitempty"` // STANDARD if empty
	Unaccompanied   bool      `json:"isUnaccompanied"`       // trailer or container crosses without the vehicle
	VehicleRegNum   string    `json:"vehicleRegNum,omitempty"`
	Trailers        []string  `json:"trailerRegistrationNums,omitempty"` // at most 2
	Containers      []string  `json:"containerReferenceNums,omitempty"`
	PlannedCrossing *Crossing `json:"plannedCrossing,omitempty"`

	SafetyRefs      []SafetyRef      `json:"sAndSMasterRefNums,omitempty"` // at most 2,500
	Customs         []Customs        `json:"customsDeclarations,omitempty"`
	Transit         []Transit        `json:"transitDeclarations,omitempty"`
	TIR             []TIR            `json:"tirDeclarations,omitempty"`
	ATA             []ATA            `json:"ataDeclarations,omitempty"`
	EIDR            []EIDR           `json:"eidrDeclarations,omitempty"`
	IndirectExports []IndirectExport `json:"indirectExportDeclarations,omitempty"` // only NI_TO_GB
	EmptyVehicle    *EmptyVehicle    `json:"emptyVehicle,omitempty"`
}

// Crossing is a crossing that is planned. The time is the local time of the port of departure, to the minute, without a zone.
type Crossing struct {
	RouteID   string `json:"routeId"`
	Departure string `json:"localDateTimeOfDeparture,omitempty"` // such as 2026-12-01T06:30
}

// LocalMinute is the layout of local times.
const LocalMinute = "2006-01-02T15:04"

// Arrival is a crossing with its local time of arrival.
type Arrival struct {
	RouteID string `json:"routeId"`
	Arrival string `json:"localDateTimeOfArrival"`
}

// SafetyRef is the MRN of an entry or exit summary declaration.
type SafetyRef struct {
	MRN string `json:"masterRefNum"`
}

// Customs is a customs declaration: inbound by its MRN, outbound by its DUCR. A declaration made through the Trader Support
// Service is given by its MRN too.
type Customs struct {
	ID        string `json:"customsDeclarationId"`
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
}

// Transit is a transit declaration by its MRN.
type Transit struct {
	MRN       string `json:"transitDeclarationId"`
	TSAD      bool   `json:"isTSAD"` // it has the safety and security data too
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
}

// TIR is a TIR carnet.
type TIR struct {
	Carnet    string `json:"tirCarnetId"`
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
}

// ATA is an ATA carnet.
type ATA struct {
	Carnet    string `json:"ataCarnetId"`
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
}

// EIDR is an entry in the declarant's records, by the trader's EORI. Numbers of Northern Ireland and the EU are only for
// GB_TO_NI.
type EIDR struct {
	EORI      string `json:"traderEORI"`
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
	LRN       string `json:"localReferenceNumber,omitempty"` // only GB_TO_NI
	Procedure string `json:"procedureCode,omitempty"`        // only GB_TO_NI
}

// IndirectExport is an export declared in the EU.
type IndirectExport struct {
	EAD string `json:"eadMasterRefNum"`
}

// EmptyVehicle is a vehicle without goods.
type EmptyVehicle struct {
	Own       bool   `json:"isOwnVehicle"`
	SafetyMRN string `json:"sAndSMasterRefNum,omitempty"`
}

// Movement is a record as HMRC shows it.
type Movement struct {
	ID          string `json:"gmrId"`
	HaulierEORI string `json:"haulierEORI"`
	Record
	CheckedInCrossing *Arrival `json:"checkedInCrossing,omitempty"`
	ActualCrossing    *Arrival `json:"actualCrossing,omitempty"`
	Metadata          Metadata `json:"metadata"`
}

// Metadata is what HMRC says about a record.
type Metadata struct {
	State    State         `json:"state"`
	Version  int64         `json:"gmrStatusVersion,omitempty"` // grows with every notification of the record; orders what is read
	Inspect  *bool         `json:"inspectionRequired,omitempty"`
	ReportTo []ReportTo    `json:"reportToLocations,omitempty"` // in the order in which the vehicle must report
	Created  string        `json:"createdDateTime"`
	Updated  string        `json:"updatedDateTime"`
	Failures []RuleFailure `json:"ruleFailures,omitempty"`
}

// ReportTo is an inspection with the places where it can be made.
type ReportTo struct {
	InspectionType string   `json:"inspectionTypeId"`
	Locations      []string `json:"locationIds"`
}

// RuleFailure says why a record is NOT_FINALISABLE. Only a few of HMRC's codes are public; reference data has the list.
type RuleFailure struct {
	Code    string `json:"code"`
	Message string `json:"technicalMessage"`
	Field   string `json:"field,omitempty"` // JSONPath, such as $.vehicleRegNum
	Value   string `json:"value,omitempty"`
}

// IDs returns the numbers of all declarations in a record. HMRC allows each in one record at a time.
func (r *Record) IDs() (ids []string) {
	for _, d := range r.Customs {
		ids = append(ids, d.ID)
	}
	for _, d := range r.Transit {
		ids = append(ids, d.MRN)
	}
	for _, d := range r.TIR {
		ids = append(ids, d.Carnet)
	}
	for _, d := range r.ATA {
		ids = append(ids, d.Carnet)
	}
	for _, d := range r.IndirectExports {
		ids = append(ids, d.EAD)
	}
	return ids
}
