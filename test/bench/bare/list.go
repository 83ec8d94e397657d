package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// briefRecord is a declaration as lists show it.
type briefRecord struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
	brief
	added
}

type page struct {
	Declarations []briefRecord `json:"declarations"`
	HasMore      bool          `json:"hasMore"`
	NextCursor   *string       `json:"nextCursor"`
}

const pageSize = 50

const readPage = "SELECT id, status, created_at, updated_at, brief, added FROM filings WHERE org_id = $1 AND kind = 'declaration' " +
	"ORDER BY created_at DESC, id DESC LIMIT $2"

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	h, err := s.holder(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var p page
	if err := s.db.read(func(l *lane) (err error) { p.Declarations, err = readBriefs(l, h.org); return err }); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if len(p.Declarations) > pageSize {
		p.Declarations, p.HasMore = p.Declarations[:pageSize], true
		cursor := cursorOf(p.Declarations[pageSize-1])
		p.NextCursor = &cursor
	}
	body, err := json.Marshal(p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusOK, body)
}

func readBriefs(l *lane, org string) (all []briefRecord, err error) {
	rows, err := l.statement(readPage).Query(org, pageSize+1)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b briefRecord
		var short, more []byte
		if err := rows.Scan(&b.ID, &b.Status, &b.CreatedAt, &b.UpdatedAt, &short, &more); err != nil {
			return nil, err
		}
		b.CreatedAt = strings.Replace(b.CreatedAt, "000Z", "Z", 1)
		b.UpdatedAt = strings.Replace(b.UpdatedAt, "000Z", "Z", 1)
		if err := json.Unmarshal(short, &b.brief); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(more, &b.added); err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, rows.Err()
}

func cursorOf(b briefRecord) string {
	at, _ := time.Parse(time.RFC3339, b.CreatedAt)
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at.UnixMilli(), 36) + " " + b.ID))
}
