package security

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Size of the rush of documents, and the permitted growth.
const (
	uploaders     = 1000
	uploadsOfEach = 100 // uploads of one declaration; at most 220 files are kept of one
	uploadSize    = 1 << 20
	uploadBudget  = 32 << 20 // memory for bodies
	// Reading a body takes up to twice its size, and the garbage collector lets the heap grow to three times what is in
	// use; a connection takes up to 128 kB.
	uploadGrowth   = 2*3*uploadBudget + uploaders*128<<10
	uploadFinished = 3 * time.Minute
)

// acceptedDeclaration makes a declaration that customs has accepted and returns its ID.
func (s *target) acceptedDeclaration() string {
	s.t.Helper()
	create := func(path, body string) string {
		var made struct{ ID string }
		a := s.call("POST", path, body, s.bearer(), "Content-Type: application/json")
		if err := json.Unmarshal([]byte(a.text), &made); err != nil || a.status != 201 {
			s.t.Fatalf("%s: %d %s", path, a.status, a.text)
		}
		return made.ID
	}
	client := create("/api/clients", `{"name":"Quayside Knitwear Ltd","eori":"GB123456789000","country":"GB","role":"IMPORTER"}`)
	shipment := create("/api/shipments", `{"clientId":"`+client+`","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Morning Tern","transportId":"9811000",`+
		`"countryOfDispatch":"BD","incoterm":"CIF","counterpartyName":"Meghna Garments","counterpartyAddress":"3 Port Link Road","counterpartyCity":"Chattogram","counterpartyPostcode":"4100","counterpartyCountry":"BD"}`)
	id := create("/api/declarations", `{"shipmentId":"`+shipment+`","declarationType":"IMPORT","documents":[{"type":"N935","reference":"SIM-G-1","status":"AC"}],`+
		`"items":[{"commodityCode":"6109100010","description":"Shirts","netMassKg":120.5,"customsValueGbp":1850,"countryOfOrigin":"BD","quantity":600}]}`)
	if a := s.call("POST", "/api/cds/submit", `{"declarationId":"`+id+`"}`, s.bearer(), "Content-Type: application/json"); a.status != 200 {
		s.t.Fatalf("submit: %d %s", a.status, a.text)
	}
	s.eventually("the declaration is accepted", func() bool { return s.record(id).Status == "ACCEPTED" })
	return id
}

// record is what the rush reads of a declaration.
type record struct {
	Status string
	Files  []struct{ ID, Status, SHA256 string }
}

func (s *target) record(id string) record {
	s.t.Helper()
	var out struct{ Declaration record }
	a := s.call("GET", "/api/declarations/"+id, "", s.bearer())
	if err := json.Unmarshal([]byte(a.text), &out); err != nil {
		s.t.Fatalf("%d %s", a.status, a.text)
	}
	return out.Declaration
}

func (s *target) eventually(what string, holds func() bool) {
	s.t.Helper()
	for give := time.Now().Add(uploadFinished); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(give) {
			s.t.Fatalf("this does not become true: %s", what)
		}
	}
}

// rusher is one upload over a connection of its own.
type rusher struct {
	connection net.Conn
	answered   chan answer
}

// half is the content of each half of an upload, which all share: a thousand copies would take the memory that this machine has for
// the service.
var half = bytes.Repeat([]byte("x"), uploadSize/2)

const uploadEnd = "\r\n--b--\r\n"

// begin sends half of an upload.
func (s *target) begin(declaration string, n int) (*rusher, error) {
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		return nil, err
	}
	_ = connection.SetDeadline(time.Now().Add(uploadFinished))
	begin := fmt.Appendf(nil, "--b\r\nContent-Disposition: form-data; name=\"documentType\"\r\n\r\nInvoice\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%d.pdf\"\r\n\r\n%%PDF-1.7 %d\n", n, n)
	head := headOfSize("/api/declarations/"+declaration+"/files", "multipart/form-data; boundary=b", s.bearer()+"\r\nConnection: close\r\n", len(begin)+2*len(half)+len(uploadEnd))
	r := &rusher{connection: connection, answered: make(chan answer, 1)}
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			r.answered <- answer{text: err.Error()}
			return
		}
		text, _ := io.ReadAll(response.Body)
		r.answered <- answer{response.StatusCode, response.Header, string(text)}
	}()
	r.write([]byte(head), begin, half)
	return r, nil
}

// write sends a part of the upload. An early refusal closes the connection, which is no fault.
func (r *rusher) write(parts ...[]byte) {
	all := net.Buffers(parts)
	_, _ = all.WriteTo(r.connection)
}

// end sends the rest and returns the answer.
func (r *rusher) end() answer {
	defer r.connection.Close()
	r.write(half, []byte(uploadEnd))
	return <-r.answered
}

// 1,000 documents that are uploaded at once need no more memory than the budget for bodies allows. Each upload is answered: the
// document is stored, or the caller is asked to retry. Customs gets each stored document, and readers are served
// meanwhile.
func TestManyUploadsAtOnce(t *testing.T) {
	s := newTarget(t, "TIDEWAITER_BODY_MEMORY=32MB", "TIDEWAITER_LIMIT_STANDARD=0", "TIDEWAITER_LOG_LEVEL=error")
	var declarations []string
	for range uploaders / uploadsOfEach {
		declarations = append(declarations, s.acceptedDeclaration())
	}
	before, _ := s.rss()
	var all sync.WaitGroup
	var mu sync.Mutex
	answers, halves := map[int]int{}, make(chan struct{})
	var begun sync.WaitGroup
	begun.Add(uploaders)
	for n := range uploaders {
		all.Go(func() {
			r, err := s.begin(declarations[n%len(declarations)], n)
			begun.Done()
			if err != nil {
				t.Error(err)
				return
			}
			<-halves
			a := r.end()
			mu.Lock()
			defer mu.Unlock()
			answers[a.status]++
			if a.status != 200 && (a.status != 503 || a.code() != "overloaded" || a.header.Get("Retry-After") == "") {
				t.Errorf("upload %d was answered with %d %s", n, a.status, a.text)
			}
		})
	}
	begun.Wait()
	if a := s.call("GET", "/api/declarations/"+declarations[0], "", s.bearer()); a.status != 200 {
		t.Errorf("a reader is answered with %d", a.status)
	}
	close(halves)
	all.Wait()
	stored := 0
	for _, id := range declarations {
		s.eventually("customs has received the documents", func() bool {
			files := s.record(id).Files
			for _, f := range files {
				if f.Status != "RECEIVED" {
					return false
				}
			}
			return true
		})
		stored += len(s.record(id).Files)
	}
	_, highest := s.rss()
	t.Logf("answers %v; %d documents; %d MB before, %d MB at the highest", answers, stored, before>>20, highest>>20)
	if stored != answers[200] || stored == 0 || answers[503] == 0 || answers[200]+answers[503] != uploaders {
		t.Errorf("%d documents are stored, answers %v", stored, answers)
	}
	if highest-before > uploadGrowth {
		t.Errorf("the memory grew from %d MB to %d MB", before>>20, highest>>20)
	}
}
