package bulk_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

func (d *fixture) exporter() *bulk.Exporter { return &bulk.Exporter{Store: d, IDs: d.ids} }

func (d *fixture) export(org tenant.ID, t *filing.Type) (records [][]string) {
	d.Helper()
	var out bytes.Buffer
	d.must(d.exporter().Export(ctx, by(org), t, bulk.ExportOptions{}, &out))
	records, err := csv.NewReader(&out).ReadAll()
	d.must(err)
	return records
}

// The columns are the fields with a single value, and lists and objects of clients and shipments as JSON, in the order of the OpenAPI
// document. Fields that API lists omit are not exported.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		kind *filing.Type
		want string
	}{
		{customs.Clients.Type(), "id status createdAt updatedAt name eori vatNumber email phone addressLine1 addressLine2 city postcode country contactName role reference representation defermentAccount xiEori representationAuthority defermentAuthority vatDefermentAccount paymentMethod vatAccounting guarantees authorisations ukims archivedAt metadata"},
		{customs.Shipments.Type(), "id status createdAt updatedAt clientId portOfEntry transportMode vesselName expectedArrival arrived goodsLocation transportId " +
			"transportNationality countryOfDispatch countryOfDestination incoterm incotermLocation containers counterpartyName counterpartyAddress counterpartyCity " +
			"counterpartyPostcode counterpartyCountry carrierEori exitOffice transport location loadingPlace equipment deliveryTerms security exporter consignee consignor buyer seller dispatchCountry destination ucr reference archivedAt serviceReference metadata"},
		{customs.Declarations(tariff.Embedded(), nil, nil).Type(), "id status createdAt updatedAt shipmentId declarationType dataSet fill declarationCode additionalType " +
			"supplements taxPointAt issueLocation goodsItemCount declarationOffice loadingListCount totalGrossMassKg totalPackages specificCircumstances presentationOffice supervisingOffice exitOffice exitAt " +
			"transactionNature containerised dispatchCountry reference lrn mrn referenceSource totalDutyGbp totalVatGbp totalOtherTaxGbp dutyBasis ducr " +
			"conversationId simulated simulatedBy prelodged submittedAt acceptedAt clearedAt supplementedBy exitedAt dischargePeriod unknownOutcome assigneeId stage dueAt metadata"},
	} {
		if got := strings.Join(c.kind.Columns(), " "); got != c.want {
			t.Errorf("%s: %s", c.kind.Kind, got)
		}
	}
}

// A table has every record of the organisation and no others, oldest first, each value in its column.
// Cells that a spreadsheet would run as formulas are escaped.
func TestExport(t *testing.T) {
	each(t, func(d *fixture) {
		a := d.client(ours, `{"city":"Hull, \"East\"","name":"=1+1","x":[{"name":"no"}],"phone":"+44 1394"}`)
		d.client(theirs, `{"name":"Theirs"}`)
		b := d.client(ours, `{"name":"B\u00e9 \\ <&>","reference":"-12.5","eori":null}`)
		d.correct(ours, a.ID, `{"city":"Hull, \"East\"","name":"=1+1"}`)
		got := d.export(ours, d.clients)
		at := "2026-11-21T09:00:00.000Z"
		want := [][]string{
			d.clients.Columns(),
			{a.ID, "ACTIVE", at, at, "'=1+1", "", "", "", "", "", "", `Hull, "East"`, "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""},
			{b.ID, "ACTIVE", at, at, `Bé \ <&>`, "", "", "", "", "", "", "", "", "", "", "", "-12.5", "", "", "", "", "", "", "", "", "", "", "", "", ""},
		}
		if !reflect.DeepEqual(got, want) {
			d.Errorf("got %q", got)
		}
		if events := d.events(ours); events[len(events)-1] != `export.clients u {"count":2}` {
			d.Errorf("events %q", events)
		}
	})
}

// An organisation without records gets a header row, and an audit event.
func TestExportOfNothing(t *testing.T) {
	each(t, func(d *fixture) {
		if got := d.export(ours, d.clients); len(got) != 1 {
			d.Errorf("got %q", got)
		}
		if events := d.events(ours); len(events) != 1 || events[0] != `export.clients u {"count":0}` {
			d.Errorf("events %q", events)
		}
	})
}

// A long table has every record once, although all were created in the same millisecond, and no record
// that was created after the export started.
func TestExportOfMany(t *testing.T) {
	each(t, func(d *fixture) {
		const count = 2500
		d.commit(ours, rowsNamed(count))
		var out bytes.Buffer
		late := func() { d.client(ours, `{"name":"Late"}`) }
		d.must(d.exporter().Export(ctx, by(ours), d.clients, bulk.ExportOptions{}, &hookWriter{Writer: &out, first: late}))
		records, err := csv.NewReader(&out).ReadAll()
		d.must(err)
		if len(records) != count+1 {
			d.Fatalf("%d lines", len(records))
		}
		for n, r := range records[1:] {
			if r[4] != fmt.Sprint("Trader ", n) {
				d.Fatalf("row %d is %q", n, r)
			}
		}
		if again := d.export(ours, d.clients); len(again) != count+2 {
			d.Errorf("second export: %d lines", len(again))
		}
	})
}

// hookWriter calls a function before the first write.
type hookWriter struct {
	io.Writer
	first func()
}

func (h *hookWriter) Write(b []byte) (int, error) {
	if h.first != nil {
		h.first()
		h.first = nil
	}
	return h.Writer.Write(b)
}

// An export ends with the first write error, and when its context is cancelled.
func TestExportStops(t *testing.T) {
	each(t, func(d *fixture) {
		d.commit(ours, rowsNamed(2500))
		closed, end := io.Pipe()
		closed.Close()
		if err := d.exporter().Export(ctx, by(ours), d.clients, bulk.ExportOptions{}, end); !errors.Is(err, io.ErrClosedPipe) {
			d.Errorf("got %v", err)
		}
		cancelled, cancel := context.WithCancel(ctx)
		err := d.exporter().Export(cancelled, by(ours), d.clients, bulk.ExportOptions{}, &hookWriter{Writer: io.Discard, first: cancel})
		if !errors.Is(err, context.Canceled) {
			d.Errorf("got %v", err)
		}
	})
}

// Nothing is written if the audit event cannot be stored.
func TestNoExportWithoutItsEvent(t *testing.T) {
	each(t, func(d *fixture) {
		d.client(ours, `{"name":"A"}`)
		var out bytes.Buffer
		e := d.exporter()
		e.Store = failingStore{d}
		if err := e.Export(ctx, by(ours), d.clients, bulk.ExportOptions{}, &out); !errors.Is(err, errFailingStore) || out.Len() > 0 {
			d.Errorf("got %v after %q", err, out.String())
		}
	})
}

var errFailingStore = errors.New("cannot write")

// failingStore is a store that cannot be written.
type failingStore struct{ *fixture }

func (failingStore) UpdateBulk(context.Context, tenant.ID, func(bulk.Tx) error) error {
	return errFailingStore
}
