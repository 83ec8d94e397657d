package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// declaration is the body, with the members that the server decodes.
type declaration struct {
	ShipmentID      string     `json:"shipmentId"`
	DeclarationType string     `json:"declarationType"`
	Items           []item     `json:"items"`
	Documents       []document `json:"documents"`
}

type item struct {
	CommodityCode   string      `json:"commodityCode"`
	Description     string      `json:"description"`
	NetMassKg       json.Number `json:"netMassKg"`
	CustomsValueGBP json.Number `json:"customsValueGbp"`
	GrossMassKg     json.Number `json:"grossMassKg,omitempty"`
	CountryOfOrigin string      `json:"countryOfOrigin,omitempty"`
	Quantity        *int64      `json:"quantity,omitempty"`
	PackageCount    *int64      `json:"packageCount,omitempty"`
	PackageType     string      `json:"packageType,omitempty"`
}

type document struct {
	Type      string `json:"type"`
	Reference string `json:"reference"`
}

// brief is the declaration as lists show it.
type brief struct {
	ShipmentID      string `json:"shipmentId"`
	DeclarationType string `json:"declarationType"`
}

// added are the computed values of a declaration.
type added struct {
	DutyBasis    string      `json:"dutyBasis"`
	LRN          string      `json:"lrn"`
	MRN          *string     `json:"mrn"`
	TotalDutyGBP json.Number `json:"totalDutyGbp"`
	TotalVATGBP  json.Number `json:"totalVatGbp"`
}

// record is the declaration in the answer.
type record struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
	declaration
	added
}

func (s *service) create(w http.ResponseWriter, r *http.Request) {
	h, err := s.holder(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var d declaration
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	made := record{
		ID: uuid.Must(uuid.NewV7()).String(), Status: "DRAFT", declaration: d,
		added: added{DutyBasis: "estimated", LRN: fmt.Sprintf("TWS%09X", time.Now().UnixMilli())[:12] + rand.Text()[:10], TotalDutyGBP: "222", TotalVATGBP: "414.4"},
	}
	made.CreatedAt = time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	made.UpdatedAt = made.CreatedAt
	if err := s.db.update(func(l *connection) error { return store(l, h, &made, raw) }); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body, err := json.Marshal(made)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusCreated, body)
}

const (
	readShipment = "SELECT id, status, version, body, added FROM filings WHERE org_id = $1 AND id = $2 AND kind = 'shipment'"

	insertFiling = "INSERT INTO filings (org_id, id, kind, status, version, body_version, body, brief, added, created_at, updated_at) " +
		"VALUES ($1, $2, 'declaration', $3, 1, 1, $4, $5, $6, $7, $7)"

	insertKey = "INSERT INTO filing_keys (org_id, name, value, filing_id) VALUES ($1, 'declaration.lrn', $2, $3)"
)

// store writes the rows of a new declaration.
func store(l *connection, h holder, made *record, raw []byte) error {
	var shipment struct {
		id, status, body, added string
		version                 int64
	}
	err := l.statement(readShipment).QueryRow(h.org, made.ShipmentID).Scan(&shipment.id, &shipment.status, &shipment.version, &shipment.body, &shipment.added)
	if err != nil {
		return fmt.Errorf("shipment: %w", err)
	}
	short, err := json.Marshal(brief{made.ShipmentID, made.DeclarationType})
	if err != nil {
		return err
	}
	more, err := json.Marshal(made.added)
	if err != nil {
		return err
	}
	if _, err := l.statement(insertFiling).Exec(h.org, made.ID, made.Status, string(raw), string(short), string(more), made.CreatedAt); err != nil {
		return err
	}
	if _, err := l.statement(insertKey).Exec(h.org, made.LRN, made.ID); err != nil {
		return err
	}
	return recordCreation(l, h, made, digest(string(raw)))
}

const (
	lastEvent = "SELECT sequence, hash FROM events WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1"

	insertEvent = "INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, " +
		"actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash) " +
		"VALUES ($1, $2, $3, $4, 'customs', 'declaration.created', 'declaration', $5, '', $6, $7, 'user', $8, $9, '127.0.0.1', $10, $11, $12)"
)

// recordCreation adds an event to the chain.
func recordCreation(l *connection, h holder, made *record, sum string) error {
	var sequence int64
	var previous string
	if err := l.statement(lastEvent).QueryRow(h.org).Scan(&sequence, &previous); err != nil {
		return fmt.Errorf("end of the chain: %w", err)
	}
	sequence++
	id, requestID, data := uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String(), `{"sha256":"`+sum+`"}`
	hash := digest(fmt.Sprint(h.org, sequence, id, made.CreatedAt, made.ID, made.Status, h.user, h.key, requestID, data, previous))
	_, err := l.statement(insertEvent).Exec(h.org, sequence, id, made.CreatedAt, made.ID, made.Status, h.user, h.key, requestID, data, hash, previous)
	return err
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
