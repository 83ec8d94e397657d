package cdssim_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/inventory"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator/cdssim"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/notification"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const (
	elsewhere = "/elsewhere" // where a callback that redirects loses messages
	issuer    = "https://simulator.customs.test"
	audience  = "https://tidewaiter.test"
	patience  = time.Minute // for what must happen; nothing waits for it to pass
)

// clock is a clock that only the test moves.
type clock struct{ instant atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.instant.Store(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC).Unix())
	return c
}

func (c *clock) now() time.Time          { return time.Unix(c.instant.Load(), 0).UTC() }
func (c *clock) advance(d time.Duration) { c.instant.Add(int64(d / time.Second)) }

func newSigner(t testing.TB, c *clock) *cds.Signer {
	t.Helper()
	signer, err := cds.NewSigner(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)), issuer, audience, c.now)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// fixedRate is a tariff of one line: 12 % duty and 20 % VAT.
func fixedRate(g tariff.Goods) tariff.Charge {
	duty, _ := quantity.TruncateMoney(g.CustomsValue.Rat().Mul(g.CustomsValue.Rat(), quantity.MustMoney("0.12").Rat()))
	base := g.CustomsValue.Add(duty).Rat()
	vat, _ := quantity.TruncateMoney(base.Mul(base, quantity.MustMoney("0.2").Rat()))
	return tariff.Charge{Duty: duty, VAT: vat, Known: true, Expression: "12.00 %", VATRate: 20}
}

// receiver is the callback: it verifies, decodes and keeps what arrives.
type receiver struct {
	url      string
	down     atomic.Int32 // the status that it answers; 0 when it is up
	refused  atomic.Int32 // calls that were answered with it
	stuck    atomic.Value // the conversation of which nothing is taken
	mu       sync.Mutex
	received []arrival
	arrived  chan struct{}
	t        testing.TB
}

type arrival struct {
	conversation string
	header       http.Header
	body         []byte
	notification.Notification
}

