package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/clientaddr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
)

// batchRow is a row of a batch that runs as a request within the process.
type batchRow struct {
	batch.Call
	later  *batch.NotBegun // why the row cannot run now; nil if it can
	stored bool            // whether its result is stored
}

// batchRowKey is the context key of *batchRow.
type batchRowKey struct{}

// batchRowOf returns the row that a request runs; nil for a request of a client.
func batchRowOf(ctx context.Context) *batchRow {
	row, _ := ctx.Value(batchRowKey{}).(*batchRow)
	return row
}

// requestID is the request ID of the batch with the number of the row, in audit events and error answers.
func (r *batchRow) requestID() string {
	return fmt.Sprintf("%s.row-%d", r.Sender.Call.RequestID, r.Index)
}

// idempotencyKey makes a row that runs again after a crash take effect once. It begins with a character that the
// header Idempotency-Key cannot contain, so that no caller can use it.
func (r *batchRow) idempotencyKey() string { return fmt.Sprintf("\tbatch %s %d", r.Batch, r.Index) }

// rowRetry is the wait after an answer that says nothing about the row, such as an unavailable database.
const rowRetry = time.Second

// RunRow runs a row of a batch as the request that it describes, with the rights that its key or, if a person started it in
// the console, the person has now.
func (s *Server) RunRow(ctx context.Context, c batch.Call) (batch.Answer, error) {
	select {
	case <-s.draining:
		return batch.Answer{}, batch.NotBegun{}
	default:
	}
	row := &batchRow{Call: c}
	if c.Fault != nil {
		p := s.problemOf(ctx, row.requestID(), c.Fault)
		body, err := json.Marshal(p)
		return batch.Answer{Status: p.status, Body: body}, err
	}
	answer, err := s.serveRow(ctx, row)
	if err == nil && answer.Status == http.StatusInternalServerError && ctx.Err() == nil {
		answer, err = s.serveRow(ctx, row) // another instance may have run the row at the same time
	}
	switch {
	case err != nil:
		return batch.Answer{}, err
	case ctx.Err() != nil:
		return batch.Answer{}, batch.NotBegun{}
	case row.later != nil:
		return batch.Answer{}, *row.later
	case answer.Status == http.StatusServiceUnavailable || isInProgress(answer):
		return batch.Answer{}, batch.NotBegun{Until: s.Now().Add(rowRetry)}
	}
	return answer, nil
}

// isInProgress reports whether the same row is running already.
func isInProgress(a batch.Answer) bool {
	var p struct {
		Code apierr.Code `json:"error"`
	}
	return a.Status == http.StatusConflict && json.Unmarshal(a.Body, &p) == nil && p.Code == apierr.IdempotencyInProgress
}

func (s *Server) serveRow(ctx context.Context, row *batchRow) (batch.Answer, error) {
	body, media := io.Reader(http.NoBody), ""
	switch {
	case len(row.Body) > 0:
		body, media = bytes.NewReader(row.Body), jsonType
	case len(row.Document) > 0:
		body, media = bytes.NewReader(row.Document), xmlType
	}
	path := strings.ReplaceAll(row.Path, " ", "%20")
	r, err := http.NewRequestWithContext(context.WithValue(ctx, batchRowKey{}, row), row.Method, path, body)
	if err != nil {
		return batch.Answer{}, fmt.Errorf("api: row of a batch: %w", err)
	}
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	if row.IfVersion > 0 {
		r.Header.Set(ifMatchHeader, etagOf(row.IfVersion))
	}
	for name, value := range row.Sender.Headers {
		r.Header.Set(name, value)
	}
	if at, err := netip.ParseAddr(row.Sender.Call.IPAddress); err == nil {
		r.RemoteAddr = netip.AddrPortFrom(at, 0).String()
	}
	w := &rowWriter{header: http.Header{}, status: http.StatusOK}
	s.ServeHTTP(w, r)
	return batch.Answer{Status: w.status, Body: w.body.Bytes(), Stored: row.stored}, nil
}

