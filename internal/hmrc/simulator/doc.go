// Package simulator has the parts that simulators of HMRC's services share: steering, a journal, a clock for each
// organisation, and faults. Package cdssim is its first user.
//
// A client of this service tells a simulator with headers of our own what HMRC reads from nowhere: for which
// organisation a document is sent, and which outcome its caller asked for. A client that is connected to HMRC must never
// send them.
package simulator

import (
	"net/http"
	"time"
)

// Headers that are sent to simulators only.
const (
	SteeringHeader     = "X-Simulate"
	OrganisationHeader = "X-Tidewaiter-Organisation"
	DataSetHeader      = "X-Tidewaiter-Data-Set"
)

// NoDataSet is the value of DataSetHeader for a declaration whose body names no data set.
const NoDataSet = "none"

// Request is what a client of this service tells a simulator besides the document.
type Request struct {
	Organisation string // empty if unknown
	Simulate     string // the requested outcome; empty for none
	DataSet      string // NoDataSet, or empty
}

// Header returns the headers of a request.
func (r Request) Header() http.Header {
	h := http.Header{}
	if r.Organisation != "" {
		h.Set(OrganisationHeader, r.Organisation)
	}
	if r.Simulate != "" {
		h.Set(SteeringHeader, r.Simulate)
	}
	if r.DataSet != "" {
		h.Set(DataSetHeader, r.DataSet)
	}
	return h
}

// RequestOf reads the headers of a request.
func RequestOf(h http.Header) Request {
	return Request{Organisation: h.Get(OrganisationHeader), Simulate: h.Get(SteeringHeader), DataSet: h.Get(DataSetHeader)}
}

// Clock returns the time of an organisation. The name is empty for a client that sends none.
type Clock func(organisation string) time.Time

// OneClock is the same time for all organisations.
func OneClock(now func() time.Time) Clock { return func(string) time.Time { return now() } }
