// Command bare is the reference of the benchmark: the smallest server that could create and list declarations. It
// reads and writes the same rows of the same database with the same settings and grouping of commits, and does
// nothing else: no validation, no document, no roles, no limits, no log.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if err := run(os.Getenv("TIDEWAITER_DATA"), os.Getenv("TIDEWAITER_ADDR")); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func run(data, address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	if os.Getenv(echoVariable) != "" {
		if err := echo(mux); err != nil {
			return err
		}
		return listen(ctx, address, mux)
	}
	db, err := open(ctx, filepath.Join(data, "tidewaiter.db"))
	if err != nil {
		return err
	}
	s := &service{db}
	mux.HandleFunc("POST /api/declarations", s.create)
	mux.HandleFunc("GET /api/declarations", s.list)
	return errors.Join(listen(ctx, address, mux), db.close())
}

func listen(ctx context.Context, address string, mux *http.ServeMux) error {
	server := &http.Server{Addr: address, Handler: mux}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// service answers requests from the database.
type service struct{ db *database }

// holder is the owner of a key.
type holder struct{ org, key, user string }

const keyByHash = "SELECT org_id, id, user_id FROM api_keys WHERE hash = $1 AND revoked_at IS NULL"

// holder reads the row of the request's key.
func (s *service) holder(r *http.Request) (h holder, err error) {
	sum := sha256.Sum256([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
	err = s.db.read(func(l *connection) error {
		return l.statement(keyByHash).QueryRow(hex.EncodeToString(sum[:])).Scan(&h.org, &h.key, &h.user)
	})
	return h, err
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