// updateRow runs fn and stores its response as the result of a row in the same transaction. If the row ran before,
// which happens if another instance took over its batch, it returns the first response.
func (s *Server) updateRow(ctx context.Context, row *batchRow, fn func(Tx) (response, error)) (out response, err error) {
	org := row.Sender.Call.Org
	err = s.Store.Update(ctx, org, func(tx Tx) error {
		if out, err = fn(tx); err != nil {
			return err
		}
		return tx.StoreResult(row.Batch, batch.NewResult(row.Index, row.Reference, batch.Answer{Status: out.Status, Body: out.Body}))
	})
	row.stored = err == nil
	if !errors.Is(err, batch.ErrRan) {
		return out, err
	}
	row.stored = true
	return out, s.Store.ViewSingle(ctx, org, func(tx Tx) error {
		first, err := tx.BatchResults(row.Batch, row.Index-1, 1, maxResults)
		if err == nil {
			out = response{Status: first[0].Status, Body: first[0].Body}
		}
		return err
	})
}

// authenticateRow finds the key or the person of a row's batch as they are now, and counts the row against the rate limit.
func (s *Server) authenticateRow(r *http.Request, row *batchRow) (access.Holder, error) {
	call := row.Sender.Call
	holder, found, err := s.rowKeys.find(r.Context(), s, call)
	switch {
	case err != nil:
		return holder, err
	case !found && call.KeyID == "":
		return holder, apierr.New(apierr.Unauthorized, "The person who started this can no longer open the organisation.")
	case !found:
		return holder, apierr.New(apierr.Unauthorized, "The API key that sent the batch no longer works.")
	case !holder.Addresses.Allow(clientaddr.Endpoint(r).Addr()):
		return holder, addressNotAllowed(call.IPAddress)
	}
	if s.Budgets.Standard.Requests == 0 {
		return holder, nil
	}
	state, err := s.Limiter.Take(r.Context(), s.Budgets.Standard, string(holder.Org))
	if err == nil && state.Exceeded {
		row.later = &batch.NotBegun{Until: state.Reset}
		return holder, apierr.New(apierr.RateLimited, "The rate limit is exceeded.")
	}
	return holder, nil
}

// rowKeyTTL is how long the rows of a batch use one look-up of their key. A revoked key fails rows after it.
const rowKeyTTL = 20 * time.Millisecond

// rowKeys holds the keys of rows that run, so that rows which run at the same time share one look-up.
type rowKeys struct {
	mu   sync.Mutex
	held map[string]heldKey // by organisation and ID of the key or the person
}

type heldKey struct {
	access.Holder
	found bool
	at    time.Time
}

// find returns the holder of a call's key, if the key works, or the rights of the person who made the call.
func (k *rowKeys) find(ctx context.Context, s *Server, call tenant.Call) (access.Holder, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := s.WallClock()
	name := string(call.Org) + call.Caller()
	if held, ok := k.held[name]; ok && now.Sub(held.at) < rowKeyTTL {
		return held.Holder, held.found, nil
	}
	look := s.Store.KeyByID
	if call.KeyID == "" {
		look = s.Store.MemberByID
	}
	holder, found, err := look(ctx, call.Org, call.Caller())
	if err != nil {
		return holder, false, err
	}
	if len(k.held) >= maxRowKeys || k.held == nil {
		k.held = map[string]heldKey{}
	}
	k.held[name] = heldKey{holder, found, now}
	return holder, found, nil
}

// maxRowKeys is how many keys are held.
const maxRowKeys = 64

// rowWriter keeps the answer to a row.
type rowWriter struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

func (w *rowWriter) Header() http.Header { return w.header }

func (w *rowWriter) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
}

func (w *rowWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.body.Write(b)
}

// SetReadDeadline does nothing: the body is in memory.
func (w *rowWriter) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing: the answer is kept in memory.
func (w *rowWriter) SetWriteDeadline(time.Time) error { return nil }