func newReceiver(t testing.TB, inbound cds.Inbound) *receiver {
	r := &receiver{t: t, arrived: make(chan struct{}, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, call *http.Request) {
		body, err := io.ReadAll(call.Body)
		if call.URL.Path == elsewhere {
			return
		}
		if status := int(r.down.Load()); status != 0 {
			r.refused.Add(1)
			w.Header().Set("Location", elsewhere)
			w.WriteHeader(status)
			return
		}
		if r.stuck.Load() == call.Header.Get("X-Conversation-ID") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		if err == nil {
			err = inbound.Verify(call.Context(), call.Header, body)
		}
		if err != nil {
			t.Errorf("a notification is not genuine: %v", err)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		r.store(call, body)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL + "/api/cds/webhook"
	return r
}

func (r *receiver) store(call *http.Request, body []byte) {
	id, ok := cds.ConversationID(call.Header)
	notifications, err := notification.Decode(body)
	if uploaded, about := cds.ReadUpload(body, err); about {
		notifications, err = []notification.Notification{{FunctionCode: "FILE", Name: uploaded.Outcome + ": " + uploaded.Details}}, nil
	}
	if answer, wrong := inventory.Decode(body); wrong == nil {
		named := notification.Notification{FunctionCode: answer.MessageCode, Name: strings.Join(answer.Errors, " ")}
		if answer.ActionCode != "" {
			named.Statuses = []notification.Status{{Code: answer.ActionCode}}
		}
		notifications, err = []notification.Notification{named}, nil
	}
	if !ok || err != nil || len(notifications) != 1 {
		r.t.Errorf("a notification cannot be read: %v", err)
		return
	}
	r.mu.Lock()
	r.received = append(r.received, arrival{id, call.Header, body, notifications[0]})
	r.mu.Unlock()
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

// wait gives the first n notifications as soon as they are there.
func (r *receiver) wait(n int) []arrival {
	r.t.Helper()
	late := time.After(patience)
	for {
		r.mu.Lock()
		received := append([]arrival(nil), r.received...)
		r.mu.Unlock()
		if len(received) >= n {
			return received
		}
		select {
		case <-r.arrived:
		case <-late:
			r.t.Fatalf("%d notifications instead of %d: %s", len(received), n, codes(received, ""))
		}
	}
}

// codes are the function codes of a conversation in the order of arrival; of all
// without an id.
func codes(all []arrival, conversation string) string {
	var notifications []string
	for _, a := range all {
		if conversation == "" || a.conversation == conversation {
			code := a.FunctionCode
			if status := a.StatusCode(); status != "" {
				code += "/" + status
			}
			notifications = append(notifications, code)
		}
	}
	return strings.Join(notifications, " ")
}

// bench is a simulator on a socket, its callback, and a client of it.
type bench struct {
	*cdssim.Simulator
	t        testing.TB
	clock    *clock
	receiver *receiver
	url      string
	client   *cds.Client
	as       client.Credentials
	options  cdssim.Options
	stop     func() // ends Run and the server, not the simulator
}

type free struct{}

func (free) Wait(context.Context) error { return nil }

// start runs a simulator without delays; change modifies the options.
func start(t testing.TB, change func(*cdssim.Options)) *bench {
	t.Helper()
	c := newClock()
	signer := newSigner(t, c)
	jwks, err := signer.JWKS()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := cds.NewFixedKeys(jwks)
	if err != nil {
		t.Fatal(err)
	}
	inbound, err := cds.NewSigned(keys, issuer, audience, c.now)
	if err != nil {
		t.Fatal(err)
	}
	r := newReceiver(t, inbound)
	o := cdssim.Options{
		CallbackURL: r.url, Signer: signer, Seed: 1, Assess: fixedRate, Clock: simulator.OneClock(c.now), Now: c.now, Log: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&o)
	}
	return open(t, c, r, o)
}

func open(t testing.TB, c *clock, r *receiver, o cdssim.Options) *bench {
	t.Helper()
	s, err := cdssim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	b := &bench{Simulator: s, t: t, clock: c, receiver: r, url: server.URL, options: o}
	b.stop = sync.OnceFunc(func() { cancel(); <-done; server.CloseClientConnections(); server.Close() })
	t.Cleanup(func() { b.stop(); _ = s.Close() })
	b.client, err = cds.NewClient(client.Settings{BaseURL: server.URL, Deadline: 5 * time.Second}, free{}, c.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.client.Close)
	b.as = client.NewTokenEndpoint(client.OAuth{TokenURL: server.URL + "/oauth/token", ClientID: "tidewaiter", ClientSecret: "secret"}, c.now).Application()
	return b
}

// submit sends a declaration that must be taken.
func (b *bench) submit(d wco.Declaration) string {
	b.t.Helper()
	return b.accepted(b.client.Submit(b.t.Context(), b.as, encode(b.t, d)))
}

// submitPlain sends a declaration whose body names no data set.
func (b *bench) submitPlain(d wco.Declaration) string {
	b.t.Helper()
	plain := b.client.WithHeader(simulator.Request{DataSet: simulator.NoDataSet}.Header())
	return b.accepted(plain.Submit(b.t.Context(), b.as, encode(b.t, d)))
}

func (b *bench) cancel(mrn string) string {
	b.t.Helper()
	return b.accepted(b.client.Cancel(b.t.Context(), b.as, cancellation(b.t, mrn)))
}

func cancellation(t testing.TB, mrn string) []byte {
	t.Helper()
	return encode(t, wco.Cancellation("TWSREQUEST", mrn, wco.CancelNotRequired, "The declaration is no longer required."))
}

func (b *bench) accepted(o client.Outcome) string {
	b.t.Helper()
	taken, ok := o.(cds.Accepted)
	if !ok {
		b.t.Fatalf("the outcome is %v", o)
	}
	return taken.ConversationID
}

func encode(t testing.TB, d wco.Declaration) []byte {
	t.Helper()
	document, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func anItem(classification ...wco.Classification) wco.GovernmentAgencyGoodsItem {
	return wco.GovernmentAgencyGoodsItem{
		StatisticalValueAmount: wco.Amount{Value: "1850.00", Currency: "GBP"},
		AdditionalDocument: []wco.AdditionalDocument{
			{CategoryCode: "N", TypeCode: "935", ID: "INV-2026-0042", LPCOExemptionCode: "AC"},
		},
		Commodity: wco.Commodity{
			Description: "Men's knitted cotton T-shirts", Classification: classification,
			GoodsMeasure: wco.GoodsMeasure{GrossMassMeasure: wco.Measure{Value: "131"}, NetNetWeightMeasure: wco.Measure{Value: "120.5"}},
		},
		GovernmentProcedure: []wco.GovernmentProcedure{{CurrentCode: "40", PreviousCode: "00"}, {CurrentCode: "000"}},
		Packaging:           []wco.Packaging{{MarksNumbersID: "HT 1-10", QuantityQuantity: "10", TypeCode: "CT"}},
	}
}

// consignment is where the goods are and how they travel.
func consignment() wco.Consignment {
	location, _ := wco.SplitGoodsLocation("GBAUFXTFXTFXT")
	return wco.Consignment{ContainerCode: "0", GoodsLocation: location}
}

// anImport is a declaration that customs has nothing against.
func anImport(lrn string) wco.Declaration {
	codes, _ := wco.ClassifyImport("6109100010")
	goods := anItem(codes...)
	goods.Commodity.InvoiceLine.ItemChargeAmount = wco.Amount{Value: "1850.00", Currency: "GBP"}
	goods.Commodity.DutyTaxFee = []wco.DutyTaxFee{{DutyRegimeCode: "100", TypeCode: "A00"}, {TypeCode: "B00"}}
	goods.Origin = []wco.Origin{{CountryCode: "BD", TypeCode: wco.OriginNonPreferential}}
	goods.CustomsValuation.MethodCode, goods.ValuationAdjustment.AdditionCode = "1", "0000"
	return wco.Declaration{
		FunctionCode: wco.FunctionOriginal, FunctionalReferenceID: lrn, TypeCode: wco.TypeImportArrived, GoodsItemQuantity: "1", TotalPackageQuantity: "10",
		BorderTransportMeans: wco.BorderTransportMeans{ModeCode: "1"},
		Declarant:            wco.Trader{ID: "GB123456789000"}, Agent: wco.Agent{FunctionCode: wco.Direct},
		GoodsShipment: wco.GoodsShipment{
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{goods}, Importer: wco.Trader{ID: "GB987654321000"},
			TransactionNatureCode: "1", Consignment: consignment(), Destination: wco.Destination{CountryCode: "GB"}, ExportCountry: wco.ExportCountry{ID: "BD"},
			PreviousDocument: []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "DCR", ID: "6GB987654321000-REF1"}},
		},
		ObligationGuarantee: []wco.ObligationGuarantee{{ReferenceID: "GB123456789000", SecurityDetailsCode: "Y"}},
	}
}

func anExport(lrn string) wco.Declaration {
	codes, _ := wco.ClassifyExport("61091000")
	goods := anItem(codes...)
	goods.GovernmentProcedure[0] = wco.GovernmentProcedure{CurrentCode: "10", PreviousCode: "40"}
	goods.AdditionalInformation = []wco.AdditionalInformation{{StatementCode: "00400", StatementDescription: "EXPORTER"}}
	return wco.Declaration{
		FunctionCode: wco.FunctionOriginal, FunctionalReferenceID: lrn, TypeCode: wco.TypeExportArrived, GoodsItemQuantity: "1", TotalPackageQuantity: "10",
		BorderTransportMeans: wco.BorderTransportMeans{ModeCode: "1"}, AuthorisationHolder: []wco.AuthorisationHolder{{ID: "GB123456789000", CategoryCode: "EXRR"}},
		Declarant: wco.Trader{ID: "GB123456789000"}, Exporter: wco.Trader{ID: "GB123456789000"}, ExitOffice: wco.Office{ID: "GB000060"},
		GoodsShipment: wco.GoodsShipment{
			GovernmentAgencyGoodsItem: []wco.GovernmentAgencyGoodsItem{goods},
			TransactionNatureCode:     "1", Consignment: consignment(), Destination: wco.Destination{CountryCode: "US"}, ExportCountry: wco.ExportCountry{ID: "GB"},
			PreviousDocument: []wco.PreviousDocument{{CategoryCode: "Z", TypeCode: "DCR", ID: "6GB123456789000-REF1"}},
		},
	}
}

// ofType is a declaration of another kind, as it is with goods that have not come.
func ofType(d wco.Declaration, typeCode string) wco.Declaration {
	d.TypeCode = typeCode
	return d
}

func withDocument(d wco.Declaration, reference string) wco.Declaration {
	d.GoodsShipment.GovernmentAgencyGoodsItem[0].AdditionalDocument[0].ID = reference
	return d
}

func withUCR(d wco.Declaration, reference string) wco.Declaration {
	d.GoodsShipment.UCR.TraderAssignedReferenceID = reference
	return d
}
