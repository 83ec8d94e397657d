package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"

	"golang.org/x/text/secure/precis"
)

// scramRounds is the iteration count that PostgreSQL itself uses.
const scramRounds = 4096

// scramVerifier returns what PostgreSQL stores instead of a password (RFC 5803). CREATE ROLE
// accepts it for any password_encryption, and a reader of statements or logs cannot sign in with
// it. The password is prepared as pgx prepares it.
func scramVerifier(password string, salt []byte) (string, error) {
	if prepared, err := precis.OpaqueString.String(password); err == nil {
		password = prepared
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramRounds, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("store: hash of a password: %w", err)
	}
	stored := sha256.Sum256(hmacOf(salted, "Client Key"))
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramRounds, text(salt), text(stored[:]), text(hmacOf(salted, "Server Key"))), nil
}

func hmacOf(key []byte, message string) []byte {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(message))
	return mac.Sum(nil)
}

// verifier returns the verifier of the role's password; null if it has none. The database
// draws the salt, which is no secret.
func (r serviceRole) verifier(ctx context.Context, tx *sql.Tx) (v sql.NullString, err error) {
	if r.password == "" {
		return v, nil
	}
	var salt []byte
	if err := tx.QueryRowContext(ctx, "SELECT uuid_send(gen_random_uuid())").Scan(&salt); err != nil {
		return v, err
	}
	v.String, err = scramVerifier(r.password, salt)
	v.Valid = err == nil
	return v, err
}
