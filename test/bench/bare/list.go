package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

const pageSize = 50

// readPage has a literal limit, because SQLite plans a statement again whenever a parameter in LIMIT is bound.
const readPage = "SELECT id, status, created_at, updated_at, brief, added FROM filings WHERE org_id = $1 AND kind = 'declaration' " +
	"ORDER BY created_at DESC, id DESC LIMIT 51"

// unassigned ends a row of a draft that nobody works on and that has no reference of an authority.
const unassigned = `,"referenceSource":null,"assigneeId":null}`

// page is the growing JSON of a list. The rows contain JSON, so concatenating it is the cheapest encoding.
type page struct {
	bytes.Buffer
	rows     int
	more     bool
	last, at []byte
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	h, err := s.holder(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var p page
	p.WriteString(`{"declarations":[`)
	if err := s.db.read(func(l *connection) error { return p.read(l, h.org) }); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.WriteString(`],"hasMore":` + strconv.FormatBool(p.more) + `,"nextCursor":`)
	if p.more {
		p.WriteString(`"` + p.cursor(h.org) + `"}`)
	} else {
		p.WriteString(`null}`)
	}
	answer(w, http.StatusOK, p.Bytes())
}

func (p *page) read(l *connection, org string) error {
	rows, err := l.statement(readPage).Query(org)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, status, created, updated, brief, added []byte
		if err := rows.Scan(&id, &status, &created, &updated, &brief, &added); err != nil {
			return err
		}
		if p.more = p.rows == pageSize; p.more {
			break
		}
		p.append(id, status, created, updated, brief, added)
	}
	return rows.Err()
}

func (p *page) append(id, status, created, updated, brief, added []byte) {
	if p.rows > 0 {
		p.WriteByte(',')
	}
	for _, piece := range [...][]byte{
		[]byte(`{"id":"`), id, []byte(`","status":"`), status, []byte(`","createdAt":"`), created, []byte(`","updatedAt":"`), updated,
		[]byte(`",`), brief[1 : len(brief)-1], []byte(`,`), added[1 : len(added)-1], []byte(unassigned),
	} {
		p.Write(piece)
	}
	p.rows, p.last, p.at = p.rows+1, id, created
}

func (p *page) cursor(org string) string {
	at, _ := time.Parse(time.RFC3339, string(p.at))
	place := strconv.FormatInt(at.UnixMilli(), 36) + " " + string(p.last)
	seal := sha256.Sum256([]byte("cursor\n" + org + "\ndeclaration\n" + place))
	return base64.RawURLEncoding.EncodeToString([]byte(hex.EncodeToString(seal[:6]) + place))
}
